# The flags of this project's own targets; linked as $<BUILD_INTERFACE:fractalray_flags>, so that
# installed libraries do not export them. Warnings are errors only in the presets
# (CMAKE_COMPILE_WARNING_AS_ERROR), since every compiler has its own.
add_library(fractalray_flags INTERFACE)

if(MSVC)  # clang-cl; cl itself has no 128-bit integers, see core/platform.h
  target_compile_options(fractalray_flags INTERFACE /W4 /permissive- /utf-8 /bigobj /fp:precise /clang:-ffp-contract=off)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$")
  # No contraction: a fused multiply-add rounds once where the contract's doubles round twice, and
  # machines would differ in what they report.
  target_compile_options(fractalray_flags INTERFACE
    -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -ffp-contract=off)
else()
  message(WARNING "fractalray has not been compiled with ${CMAKE_CXX_COMPILER_ID}. Turn contraction "
    "of floating-point expressions off, or answers may differ from those of other machines.")
endif()

if(FRACTALRAY_PORTABLE)
  target_compile_definitions(fractalray_flags INTERFACE FRACTALRAY_PORTABLE)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # At -O3 g++ 12 sees overreads in Boost's small_vector and overlaps in std::string that cannot
  # happen.
  target_compile_options(fractalray_flags INTERFACE -Wno-stringop-overread -Wno-restrict)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # By default g++ clears small objects with `rep stos`, which is slow to start: a tenth of the
    # time of a short shot.
    target_compile_options(fractalray_flags INTERFACE
      -mmemset-strategy=unrolled_loop:256:noalign,libcall:-1:noalign
      -mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)
  endif()
endif()
