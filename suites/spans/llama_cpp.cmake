# An installed llama.cpp against itself and its like: docs/llama_cpp.md.
if(NOT TARGET parity_llama_cpp)
  message(STATUS "The groups llama_cpp_* are left out: they need PARITY_LLAMA_ROOT, an installed llama.cpp")
  return()
endif()
add_dependencies(spans kjv_2m_gguf)
set(llama_models ${PROJECT_BINARY_DIR}/models)

# parity_llama_cpp_group(name [GPU] [MODEL type] [CANDIDATE type] [LIBRARIES ...] [ARGS ...]): of the manifest of that name,
# with the tiny model's weights in a type, f32 where none is said.
function(parity_llama_cpp_group name)
  cmake_parse_arguments(GROUP "GPU" "MODEL;CANDIDATE" "LIBRARIES;ARGS" ${ARGN})
  foreach(side MODEL CANDIDATE)
    if(NOT GROUP_${side})
      set(GROUP_${side} f32)
    endif()
  endforeach()
  set(gpu "")
  if(GROUP_GPU)
    set(gpu GPU)
  endif()
  parity_add_suite(NAME llama_cpp_${name} SUITE spans ${gpu}
    MANIFEST ${PROJECT_SOURCE_DIR}/manifests/llama_cpp/${name}.yaml
    LIBRARIES parity_llama_cpp ${GROUP_LIBRARIES}
    LABELS llama_cpp
    ARGS "--parity_reference_config={\"model\": \"${llama_models}/kjv-2m.${GROUP_MODEL}.gguf\"}"
      "--parity_candidate_config={\"model\": \"${llama_models}/kjv-2m.${GROUP_CANDIDATE}.gguf\"}"
      ${GROUP_ARGS})
endfunction()

foreach(name self threads ubatch sequences flash_attention kv_q8_0)
  parity_llama_cpp_group(${name})
endforeach()
foreach(type f16 q8_0)
  parity_llama_cpp_group(weights_${type} CANDIDATE ${type})
endforeach()
get_target_property(llama_cuda parity_llama_cpp PARITY_CUDA)
if(llama_cuda)
  parity_llama_cpp_group(cuda_self GPU)
  parity_llama_cpp_group(cuda GPU)
  parity_llama_cpp_group(cuda_flash_attention GPU)
endif()

# Across engines: the side that is not llama.cpp takes no file of its own.
function(parity_llama_cpp_rewrite_group name side library)
  parity_add_suite(NAME ${name} SUITE spans
    MANIFEST ${PROJECT_SOURCE_DIR}/manifests/llama_cpp/${name}.yaml
    LIBRARIES parity_llama_cpp ${library}
    LABELS llama_cpp
    ARGS "--parity_${side}_config={\"model\": \"${llama_models}/kjv-2m.f32.gguf\"}")
endfunction()
parity_llama_cpp_rewrite_group(tiny_vs_llama_cpp candidate parity_tiny)
parity_llama_cpp_rewrite_group(llama_cpp_vs_tiny reference parity_tiny_ported)
if(TARGET parity_llama_cpp_rpc_server)
  parity_llama_cpp_group(devices)
endif()
if(TARGET parity_llama_cpp_other)
  parity_llama_cpp_group(versions LIBRARIES parity_llama_cpp_other)
else()
  message(STATUS "The group llama_cpp_versions is left out: it needs PARITY_LLAMA_OTHER_ROOT, another installed llama.cpp")
endif()

# A model in use, which is not this project's: some minutes on two cores.
if(NOT EXISTS "${PARITY_LLAMA_MODEL}" OR NOT PARITY_LLAMA_MODEL MATCHES "SmolLM2-135M-Instruct")
  message(STATUS "The groups llama_cpp_smollm2_* are left out: they need PARITY_LLAMA_MODEL, a SmolLM2-135M-Instruct in GGUF")
  return()
endif()
set(smollm2 "{\"model\": \"${PARITY_LLAMA_MODEL}\"}")
foreach(name threads flash_attention kv_q8_0 versions)
  if(name STREQUAL versions AND NOT TARGET parity_llama_cpp_other)
    continue()
  endif()
  set(libraries parity_llama_cpp)
  if(name STREQUAL versions)
    list(APPEND libraries parity_llama_cpp_other)
  endif()
  parity_add_suite(NAME llama_cpp_smollm2_${name} SUITE spans
    MANIFEST ${PROJECT_SOURCE_DIR}/manifests/llama_cpp/smollm2_${name}.yaml
    LIBRARIES ${libraries} LABELS llama_cpp
    ARGS "--parity_reference_config=${smollm2}" "--parity_candidate_config=${smollm2}")
endforeach()
