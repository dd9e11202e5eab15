# fractalray_compile_together(TARGET SOURCE...)
# Where FRACTALRAY_UNITY is on, these sources of a target are compiled as one: what they include, and
# the templates that they share, once instead of once for each. Their unnamed namespaces become one
# too, so they must not give one name two meanings (the compiler says where they do: take the source
# out of its group); a source that no group names is compiled alone.
# The library itself is never compiled so: that each source of it includes its own header first is how
# we know that the header includes what it needs.
function(fractalray_compile_together target)
  if(NOT FRACTALRAY_UNITY OR NOT TARGET ${target})
    return()
  endif()
  list(GET ARGN 0 first)
  cmake_path(GET first STEM group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${target}_${group})
endfunction()
