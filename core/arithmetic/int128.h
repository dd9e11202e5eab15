// SPDX-License-Identifier: Apache-2.0
// The compiler's own 128-bit integer, for the headers that do without Abseil. (absl::int128, used
// elsewhere, is a class around it and converts from it.)
// For the library's own use: not part of the interface.
#pragma once

#include "../platform.h"  // IWYU pragma: export

namespace fractalray::internal {

// platform.h has stopped compilers that do not have it.
#ifdef __SIZEOF_INT128__
// The spelling that -Wpedantic accepts.
__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): __extension__ needs it
#endif

}  // namespace fractalray::internal
