# The bug museum: a plugin of faults, one file each. The lists in museum_faults.h and the two beside it are the only ones.
# It ships with the programs, tests or not: `inferno conform --museum` shows it, and the level Gold is earned before it.
foreach(name museum_faults.h museum_faults_classes.h museum_faults_2026.h)
    set(list ${CMAKE_CURRENT_LIST_DIR}/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(READ ${list} text)
    string(REGEX MATCHALL "\n    X\\([a-z0-9_]+" some "${text}")
    list(APPEND faults ${some})
endforeach()
list(TRANSFORM faults REPLACE "^.*\\(" "faults/")
list(TRANSFORM faults APPEND ".c")
list(PREPEND faults fault_names.c museum.c museum_attention.c museum_cells.c museum_linear.c museum_numbers.c
    museum_pages.c museum_rows.c museum_softmax.c museum_untouched.c)
list(TRANSFORM faults PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
add_library(museum_faults OBJECT ${faults})
set_target_properties(museum_faults PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(museum_faults PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_SOURCE_DIR}/src/conform/museum)
target_link_libraries(museum_faults PRIVATE inferno::headers ifn_build_flags)

# ifn_museum(name ROUND): a museum that declares the format ROUND and rounds the factors of its products to it.
function(ifn_museum name round)
    add_library(${name} MODULE $<TARGET_OBJECTS:museum_faults> ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/museum_declared.c)
    target_compile_definitions(${name} PRIVATE MUSEUM_INPUTS=IFN_ROUND_${round})
    target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    target_link_libraries(${name} PRIVATE inferno::headers ifn_build_flags m)
    set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/museum)
endfunction()
ifn_museum(museum NONE)
install(TARGETS museum LIBRARY DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno)
