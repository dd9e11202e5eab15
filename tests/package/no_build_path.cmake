# Fails if one of FILES, joined by commas, holds one of the build's PATHS outside of its debug
# information, which OBJCOPY removes; COPY receives the rest.
string(REPLACE "," ";" FILES "${FILES}")
string(REPLACE "," ";" PATHS "${PATHS}")
foreach(file IN LISTS FILES)
  execute_process(COMMAND ${OBJCOPY} --strip-debug ${file} ${COPY} COMMAND_ERROR_IS_FATAL ANY)
  foreach(path IN LISTS PATHS)
    string(REGEX REPLACE "([][+.*()^$?\\|{}])" "\\\\\\1" pattern "${path}")
    file(STRINGS ${COPY} found REGEX "${pattern}" LIMIT_COUNT 3)
    if(found)
      message(SEND_ERROR "${file} names a path of its build:\n${found}")
    endif()
  endforeach()
endforeach()
