// SPDX-License-Identifier: Apache-2.0
// The library's requirements on its target. Includes nothing, so that the build for an unsuitable
// target stops here, with a clear message, and not somewhere in the standard library.
#pragma once

#if !defined(__wasm__) && ((defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8) || \
                           (defined(_WIN32) && !defined(_WIN64)))
#error "fractalray needs a 64-bit target, or WebAssembly: coordinates have 64 bits, exact times 128"
#elif !defined(__SIZEOF_INT128__)
#error "fractalray needs a compiler with __int128, such as g++ or clang (also as clang-cl)"
#endif
