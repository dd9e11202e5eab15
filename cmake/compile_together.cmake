# fractalray_compile_together(TARGET SOURCE...)
# If FRACTALRAY_SHORT_BUILD is on, compiles these sources of a target as one, so that shared includes
# and templates are compiled once instead of once for each source. Their unnamed namespaces become
# one too, so no name may have two meanings in them (the compiler reports it: take the source out of
# its group); a source that no group names is compiled alone.
# The library itself is never compiled this way: each source of it includes its own header first,
# which proves that the header includes all of the library's that it needs.
function(fractalray_compile_together target)
  if(NOT FRACTALRAY_SHORT_BUILD OR NOT TARGET ${target})
    return()
  endif()
  list(GET ARGN 0 first)
  cmake_path(GET first STEM group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${target}_${group})
endfunction()

# fractalray_precompile(TARGET [<HEADER>...])
# In short builds with tests, precompiles the headers of other projects that nearly all sources of a
# target include, and these. The builds `plain`, `release` and `strict` do not, which proves that the
# sources include what they use.
function(fractalray_precompile target)
  if(NOT FRACTALRAY_SHORT_BUILD OR NOT FRACTALRAY_BUILD_TESTS OR NOT TARGET ${target})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    <absl/container/flat_hash_map.h> <absl/numeric/int128.h> <absl/status/statusor.h>
    <absl/strings/str_cat.h> <algorithm> <functional> <optional> <span> <string> <vector> ${ARGN})
endfunction()
