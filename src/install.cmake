# What `cmake --install` puts where: library, public headers, programs, the model that ships with the
# project, and what tells find_package and pkg-config about them.
include(CMakePackageConfigHelpers)

install(TARGETS inferno EXPORT infernoTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/inferno ${PROJECT_BINARY_DIR}/include/inferno
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# The programs look for a shared library where it lies from here, so an installed tree can be moved; in the
# build tree, too, or where that lies would leave its mark in the installed bytes.
set(programs inferno_program model-generate)
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(${programs} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${lib_from_bin}" BUILD_RPATH_USE_ORIGIN ON)
set_target_properties(inferno_program PROPERTIES EXPORT_NAME program)
install(TARGETS inferno_program EXPORT infernoPluginTargets)
install(TARGETS model-generate)

# The target that plugins are built with. A plugin must not link the library, as its host has one already.
add_library(inferno_headers INTERFACE)
target_include_directories(inferno_headers INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(inferno_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS inferno_headers EXPORT infernoPluginTargets)
add_library(inferno::headers ALIAS inferno_headers)
add_executable(inferno::program ALIAS inferno_program)

# The ops by name, one on a line, for inferno_add_conformance.
get_property(ops GLOBAL PROPERTY IFN_OPS)
list(JOIN ops "\n" text)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/ops.txt CONTENT "${text}\n" @ONLY)
set(INFERNO_OPS_FILE ${CMAKE_INSTALL_DATADIR}/inferno/ops.txt)
install(FILES ${PROJECT_BINARY_DIR}/ops.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno)

install(FILES ${PROJECT_SOURCE_DIR}/fixtures/gguf/${model} DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/spec DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# A 0.x release may change anything, so find_package accepts only the exact version.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/inferno)
install(EXPORT infernoTargets NAMESPACE inferno:: DESTINATION ${package_dir})
install(EXPORT infernoPluginTargets NAMESPACE inferno:: DESTINATION ${package_dir})
configure_package_config_file(infernoConfig.cmake.in infernoConfig.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS INFERNO_OPS_FILE)
write_basic_package_version_file(infernoConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/infernoConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/infernoConfigVersion.cmake
              InfernoConformance.cmake
        DESTINATION ${package_dir})

# A program that links the archive must also link the archive's own libraries; the shared library is linked to them.
set(PC_REQUIRES "")
set(PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
    set(PC_REQUIRES libpcre2-8)
    set(PC_LIBS "-pthread -lm")
    if(CMAKE_DL_LIBS)
        string(APPEND PC_LIBS " -l${CMAKE_DL_LIBS}")
    endif()
endif()
file(RELATIVE_PATH PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(inferno.pc.in inferno.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/inferno.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
