// SPDX-License-Identifier: Apache-2.0
// What the library needs of its target. Includes nothing, so that a target without it stops here,
// at a sentence, and not somewhere in the standard library.
#pragma once

#if (defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8) || (defined(_WIN32) && !defined(_WIN64))
#error "fractalray needs a 64-bit target: sizes and coordinates have 64 bits, exact times 128"
#elif !defined(__SIZEOF_INT128__)
#error "fractalray needs a compiler with __int128, such as g++ or clang (also as clang-cl)"
#endif
