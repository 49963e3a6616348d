# What `cmake --install` puts where. Components, for `cmake --install BUILD --component NAME`:
#   engine       engine.h, its CMake target, the example engine: all that an engine's own project needs
#   development  libraries, headers, the CMake package with parity_add_suite and parity_add_llama_cpp_engine
#   runtime      `parity` with its completion, the engine host, the suites, the manifest's JSON Schema
#   tiny         the engines that come with the plugin, their model and manifests; the manifests for llama.cpp
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gtest_parity)
set(private_programs ${CMAKE_INSTALL_LIBEXECDIR}/gtest_parity)
set(shared_data ${CMAKE_INSTALL_DATADIR}/gtest_parity)

set(libraries gtest_parity parity_options parity_kernels parity_device parity_engine parity_manifest
  parity_judge parity_side parity_server parity_replay parity_session parity_report)
if(PARITY_HAS_CUDA)
  list(APPEND libraries parity_kernels_cuda)
endif()
set(suites spans tokens kv)
if(TARGET wire)
  list(APPEND suites wire)
endif()
get_property(tiny_engines GLOBAL PROPERTY PARITY_TINY_ENGINES)

set_target_properties(parity_engine_header PROPERTIES EXPORT_NAME engine)
install(TARGETS parity_engine_header EXPORT gtest_parity_engine
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gtest_parity_engine NAMESPACE gtest_parity:: DESTINATION ${package_folder}
  FILE gtest_parity-engine.cmake COMPONENT engine)
install(FILES gtest_parity/engine/engine.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gtest_parity/engine COMPONENT engine)
install(DIRECTORY docs/example DESTINATION ${shared_data} COMPONENT engine)

install(TARGETS ${libraries} EXPORT gtest_parity
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY gtest_parity kernels
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h"
  PATTERN engines EXCLUDE PATTERN cli EXCLUDE PATTERN bench EXCLUDE PATTERN engine.h EXCLUDE)
install(TARGETS parity EXPORT gtest_parity
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
# A suite finds the host beside itself.
install(TARGETS parity_host ${suites} EXPORT gtest_parity
  RUNTIME DESTINATION ${private_programs} COMPONENT runtime)
install(EXPORT gtest_parity NAMESPACE gtest_parity:: DESTINATION ${package_folder}
  FILE gtest_parity-targets.cmake COMPONENT development)

configure_package_config_file(ctest/gtest_parity-config.cmake.in gtest_parity-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS shared_data package_folder
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(gtest_parity-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gtest_parity-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/gtest_parity-config-version.cmake
  DESTINATION ${package_folder} COMPONENT engine)
# The engine over llama.cpp is compiled against the installation that it is to run.
install(DIRECTORY gtest_parity/engines/llama_cpp
  DESTINATION ${shared_data}/source/gtest_parity/engines COMPONENT development FILES_MATCHING
  PATTERN "*.h" PATTERN "*.cc" PATTERN "exports.map" PATTERN "parity_llama_cpp.cmake" PATTERN gguf EXCLUDE PATTERN bench EXCLUDE)
install(FILES ctest/GTestParity.cmake ctest/resource_spec.cmake
  DESTINATION ${package_folder} COMPONENT development)

install(FILES manifests/parity.schema.json DESTINATION ${shared_data} COMPONENT runtime)
install(FILES gtest_parity/cli/parity.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME parity COMPONENT runtime)

install(TARGETS ${tiny_engines}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gtest_parity COMPONENT tiny)
if(TARGET parity_tiny_server)
  install(TARGETS parity_tiny_server RUNTIME DESTINATION ${private_programs} COMPONENT tiny)
endif()
install(DIRECTORY manifests/tiny manifests/llama_cpp DESTINATION ${shared_data}/manifests COMPONENT tiny)
