// SPDX-License-Identifier: Apache-2.0
// The options, the clock and the figures of fractalray_ticks and fractalray_dive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"

#include "measurement.h"

namespace fractalray::bench {

struct TickOptions {
  bool quick = false;
  int repeats = 9;
  int threads = 2;
  std::string json;  // a file; empty for none
  std::string part;  // the only one to measure; empty for all

  bool measures(std::string_view a_part) const { return part.empty() || part == a_part; }
};

// A figure with its name, as written to JSON.
struct TickFigure {
  std::string name;  // "batch/first hit/threads 2"
  double value = 0;
  std::string unit;  // "ns", "us", "ratio"
};

// A figure with a target value.
struct TickTarget {
  std::string what;
  double value = 0;
  double must = 0;
  bool at_least = true;  // else at most
};

struct TickReport {
  std::vector<TickFigure> figures;
  std::vector<TickTarget> targets;
  bool is_wrong = false;  // some batch had another outcome than the queries one by one
};

// A work to be measured, and a reset after each run, which does not count.
struct TickWork {
  absl::FunctionRef<void()> run;
  absl::FunctionRef<void()> after;
};

// Returns wall-clock ns of each of the works, medians; they run alternately, so that a slow moment
// of the machine is shared, and once before, to be warm.
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

// Prints the targets, and which are missed.
void printTargets(const TickReport& report);
// Writes the figures to the file of the options, if there is one. Returns false, with a message in
// the name of the program, if it cannot be written.
bool writeJson(const TickOptions& options, const TickReport& report, const char* program);

// Measures batches of queries against the same queries one by one.
void measureBatches(const TickOptions& options, TickReport& report);
// Measures snapshots, edits while one is held, and effects that edit.
void measureSnapshots(const TickOptions& options, TickReport& report);
// Measures an engine's blocks: borrowed, refreshed, copied.
void measureBlocks(const TickOptions& options, TickReport& report);
// Measures moves of a window, part by part.
void measureWindow(const TickOptions& options, TickReport& report);
// Measures a store of changes.
void measureChanges(const TickOptions& options, TickReport& report);
// Measures terrain: blocks set, chunks loaded, and their memory.
void measureTerrain(const TickOptions& options, TickReport& report);

}  // namespace fractalray::bench
