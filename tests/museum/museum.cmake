# The bug museum: a plugin of faults, one file each. The lists in museum_faults.h and in its wing are the only ones.
# It ships with the programs, tests or not: `inferno conform --museum` shows it, and the level Gold is earned before it.
foreach(name museum_faults.h museum_faults_2026.h)
    set(list ${CMAKE_CURRENT_LIST_DIR}/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(READ ${list} text)
    string(REGEX MATCHALL "\n    X\\([a-z0-9_]+" some "${text}")
    list(APPEND faults ${some})
endforeach()
list(TRANSFORM faults REPLACE "^.*\\(" "faults/")
list(TRANSFORM faults APPEND ".c")
set(faults fault_names.c museum.c museum_attention.c museum_cells.c museum_linear.c museum_numbers.c museum_rows.c
    ${faults})
list(TRANSFORM faults PREPEND ${CMAKE_CURRENT_LIST_DIR}/)

add_library(museum MODULE ${faults})
target_include_directories(museum PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/src/conform/museum)
target_link_libraries(museum PRIVATE inferno::headers ifn_build_flags m)
set_target_properties(museum PROPERTIES PREFIX "" OUTPUT_NAME museum
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/museum)
install(TARGETS museum LIBRARY DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno)
