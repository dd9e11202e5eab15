// SPDX-License-Identifier: Apache-2.0
#include "engine_chunks.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "internal/chunk_boxes.h"

namespace fractalray {

using internal::forEachChunkOf;
using internal::indexText;

namespace {

constexpr int kMaxWidth = 1024;
// Engine chunks beyond this lie outside of every frame; their blocks still fit 64 bits.
constexpr std::int64_t kMaxChunk = std::int64_t{1} << 50;

std::int64_t floorDiv(std::int64_t value, std::int64_t width) {
  return value / width - (value % width < 0 ? 1 : 0);
}

// Returns INVALID_ARGUMENT for a layout whose strides cannot be those of a whole engine chunk.
absl::Status checkLayout(const EngineChunksSpec& spec, bool is_written) {
  const Vec3i& strides = spec.layout.strides();
  if (spec.layout.isPlain() && spec.width > kChunkSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine chunks of ", spec.width,
                     " blocks with the default layout, which is that of 16; set the layout to one "
                     "with the strides of their arrays (IdLayout::make)"));
  }
  if (is_written && !spec.layout.keepsApart(spec.width)) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine chunks of ", spec.width, " blocks with the strides [", strides[0],
                     ", ", strides[1], ", ", strides[2], "] and ids of ", spec.layout.idBytes(),
                     " bytes: blocks may share bytes, so they cannot be borrowed for writing; use "
                     "EngineChunks::borrowed or EngineChunks::copied"));
  }
  // A stride of 0 is that of ids which blocks share; three others are those of an array.
  const bool is_array = strides[0] != 0 && strides[1] != 0 && strides[2] != 0;
  if (is_array && !spec.layout.keepsApart(spec.width)) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine chunks of ", spec.width, " blocks with the strides [", strides[0],
                     ", ", strides[1], ", ", strides[2], "] and ids of ", spec.layout.idBytes(),
                     " bytes: blocks may share bytes. Strides are in bytes: in an array, x first, ",
                     "they are [", spec.layout.idBytes(), ", ", spec.layout.idBytes() * spec.width,
                     ", ", spec.layout.idBytes() * spec.width * spec.width, "]"));
  }
  return absl::OkStatus();
}

}  // namespace

// Reads types of blocks from the engine's chunks; neighbours are mostly of the same chunk.
class EngineChunks::Reader {
 public:
  explicit Reader(const EngineChunks& chunks) : chunks_(chunks) {}

  // Returns true if the engine has the chunk of a block.
  bool has(const BlockCoord& block) {
    const std::int64_t width = chunks_.spec_.width;
    const Vec3i at{floorDiv(block[0], width), floorDiv(block[1], width), floorDiv(block[2], width)};
    if (!is_known_ || at != at_) {
      first_ = chunks_.find_(at);
      at_ = at;
      is_known_ = true;
    }
    return first_ != nullptr;
  }
  // Returns the type of a block; INVALID_ARGUMENT, with its id, if it has none. Requires: has() has
  // just returned true for it.
  absl::StatusOr<BlockTypeId> type(const BlockCoord& block) const {
    const IdLayout& layout = chunks_.spec_.layout;
    const BlockCoord begin = chunks_.firstBlock(at_);
    const Vec3i within{block[0] - begin[0], block[1] - begin[1], block[2] - begin[2]};
    const StoredId id = layout.read(static_cast<const std::byte*>(first_) + layout.offset(within));
    const std::optional<BlockTypeId> type = layout.type(id);
    if (type.has_value() && chunks_.world_->blockTypes().contains(*type)) return *type;
    return chunks_.unknownId(at_, within, id);
  }

 private:
  const EngineChunks& chunks_;
  bool is_known_ = false;
  Vec3i at_{};
  const void* first_ = nullptr;
};

absl::StatusOr<EngineChunks> EngineChunks::make(World& world, const EngineChunksSpec& spec,
                                                Find find, Mode mode) {
  if (spec.width < 1 || spec.width > kMaxWidth) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine chunks of ", spec.width, " blocks; their width is 1 to ", kMaxWidth));
  }
  if (mode != Mode::kCopied && spec.width % kChunkSize != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine chunks of ", spec.width,
                     " blocks cannot be borrowed, since that is not a multiple of ", kChunkSize,
                     "; use EngineChunks::copied"));
  }
  if (!world.frame().isActive(spec.level)) {
    return absl::InvalidArgumentError(absl::StrCat("level ", spec.level,
                                                   " is not active; this world has levels 0 to ",
                                                   world.frame().levels() - 1));
  }
  absl::Status status = checkLayout(spec, mode == Mode::kBorrowedForWriting);
  if (!status.ok()) return status;
  if (find == nullptr) return absl::InvalidArgumentError("the function that finds chunks is empty");
  return EngineChunks(world, spec, std::move(find), mode);
}

absl::StatusOr<EngineChunks> EngineChunks::copied(World& world, const EngineChunksSpec& spec,
                                                  Find find) {
  return make(world, spec, std::move(find), Mode::kCopied);
}

absl::StatusOr<EngineChunks> EngineChunks::borrowed(World& world, const EngineChunksSpec& spec,
                                                    Find find) {
  return make(world, spec, std::move(find), Mode::kBorrowed);
}

absl::StatusOr<EngineChunks> EngineChunks::borrowedForWriting(World& world,
                                                              const EngineChunksSpec& spec,
                                                              FindWritable find) {
  // An empty function stays empty.
  return make(world, spec, find == nullptr ? Find() : Find(std::move(find)),
              Mode::kBorrowedForWriting);
}

BlockCoord EngineChunks::firstBlock(const Vec3i& chunk) const {
  return {chunk[0] * spec_.width, chunk[1] * spec_.width, chunk[2] * spec_.width};
}

BlockCoord EngineChunks::lastBlock(const Vec3i& chunk) const {
  const std::int64_t last = spec_.width - 1;
  return firstBlock(chunk) + BlockCoord{last, last, last};
}

absl::Status EngineChunks::checkInFrame(const Vec3i& chunk) const {
  bool is_inside = true;
  for (int axis = 0; axis < 3; ++axis)
    is_inside &= chunk[axis] >= -kMaxChunk && chunk[axis] <= kMaxChunk;
  const Frame& frame = world_->frame();
  if (is_inside && frame.contains(spec_.level, chunkOf(firstBlock(chunk))) &&
      frame.contains(spec_.level, chunkOf(lastBlock(chunk)))) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(
      absl::StrCat("engine chunk ", indexText(chunk), " is outside of the frame"));
}

absl::StatusOr<ChunkChange> EngineChunks::borrowPart(const Vec3i& chunk, const void* first,
                                                     const ChunkCoord& at) const {
  if (first == nullptr) return ChunkChange{.at = at};
  const BlockCoord begin = firstBlock(chunk);
  const BlockCoord part = blockOf(at, 0);
  const Vec3i within{part[0] - begin[0], part[1] - begin[1], part[2] - begin[2]};
  const std::byte* const ids = static_cast<const std::byte*>(first) + spec_.layout.offset(within);
  const BlockTypeTable& types = world_->blockTypes();
  absl::StatusOr<Chunk> borrowed =
      mode_ == Mode::kBorrowed
          ? Chunk::borrowed(ids, spec_.layout, types)
          : Chunk::borrowedForWriting(const_cast<std::byte*>(ids), spec_.layout, types);
  if (!borrowed.ok()) return checkIds(chunk, within, ids, borrowed.status());
  return ChunkChange{.at = at, .chunk = *std::move(borrowed)};
}

absl::Status EngineChunks::unknownId(const Vec3i& chunk, const Vec3i& block,
                                     const StoredId& id) const {
  return absl::InvalidArgumentError(absl::StrCat(
      "block ", indexText(block), " of engine chunk ", indexText(chunk), " has ",
      spec_.layout.textOf(id),
      ", which stands for no type of the world's table; add it to the table of the IdLayout"));
}

absl::Status EngineChunks::checkIds(const Vec3i& chunk, const Vec3i& first_block,
                                    const std::byte* ids, const absl::Status& error) const {
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockCoord at = blockOf(ChunkCoord{}, index);
    const Vec3i within{at[0], at[1], at[2]};
    const StoredId id = spec_.layout.read(ids + spec_.layout.offset(within));
    const std::optional<BlockTypeId> type = spec_.layout.type(id);
    if (type.has_value() && world_->blockTypes().contains(*type)) continue;
    return unknownId(chunk, first_block + within, id);
  }
  return error;
}

absl::StatusOr<ChunkChange> EngineChunks::copyParts(Reader& reader, const ChunkCoord& at) const {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  bool has_any = false;
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockCoord block = blockOf(at, index);
    if (!reader.has(block)) continue;
    const absl::StatusOr<BlockTypeId> type = reader.type(block);
    if (!type.ok()) return type.status();
    ids[static_cast<std::size_t>(index)] = *type;
    has_any = true;
  }
  if (!has_any) return ChunkChange{.at = at};
  absl::StatusOr<Chunk> copied = Chunk::copied(ids, world_->blockTypes());
  if (!copied.ok()) return copied.status();
  return ChunkChange{.at = at, .chunk = *std::move(copied)};
}

absl::Status EngineChunks::sync(const Vec3i& chunk) {
  absl::Status status = checkInFrame(chunk);
  if (!status.ok()) return status;
  Reader reader(*this);
  const void* const first = mode_ == Mode::kCopied ? nullptr : find_(chunk);
  std::vector<ChunkChange> changes;
  forEachChunkOf(firstBlock(chunk), lastBlock(chunk), [&](const ChunkCoord& at) {
    absl::StatusOr<ChunkChange> change =
        mode_ == Mode::kCopied ? copyParts(reader, at) : borrowPart(chunk, first, at);
    status = change.status();
    if (status.ok()) changes.push_back(*std::move(change));
    return status.ok();
  });
  if (!status.ok()) return status;
  return world_->replaceChunks(spec_.level, std::move(changes));
}

absl::Status EngineChunks::checkBox(const BlockCoord& min, const BlockCoord& max,
                                    absl::Status error) const {
  if (!absl::IsInvalidArgument(error)) return error;
  Reader reader(*this);
  for (BlockCoord at = min; at[2] <= max[2]; ++at[2]) {
    for (at[1] = min[1]; at[1] <= max[1]; ++at[1]) {
      for (at[0] = min[0]; at[0] <= max[0]; ++at[0]) {
        if (!reader.has(at)) continue;
        absl::Status status = reader.type(at).status();
        if (!status.ok()) return status;
      }
    }
  }
  return error;
}

absl::Status EngineChunks::refreshBlock(const BlockCoord& at) {
  if (mode_ != Mode::kCopied) return checkBox(at, at, world_->refreshBlock(spec_.level, at));
  return refreshBox(at, at);
}

absl::Status EngineChunks::refreshBox(const BlockCoord& min, const BlockCoord& max) {
  absl::Status status = internal::checkOrdered(min, max);
  if (!status.ok()) return status;
  if (mode_ != Mode::kCopied) return checkBox(min, max, world_->refreshBox(spec_.level, min, max));
  Reader reader(*this);
  // Ends at the first chunk that is missing, so however large the box, no later than the loaded
  // ones do.
  forEachChunkOf(min, max, [&](const ChunkCoord& at) {
    status = world_->block(spec_.level, blockOf(at, 0)).status();
    return status.ok();
  });
  if (!status.ok()) return status;
  const BlockCoord size = max - min + BlockCoord{1, 1, 1};
  std::vector<BlockTypeId> types;
  for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
    const BlockCoord block =
        min + BlockCoord{i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
    if (!reader.has(block)) {
      return absl::NotFoundError(
          absl::StrCat("the engine has no chunk for block ", indexText(block)));
    }
    const absl::StatusOr<BlockTypeId> type = reader.type(block);
    if (!type.ok()) return type.status();
    types.push_back(*type);
  }
  if (types.size() == 1) return world_->setBlock(spec_.level, min, types[0]);
  return world_->loadBox(spec_.level, min, max, [&](const BlockCoord& block) {
    const BlockCoord at = block - min;
    return types[static_cast<std::size_t>(at[0] + size[0] * (at[1] + size[1] * at[2]))];
  });
}

}  // namespace fractalray
