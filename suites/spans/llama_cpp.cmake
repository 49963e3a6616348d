# An installed llama.cpp against itself and its like: docs/llama_cpp.md.
if(NOT TARGET parity_llama_cpp)
  message(STATUS "The groups llama_cpp_* are left out: they need PARITY_LLAMA_ROOT, an installed llama.cpp")
  return()
endif()
add_dependencies(spans kjv_2m_gguf)
set(llama_models ${PROJECT_BINARY_DIR}/models)

# parity_llama_cpp_group(name REFERENCE model CANDIDATE model [LIBRARIES ...]): of the manifest of that name.
function(parity_llama_cpp_group name)
  cmake_parse_arguments(GROUP "" "REFERENCE;CANDIDATE" "LIBRARIES" ${ARGN})
  parity_add_suite(NAME llama_cpp_${name} SUITE spans
    MANIFEST ${PROJECT_SOURCE_DIR}/manifests/llama_cpp/${name}.yaml
    LIBRARIES parity_llama_cpp ${GROUP_LIBRARIES}
    LABELS llama_cpp
    ARGS "--parity_reference_config={\"model\": \"${GROUP_REFERENCE}\"}"
      "--parity_candidate_config={\"model\": \"${GROUP_CANDIDATE}\"}")
endfunction()

# What leaves every bit alone, on the tiny model.
foreach(name self)
  parity_llama_cpp_group(${name}
    REFERENCE ${llama_models}/kjv-2m.f32.gguf CANDIDATE ${llama_models}/kjv-2m.f32.gguf)
endforeach()
