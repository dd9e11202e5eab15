# fractalray_compile_in_groups(TARGET SOURCE...)
# If FRACTALRAY_SHORT_BUILD is on, compiles these sources of a target in groups of some 900 lines each,
# so that shared includes and templates are compiled once instead of once for each source. The unnamed
# namespaces of a group become one, so no name may have two meanings in them. The compiler reports it:
# put the helpers of one source into a namespace named after it.
# The library itself is grouped in builds with tests and for clang-tidy, whose groups are larger. `plain`,
# `release` and `strict` compile each source of it alone, after its own header, which proves that the
# header includes all that it needs.
function(fractalray_compile_in_groups target)
  if(NOT FRACTALRAY_SHORT_BUILD OR NOT TARGET ${target})
    return()
  endif()
  set(group_size 36000)  # bytes
  if(CMAKE_CXX_CLANG_TIDY)
    set(group_size 150000)  # its time goes into headers, again for each group
  endif()
  set(sizes "")
  set(total 0)
  foreach(source IN LISTS ARGN)
    file(REAL_PATH ${source} path)
    file(SIZE ${path} size)
    list(APPEND sizes ${size})
    math(EXPR total "${total} + ${size}")
  endforeach()
  math(EXPR groups "(${total} + ${group_size} - 1) / ${group_size}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  set(before 0)  # bytes of the sources before this one
  foreach(source size IN ZIP_LISTS ARGN sizes)
    math(EXPR group "(${before} + ${size} / 2) * ${groups} / ${total}")
    # Only numbers, so that a source of two targets is in a group of each.
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP group_${group})
    math(EXPR before "${before} + ${size}")
  endforeach()
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
