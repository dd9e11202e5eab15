# The toolchain for WebAssembly: Debian's package emscripten. `./dev wasm` sets where its libraries are kept.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Small, except for the sources of wasm_hot_sources.txt. An option of the compiler alone: for size, wasm-opt would
# run other passes on exceptions than those that the tests have seen. With -Oz emscripten forbids the compiler to
# inline any function, in the fast sources too; -finline-functions, which comes later, allows it.
# Exceptions: exhausted memory is a status, and must not end the module. SIMD: the code for SSE2 as it is.
# No vectors of the compiler's own: the code that gains by them has them. What has SIMD has the two other
# extensions, which make code smaller. One thread: nothing else makes a static variable meanwhile. Abseil reads
# STANDALONE_WASM: its stack traces would import functions of emscripten's JavaScript.
add_compile_options(-Oz -finline-functions -fwasm-exceptions -msimd128 -msse2 -msign-ext -mnontrapping-fptoint
  -fno-vectorize -fno-slp-vectorize -DSTANDALONE_WASM
  "$<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/libcxx13.h>")
add_link_options(-fwasm-exceptions)
# What ./dev installs for this target, GoogleTest, is in none of emscripten's folders.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
