// SPDX-License-Identifier: Apache-2.0
// Clocks, the heap and the median.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace fractalray::bench {

using Clock = std::chrono::steady_clock;

inline double millisSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

inline double clockMillis(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}
// Return the processor time of this thread, and of all threads of this program: the load of other
// programs does not count.
inline double threadMillis() {
  return clockMillis(CLOCK_THREAD_CPUTIME_ID);
}
inline double processMillis() {
  return clockMillis(CLOCK_PROCESS_CPUTIME_ID);
}

// Returns the bytes allocated on the heap.
inline std::size_t heapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Returns the median. Requires: there are values.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace fractalray::bench
