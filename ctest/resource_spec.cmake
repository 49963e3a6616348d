# Writes CTest's resource specification for this machine's GPUs:
#   cmake -DOUTPUT=gpus.json -P resource_spec.cmake && ctest --resource-spec-file gpus.json -L gpu
# One slot per GPU, so that no two ranks share one. Ids are UUIDs, in the letters that CTest allows: CUDA may number GPUs
# otherwise than nvidia-smi does. NVIDIA_SMI names another program to ask.
cmake_minimum_required(VERSION 3.25)
if(NOT OUTPUT)
  message(FATAL_ERROR "give -DOUTPUT=FILE")
endif()
if(NOT NVIDIA_SMI)
  set(NVIDIA_SMI nvidia-smi)
endif()
execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=uuid --format=csv,noheader
  OUTPUT_VARIABLE listed RESULT_VARIABLE result ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
set(gpus "")
if(result EQUAL 0)
  string(REGEX MATCHALL "GPU-[-0-9a-fA-F]+" uuids "${listed}")
  foreach(uuid ${uuids})
    string(TOLOWER ${uuid} id)
    string(REPLACE "-" "_" id ${id})
    list(APPEND gpus "{\"id\": \"${id}\", \"slots\": 1}")
  endforeach()
endif()
string(JOIN ", " gpus ${gpus})
file(WRITE ${OUTPUT} "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"gpus\": [${gpus}]}]}\n")
