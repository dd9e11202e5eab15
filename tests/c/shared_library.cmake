# Checks that a shared library exports nothing but fr*, and what it needs when it runs.
#   cmake -DLIBRARY=... -DNM=... -DREADELF=... [-DHAS_OWN_ABSEIL=ON] [-DHAS_FORMATS=ON]
#         -P shared_library.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" names "${symbols}")
set(count 0)
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  if(NOT name MATCHES "^fr[A-Z]")
    message(SEND_ERROR "the library exports ${name}")
  endif()
  math(EXPR count "${count} + 1")
endforeach()
if(count LESS 100)
  message(SEND_ERROR "the library exports only ${count} functions")
endif()

set(ENV{LC_ALL} C)  # its words are searched for
execute_process(COMMAND ${READELF} -d -s -W ${LIBRARY}
                OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(dynamic MATCHES " UNIQUE ")
  message(SEND_ERROR "the library has unique symbols, which keep it mapped after dlclose()")
endif()
string(REGEX MATCHALL "Shared library: \\[[^]]+\\]" needed "${dynamic}")
if(NOT needed)
  message(SEND_ERROR "the library seems to need no other one, not even libc")
endif()
foreach(library IN LISTS needed)
  string(REGEX REPLACE ".*\\[(.+)\\]" "\\1" name "${library}")
  if(name MATCHES "^(libc|libm|libstdc\\+\\+|libgcc_s|ld-linux.*)\\.so")
    continue()
  elseif(HAS_FORMATS AND name MATCHES "^lib(sqlite3|zstd|z)\\.so")
    continue()
  elseif(NOT HAS_OWN_ABSEIL AND name MATCHES "^libabsl_")
    continue()
  endif()
  message(SEND_ERROR "the library needs ${name}")
endforeach()
