// SPDX-License-Identifier: Apache-2.0
// Decides for which instruction sets the library has code of its own: a macro for each. No other
// file asks the compiler which processor it compiles for. All such code has a portable version
// that gives the same answers; FRACTALRAY_PORTABLE, an option of the build, leaves only that one.
#pragma once

#ifndef FRACTALRAY_PORTABLE

// SSE2: on every x86-64 processor.
#ifdef __SSE2__
#define FRACTALRAY_SSE2
#endif

// NEON: on every 64-bit ARM processor.
#ifdef __AARCH64EL__
#define FRACTALRAY_NEON
#endif

// x86-64-v3 (AVX2 and BMI) and x86-64-v4 (AVX-512): the attributes of functions that are compiled
// for them whatever the rest of the program is compiled for. Call them only from functions with the
// same attribute or that of a newer set, and only if the processor has the set.
#if defined(__x86_64__) && defined(__GNUC__)
#define FRACTALRAY_TARGET_V3 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#define FRACTALRAY_TARGET_V4 \
  [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]]
#endif

#endif
