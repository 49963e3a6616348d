# parity_add_llama_cpp_engine: an engine plugin for an installed llama.cpp. Struct layouts differ from
# version to version, so there is one plugin for each installation.
include_guard(GLOBAL)

set(_parity_llama_cpp_folder ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "Sources of the engine llama_cpp")

# Sets <prefix>_INCLUDE, <prefix>_LIBRARY_FOLDER and <prefix>_<library> for each library of the installation in `root`; an
# optional one that is not there is left empty. Without `root`: of the one that find_package(llama) finds.
function(_parity_find_llama_cpp prefix root)
  if(root)
    # An installation by CMake, or what pip makes of one in a virtual environment.
    file(GLOB places LIST_DIRECTORIES true ${root} ${root}/lib/python3*/site-packages)
    if(NOT places)
      message(FATAL_ERROR "parity_add_llama_cpp_engine: ROOT ${root} is not there, expected the folder of an "
        "installed llama.cpp, with include/llama.h and lib/libllama.so")
    endif()
  else()
    find_package(llama QUIET)
    if(NOT llama_FOUND)
      message(FATAL_ERROR "parity_add_llama_cpp_engine: ROOT is missing and find_package(llama) finds nothing, "
        "expected ROOT or llama_DIR of an installed llama.cpp")
    endif()
    set(places ${LLAMA_INCLUDE_DIR}/.. ${LLAMA_LIB_DIR}/..)
  endif()
  find_path(include llama.h PATHS ${places} PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE)
  if(NOT include)
    message(FATAL_ERROR "parity_add_llama_cpp_engine: no llama.h in include/ of ${places}, expected the headers of "
      "an installed llama.cpp")
  endif()
  foreach(library llama ggml ggml-base ggml-cpu ggml-rpc ggml-cuda)
    find_library(found_${library} ${library} PATHS ${places} PATH_SUFFIXES lib lib64 llama_cpp/lib bin
      NO_DEFAULT_PATH NO_CACHE)
    if(NOT found_${library})
      set(found_${library} "")
    endif()
    set(${prefix}_${library} ${found_${library}} PARENT_SCOPE)
  endforeach()
  foreach(library llama ggml ggml-base)
    if(NOT found_${library})
      message(FATAL_ERROR "parity_add_llama_cpp_engine: no lib${library} in lib/ of ${places}, expected the shared "
        "libraries of an installed llama.cpp beside ${include}/llama.h")
    endif()
  endforeach()
  cmake_path(GET found_llama PARENT_PATH folder)
  set(${prefix}_INCLUDE ${include} PARENT_SCOPE)
  set(${prefix}_LIBRARY_FOLDER ${folder} PARENT_SCOPE)
endfunction()

# What the plugin and the server beside it are compiled with and linked to.
function(_parity_llama_cpp_target target include folder)
  target_include_directories(${target} PRIVATE ${_parity_llama_cpp_folder}/../../..)
  target_include_directories(${target} SYSTEM PRIVATE ${include})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE PARITY_LLAMA_LIBRARY_FOLDER="${folder}")
  target_link_libraries(${target} PRIVATE ${ARGN})
  if(TARGET parity_options)
    target_link_libraries(${target} PRIVATE parity_options)
  endif()
  # What is named here is what is tested, whatever LD_LIBRARY_PATH says.
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(${target} PROPERTIES BUILD_RPATH ${folder} INSTALL_RPATH ${folder})
endfunction()

# parity_add_llama_cpp_engine(NAME target [ROOT folder])
#
# The library lib<target>.so with the engine `llama_cpp`, over the installation in ROOT (its include/ and lib/; a virtual
# environment that pip has installed llama-cpp-python into will do), or over the one that find_package(llama) finds.
# Its property PARITY_CUDA is set where that was built for CUDA.
# Beside it <target>_rpc_server, for `rpc_servers` of its configuration, where the installation has ggml's RPC.
function(parity_add_llama_cpp_engine)
  cmake_parse_arguments(LLAMA "" "NAME;ROOT" "" ${ARGN})
  if(NOT LLAMA_NAME)
    message(FATAL_ERROR "parity_add_llama_cpp_engine: NAME is missing")
  endif()
  if(LLAMA_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "parity_add_llama_cpp_engine: unknown arguments: ${LLAMA_UNPARSED_ARGUMENTS}")
  endif()
  _parity_find_llama_cpp(FOUND "${LLAMA_ROOT}")
  find_package(nlohmann_json REQUIRED)
  message(STATUS "${LLAMA_NAME}: the engine llama_cpp over ${FOUND_llama}")

  file(GLOB sources CONFIGURE_DEPENDS ${_parity_llama_cpp_folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_main\\.cc$")
  add_library(${LLAMA_NAME} SHARED ${sources})
  _parity_llama_cpp_target(${LLAMA_NAME} ${FOUND_INCLUDE} ${FOUND_LIBRARY_FOLDER}
    gtest_parity::engine nlohmann_json::nlohmann_json ${FOUND_llama} ${FOUND_ggml} ${FOUND_ggml-base} ${CMAKE_DL_LIBS})
  target_link_options(${LLAMA_NAME} PRIVATE
    -Wl,--version-script=${_parity_llama_cpp_folder}/exports.map)
  set_target_properties(${LLAMA_NAME} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS ${_parity_llama_cpp_folder}/exports.map)

  # What computes is not in the plugin: an installation that changes makes it another engine.
  string(JOIN "\", \"" files ${FOUND_llama} ${FOUND_ggml} ${FOUND_ggml-base}
    ${FOUND_ggml-cpu} ${FOUND_ggml-rpc} ${FOUND_ggml-cuda})
  file(GENERATE OUTPUT $<TARGET_FILE:${LLAMA_NAME}>.impl.json CONTENT "{\"files\": [\"${files}\"]}\n")

  if(FOUND_ggml-cuda)
    set_target_properties(${LLAMA_NAME} PROPERTIES PARITY_CUDA TRUE)
  endif()
  if(NOT FOUND_ggml-rpc OR NOT FOUND_ggml-cpu OR NOT EXISTS ${FOUND_INCLUDE}/ggml-rpc.h)
    message(STATUS "${LLAMA_NAME}: this llama.cpp has no RPC, config.rpc_servers is refused")
    return()
  endif()
  set(server ${LLAMA_NAME}_rpc_server)
  add_executable(${server} ${_parity_llama_cpp_folder}/rpc_server_main.cc)
  _parity_llama_cpp_target(${server} ${FOUND_INCLUDE} ${FOUND_LIBRARY_FOLDER}
    ${FOUND_ggml-rpc} ${FOUND_ggml-cpu} ${FOUND_ggml} ${FOUND_ggml-base})
  set_target_properties(${server} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:${LLAMA_NAME}>)
  target_compile_definitions(${LLAMA_NAME} PRIVATE PARITY_LLAMA_RPC_SERVER="${server}")
  add_dependencies(${LLAMA_NAME} ${server})
endfunction()
