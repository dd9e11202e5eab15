# Lists what `cmake --install` installs of the C interface: its header, the shared and the static
# library, the files for pkg-config and find_package(fractalray COMPONENTS c), the LuaJIT module and
# the Luanti mod.
set(fractalray_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fractalray)
add_custom_target(fractalray_c_installed)

install(FILES bindings/c/fractalray_c.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray)
# Relative to the file itself, so that an installation can be moved.
file(RELATIVE_PATH FRACTALRAY_PC_INCLUDE
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/fractalray-c.pc.in fractalray-c.pc @ONLY)
if(TARGET fractalray_c)
  install(TARGETS fractalray_c EXPORT fractalray-c-targets)
  install(EXPORT fractalray-c-targets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
  install(FILES ${PROJECT_BINARY_DIR}/fractalray-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  add_dependencies(fractalray_c_installed fractalray_c)

  # The LuaJIT module, at a path that LuaJIT searches, and the whole Luanti mod.
  file(GLOB luajit_module CONFIGURE_DEPENDS bindings/luajit/*.lua)
  install(FILES ${luajit_module} DESTINATION ${CMAKE_INSTALL_DATADIR}/lua/5.1)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/luanti/fractalray
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fractalray/luanti)
  add_dependencies(fractalray_c_installed fractalray_luanti_mod)
endif()

if(FRACTALRAY_ABSEIL_SOURCE)
  # The C++ libraries would need that Abseil; only the shared C library has it inside.
  include(CMakePackageConfigHelpers)
  configure_package_config_file(cmake/fractalrayConfig.cmake.in fractalrayConfig.cmake
    INSTALL_DESTINATION ${fractalray_config_dir}
    NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/fractalrayConfig.cmake
                ${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
          DESTINATION ${fractalray_config_dir})
  return()
endif()

install(TARGETS fractalray_c_static EXPORT fractalray-c_static-targets)
install(EXPORT fractalray-c_static-targets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
add_dependencies(fractalray_c_installed fractalray_c_static)
add_dependencies(fractalray_installed fractalray_c_installed)
