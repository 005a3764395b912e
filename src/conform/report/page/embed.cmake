# ifn_embed_page(OUT): writes OUT, the C source after page_text.h. Bytes, not string literals: C
# guarantees those only up to 4095 characters.
function(ifn_embed_page out)
    set(arrays "")
    foreach(part IN ITEMS css js)
        set(path ${CMAKE_CURRENT_SOURCE_DIR}/report/page/page.${part})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
        file(READ ${path} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
        string(APPEND arrays "const char conform_page_${part}[] = {${bytes}0};\n")
    endforeach()
    file(GENERATE OUTPUT ${out} CONTENT "#include \"page_text.h\"\n\n${arrays}")
endfunction()
