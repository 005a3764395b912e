# ifn_serve: `inferno serve`. Sets INFERNO_SERVE to ON if it can be built.
pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd>=0.9.71)
pkg_check_modules(JANSSON IMPORTED_TARGET jansson)
set(lacks "")
if(NOT MICROHTTPD_FOUND)
    list(APPEND lacks "libmicrohttpd (Debian: libmicrohttpd-dev)")
endif()
if(NOT JANSSON_FOUND)
    list(APPEND lacks "jansson (Debian: libjansson-dev)")
endif()
if(INFERNO_SANITIZE STREQUAL memory)
    set(lacks "libraries that MemorySanitizer sees into")
endif()
list(JOIN lacks " and " lacks)

if(lacks)
    message(STATUS "inferno serve: left out, there is no ${lacks}")
    set(INFERNO_SERVE OFF CACHE INTERNAL "Whether inferno serve is built")
    add_library(ifn_serve STATIC cmd_serve.c serve/absent.c)
    target_compile_definitions(ifn_serve PRIVATE "SERVE_LACKS=\"${lacks}\"")
else()
    set(INFERNO_SERVE ON CACHE INTERNAL "Whether inferno serve is built")
    ifn_embed_page(${CMAKE_CURRENT_BINARY_DIR}/page.c ${CMAKE_CURRENT_SOURCE_DIR}/serve/page.html)
    add_library(ifn_serve STATIC
        cmd_serve.c
        serve/answer.c
        serve/conversation.c
        serve/engine.c
        serve/exchange.c
        serve/http.c
        serve/job.c
        serve/listener.c
        serve/queue.c
        serve/refusal.c
        serve/request_read.c
        serve/request_fields.c
        serve/serve.c
        serve/served.c
        serve/stream.c
        ${CMAKE_CURRENT_BINARY_DIR}/page.c)
    target_link_libraries(ifn_serve PUBLIC PkgConfig::MICROHTTPD PkgConfig::JANSSON)
endif()
target_include_directories(ifn_serve PUBLIC serve)
target_link_libraries(ifn_serve PUBLIC ifn_cli)
