# ifn_embed_kernels(OUT name...): writes OUT, the C source behind opencl_sources.h, from kernels/<name>.cl and the
# two that stand before each of them. Bytes, not string literals: C guarantees those only up to 4095 characters.
function(ifn_embed_kernels out)
    set(arrays "")
    foreach(name IN ITEMS common storage LISTS ARGN)
        set(path ${CMAKE_CURRENT_SOURCE_DIR}/kernels/${name}.cl)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
        file(READ ${path} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
        string(APPEND arrays "static const char text_${name}[] = {${bytes} 0};\n")
    endforeach()
    set(entries "")
    foreach(name IN LISTS ARGN)
        string(APPEND entries "    {\"${name}\", text_${name}},\n")
    endforeach()
    file(GENERATE OUTPUT ${out} CONTENT "#include \"opencl_sources.h\"\n\n${arrays}
const char *const ifn_opencl_preamble[IFN_OPENCL_PREAMBLES] = {text_common, text_storage};
const ifn_opencl_source ifn_opencl_sources[] = {\n${entries}};\n")
endfunction()
