// SPDX-License-Identifier: Apache-2.0
// A source whose answers a test controls: at once, when it says so, or never; and by which it sees
// what is requested.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "../../streaming/chunk_streamer.h"

namespace fractalray {

// Thread-safe, as request() must be.
class FakeSource : public ChunkSource {
 public:
  // Returns the answer to the request for a path; nothing to keep the request until answer().
  using Answer = std::function<std::optional<absl::StatusOr<Chunk>>(const std::string& path)>;

  explicit FakeSource(Answer answer) : answer_(std::move(answer)) {}

  void request(ChunkRequest request) override {
    const std::string path = request.path().text();
    std::optional<absl::StatusOr<Chunk>> answer = answer_(path);
    {
      const std::scoped_lock lock(mutex_);
      requested_.push_back(path);
      if (!answer.has_value()) {
        kept_.emplace_back(path, std::move(request));
        return;
      }
    }
    EXPECT_TRUE(request.answer(*std::move(answer)).ok());
  }
  void unloading(int level, const ChunkCoord& at, const Chunk& chunk) override {
    if (on_unloading) on_unloading(level, at, chunk);
  }

  void dropped(const ChunkPath& path) override { dropped_.push_back(path.text()); }

  // Returns the paths that were dropped since the last call.
  std::vector<std::string> takeDropped() { return std::exchange(dropped_, {}); }
  // Returns the paths requested since the last call, in any order of threads: sorted.
  std::vector<std::string> takeRequested() {
    std::vector<std::string> requested = std::exchange(requested_, {});
    std::sort(requested.begin(), requested.end());
    return requested;
  }
  // Returns them in the order of the calls, for one thread.
  std::vector<std::string> takeInOrder() { return std::exchange(requested_, {}); }

  // Returns the first kept request for a path. Requires: there is one.
  ChunkRequest takeKept(const std::string& path) {
    const auto it = std::find_if(kept_.begin(), kept_.end(),
                                 [&](const auto& kept) { return kept.first == path; });
    FRACTALRAY_CHECK(it != kept_.end(), path);
    ChunkRequest request = std::move(it->second);
    kept_.erase(it);
    return request;
  }
  std::vector<std::pair<std::string, ChunkRequest>>& kept() { return kept_; }
  void setAnswer(Answer answer) { answer_ = std::move(answer); }

  std::function<void(int, const ChunkCoord&, const Chunk&)> on_unloading;

 private:
  Answer answer_;
  std::mutex mutex_;
  std::vector<std::string> requested_;
  std::vector<std::string> dropped_;
  std::vector<std::pair<std::string, ChunkRequest>> kept_;
};

}  // namespace fractalray
