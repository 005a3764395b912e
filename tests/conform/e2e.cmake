# Whole models: `inferno conform --e2e`.
foreach(name IN ITEMS batches child cuts file judge opening report results statistics)
    ifn_add_test(conform e2e_${name})
endforeach()
foreach(name IN ITEMS codes company engine explain prompts replay truth)
    ifn_add_test(conform e2e_${name} SOURCES ../support/tiny_model.c)
endforeach()
ifn_slow_watched(conform/e2e_codes conform/e2e_company conform/e2e_truth)
ifn_add_test(conform e2e_command ALONE SOURCES command.c ../support/tiny_model.c)
add_dependencies(conform_e2e_command_test museum)
target_compile_definitions(conform_e2e_command_test PRIVATE MUSEUM="$<TARGET_FILE:museum>")
ifn_slow_watched(conform/e2e_command)

# An instrumented run takes ten times as long and looks for other errors, so it does a part of the cases only.
set(stride 1)
if(INFERNO_SANITIZE OR INFERNO_TEST_LAUNCHER)
    set(stride 31)
endif()
foreach(name IN ITEMS trial long)
    ifn_add_test(conform e2e_${name} ALONE LABELS slow SOURCES ../support/tiny_model.c)
    target_compile_definitions(conform_e2e_${name}_test PRIVATE E2E_STRIDE=${stride})
    ifn_test_limit(1800 conform/e2e_${name})
    ifn_test_early(300 conform/e2e_${name})
endforeach()

# Backends that round products and declare it, honest and with a fault in one layer.
ifn_add_test(conform e2e_declared ALONE LABELS slow SOURCES ../support/tiny_model.c)
add_dependencies(conform_e2e_declared_test rounding_plugin)
target_compile_definitions(conform_e2e_declared_test PRIVATE ROUNDING="$<TARGET_FILE:rounding_plugin>")
ifn_test_limit(1800 conform/e2e_declared)

# The shipped model on every backend and wrapper of the tree, which share its truth.
set(e2e inferno_program conform --e2e shipped --quiet)
if(NOT INFERNO_SANITIZE)
    set(backends)
    foreach(backend IN ITEMS scalar simd parallel:simd trace:parallel:simd check:scalar)
        list(APPEND backends --backend ${backend})
    endforeach()
    add_test(NAME conform/e2e/shipped COMMAND ${e2e} ${backends})
    ifn_test_properties(conform/e2e/shipped LABELS conform smoke model slow)
    ifn_test_limit(1800 conform/e2e/shipped)
endif()

# And on a device, where the driver is opened in the process that runs alone.
if(INFERNO_OPENCL_HEADERS AND NOT INFERNO_SANITIZE)
    add_test(NAME conform/e2e/opencl COMMAND ${e2e} --backend opencl)
    ifn_test_properties(conform/e2e/opencl LABELS conform smoke model)
    ifn_opencl_test(conform/e2e/opencl)
    ifn_test_limit(1800 conform/e2e/opencl)
    set_tests_properties(conform/e2e/opencl PROPERTIES SKIP_REGULAR_EXPRESSION "${no_opencl}")
endif()

# A thousand runs with random thread counts and chunkings: ctest -C nightly -L nightly
add_test(NAME conform/nightly/e2e CONFIGURATIONS nightly
         COMMAND ${e2e} --backend parallel:simd --runs 1000)
ifn_test_properties(conform/nightly/e2e LABELS conform nightly)
set_tests_properties(conform/nightly/e2e PROPERTIES TIMEOUT 86400)

# Ten thousand random batches of sequences in each mode, on a tiny model.
if(NOT INFERNO_SANITIZE)
    set(company_model ${CMAKE_CURRENT_BINARY_DIR}/company.gguf)
    add_test(NAME conform/nightly/company_model CONFIGURATIONS nightly
             COMMAND inferno_program synth qwen3 ${company_model} --force --quiet)
    set_tests_properties(conform/nightly/company_model PROPERTIES FIXTURES_SETUP company_model)
    add_test(NAME conform/nightly/company CONFIGURATIONS nightly
             COMMAND inferno_program conform e2e ${company_model} --company --profile nightly --quiet
                     --backend scalar --backend parallel=3+small:simd --backend simd=*)
    set_tests_properties(conform/nightly/company PROPERTIES FIXTURES_REQUIRED company_model TIMEOUT 86400)
    foreach(name IN ITEMS company_model company)
        ifn_test_properties(conform/nightly/${name} LABELS conform nightly)
    endforeach()
    # A narrow model of one block: on the other a batch takes a driver that runs on a processor 130 ms, mostly products.
    # PoCL does without threads, which would wait for each other at each of a batch's thousand calls.
    if(INFERNO_OPENCL_HEADERS)
        set(narrow_model ${CMAKE_CURRENT_BINARY_DIR}/narrow.gguf)
        conform_nightly(narrow_model inferno_program synth qwen3 ${narrow_model} --force --quiet --embedding_length 64
                        --feed_forward_length 160 --attention.key_length 32 --vocab_size 272 --block_count 1)
        set_tests_properties(conform/nightly/narrow_model PROPERTIES FIXTURES_SETUP narrow_model)
        conform_nightly(company_opencl inferno::program conform e2e ${narrow_model} --company --profile nightly --quiet
                        --backend opencl)
        ifn_opencl_test(conform/nightly/company_opencl)
        set_tests_properties(conform/nightly/company_opencl PROPERTIES FIXTURES_REQUIRED narrow_model
                             SKIP_REGULAR_EXPRESSION "${no_opencl}")
        set_property(TEST conform/nightly/company_opencl APPEND PROPERTY ENVIRONMENT POCL_DEVICES=basic)
    endif()
endif()
