# make install: program, both libraries, headers, regula.pc, the CMake package, man pages, completions, docs, examples.
# Nothing written here names the place of installation, so `cmake --install --prefix` may choose it.
include(CMakePackageConfigHelpers)
set(REGULA_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/regula")

install(TARGETS regula RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY include/regula DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")

# Two export files: the shared library asks nothing of its user, the static one needs the parts.
install(TARGETS regula_shared EXPORT regula-targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS regula_static EXPORT regula-static-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(set regula-targets regula-static-targets)
  install(EXPORT ${set} NAMESPACE regula:: DESTINATION "${REGULA_PACKAGE_DIR}")
endforeach()

# ---- CMake package: find_package(regula) gives regula::regula, and regula::regula_static
configure_package_config_file(cmake/regula-config.cmake.in regula-config.cmake
  INSTALL_DESTINATION "${REGULA_PACKAGE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(regula-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/regula-config.cmake" "${PROJECT_BINARY_DIR}/regula-config-version.cmake"
  DESTINATION "${REGULA_PACKAGE_DIR}")

# ---- pkg-config: the prefix is found from where the file lies
set(REGULA_PC_DIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(REGULA_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(REGULA_PC_LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(REGULA_PC_INCLUDEDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH up "/${REGULA_PC_DIR}" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(REGULA_PC_PREFIX "\${pcfiledir}/${up}")
  set(REGULA_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(REGULA_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/regula.pc.in regula.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/regula.pc" DESTINATION "${REGULA_PC_DIR}")

# ---- what people read, and files to begin with
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# ---- made from the option table while building; left out when they were not made
foreach(section 1 5 7)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}"
    OPTIONAL FILES_MATCHING PATTERN "*.${section}")
endforeach()
set(REGULA_COMPLETIONS "${PROJECT_BINARY_DIR}/completions")
install(FILES "${REGULA_COMPLETIONS}/regula.bash" RENAME regula OPTIONAL
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${REGULA_COMPLETIONS}/_regula" OPTIONAL
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${REGULA_COMPLETIONS}/regula.fish" OPTIONAL
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
