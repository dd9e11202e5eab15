// SPDX-License-Identifier: Apache-2.0
// Counts instructions if the program runs under callgrind; does nothing elsewhere.
#pragma once

#include <string>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

namespace fractalray::bench {

#ifdef CALLGRIND_START_INSTRUMENTATION
inline void startCounting() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
// Writes the counts to a file of callgrind's, with `label` in it.
inline void stopCounting(const std::string& label) {
  CALLGRIND_DUMP_STATS_AT(label.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}
#else
inline void startCounting() {}
inline void stopCounting(const std::string&) {}
#endif

}  // namespace fractalray::bench
