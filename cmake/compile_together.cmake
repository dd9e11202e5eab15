# fractalray_compile_together(TARGET SOURCE...)
# If FRACTALRAY_SHORT_BUILD is on, compiles these sources of a target as one, so that shared includes
# and templates are compiled once instead of once for each source. Their unnamed namespaces become
# one too, so no name may have two meanings in them (the compiler reports it: take the source out of
# its group); a source that no group names is compiled alone.
# The library itself is never compiled this way: each source of it includes its own header first,
# which proves that the header includes all that it needs.
function(fractalray_compile_together target)
  if(NOT FRACTALRAY_SHORT_BUILD OR NOT TARGET ${target})
    return()
  endif()
  list(GET ARGN 0 first)
  cmake_path(GET first STEM group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${target}_${group})
endfunction()
