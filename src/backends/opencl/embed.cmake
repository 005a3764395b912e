# ifn_embed_kernels(OUT FOLDERS folder... NAMES name...): writes OUT, the C source behind opencl_sources.h, from
# <name>.cl of the first folder that has it and the two that stand before each of them. Bytes, not string literals: C
# guarantees those only up to 4095 characters.
function(ifn_embed_kernels out)
    cmake_parse_arguments(ARG "" "" "FOLDERS;NAMES" ${ARGN})
    set(arrays "")
    foreach(name IN ITEMS common storage LISTS ARG_NAMES)
        find_file(path ${name}.cl PATHS ${ARG_FOLDERS} NO_DEFAULT_PATH NO_CACHE REQUIRED)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
        file(READ ${path} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
        string(APPEND arrays "static const char text_${name}[] = {${bytes} 0};\n")
        unset(path)
    endforeach()
    set(entries "")
    foreach(name IN LISTS ARG_NAMES)
        string(APPEND entries "    {\"${name}\", text_${name}},\n")
    endforeach()
    file(GENERATE OUTPUT ${out} CONTENT "#include \"opencl_sources.h\"\n\n${arrays}
const char *const ifn_opencl_preamble[IFN_OPENCL_PREAMBLES] = {text_common, text_storage};
const ifn_opencl_source ifn_opencl_sources[] = {\n${entries}};\n")
endfunction()
