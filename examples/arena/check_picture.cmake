# Runs PROGRAM with ARGUMENTS and the file name PICTURE, and checks that it has written a PNG file of
# that SIZE there which shows something. WITH_WINDOW, if given, says if the program can open a window;
# it is opened on a screen that Xvfb makes.
set(command ${PROGRAM})
if(DEFINED WITH_WINDOW)
  find_program(XVFB_RUN xvfb-run)
  if(NOT WITH_WINDOW OR NOT XVFB_RUN)
    message("NOT RUN: the window was not opened, since SDL2 or Xvfb is not installed; as root: "
      "apt-get install libsdl2-dev xvfb (./dev check does so)")
    return()
  endif()
  set(command ${XVFB_RUN} --auto-servernum ${PROGRAM})
endif()
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
file(REMOVE ${PICTURE})
execute_process(COMMAND ${command} ${arguments} ${PICTURE}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT EXISTS ${PICTURE})
  message(FATAL_ERROR "${PROGRAM} ended with ${result}; its output:\n${output}")
endif()

# The file begins with its signature and the header: width and height in four bytes each.
string(REPLACE "x" ";" size ${SIZE})
set(expected "89504e470d0a1a0a0000000d49484452")
foreach(number IN LISTS size)
  math(EXPR hex "${number}" OUTPUT_FORMAT HEXADECIMAL)
  string(SUBSTRING ${hex} 2 -1 hex)
  string(REPEAT "0" 8 zeros)
  string(LENGTH ${hex} digits)
  math(EXPR zeros_needed "8 - ${digits}")
  string(SUBSTRING ${zeros} 0 ${zeros_needed} zeros)
  string(APPEND expected ${zeros}${hex})
endforeach()
file(READ ${PICTURE} header LIMIT 24 HEX)
if(NOT header STREQUAL expected)
  message(FATAL_ERROR "${PICTURE} begins with\n${header}\nand not with\n${expected}")
endif()
# A picture of one colour takes less.
file(SIZE ${PICTURE} bytes)
if(bytes LESS 50000)
  message(FATAL_ERROR "${PICTURE} has only ${bytes} bytes")
endif()
