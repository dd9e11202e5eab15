// SPDX-License-Identifier: Apache-2.0
// What fractalray_ticks is asked for, how it measures, and how its figures are told.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"

#include "measuring.h"

namespace fractalray::bench {

struct TickOptions {
  bool quick = false;
  int repeats = 9;
  int threads = 2;
  std::string json;  // a file, none where empty
};

// A figure with its name, as it goes to JSON.
struct TickFigure {
  std::string name;  // "batch/first hit/threads 2"
  double value = 0;
  std::string unit;  // "ns", "us", "ratio"
};

// A figure that has something to reach.
struct TickGoal {
  std::string what;
  double value = 0;
  double must = 0;
  bool at_least = true;  // else at most
};

struct TickReport {
  std::vector<TickFigure> figures;
  std::vector<TickGoal> goals;
  bool is_wrong = false;  // some batch had another outcome than the queries one by one
};

// What is measured, and what is done after each time, which does not count.
struct TickWork {
  absl::FunctionRef<void()> run;
  absl::FunctionRef<void()> after;
};

// Wall-clock ns of each of the works, medians; they take turns, so that a slow moment of the
// machine is shared, and are done once before, to be warm.
inline std::vector<double> wallMedians(int repeats, std::span<const TickWork> works) {
  std::vector<std::vector<double>> ns(works.size());
  for (int repeat = -1; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const Clock::time_point begin = Clock::now();
      works[i].run();
      if (repeat >= 0) ns[i].push_back(millisSince(begin) * 1e6);
      works[i].after();
    }
  }
  std::vector<double> medians;
  medians.reserve(ns.size());
  for (std::vector<double>& values : ns)
    medians.push_back(median(std::move(values)));
  return medians;
}

// Batches of queries against the same one by one.
void measureBatches(const TickOptions& options, TickReport& report);
// Snapshots, edits while one is held, and effects that edit.
void measureSnapshots(const TickOptions& options, TickReport& report);
// Moves of a window, part by part.
void measureWindow(const TickOptions& options, TickReport& report);

}  // namespace fractalray::bench
