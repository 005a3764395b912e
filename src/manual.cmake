# Man pages and completions, written by the program from the tables that its --help is made from. Where it
# cannot be run (another processor, no emulator) there are none.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
endif()
set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/inferno.fish
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}
    COMMAND inferno_program help --man-pages ${manual}/man1
    COMMAND inferno_program completion bash > ${manual}/inferno
    COMMAND inferno_program completion zsh > ${manual}/_inferno
    COMMAND inferno_program completion fish > ${manual}/inferno.fish
    DEPENDS inferno_program
    COMMENT "Writing man pages and completions"
    VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/inferno.fish)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${manual}/inferno DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_inferno DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${manual}/inferno.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
