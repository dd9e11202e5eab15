// SPDX-License-Identifier: Apache-2.0
// Visibility as a stream: what a viewer sees, found by a few thousand rays in each tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/parallel_for.h"
#include "../core/vec.h"
#include "../levels/block_type.h"
#include "../query/query_filter.h"
#include "../query/ray_query_service.h"
#include "../query/window.h"
#include "stream_options.h"

namespace fractalray {

namespace internal {
class VisibilityState;
}

struct VisibilityOptions {
  static constexpr std::size_t kMaxRays = 1 << 20;

  std::size_t rays = 2048;  // of a tick; 1 to kMaxRays
  // The length of a ray, in finest-block widths: more than 0, at most the frame's 2^45.
  double distance = 256;
  LevelMask levels = LevelMask::all();
  // The blocks that can be seen; set its channel to one in which glass is empty. By default rays
  // pass through entities. If `entities` is set, an entity hides what is farther on its rays; it is
  // not reported itself.
  QueryFilter filter{.entities = false};
  // A block goes out of sight after this many ticks in a row without a hit; at least 1. Choose it
  // low enough to report changes promptly, high enough for rays to hit again what is visible.
  std::uint64_t forget_ticks = 32;
};

// The view of a tick: a cone of directions from a point, or all directions.
struct ViewCone {
  Vec3i from{};                // in units, of the frame as it is now
  Vec3d direction{0, 0, 1};    // the axis of the cone, of any length but zero
  double cos_half_angle = -1;  // -1 (all directions) to 1 (the axis alone); 0 is half a sphere
};

// A block, or a chunk with such a block, in sight: hit by a ray in one of the last ticks.
struct SeenBlock {
  int level = 0;
  BlockCoord block{};
  BlockTypeId type = kAir;  // when a ray hit it last
  std::uint64_t since = 0;  // the tick in which it came into sight, from 1
  std::uint64_t last = 0;   // the tick in which a ray hit it last

  friend bool operator==(const SeenBlock&, const SeenBlock&) = default;
};
struct SeenChunk {
  int level = 0;
  ChunkCoord chunk{};
  std::uint64_t since = 0;
  std::uint64_t last = 0;

  friend bool operator==(const SeenChunk&, const SeenChunk&) = default;
};

// The changes of one tick.
struct VisibilityChanges {
  std::vector<SeenBlock> blocks_in;  // came into sight, in the order of the rays
  std::vector<SeenChunk> chunks_in;
  std::vector<SeenBlock> blocks_out;  // went out of sight, least recently hit first
  std::vector<SeenChunk> chunks_out;
};

// The blocks that one viewer sees, by sampling: each tick shoots rays in directions that no tick
// before has used, spread evenly over the cone, and keeps what they hit.
//
//   auto sight = VisibilityStream::create(window, {.rays = 2000});
//   status.Update(sight->tick(service, {.from = viewer, .direction = gaze}, threads));
//   status.Update(streamer.want(sight->unknown()).status());  // load first what rays did not enter
//
// A small or far block may never be hit: for "can A see B" ask RayQueryService::occluded. Follows
// every move of the window; blocks that leave the frame are forgotten without being reported.
// Deterministic, with any ParallelFor. Not thread-safe. If memory runs out, std::bad_alloc passes
// through and nothing has changed; once warm, a tick does not allocate. The rest:
// docs/streaming.md.
class VisibilityStream {
 public:
  // The window must outlive the stream. INVALID_ARGUMENT for options that are out of range.
  static absl::StatusOr<VisibilityStream> create(const Window& window,
                                                 const VisibilityOptions& options);
  ~VisibilityStream();
  VisibilityStream(VisibilityStream&&) noexcept;
  VisibilityStream& operator=(VisibilityStream&&) noexcept;

  const VisibilityOptions& options() const;

  // Shoots the rays of one tick. Errors, which change nothing: INVALID_ARGUMENT for a direction
  // that is zero or not finite, and for a cosine that is not in [-1, 1]; OUT_OF_RANGE for a viewer
  // outside of the frame; those of a batch of RayQueryService::closestHit. Requires: the service's
  // world is the window's, or a snapshot of it since the last move. Reads that world alone: on a
  // snapshot, another thread may edit the window's world meanwhile, but not move the window. Cost:
  // that of the batch, and of three or four look-ups for each ray.
  absl::Status tick(const RayQueryService& service, const ViewCone& view,
                    ParallelFor parallel_for = runSerially);
  // Forgets everything, for a viewer that has jumped. The next tick reports nothing as out of
  // sight.
  void clear();

  // Returns the number of ticks so far, by which `since` and `last` count.
  std::uint64_t ticks() const;
  // Returns the changes of the last tick. Valid until the next one; levels and indices are those of
  // the frame of that tick.
  const VisibilityChanges& changes() const;
  // Returns the unknown chunks that rays of the last tick would have entered, on the coarsest level
  // of the mask: in the order of the number of rays, most first, then of the index. Valid as long
  // as changes().
  std::span<const ChunkOfLevel> unknown() const;
  // Returns loaded chunks that rays of the last tick have entered, on that level and in the same
  // order: of each ray the one with the block that it hit, and one between the viewer and there,
  // drawn evenly over the distance. Given to ChunkStreamer::want() in every tick, they stay loaded
  // as long as they are in sight, or in the way. Valid as long as changes().
  std::span<const ChunkOfLevel> entered() const;

  // Return a block or a chunk in sight; nothing if it is not.
  std::optional<SeenBlock> seenBlock(int level, const BlockCoord& block) const;
  std::optional<SeenChunk> seenChunk(int level, const ChunkCoord& chunk) const;
  // Return the number of blocks, and of chunks, in sight.
  std::size_t blocks() const;
  std::size_t chunks() const;
  // Call `visit` for each block, or for each chunk, in sight, least recently hit first.
  void forEachBlock(absl::FunctionRef<void(const SeenBlock&)> visit) const;
  void forEachChunk(absl::FunctionRef<void(const SeenChunk&)> visit) const;

 private:
  explicit VisibilityStream(std::unique_ptr<internal::VisibilityState> state);

  std::unique_ptr<internal::VisibilityState> state_;
};

}  // namespace fractalray
