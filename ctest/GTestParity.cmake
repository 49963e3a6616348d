# parity_add_suite: a suite, a manifest and a rank count become one CTest test, a *group*.
include_guard(GLOBAL)

set(PARITY_OUTPUT_ROOT ${CMAKE_BINARY_DIR}/parity CACHE PATH "Where groups leave their reports")
set(PARITY_GROUPS_FILE ${PARITY_OUTPUT_ROOT}/groups.jsonl CACHE INTERNAL "The registered groups")
set(PARITY_BEGUN_FILE ${PARITY_OUTPUT_ROOT}/begun CACHE INTERNAL "When the present run began")
file(WRITE ${PARITY_GROUPS_FILE} "")

# The tests around all groups: `parity.begin` marks the begin of a run, `parity.verdict` folds what the
# groups left. CTest takes both along with any group. Once for all folders: a test is known only to its own.
function(_parity_add_fold)
  get_property(added GLOBAL PROPERTY PARITY_FOLD_ADDED)
  if(added)
    return()
  endif()
  set_property(GLOBAL PROPERTY PARITY_FOLD_ADDED TRUE)
  set(parity $<TARGET_FILE:gtest_parity::parity>)
  add_test(NAME parity.begin COMMAND ${parity} begin ${PARITY_BEGUN_FILE})
  add_test(NAME parity.verdict
    COMMAND ${parity} verdict ${PARITY_GROUPS_FILE} --begun ${PARITY_BEGUN_FILE})
  set_tests_properties(parity.begin PROPERTIES FIXTURES_SETUP parity_run LABELS parity)
  set_tests_properties(parity.verdict PROPERTIES FIXTURES_CLEANUP parity_run LABELS parity)
endfunction()

# Sets <program> to the target of a suite, one of this build or an installed one, and sees to it that
# all that its groups run is built.
function(_parity_suite_program program suite)
  if(TARGET ${suite})
    set(target ${suite})
    add_dependencies(${suite} ${ARGN} gtest_parity::parity gtest_parity::parity_host)
  elseif(TARGET gtest_parity::${suite})
    set(target gtest_parity::${suite})
    if(NOT TARGET parity_engines)
      add_custom_target(parity_engines ALL)
    endif()
    if(ARGN)
      add_dependencies(parity_engines ${ARGN})
    endif()
  else()
    message(FATAL_ERROR "parity_add_suite: no suite ${suite}: neither a target of this build nor one of gtest_parity")
  endif()
  set(${program} $<TARGET_FILE:${target}> PARENT_SCOPE)
endfunction()

# parity_add_suite(NAME name SUITE target MANIFEST file
#                  [RANKS n] [PROCESSES] [GPU] [RESIDENT] [TIMEOUT seconds] [GOLDEN folder]
#                  [LIBRARIES targets...] [LABELS ...] [ARGS ...])
#
# SUITE is a target of this build or an installed suite (spans, tokens).
# Registers parity.<suite>.<name>.ranks<n> (or .ranks<n>.processes), whose reports go to ${PARITY_OUTPUT_ROOT}/<suite>.<name>.ranks<n>.
#   RANKS      the rank count, default 1
#   PROCESSES  one engine host per rank, whatever the manifest says; label `processes`
#   GPU        one GPU per rank, label `gpu`: RESOURCE_GROUPS where CTest is given a resource specification
#              (ctest/resource_spec.cmake writes one); one group at a time where the build was configured without
#              CTEST_RESOURCE_SPEC_FILE
#   RESIDENT   no other test beside it
#   TIMEOUT    default 1500 s, above the deadline that the protocol itself keeps for each call (600 s)
#   GOLDEN     a recording that the project tracks (`parity golden update` makes one). Two groups then instead
#              of one, and the verdict wants both: ...ranks<n>.drift, the candidate against the golden, and
#              ...ranks<n>.host_parity, against the reference of today; each carries its label
#   LIBRARIES  targets of engine plugins that the manifest names, built first
#   LABELS     besides parity, <suite>, ranks<n> and host or gpu
#   ARGS       more arguments of the suite
function(parity_add_suite)
  cmake_parse_arguments(SUITE "PROCESSES;GPU;RESIDENT" "NAME;SUITE;MANIFEST;RANKS;TIMEOUT;GOLDEN;AGAINST"
    "LIBRARIES;LABELS;ARGS" ${ARGN})
  foreach(required NAME SUITE MANIFEST)
    if(NOT SUITE_${required})
      message(FATAL_ERROR "parity_add_suite: ${required} is missing")
    endif()
  endforeach()
  if(SUITE_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "parity_add_suite: unknown arguments: ${SUITE_UNPARSED_ARGUMENTS}")
  endif()
  if(SUITE_GOLDEN)
    list(FIND ARGN GOLDEN at)
    list(REMOVE_AT ARGN ${at})
    list(REMOVE_AT ARGN ${at})
    cmake_path(ABSOLUTE_PATH SUITE_GOLDEN)
    parity_add_suite(${ARGN} AGAINST drift LABELS drift ARGS --parity_golden ${SUITE_GOLDEN})
    parity_add_suite(${ARGN} AGAINST host_parity LABELS host_parity)
    return()
  endif()
  if(NOT SUITE_RANKS)
    set(SUITE_RANKS 1)
  endif()
  if(NOT SUITE_TIMEOUT)
    set(SUITE_TIMEOUT 1500)
  endif()
  cmake_path(ABSOLUTE_PATH SUITE_MANIFEST)
  if(NOT EXISTS ${SUITE_MANIFEST})
    message(FATAL_ERROR "parity_add_suite: no manifest ${SUITE_MANIFEST}")
  endif()
  _parity_add_fold()

  set(group ${SUITE_SUITE}.${SUITE_NAME}.ranks${SUITE_RANKS})
  if(SUITE_PROCESSES)
    string(APPEND group .processes)
    list(APPEND SUITE_LABELS processes)
    list(APPEND SUITE_ARGS --parity_ranks_in processes)
  endif()
  if(SUITE_AGAINST)
    string(APPEND group .${SUITE_AGAINST})
  endif()
  set(test parity.${group})
  set(output ${PARITY_OUTPUT_ROOT}/${group})
  set(kind host)
  if(SUITE_GPU)
    set(kind gpu)
  endif()
  set(labels parity ${SUITE_SUITE} ranks${SUITE_RANKS} ${kind} ${SUITE_LABELS})
  set(library_flag "")
  set(library_folders "")
  if(SUITE_LIBRARIES)
    set(library_flag --parity_library_path)
    list(TRANSFORM SUITE_LIBRARIES REPLACE "(.+)" "$<TARGET_FILE_DIR:\\1>"
      OUTPUT_VARIABLE library_folders)
  endif()
  _parity_suite_program(program ${SUITE_SUITE} ${SUITE_LIBRARIES})

  add_test(NAME ${test} COMMAND ${program}
    --parity_manifest ${SUITE_MANIFEST} --parity_ranks ${SUITE_RANKS} --parity_group ${group}
    --parity_output ${output} --parity_host $<TARGET_FILE:gtest_parity::parity_host>
    ${library_flag} "$<REMOVE_DUPLICATES:${library_folders}>" ${SUITE_ARGS}
    COMMAND_EXPAND_LISTS)
  set_tests_properties(${test} PROPERTIES
    LABELS "${labels}" SKIP_RETURN_CODE 77 TIMEOUT ${SUITE_TIMEOUT} PROCESSORS ${SUITE_RANKS}
    FIXTURES_REQUIRED parity_run)
  if(SUITE_GPU)
    set_tests_properties(${test} PROPERTIES RESOURCE_GROUPS "${SUITE_RANKS},gpus:1")
    if(NOT CTEST_RESOURCE_SPEC_FILE)
      set_tests_properties(${test} PROPERTIES RESOURCE_LOCK parity_gpu)
    endif()
  endif()
  if(SUITE_RESIDENT)
    set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
  endif()

  string(JOIN "\", \"" label_text ${labels})
  file(APPEND ${PARITY_GROUPS_FILE}
    "{\"name\": \"${group}\", \"folder\": \"${output}\", \"labels\": [\"${label_text}\"]}\n")
endfunction()
