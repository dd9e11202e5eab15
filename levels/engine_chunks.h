// SPDX-License-Identifier: Apache-2.0
// An engine's chunks of any width as chunks of a world, found by one callable. In levels/, since it
// needs nothing but a World.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/vec.h"
#include "block_type.h"
#include "id_layout.h"
#include "world.h"

namespace fractalray {

struct EngineChunksSpec {
  int width = 16;     // blocks along each edge of an engine chunk, 1 to 1024
  IdLayout layout{};  // of the blocks of a whole engine chunk
  int level = 0;      // the world level on which the blocks are loaded
};

// Keeps a level of a world in step with an engine's chunks, cubes of `width` blocks; engine chunk
// [x, y, z] begins at block `width` times its coordinates. A callable finds the id of block [0, 0,
// 0] of a chunk, or null; it is called only within these calls, also for neighbours.
//
//   auto blocks = EngineChunks::borrowed(world, {.width = 32, .layout = layout},
//                                        [&](const Vec3i& at) { return engine.find(at); });
//   blocks->sync(at);            // a chunk arrived, was replaced or dropped
//   blocks->refreshBlock(block); // a block was written
//
// Errors are those of World; after one, or if memory runs out, nothing has changed. A value that
// refers to the world; thread safety as for edits of it. docs/engine-blocks.md.
class EngineChunks {
 public:
  using Find = std::function<const void*(const Vec3i& chunk)>;
  using FindWritable = std::function<void*(const Vec3i& chunk)>;

  // Copies the ids: for chunks of any width, and for memory that moves. A chunk of the world that
  // overlaps several engine chunks is loaded with the first and unloaded with the last of them, and
  // has air where one is missing. INVALID_ARGUMENT, as for borrowed() and borrowedForWriting()
  // below, for a width that is not from 1 to 1024, for a level that is not active, for the default
  // layout with a width above 16, for strides by which blocks share bytes though none is 0
  // (IdLayout::keepsApart), and for an empty callable.
  static absl::StatusOr<EngineChunks> copied(World& world, const EngineChunksSpec& spec, Find find);
  // Borrows the ids (Chunk::borrowed, Chunk::borrowedForWriting), which stay at their address until
  // the sync() that unloads them. INVALID_ARGUMENT also if the width is not a multiple of 16 and,
  // for writing, if a stride is 0.
  static absl::StatusOr<EngineChunks> borrowed(World& world, const EngineChunksSpec& spec,
                                               Find find);
  static absl::StatusOr<EngineChunks> borrowedForWriting(World& world, const EngineChunksSpec& spec,
                                                         FindWritable find);

  // Makes the world agree with what the engine has at a chunk: loads or reloads it, or unloads it
  // if the engine no longer has it. INVALID_ARGUMENT, with the id and the block, for an id without
  // a type. Cost: that of World::replaceChunks for the chunks of the world that it touches.
  absl::Status sync(const Vec3i& chunk);
  // Takes over what the engine has written to a block, or to a box [min, max] (inclusive), of
  // chunks that are loaded. INVALID_ARGUMENT as for sync(); NOT_FOUND, for copies, where the engine
  // has no chunk. Cost: as World::refreshBlock and refreshBox; for copies, as setBlock and loadBox.
  absl::Status refreshBlock(const BlockCoord& at);
  absl::Status refreshBox(const BlockCoord& min, const BlockCoord& max);

 private:
  enum class Mode : std::uint8_t { kCopied, kBorrowed, kBorrowedForWriting };
  class Reader;

  EngineChunks(World& world, EngineChunksSpec spec, Find find, Mode mode)
      : world_(&world), spec_(std::move(spec)), find_(std::move(find)), mode_(mode) {}
  static absl::StatusOr<EngineChunks> make(World& world, const EngineChunksSpec& spec, Find find,
                                           Mode mode);

  // Returns OUT_OF_RANGE for an engine chunk with blocks outside of the frame.
  absl::Status checkInFrame(const Vec3i& chunk) const;
  // Returns the first and the last block of an engine chunk.
  BlockCoord firstBlock(const Vec3i& chunk) const;
  BlockCoord lastBlock(const Vec3i& chunk) const;
  // Return what a chunk of the world is now: a part of one engine chunk; parts of one or several.
  absl::StatusOr<ChunkChange> borrowPart(const Vec3i& chunk, const void* first,
                                         const ChunkCoord& at) const;
  absl::StatusOr<ChunkChange> copyParts(Reader& reader, const ChunkCoord& at) const;
  // Returns the error of an id without a type: in the engine's own coordinates.
  absl::Status unknownId(const Vec3i& chunk, const Vec3i& block, const StoredId& id) const;
  // Returns that of the first such id of 16 x 16 x 16 blocks; `error` if there is none.
  absl::Status checkIds(const Vec3i& chunk, const Vec3i& first_block, const std::byte* ids,
                        const absl::Status& error) const;
  // Returns that of the first such id in a box [min, max] of loaded chunks, if `error` is
  // INVALID_ARGUMENT and there is one; `error` otherwise.
  absl::Status checkBox(const BlockCoord& min, const BlockCoord& max, absl::Status error) const;

  World* world_;
  EngineChunksSpec spec_;
  Find find_;
  Mode mode_;
};

}  // namespace fractalray
