// SPDX-License-Identifier: Apache-2.0
// Loading on demand: keeps loaded what viewers need, and asks a source for the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/parallel_for.h"
#include "../core/segment.h"
#include "../core/vec.h"
#include "../query/query_line.h"
#include "../query/window.h"
#include "chunk_changes.h"
#include "chunk_source.h"
#include "stream_options.h"

namespace fractalray {

namespace internal {
class StreamerState;
}

// Loads the chunks around viewers into the world of a window, and unloads those that they have
// left:
//
//   auto streamer = ChunkStreamer::create(window, source, {.radii = {StreamRadii{2, 3}, ...}});
//   status.Update(streamer->tick({&viewer, 1}, threads));   // every tick, between queries
//
// Only tick() loads and unloads, in one order of need. Chunks that the engine loads itself are left
// alone; one that it unloads is loaded again if it is needed. Follows every move of the window.
// Deterministic: the same calls and answers in the same ticks give the same requests, edits and
// counters with any ParallelFor. Not thread-safe: it belongs to the thread that edits the world.
// After an exception (no memory, unloading(), dropped()) what the tick has done stays done, and the
// next tick continues. docs/streaming.md.
class ChunkStreamer {
 public:
  // All arguments but `options` must outlive the streamer. `changes`, unless null, are applied to
  // every chunk that it loads. INVALID_ARGUMENT for bad options (checkStreamOptions).
  static absl::StatusOr<ChunkStreamer> create(Window& window, ChunkSource& source,
                                              const StreamOptions& options,
                                              ChunkChanges* changes = nullptr);
  // Cancels the requests, and calls ChunkSource::dropped for answers that were not loaded; loaded
  // and proto chunks stay in the world.
  ~ChunkStreamer();
  ChunkStreamer(ChunkStreamer&&) noexcept;
  ChunkStreamer& operator=(ChunkStreamer&&) noexcept;

  const StreamOptions& options() const;
  // Changes the options from the next tick on. INVALID_ARGUMENT, and no change, for bad ones.
  absl::Status setOptions(const StreamOptions& options);

  // Does the work of one tick: takes what the source has answered, unloads what is out of reach,
  // requests what is needed, and loads. `viewers` are positions in units, of the frame as it is
  // now; there may be none. Errors, which change nothing: OUT_OF_RANGE for a viewer outside of the
  // frame; FAILED_PRECONDITION in a callback of a query, or of the source. Failures of the source
  // are no errors here: see error().
  //
  // Cost: that of what has changed since the last tick, linear in the viewers. For each viewer that
  // has moved, on the few finest levels where that changes what is near: a visit of the rows of
  // chunks in its radii. For each missing chunk, open request and named chunk: some look-ups. For
  // each level whose chunks the engine has edited: some look-ups for each chunk in reach. Next to
  // nothing if nothing has changed. docs/streaming.md has more.
  absl::Status tick(std::span<const Vec3i> viewers, ParallelFor parallel_for = runSerially);

  // Names the missing chunks on a line, up to `limit` of them, nearest to its start first (at
  // equal t, the coarser level first): the next ticks load them first, even out of reach, and keep
  // them for want_ticks. Keeps the chunks on it that are loaded for as long. Considers the levels
  // of the mask and all coarser ones, since only a loaded block shows whether there is a finer
  // chunk. Returns the chunks that it has named.
  //
  // Does not edit the world, so a callback may call it. INVALID_ARGUMENT for a limit of 0, else
  // errors of chunksOn(). Cost: the chunks of level 0 on the line up to the limit, and the loaded
  // chunks on it.
  template <QueryLine Line = Segment>
  absl::StatusOr<std::vector<ChunkOfLevel>> want(const Line& line, LevelMask levels,
                                                 std::size_t limit) {
    const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
    if (!segment.ok()) return segment.status();
    return wantOnLine(*segment, levels, limit);
  }
  // Names single chunks, in the order given; if ancestors of a chunk are not loaded, names the
  // coarsest of those instead. Keeps chunks and ancestors that are loaded for want_ticks too. So a
  // chunk that is named in every tick, loaded or not, stays. Chunks that do not exist, or that lie
  // outside of the frame or the root, are ignored. Returns the number of missing chunks named.
  // INVALID_ARGUMENT, and no change, for an inactive level.
  absl::StatusOr<std::size_t> want(std::span<const ChunkOfLevel> chunks);

  // Changes blocks for good, or until their time to revert: at once in chunks that are loaded, and
  // in all others whenever they are loaded. All or nothing, in the world and in the changes, also
  // if memory runs out. May be called in a callback of a query. A loaded chunk with changes has ids
  // of its own: it no longer reads those that the source has lent, and never writes to them.
  //
  // Errors, which change nothing: INVALID_ARGUMENT for a bad change (checkBlockChange);
  // FAILED_PRECONDITION for a streamer without changes, for a type in a chunk that the engine
  // itself has loaded, and within the source's request(); those of ChunkChanges::record. Cost: that
  // of record(), which is one call, and of an edit of the world for each block; a look at all
  // finer chunks if any of them are in a block that is no longer fertile.
  absl::Status setBlocks(std::span<const BlockChange> changes);
  // Changes one block, given by its index over the whole frame. Errors also of changeOf().
  absl::Status setBlock(int level, const BlockCoord& block, std::optional<BlockTypeId> type,
                        std::optional<std::int64_t> reverts_at = std::nullopt);
  // Returns the change of a block that is given by its index over the whole frame, for setBlocks().
  // Errors of Window::path: INVALID_ARGUMENT for an inactive level, OUT_OF_RANGE for a block
  // outside the root.
  absl::StatusOr<BlockChange> changeOf(int level, const BlockCoord& block,
                                       std::optional<BlockTypeId> type,
                                       std::optional<std::int64_t> reverts_at = std::nullopt) const;
  // Reverts changes whose time is at or before `now`, up to `limit` of them: removes them, and sets
  // blocks in loaded chunks to the types that the source has supplied. Blocks of a chunk that the
  // engine itself has loaded stay as they are. Returns the number of changes removed: unless that
  // is 0, there may be more for the next call, also if it is less than the limit
  // (ChunkChanges::due). All or nothing; errors of ChunkChanges::due, and as for setBlocks(). Call
  // it every tick.
  absl::StatusOr<std::size_t> revertChanges(std::int64_t now, std::size_t limit = 4096);

  // Returns the last failure of a chunk that is needed and not loaded, also while it is requested
  // again; NOT_FOUND if the source has answered that there is no such chunk; else OK.
  absl::Status error(int level, const ChunkCoord& chunk) const;

  // Return the chunks that the last tick loaded, and those that it unloaded, each in the order in
  // which it did so, also if it ended with an exception: for an engine that updates its meshes.
  // Valid until the next tick.
  std::span<const ChunkOfLevel> loaded() const;
  std::span<const ChunkOfLevel> unloaded() const;
  StreamStats stats() const;

 private:
  explicit ChunkStreamer(std::unique_ptr<internal::StreamerState> state);
  absl::StatusOr<std::vector<ChunkOfLevel>> wantOnLine(const FixedSegment& segment,
                                                       LevelMask levels, std::size_t limit);

  std::unique_ptr<internal::StreamerState> state_;
};

}  // namespace fractalray
