// SPDX-License-Identifier: Apache-2.0
// The caller as the source of a streamer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../streaming/chunk_source.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Gives each request a number, from 1, and keeps it until it is answered or no longer wanted. Calls
// the caller's functions; without one for requests, the caller takes their numbers instead.
// Thread-safe, except for take(), dropUnwanted() and the dropped chunks.
class CallerSource final : public ChunkSource {
 public:
  explicit CallerSource(const frChunkSource& source) : source_(source) {}

  // Returns true if the caller takes requests.
  bool isPulled() const { return source_.request == nullptr; }

  void request(ChunkRequest request) override;
  void unloading(int level, const ChunkCoord& at, const Chunk& chunk) override;
  void dropped(const ChunkPath& path) override;

  // Copies the numbers of the next requests that have not been copied yet; returns how many.
  std::size_t take(std::uint64_t* requests, std::size_t capacity);
  // Drops the requests that are no longer wanted.
  void dropUnwanted();
  // Returns the paths of the chunks that have been dropped since forgetDropped(), unless the caller
  // has a function for them.
  std::span<const std::string> dropped() const { return dropped_; }
  void forgetDropped() { dropped_.clear(); }

  // Each of these is NOT_FOUND for a request that has been answered or is no longer wanted.
  absl::Status check(std::uint64_t number) const;
  absl::StatusOr<ChunkPath> path(std::uint64_t number) const;
  absl::Status answer(std::uint64_t number, absl::StatusOr<Chunk> content);

 private:
  std::uint64_t keep(ChunkRequest request);

  frChunkSource source_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, ChunkRequest> open_;
  std::uint64_t last_ = 0;        // the last number that was given
  std::uint64_t last_taken_ = 0;  // the last one that take() has copied
  std::vector<std::string> dropped_;
};

}  // namespace fractalray::capi
