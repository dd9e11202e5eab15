# Abseil and Boost: the targets of the project that adds this folder, or else the installed ones.
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
