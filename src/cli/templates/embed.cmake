# ifn_embed_plugin_template(OUT [NAME TEMPLATE]...): writes OUT, the C source behind
# plugin_template.h: a file NAME for each templates/plugin/<TEMPLATE>.in. Bytes, not string literals:
# C guarantees those only up to 4095 characters.
function(ifn_embed_plugin_template out)
    set(arrays "")
    set(entries "")
    while(ARGN)
        list(POP_FRONT ARGN name template)
        set(path ${CMAKE_CURRENT_SOURCE_DIR}/templates/plugin/${template}.in)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
        file(READ ${path} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
        string(MAKE_C_IDENTIFIER ${template} array)
        string(APPEND arrays "static const char ${array}[] = {${bytes}};\n")
        string(APPEND entries "    {\"${name}\", ${array}, sizeof ${array}},\n")
    endwhile()
    file(GENERATE OUTPUT ${out} CONTENT "#include \"plugin_template.h\"\n\n${arrays}
const plugin_template_file plugin_template[] = {\n${entries}};
const size_t plugin_template_files = sizeof plugin_template / sizeof *plugin_template;\n")
endfunction()

# ifn_embed_page(OUT PAGE): writes OUT, the C source behind page.h.
function(ifn_embed_page out page)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    file(READ ${page} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
    file(GENERATE OUTPUT ${out} CONTENT "#include \"page.h\"

const char page[] = {${bytes}};
const size_t page_bytes = sizeof page;
")
endfunction()
