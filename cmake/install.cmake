# Lists what `cmake --install` installs: headers, libraries, the program, and the files that
# find_package(fractalray) reads. The executor, the formats and explain have target files of their
# own, since an engine that does not request them need not have their dependencies.
include(CMakePackageConfigHelpers)
set(fractalray_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fractalray)

set_target_properties(fractalray PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0.1)
install(TARGETS fractalray EXPORT fractalrayTargets)
add_custom_target(fractalray_installed)  # builds what is installed, and nothing else
add_dependencies(fractalray_installed fractalray)
install(EXPORT fractalrayTargets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
fractalray_modules(installed_modules fractalray)

if(TARGET fractalray_executor)
  set_target_properties(fractalray_executor PROPERTIES
    EXPORT_NAME executor VERSION ${PROJECT_VERSION} SOVERSION 0.1
    INSTALL_RPATH $ORIGIN)
  install(TARGETS fractalray_executor EXPORT fractalrayExecutorTargets)
  install(EXPORT fractalrayExecutorTargets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
  list(APPEND installed_modules executor)
  add_dependencies(fractalray_installed fractalray_executor)
endif()

if(TARGET fractalray_formats)
  set_target_properties(fractalray_formats PROPERTIES
    EXPORT_NAME formats VERSION ${PROJECT_VERSION} SOVERSION 0.1
    INSTALL_RPATH $ORIGIN)
  install(TARGETS fractalray_formats EXPORT fractalrayFormatsTargets)
  install(EXPORT fractalrayFormatsTargets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
  fractalray_modules(modules formats)
  list(APPEND installed_modules ${modules})
  add_dependencies(fractalray_installed fractalray_formats)
endif()

if(TARGET fractalray_explain)
  set_target_properties(fractalray_explain PROPERTIES
    EXPORT_NAME explain VERSION ${PROJECT_VERSION} SOVERSION 0.1
    INSTALL_RPATH $ORIGIN)
  install(TARGETS fractalray_explain EXPORT fractalrayExplainTargets)
  install(EXPORT fractalrayExplainTargets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
  install(FILES explain/debug_draw.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray/explain)
  add_dependencies(fractalray_installed fractalray_explain)
endif()

if(TARGET fractalray_app)
  set_target_properties(fractalray_app PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
  install(TARGETS fractalray_app)
  install(DIRECTORY examples/worlds/w1 DESTINATION ${CMAKE_INSTALL_DATADIR}/fractalray/worlds)
  add_dependencies(fractalray_installed fractalray_app)
endif()

fractalray_install_headers(${installed_modules})
install(FILES fractalray.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray)

configure_package_config_file(cmake/fractalrayConfig.cmake.in fractalrayConfig.cmake
  INSTALL_DESTINATION ${fractalray_config_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fractalrayConfig.cmake
              ${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
        DESTINATION ${fractalray_config_dir})
