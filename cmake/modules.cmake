# Reads cmake/modules.txt, the one list of the modules, and makes the headers of the libraries reachable as
# <fractalray/module/header.h> from a build tree.
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/modules.txt fractalray_module_lines REGEX "^[a-z]")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/modules.txt)

# The headers that users may include and that are in no module.
set(fractalray_top_headers fractalray.h)

# fractalray_modules(VARIABLE LIBRARY): lists the modules that are compiled into a library.
function(fractalray_modules variable library)
  set(modules "")
  foreach(line IN LISTS fractalray_module_lines)
    if(line MATCHES "^([a-z_/]+) +${library}( |$)")
      list(APPEND modules ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${variable} ${modules} PARENT_SCOPE)
endfunction()

# fractalray_public_headers(VARIABLE MODULE...): lists the headers of modules that users may include,
# relative to the root of the repository: all but those below a folder internal/ and those of modules
# inside these.
function(fractalray_public_headers variable)
  list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.h" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  list(FILTER headers EXCLUDE REGEX "/internal/")
  foreach(line IN LISTS fractalray_module_lines)
    string(REGEX MATCH "^[a-z_/]+" module ${line})
    if(module MATCHES "/" AND NOT module IN_LIST ARGN)
      list(FILTER headers EXCLUDE REGEX "^${module}/")
    endif()
  endforeach()
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# fractalray_forward_headers(HEADER...): makes, for each public header, a header in the build tree
# that includes it, so that <fractalray/...> works in builds that add this folder. Installations
# contain the headers themselves.
function(fractalray_forward_headers)
  # Earlier versions made a link to the sources here; writing through it would overwrite them.
  if(IS_SYMLINK ${PROJECT_BINARY_DIR}/include/fractalray)
    file(REMOVE ${PROJECT_BINARY_DIR}/include/fractalray)
  endif()
  foreach(header IN LISTS ARGN)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/fractalray/${header}
         CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
  endforeach()
endfunction()

# fractalray_install_headers(MODULE...): installs the public headers of modules.
function(fractalray_install_headers)
  fractalray_public_headers(headers ${ARGN})
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fractalray/${folder})
  endforeach()
endfunction()
