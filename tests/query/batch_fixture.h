// SPDX-License-Identifier: Apache-2.0
// Shares what tests of batches need: batches as single results, and ways to run tasks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"

namespace fractalray {

// Returns the result that the shot alone would have given, of one that has no error.
inline ShotResult resultOf(const ShotBatch& batch, std::size_t i) {
  const ShotSummary& shot = batch.shots[i];
  const auto hits = batch.hitsOf(i);
  const auto parts = batch.levelSpansOf(i);
  ShotResult result;
  static_cast<Answer&>(result) = shot;
  result.hits = {hits.begin(), hits.end()};
  result.level_spans = {parts.begin(), parts.end()};
  return result;
}

using Task = absl::FunctionRef<void(std::size_t)>;
using AnyParallelFor = std::function<void(std::size_t, Task)>;

inline void runBackwards(std::size_t tasks, Task task) {
  for (std::size_t i = tasks; i > 0; --i)
    task(i - 1);
}

// Returns every way to run tasks that batches are tested with, by name.
inline std::vector<std::pair<std::string, AnyParallelFor>> waysToRun() {
  std::vector<std::pair<std::string, AnyParallelFor>> ways = {
      {"serially", runSerially},
      {"backwards", runBackwards},
      {"all on another thread", [](std::size_t tasks, Task task) {
         std::jthread([&] { runSerially(tasks, task); }).join();
       }}};
  for (const int threads : {1, 2, 4, 8}) {
    auto executor = std::make_shared<ThreadExecutor>(threads);
    ways.emplace_back(std::to_string(threads) + " threads",
                      [executor](std::size_t tasks, Task task) { (*executor)(tasks, task); });
  }
  return ways;
}

}  // namespace fractalray
