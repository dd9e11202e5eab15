# Abseil and Boost, as the project that adds this folder brings them, or else as installed.
if(NOT TARGET absl::status)
  find_package(absl REQUIRED)
endif()
if(NOT TARGET Boost::headers)
  find_package(Boost 1.74 REQUIRED)
endif()

# fractalray_system_headers(TARGET LIBRARY...): makes the headers of libraries that are targets of this
# build system headers to TARGET and to whatever links it, since their warnings are not ours. Those of
# installed libraries are so anyway.
function(fractalray_system_headers target)
  foreach(library IN LISTS ARGN)
    get_target_property(is_imported ${library} IMPORTED)
    if(NOT is_imported)
      target_include_directories(${target} SYSTEM PUBLIC
        $<BUILD_INTERFACE:$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>>)
    endif()
  endforeach()
endfunction()
