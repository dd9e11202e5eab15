// SPDX-License-Identifier: Apache-2.0
#include "door_measures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/status/status.h"

#include "measurement.h"
#include "random.h"

namespace fractalray::bench {
namespace {

constexpr int kCallsOfRound = 200;

template <class T>
T ofOwnSize() {
  T made{};
  made.struct_size = sizeof made;
  return made;
}

// Returns the error of the last call of this thread.
absl::Status lastError() {
  return absl::UnavailableError(frGetLastError());
}

struct RemoteCloser {
  void operator()(frRemote* remote) const { frDestroyRemote(remote); }
};
using Remote = std::unique_ptr<frRemote, RemoteCloser>;

absl::StatusOr<Remote> connect(const std::string& address, std::chrono::microseconds deadline) {
  auto options = ofOwnSize<frConnectOptions>();
  options.deadline_us = static_cast<std::uint64_t>(deadline.count());
  frRemote* remote = nullptr;
  if (frConnect(address.c_str(), &options, &remote) != FR_OK) return lastError();
  return Remote(remote);
}

// Counts the answers that differ.
std::size_t countWrong(std::span<const frCompactHit> got, std::span<const frCompactHit> expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    wrong += std::memcmp(&got[i], &expected[i], sizeof got[i]) == 0 ? 0U : 1U;
  return wrong;
}

// Returns the processor milliseconds of a round of calls.
absl::StatusOr<double> costOfRound(const frLines& lines, AskHits ask, frCompactHit* hits) {
  const double begin = processMillis();
  for (int i = 0; i < kCallsOfRound; ++i) {
    if (ask(lines, hits) != FR_OK) return lastError();
  }
  return processMillis() - begin;
}

// The clients of measureGoodput().
struct Crowd {
  std::atomic<std::uint64_t> lines = 0;
  std::atomic<std::uint64_t> refused = 0;
  std::atomic<std::size_t> wrong = 0;
  std::mutex mutex;
  absl::Status status;  // the first error

  void fail(const absl::Status& error) {
    const std::lock_guard lock(mutex);
    status.Update(error);
  }
};

void askUntil(Clock::time_point end, const std::string& address, const frLines& lines,
              frLevelMask levels, std::span<const frCompactHit> expected, Crowd& crowd) {
  const absl::StatusOr<Remote> remote = connect(address, std::chrono::microseconds(0));
  if (!remote.ok()) return crowd.fail(remote.status());
  std::vector<frCompactHit> hits(lines.count);
  while (Clock::now() < end) {
    const frResult result = frRemote_CompactHits(remote->get(), &lines, levels, nullptr,
                                                 hits.data(), nullptr, nullptr, nullptr);
    if (result == FR_OK) {
      crowd.lines += hits.size();
      crowd.wrong += countWrong(hits, expected);
      continue;
    }
    if (result != FR_RESOURCE_EXHAUSTED) return crowd.fail(lastError());
    ++crowd.refused;
    auto info = ofOwnSize<frRemoteInfo>();
    if (frRemote_GetInfo(remote->get(), &info) != FR_OK) return crowd.fail(lastError());
    std::this_thread::sleep_for(std::chrono::microseconds(info.retry_us));
  }
}

}  // namespace

BundledLines::BundledLines(std::size_t count) {
  constexpr std::array<std::int64_t, 3> kMin = {-272, -32, -112};
  constexpr std::array<std::int64_t, 3> kReach = {80, 40, 80};
  Random random(1024);
  numbers_.reserve(6 * count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 3> steps{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      steps[axis] = static_cast<double>(random.between(-kReach[axis], kReach[axis]));
    const double length = std::hypot(steps[0], steps[1], steps[2]) + 1;
    std::array<double, 6> line{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      line[axis] = static_cast<double>(16 * kMin[axis] + random.between(0, 160 * 16)) / 16;
      line[axis + 3] = line[axis] + 100 * steps[axis] / length;
    }
    numbers_.insert(numbers_.end(), line.begin(), line.end());
  }
}

frLines BundledLines::from(std::size_t first) const {
  auto lines = ofOwnSize<frLines>();
  lines.count = size() - first;
  lines.from = {numbers_.data() + 6 * first, 48, 0, FR_F64, 0};
  lines.to = {numbers_.data() + 6 * first + 3, 48, 0, FR_F64, 0};
  return lines;
}

absl::StatusOr<double> leastCostRatio(const frLines& lines, AskHits local, AskHits remote,
                                      int rounds) {
  std::vector<frCompactHit> here(lines.count);
  std::vector<frCompactHit> there(lines.count);
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const absl::StatusOr<double> local_cost = costOfRound(lines, local, here.data());
    if (!local_cost.ok()) return local_cost;
    const absl::StatusOr<double> remote_cost = costOfRound(lines, remote, there.data());
    if (!remote_cost.ok()) return remote_cost;
    least = std::min(least, *remote_cost / *local_cost);
  }
  if (countWrong(there, here) > 0) return absl::InternalError("the answers of the door differ");
  return least;
}

absl::StatusOr<LateCalls> countLateCalls(const std::string& address, const BundledLines& lines,
                                         std::span<const frCompactHit> expected,
                                         std::chrono::microseconds deadline, int calls) {
  const absl::StatusOr<Remote> remote = connect(address, deadline);
  if (!remote.ok()) return remote.status();
  std::vector<frCompactHit> hits(lines.size());
  LateCalls found;
  for (std::size_t first = 0; found.calls < calls;) {
    const frLines asked = lines.from(first);
    auto batch = ofOwnSize<frBatchResult>();
    const Clock::time_point begin = Clock::now();
    const frResult result = frRemote_CompactHits(remote->get(), &asked, kBundledLevels, nullptr,
                                                 hits.data(), nullptr, nullptr, &batch);
    ++found.calls;
    if (Clock::now() - begin > deadline || result == FR_DEADLINE_EXCEEDED) ++found.late;
    if (result == FR_DEADLINE_EXCEEDED) continue;
    if (result != FR_OK) return lastError();
    const std::size_t completed = batch.completed;
    found.wrong += countWrong(std::span(hits).first(completed), expected.subspan(first, completed));
    first = first + completed == lines.size() ? 0 : first + completed;
  }
  return found;
}

absl::StatusOr<Goodput> measureGoodput(const std::string& address, int clients,
                                       std::chrono::milliseconds time, const frLines& lines,
                                       frLevelMask levels, std::span<const frCompactHit> expected) {
  Crowd crowd;
  const Clock::time_point begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < clients; ++i) {
      threads.emplace_back(
          [&] { askUntil(begin + time, address, lines, levels, expected, crowd); });
    }
  }
  if (!crowd.status.ok()) return crowd.status;
  const double seconds = millisSince(begin) / 1e3;
  return Goodput{.lines_per_second = static_cast<double>(crowd.lines) / seconds,
                 .refused = crowd.refused,
                 .wrong = crowd.wrong};
}

}  // namespace fractalray::bench
