# The toolchain for WebAssembly: Debian's package emscripten. `./dev wasm` sets where its libraries are kept.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Exceptions: exhausted memory is a status, and must not end the module. SIMD: the code for SSE2 as it is.
# No vectors of the compiler's own: the code that gains by them has them.
add_compile_options(-fwasm-exceptions -msimd128 -msse2 -fno-vectorize -fno-slp-vectorize
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/libcxx13.h>")
add_link_options(-fwasm-exceptions)
# What ./dev installs for this target, GoogleTest, is in none of emscripten's folders.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
