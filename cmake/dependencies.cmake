# Abseil and Boost: the targets of the project that adds this folder, or else the installed ones.

# Adds Abseil's sources as static libraries for a shared library that hides them.
function(fractalray_hidden_abseil)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)
  set(ABSL_PROPAGATE_CXX_STD ON)
  set(ABSL_ENABLE_INSTALL OFF)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fno-gnu-unique)
  endif()
  add_subdirectory(${FRACTALRAY_ABSEIL_SOURCE} ${PROJECT_BINARY_DIR}/abseil EXCLUDE_FROM_ALL SYSTEM)
endfunction()

set(FRACTALRAY_HAS_OWN_ABSEIL OFF)
if(FRACTALRAY_ABSEIL_SOURCE AND NOT TARGET absl::status)
  set(FRACTALRAY_HAS_OWN_ABSEIL ON)
  fractalray_hidden_abseil()
endif()
if(NOT TARGET absl::status)
  find_package(absl REQUIRED)
endif()
if(NOT TARGET Boost::headers)
  find_package(Boost 1.74 REQUIRED)
endif()

# fractalray_system_headers(TARGET LIBRARY...): makes the headers of libraries that are targets of
# this build system headers for TARGET and everything that links it, since their warnings are not
# ours. Headers of installed libraries are system headers anyway.
function(fractalray_system_headers target)
  foreach(library IN LISTS ARGN)
    get_target_property(is_imported ${library} IMPORTED)
    if(NOT is_imported)
      target_include_directories(${target} SYSTEM PUBLIC
        $<BUILD_INTERFACE:$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>>)
    endif()
  endforeach()
endfunction()
