// SPDX-License-Identifier: Apache-2.0
// The two assertion macros of the project. A failed check is a bug of the caller or of the library,
// never bad outside data: that is told by an absl::Status.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace fractalray::internal {

[[noreturn]] inline void checkFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace fractalray::internal

// Holds in every build; for conditions whose cost does not matter.
#define FRACTALRAY_CHECK(condition)   \
  ((condition) ? static_cast<void>(0) \
               : ::fractalray::internal::checkFailed(#condition, __FILE__, __LINE__))

// Holds in the builds that keep asserts (presets dev, checked, asan, tsan); free elsewhere.
#ifdef NDEBUG
#define FRACTALRAY_DCHECK(condition) static_cast<void>(0)
#else
#define FRACTALRAY_DCHECK(condition) FRACTALRAY_CHECK(condition)
#endif
