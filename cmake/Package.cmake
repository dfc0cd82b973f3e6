# What an installed Steward has besides its programs: manual pages, completion, files for CMake and
# pkg-config; and how a Debian package is made of it all.
include(CMakePackageConfigHelpers)

# The runtime libraries are found from bin/ as ../lib/steward, so this is not lib/x86_64-linux-gnu.
set(package_folder lib/cmake/Steward)
configure_package_config_file(cmake/StewardConfig.cmake.in
  ${CMAKE_BINARY_DIR}/package/StewardConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/StewardConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(cmake/steward.pc.in ${CMAKE_BINARY_DIR}/package/steward.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/StewardConfig.cmake
  ${CMAKE_BINARY_DIR}/package/StewardConfigVersion.cmake DESTINATION ${package_folder})
install(FILES ${CMAKE_BINARY_DIR}/package/steward.pc DESTINATION lib/pkgconfig)

# From the descriptions that --help prints.
set(manual ${CMAKE_BINARY_DIR}/package/man)
set(pages ${manual}/steward.1)
file(MAKE_DIRECTORY ${manual})
add_custom_command(OUTPUT ${manual}/steward.1 COMMAND steward print-manual > ${manual}/steward.1
  DEPENDS steward)
foreach(command ${STEWARD_COMMANDS})
  set(page ${manual}/steward-${command}.1)
  add_custom_command(OUTPUT ${page} COMMAND steward print-manual ${command} > ${page}
    DEPENDS steward VERBATIM)
  list(APPEND pages ${page})
endforeach()
set(completion ${CMAKE_BINARY_DIR}/package/steward.bash)
add_custom_command(OUTPUT ${completion} COMMAND steward print-completion > ${completion}
  DEPENDS steward VERBATIM)
add_custom_target(package_files ALL DEPENDS ${pages} ${completion})
install(FILES ${pages} DESTINATION share/man/man1)
install(FILES ${completion} DESTINATION share/bash-completion/completions RENAME steward)
install(DIRECTORY docs/ DESTINATION share/doc/steward/docs)
install(FILES README.md LICENSE DESTINATION share/doc/steward)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME steward)
set(CPACK_PACKAGE_CONTACT "Steward's developers <steward@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds data races in multithreaded programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19 | g++, llvm-19")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
