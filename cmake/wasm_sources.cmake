# Optimises the sources of cmake/wasm_hot_sources.txt in builds for WebAssembly, all others of which are small.

# fractalray_optimize_hot_sources(): gives each source of the list its option. Call it in the folder in which the
# target of the sources is made: others do not see it.
function(fractalray_optimize_hot_sources)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  set(list ${PROJECT_SOURCE_DIR}/cmake/wasm_hot_sources.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^-")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" option ${line})
    string(REGEX REPLACE ".* " "${PROJECT_SOURCE_DIR}/" source ${line})
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "${list} names ${source}, which is not there")
    endif()
    # The precompiled headers are compiled with another option.
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS ${option} SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

# fractalray_hot_objects(VARIABLE): returns the object files of the fast sources of the library, as a generator
# expression. Linked before all libraries, they are what the linker takes inline functions from that small
# sources have, too: it takes the first copy of each.
function(fractalray_hot_objects variable)
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/wasm_hot_sources.txt lines REGEX "^-O2 ")
  list(TRANSFORM lines REPLACE "^-O2 +" "")
  list(JOIN lines "|" sources)
  set(${variable} "$<FILTER:$<TARGET_OBJECTS:fractalray>,INCLUDE,/(${sources})[.]o(bj)?$>" PARENT_SCOPE)
endfunction()
