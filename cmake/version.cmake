# Reads the version from core/version.h, its only definition, into fractalray_version.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../core/version.h lines
     REGEX "^#define FRACTALRAY_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
list(JOIN numbers "." fractalray_version)
set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../core/version.h)
