# inferno_add_conformance(TARGET plugin | BACKEND expression...
#                         [NAME name] [BASE backend] [PROFILE smoke|ci|nightly] [OPS op...]
#                         [BASELINE file] [ON_DEMAND])
#
# CTest entries that judge a backend with `inferno conform`:
#
#   conform/smoke/<name>.<op>   one for each op, seconds      labels conform, smoke
#   conform/<profile>/<name>    all ops; not for smoke alone  labels conform, <profile>
#
# so `ctest -L smoke` is a quick look at everything and `ctest -R 'name\.matmul$'` at one op. A plugin
# is called by its target, in front of BASE if that is given ("plugin.so:simd": what the plugin lacks
# comes from simd); any other backend by its expression, and NAME is needed. Several expressions are
# judged in one run, which makes the inputs and what they must give once for all. PROFILE is ci unless
# given. What a plugin inherits is judged, too, as its users will run it; OPS names the only ops that
# matter where that is not so. BASELINE is a report (conform --json) of an earlier run of the profile:
# the run fails where it refuses more, or where a worst error has doubled, though all cases pass.
# ON_DEMAND: the entry of the profile runs where it is asked for, `ctest -C ci -L ci`, and the others always.
# INFERNO_TEST_PATIENCE, where it is set, says how many times its usual limit an entry and a call may take.
if(NOT INFERNO_OPS_FILE)
    message(FATAL_ERROR "INFERNO_OPS_FILE is not set: use find_package(inferno)")
endif()
file(STRINGS ${INFERNO_OPS_FILE} inferno_ops)
set_property(GLOBAL PROPERTY INFERNO_OPS ${inferno_ops})
unset(inferno_ops)

function(ifn_add_conformance_test name label timeout)
    set(configurations "")
    if(label STREQUAL "${ifn_on_demand}")
        set(configurations CONFIGURATIONS ${label})
    endif()
    if(DEFINED INFERNO_TEST_PATIENCE AND INFERNO_TEST_PATIENCE GREATER 1)
        math(EXPR timeout "${timeout} * ${INFERNO_TEST_PATIENCE}")
        math(EXPR seconds "10 * ${INFERNO_TEST_PATIENCE}") # of a call: conform --help
        list(APPEND ARGN --patience ${seconds})
    endif()
    add_test(NAME ${name} COMMAND ${ARGN} ${configurations})
    set_tests_properties(${name} PROPERTIES LABELS "conform;${label}" TIMEOUT ${timeout})
endfunction()

function(inferno_add_conformance)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "ON_DEMAND" "TARGET;NAME;BASE;PROFILE;BASELINE" "BACKEND;OPS")
    if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "inferno_add_conformance: found ${ARG_UNPARSED_ARGUMENTS}"
                            "${ARG_KEYWORDS_MISSING_VALUES}, expected keywords with values")
    endif()
    if(DEFINED ARG_TARGET AND TARGET "${ARG_TARGET}" AND NOT DEFINED ARG_BACKEND)
        set(ARG_BACKEND $<TARGET_FILE:${ARG_TARGET}>)
    elseif(DEFINED ARG_TARGET OR NOT DEFINED ARG_BACKEND)
        message(FATAL_ERROR "inferno_add_conformance: TARGET '${ARG_TARGET}', BACKEND"
                            " '${ARG_BACKEND}', expected either the target of a plugin or a backend")
    endif()
    if(DEFINED ARG_BASE)
        list(TRANSFORM ARG_BACKEND APPEND ":${ARG_BASE}")
    endif()
    if(NOT DEFINED ARG_NAME)
        set(ARG_NAME "${ARG_TARGET}")
    endif()
    if(NOT ARG_NAME MATCHES "^[A-Za-z0-9_+-]+$")
        message(FATAL_ERROR "inferno_add_conformance: NAME '${ARG_NAME}', expected letters, digits and"
                            " _ + -")
    endif()
    if(NOT DEFINED ARG_PROFILE)
        set(ARG_PROFILE ci)
    endif()
    if(NOT ARG_PROFILE MATCHES "^(smoke|ci|nightly)$")
        message(FATAL_ERROR "inferno_add_conformance: PROFILE '${ARG_PROFILE}', expected smoke, ci or"
                            " nightly")
    endif()

    set(ifn_on_demand "")
    if(ARG_ON_DEMAND)
        set(ifn_on_demand ${ARG_PROFILE})
    endif()

    # An entry of the smoke profile is one process, as CTest runs many at a time.
    # By its target's name: then CTest runs it by the emulator of a cross build.
    list(TRANSFORM ARG_BACKEND PREPEND --backend=)
    set(conform inferno::program conform ${ARG_BACKEND})
    set(only ${ARG_OPS})
    list(TRANSFORM only PREPEND --op=)
    if(DEFINED ARG_BASELINE)
        list(APPEND only --baseline=${ARG_BASELINE})
    endif()
    if(NOT ARG_OPS)
        get_property(ARG_OPS GLOBAL PROPERTY INFERNO_OPS)
    endif()
    foreach(op IN LISTS ARG_OPS)
        ifn_add_conformance_test(conform/smoke/${ARG_NAME}.${op} smoke 600
            ${conform} --profile smoke --op ${op} --jobs 1)
    endforeach()
    if(ARG_PROFILE STREQUAL ci)
        ifn_add_conformance_test(conform/ci/${ARG_NAME} ci 3600 ${conform} --profile ci ${only})
    elseif(ARG_PROFILE STREQUAL nightly)
        ifn_add_conformance_test(conform/nightly/${ARG_NAME} nightly 86400
            ${conform} --profile nightly ${only})
    endif()
endfunction()
