// SPDX-License-Identifier: Apache-2.0
// A progress bar for work that takes a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace fractalray {

// A bar on the last line of a terminal, shown after one second of work and removed at its end.
// Writes nothing if the stream is not a terminal. Not thread-safe.
class Progress {
 public:
  // `label` names the work; `total` is the count at which it is done. Requires: the stream outlives
  // this.
  Progress(std::string label, std::uint64_t total, std::FILE* stream = stderr,
           std::chrono::milliseconds delay = std::chrono::seconds(1));
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Sets how much is done. Cheap enough for every step: it draws at most ten times a second.
  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::uint64_t done, Clock::time_point now);

  std::string label_;
  std::uint64_t total_;
  std::FILE* stream_;
  bool is_terminal_;
  bool drawn_ = false;
  Clock::time_point begin_;
  Clock::time_point next_draw_;
};

}  // namespace fractalray
