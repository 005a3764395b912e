# What `cmake --install` puts where: library, public headers, programs, the model that ships with the
# project, and what tells find_package and pkg-config about them.
include(CMakePackageConfigHelpers)

install(TARGETS inferno EXPORT infernoTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/inferno ${PROJECT_BINARY_DIR}/include/inferno
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# The programs look for a shared library where it lies from here, so an installed tree can be moved.
set(programs inferno_program model-generate)
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
install(TARGETS ${programs})

set(model ${PROJECT_SOURCE_DIR}/fixtures/gguf/little-world-f16.gguf)
install(FILES ${model} DESTINATION ${CMAKE_INSTALL_DATADIR}/inferno OPTIONAL)

# A 0.x release may change anything: only the very version asked for will do.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/inferno)
install(EXPORT infernoTargets NAMESPACE inferno:: DESTINATION ${package_dir})
configure_package_config_file(infernoConfig.cmake.in infernoConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(infernoConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/infernoConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/infernoConfigVersion.cmake
        DESTINATION ${package_dir})

# Who links the archive also links what it needs; the shared library has seen to that itself.
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
