// SPDX-License-Identifier: Apache-2.0
// The version of the library, as macros for conditions of the preprocessor. Nothing else, so that C
// reads this header too. CMakeLists.txt takes the project's version from here, its only definition;
// tools/scripts/check_packaging.py compares those of the packages with it.
// FRACTALRAY_VERSION < 200 is true before version 0.2.0.
#pragma once

#define FRACTALRAY_VERSION_MAJOR 0
#define FRACTALRAY_VERSION_MINOR 1
#define FRACTALRAY_VERSION_PATCH 0

// All three as a number that can be compared: 10203 is version 1.2.3.
#define FRACTALRAY_VERSION \
  (FRACTALRAY_VERSION_MAJOR * 10000 + FRACTALRAY_VERSION_MINOR * 100 + FRACTALRAY_VERSION_PATCH)

// All three as text: "1.2.3".
#define FRACTALRAY_VERSION_STRING                                                      \
  FRACTALRAY_INTERNAL_VERSION_TEXT(FRACTALRAY_VERSION_MAJOR, FRACTALRAY_VERSION_MINOR, \
                                   FRACTALRAY_VERSION_PATCH)
// Expands its arguments before # quotes them.
#define FRACTALRAY_INTERNAL_VERSION_TEXT(major, minor, patch) \
  FRACTALRAY_INTERNAL_QUOTE(major)                            \
  "." FRACTALRAY_INTERNAL_QUOTE(minor) "." FRACTALRAY_INTERNAL_QUOTE(patch)
#define FRACTALRAY_INTERNAL_QUOTE(number) #number
