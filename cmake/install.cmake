# Lists what `cmake --install` installs: headers, libraries, the program, the licence, and the files
# that find_package(fractalray) and pkg-config read. Each library but the first is a component: an
# engine that does not request it need not have its dependencies.
include(CMakePackageConfigHelpers)
get_target_property(abseil_is_imported absl::status IMPORTED)
if(NOT abseil_is_imported AND NOT ABSL_ENABLE_INSTALL)
  message(FATAL_ERROR "FRACTALRAY_INSTALL is on, but Abseil, a part of this build, is not installed with it: "
    "turn ABSL_ENABLE_INSTALL on, or FRACTALRAY_INSTALL off")
endif()
set(fractalray_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fractalray)
set(fractalray_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
add_custom_target(fractalray_installed)  # builds what is installed, and nothing else

# fractalray_install_library(TARGET DESCRIPTION [REQUIRES MODULE...] [REQUIRES_IF_STATIC MODULE...]
#                            [FLAGS FLAG...])
# Installs a library with the public headers of its modules, if it is built; the target fractalray_x
# is the component x. The modules and flags are those of pkg-config: modules whose headers ours
# include or whose functions they call, modules that only the library's sources need, and flags to
# compile and link with.
function(fractalray_install_library target description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "REQUIRES;REQUIRES_IF_STATIC;FLAGS")
  if(NOT TARGET ${target})
    return()
  endif()
  string(REPLACE "fractalray_" "" component ${target})
  string(REPLACE "_" "-" package ${target})

  # A minor version may break programs until 1.0, and has a name of its own until then.
  set(soversion ${PROJECT_VERSION_MAJOR})
  if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(soversion 0.${PROJECT_VERSION_MINOR})
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component}
    VERSION ${PROJECT_VERSION} SOVERSION ${soversion} INSTALL_RPATH $ORIGIN)
  add_dependencies(fractalray_installed ${target})
  install(TARGETS ${target} EXPORT ${package}-targets)
  install(EXPORT ${package}-targets NAMESPACE fractalray:: DESTINATION ${fractalray_config_dir})
  fractalray_modules(modules ${component})
  if(modules)
    fractalray_install_headers(${modules})
  endif()

  # Relative to the .pc file, since the prefix may be chosen when installing.
  file(RELATIVE_PATH prefix
    ${CMAKE_INSTALL_PREFIX}/${fractalray_pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND arg_REQUIRES ${arg_REQUIRES_IF_STATIC})
  endif()
  list(JOIN arg_REQUIRES ", " requires)
  list(JOIN arg_FLAGS " " flags)
  configure_file(cmake/fractalray.pc.in ${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${fractalray_pkgconfig_dir})
endfunction()

list(TRANSFORM fractalray_abseil PREPEND absl_ OUTPUT_VARIABLE abseil_modules)
fractalray_install_library(fractalray "${PROJECT_DESCRIPTION}" REQUIRES ${abseil_modules})
fractalray_install_library(fractalray_executor "Threads for batches of fractalray's queries"
  REQUIRES fractalray FLAGS -pthread)
fractalray_install_library(fractalray_formats "Scenarios, Luanti maps and query logs for fractalray"
  REQUIRES fractalray nlohmann_json REQUIRES_IF_STATIC sqlite3 libzstd zlib libpng)
fractalray_install_library(fractalray_store "Caches of a Luanti map in PostgreSQL for fractalray"
  REQUIRES fractalray-formats REQUIRES_IF_STATIC libpq)
fractalray_install_library(fractalray_explain "Debug drawing of fractalray's queries"
  REQUIRES fractalray)
if(TARGET fractalray_explain)
  install(FILES query/explain/debug_draw.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray/query/explain)
endif()

# The others are run by the first, which finds them next to itself.
foreach(program IN ITEMS fractalray_app fractalray_store_app fractalray_grpc_app)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
    install(TARGETS ${program})
    add_dependencies(fractalray_installed ${program})
  endif()
endforeach()
if(TARGET fractalray_app)
  install(DIRECTORY examples/worlds/w1 DESTINATION ${CMAKE_INSTALL_DATADIR}/fractalray/worlds)
endif()

install(FILES ${fractalray_top_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/fractalrayConfig.cmake.in fractalrayConfig.cmake
  INSTALL_DESTINATION ${fractalray_config_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fractalrayConfig.cmake
              ${PROJECT_BINARY_DIR}/fractalrayConfigVersion.cmake
        DESTINATION ${fractalray_config_dir})
