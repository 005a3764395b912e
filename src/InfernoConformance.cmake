# inferno_add_conformance(TARGET plugin | BACKEND expression
#                         [NAME name] [BASE backend] [PROFILE smoke|ci|nightly])
#
# CTest entries that judge a backend with `inferno conform`:
#
#   conform/smoke/<name>.<op>   one for each op, seconds      labels conform, smoke
#   conform/<profile>/<name>    all ops; not for smoke alone  labels conform, <profile>
#
# so `ctest -L smoke` is a quick look at everything and `ctest -R 'name\.matmul$'` at one op. A plugin
# is called by its target, in front of BASE if that is given ("plugin.so:simd": what the plugin lacks
# comes from simd); any other backend by its expression, and NAME is needed. PROFILE is ci unless
# given. What a plugin inherits is judged, too: it is what the plugin's users will run.
if(NOT INFERNO_OPS_FILE)
    message(FATAL_ERROR "INFERNO_OPS_FILE is not set: use find_package(inferno)")
endif()
file(STRINGS ${INFERNO_OPS_FILE} inferno_ops)
set_property(GLOBAL PROPERTY INFERNO_OPS ${inferno_ops})
unset(inferno_ops)

function(inferno_add_conformance)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET;BACKEND;NAME;BASE;PROFILE" "")
    if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "inferno_add_conformance: unexpected ${ARG_UNPARSED_ARGUMENTS}"
                            "${ARG_KEYWORDS_MISSING_VALUES}")
    endif()
    if(DEFINED ARG_TARGET AND TARGET ${ARG_TARGET} AND NOT DEFINED ARG_BACKEND)
        set(ARG_BACKEND $<TARGET_FILE:${ARG_TARGET}>)
    elseif(DEFINED ARG_TARGET OR NOT DEFINED ARG_BACKEND)
        message(FATAL_ERROR "inferno_add_conformance: expected either TARGET, a library, or BACKEND,"
                            " found TARGET '${ARG_TARGET}' BACKEND '${ARG_BACKEND}'")
    endif()
    if(NOT DEFINED ARG_NAME)
        set(ARG_NAME ${ARG_TARGET})
    endif()
    if(NOT DEFINED ARG_PROFILE)
        set(ARG_PROFILE ci)
    endif()
    if(NOT ARG_NAME MATCHES "^[A-Za-z0-9_+-]+$")
        message(FATAL_ERROR "inferno_add_conformance: NAME '${ARG_NAME}', expected letters, digits and"
                            " _ + -")
    endif()
    if(NOT ARG_PROFILE MATCHES "^(smoke|ci|nightly)$")
        message(FATAL_ERROR "inferno_add_conformance: PROFILE '${ARG_PROFILE}', expected smoke, ci or"
                            " nightly")
    endif()
    if(DEFINED ARG_BASE)
        string(APPEND ARG_BACKEND ":${ARG_BASE}")
    endif()

    set(conform $<TARGET_FILE:inferno::program> conform --backend ${ARG_BACKEND})
    get_property(ops GLOBAL PROPERTY INFERNO_OPS)
    foreach(op IN LISTS ops)
        add_test(NAME conform/smoke/${ARG_NAME}.${op} COMMAND ${conform} --profile smoke --op ${op})
        set_tests_properties(conform/smoke/${ARG_NAME}.${op} PROPERTIES
            LABELS "conform;smoke" TIMEOUT 120)
    endforeach()
    if(NOT ARG_PROFILE STREQUAL smoke)
        set(hours_ci 1)
        set(hours_nightly 24)
        math(EXPR timeout "3600 * ${hours_${ARG_PROFILE}}")
        add_test(NAME conform/${ARG_PROFILE}/${ARG_NAME} COMMAND ${conform} --profile ${ARG_PROFILE})
        set_tests_properties(conform/${ARG_PROFILE}/${ARG_NAME} PROPERTIES
            LABELS "conform;${ARG_PROFILE}" TIMEOUT ${timeout})
    endif()
endfunction()
