# ifn_embed_plugin_template(KIND [NAME TEMPLATE]...): writes plugin_<kind>.c, the C source behind
# plugin_template.h: a file NAME for each templates/plugin/<TEMPLATE>.in. Of lines that begin with @HOST@ or
# @DEVICE@ those of the other kind are left out. Bytes, not string literals: C guarantees those only up to 4095
# characters.
function(ifn_embed_plugin_template kind)
    set(marks HOST DEVICE)
    list(REMOVE_ITEM marks ${kind})
    set(arrays "")
    set(entries "")
    while(ARGN)
        list(POP_FRONT ARGN name template)
        set(path ${CMAKE_CURRENT_SOURCE_DIR}/templates/plugin/${template}.in)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
        file(READ ${path} text)
        string(REGEX REPLACE "@${marks}@[^\n]*\n" "" text "${text}")
        string(REPLACE "@${kind}@" "" text "${text}")
        string(HEX "${text}" bytes)
        string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
        string(MAKE_C_IDENTIFIER ${template} array)
        string(APPEND arrays "static const char ${array}[] = {${bytes}};\n")
        string(APPEND entries "    {\"${name}\", ${array}, sizeof ${array}},\n")
    endwhile()
    string(TOLOWER ${kind} kind)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/plugin_${kind}.c CONTENT "#include \"plugin_template.h\"\n\n${arrays}
static const plugin_template_file files[] = {\n${entries}};
const plugin_template plugin_${kind} = {files, sizeof files / sizeof *files};\n")
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
