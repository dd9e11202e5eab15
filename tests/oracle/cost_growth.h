// SPDX-License-Identifier: Apache-2.0
// Checks that the cost of an edit does not grow with what it leaves alone: its CPU time among few
// things and among 16 times as many, in worlds of all shapes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>

#include "../../core/vec.h"

namespace fractalray::oracle {

// How the occupied chunks of a world lie.
struct Spread {
  const char* name;
  // Returns chunk `i` of about `n`; the chunks from n on are others, at the end or beyond it.
  ChunkCoord (*chunk)(std::int64_t i, std::int64_t n);
};

// Return the width of a square and of a cube that hold n.
inline std::int64_t squareWidth(std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n))));
}
inline std::int64_t cubeWidth(std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(n))));
}

// In the first four every chunk has an area of its own.
inline constexpr Spread kSpreads[] = {
    {"flat",
     [](std::int64_t i, std::int64_t n) {
       const std::int64_t width = squareWidth(n);
       return ChunkCoord{16 * (i % width), 0, 16 * (i / width)};
     }},
    {"row",
     [](std::int64_t i, std::int64_t) {
       return ChunkCoord{16 * i, 0, 0};
     }},
    {"column",
     [](std::int64_t i, std::int64_t) {
       return ChunkCoord{0, 16 * i, 0};
     }},
    {"far apart",
     [](std::int64_t i, std::int64_t) {
       const auto far = [i](std::int64_t factor) { return 16 * (i * factor % 999'983); };
       return ChunkCoord{far(7919), far(104'729), far(611'953)};
     }},
    {"one layer",
     [](std::int64_t i, std::int64_t n) {
       const std::int64_t width = squareWidth(n);
       return ChunkCoord{i % width, 0, i / width};
     }},
    {"clusters",
     [](std::int64_t i, std::int64_t) {
       const std::int64_t cluster = i / 64;
       return ChunkCoord{1600 * (cluster * 7919 % 9973) + i % 4, i / 4 % 4,
                         1600 * (cluster % 7) + i / 16 % 4};
     }},
    {"one cube",
     [](std::int64_t i, std::int64_t n) {
       const std::int64_t width = cubeWidth(n);
       return ChunkCoord{i % width, i / width % width, i / width / width};
     }},
};

// Returns the CPU time of this thread, in us.
inline double threadMicroseconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
#else
  return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

// Returns the least time of some runs, in us.
template <class Work>
double leastMicroseconds(int runs, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const double before = threadMicroseconds();
    work();
    least = std::min(least, threadMicroseconds() - before);
  }
  return least;
}

// Checks that one cost is at most `factor` times another. Both functions measure at each call, and
// are called until that is so, since other programs disturb single measurements; if it is not so in
// truth, the least measurements never are.
template <class Cost, class Other>
void expectAtMost(double factor, const Cost& cost, const Other& other) {
  constexpr int kMostRounds = 20;
  double least_cost = std::numeric_limits<double>::infinity();
  double least_other = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    least_cost = std::min(least_cost, cost());
    least_other = std::min(least_other, other());
    if (least_cost <= factor * least_other || testing::Test::HasFatalFailure()) return;
  }
  ADD_FAILURE() << least_cost << " is more than " << factor << " times " << least_other;
}

// The least CPU time of some work, of all times that it was measured.
class LeastTime {
 public:
  template <class Work>
  void measure(const Work& work) {
    const double before = threadMicroseconds();
    work();
    least_ = std::min(least_, threadMicroseconds() - before);
  }
  double microseconds() const { return least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

// Checks that work among many things costs no more than kMostGrowth times as much as among few of
// them: 16 times as many, so that a cost of a nanosecond for each is found. Both are repeated until
// that is so, since other programs disturb single measurements; if it grows in truth, it never is.
template <class Few, class Many>
void expectNoGrowth(const std::string& what, const Few& few, const Many& many) {
  constexpr double kMostGrowth = 4;
  constexpr double kUnmeasurable = 40;  // in us, for all the edits of one measurement
  constexpr int kFewestRounds = 5;
  constexpr int kMostRounds = 60;
  LeastTime time_of_few;
  LeastTime time_of_many;
  for (int round = 0; round < kMostRounds; ++round) {
    time_of_few.measure(few);
    time_of_many.measure(many);
    if (round < kFewestRounds) continue;
    if (time_of_many.microseconds() <= kMostGrowth * time_of_few.microseconds() + kUnmeasurable)
      return;
  }
  ADD_FAILURE() << what << ": " << time_of_few.microseconds() << " us among few, "
                << time_of_many.microseconds() << " us among 16 times as many";
}

}  // namespace fractalray::oracle
