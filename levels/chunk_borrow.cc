// SPDX-License-Identifier: Apache-2.0
// Chunks with ids in the engine's memory: reads them in any layout, refreshes the sets of blocks,
// copies ids for snapshots, and writes to them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "chunk.h"
#include "internal/chunk_boxes.h"
#include "internal/unknown_type.h"

namespace fractalray {

using internal::EngineIds;

namespace {

// Explains why an id of a block is refused.
absl::Status unknownId(int index, const StoredId& id, const IdLayout& layout,
                       const BlockTypeTable& types) {
  const std::string block =
      absl::StrCat("block ", internal::indexText(blockOf(ChunkCoord{}, index)), " of the chunk");
  const std::optional<std::size_t> table = layout.tableSize();
  if (!table.has_value()) {
    return internal::unknownTypeError(block, id.id, types,
                                      ", or give `types`, which say what the ids mean");
  }
  const std::optional<BlockTypeId> type = layout.type(id);
  if (!type.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(block, " has ", layout.textOf(id),
                                                   ", which its layout's table of ", *table,
                                                   " ids does not contain"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      block, " has ", layout.textOf(id), ", for which its layout's table has the block type ",
      BlockTypeTable::index(*type), "; the table of block types ends at ", types.size() - 1));
}

// Returns the type that an id stands for; nothing if it has none in the table.
std::optional<BlockTypeId> knownType(const IdLayout& layout, const StoredId& id,
                                     const BlockTypeTable& types) {
  const std::optional<BlockTypeId> type = layout.type(id);
  return type.has_value() && types.contains(*type) ? type : std::nullopt;
}

// Finds types of ids, and remembers some: a chunk has few different ids, mostly.
class KnownIds {
 public:
  KnownIds(const IdLayout& layout, const BlockTypeTable& types) : layout_(layout), types_(types) {}

  // Looks up an id; returns false if it has no type in the table.
  bool find(const StoredId& id) {
    found_ = &known_[(id.id + 5 * id.state) % known_.size()];
    return (found_->is_known && found_->id == id) || look(id);
  }
  // Return what was found.
  BlockTypeId type() const { return found_->type; }
  bool isOccupied() const { return found_->is_occupied; }

 private:
  struct Known {
    StoredId id{};
    BlockTypeId type = kAir;
    bool is_known = false;
    bool is_occupied = false;
  };

  bool look(const StoredId& id) {
    const std::optional<BlockTypeId> type = knownType(layout_, id, types_);
    if (!type.has_value()) return false;
    *found_ = {
        .id = id, .type = *type, .is_known = true, .is_occupied = !types_.isEmptyEverywhere(*type)};
    return true;
  }

  const IdLayout& layout_;
  const BlockTypeTable& types_;
  std::array<Known, 16> known_{};
  Known* found_ = known_.data();
};

// Sets those blocks of a row along x whose bits are in `mask` to those of `blocks`, brick by brick.
// `row` is the index of the row's first block.
void setRow(BlockSet::Words& words, int row, std::uint64_t mask, std::uint64_t blocks) {
  const int shift = BlockSet::bitOf(row);
  for (int x = 0; x < 16; x += 4) {
    std::uint64_t& word = words[static_cast<std::size_t>(BlockSet::brickOf(row + x))];
    word &= ~(((mask >> x) & 15) << shift);
    word |= ((blocks >> x) & 15) << shift;
  }
}

}  // namespace

absl::StatusOr<Chunk> Chunk::fromArray(const void* first, const IdLayout& layout,
                                       const BlockTypeTable& types) {
  const EngineIds engine{.first = first, .layout = layout};
  KnownIds known(layout, types);
  IdArray ids{};
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const StoredId id = engine.id(index);
    if (!known.find(id)) return unknownId(index, id, layout, types);
    ids[static_cast<std::size_t>(index)] = known.type();
  }
  return copied(ids, types);
}

absl::StatusOr<Chunk> Chunk::borrowed(Ids ids, const BlockTypeTable& types) {
  Chunk chunk;
  chunk.ids_ = ids.data();
  absl::Status status = chunk.refresh(Box::whole(), types);
  if (!status.ok()) return status;
  return chunk;
}

absl::StatusOr<Chunk> Chunk::borrowed(const void* first, const IdLayout& layout,
                                      const BlockTypeTable& types) {
  Chunk chunk;
  chunk.store_ = internal::CowPtr<IdStore>::make(EngineIds{.first = first, .layout = layout});
  absl::Status status = chunk.refresh(Box::whole(), types);
  if (!status.ok()) return status;
  return chunk;
}

absl::StatusOr<Chunk> Chunk::borrowedForWriting(WritableIds ids, const BlockTypeTable& types) {
  absl::StatusOr<Chunk> chunk = borrowed(ids, types);
  if (chunk.ok()) chunk->is_writable_ = 1;
  return chunk;
}

absl::StatusOr<Chunk> Chunk::borrowedForWriting(void* first, const IdLayout& layout,
                                                const BlockTypeTable& types) {
  if (!layout.keepsApart(16)) {
    const Vec3i& strides = layout.strides();
    return absl::InvalidArgumentError(
        absl::StrCat("blocks of the strides [", strides[0], ", ", strides[1], ", ", strides[2],
                     "] and ids of ", layout.idBytes(),
                     " bytes may share bytes, so they cannot be borrowed for writing; use "
                     "Chunk::borrowed or Chunk::fromArray"));
  }
  absl::StatusOr<Chunk> chunk = borrowed(first, layout, types);
  if (chunk.ok()) chunk->is_writable_ = 1;
  return chunk;
}

BlockTypeId Chunk::engineBlock(int index) const {
  return store_->engine.type(index).value_or(kAir);
}

absl::Status Chunk::checkBlock(int index, const BlockTypeTable& types) const {
  if (!readsEngine()) return absl::OkStatus();
  const EngineIds engine = engineIds();
  const StoredId id = engine.id(index);
  if (knownType(engine.layout, id, types).has_value()) return absl::OkStatus();
  return unknownId(index, id, engine.layout, types);
}

bool Chunk::canWrite(BlockTypeId type) const {
  return !isBorrowed() || engineIds().layout.idOf(type).has_value();
}

void Chunk::writeThrough(const Box& box, BlockTypeId type) const noexcept {
  if (!isBorrowed()) return;
  FRACTALRAY_DCHECK(isBorrowedForWriting());
  const EngineIds engine = engineIds();
  const std::optional<StoredId> id = engine.layout.idOf(type);
  FRACTALRAY_DCHECK(id.has_value(), BlockTypeTable::index(type));
  if (!id.has_value()) return;
  box.forEach([&](int index) { engine.write(index, *id); });
}

absl::Status Chunk::scan(const Box& box, const BlockTypeTable& types,
                         BlockSet::Words& occupied) const {
  const EngineIds engine = engineIds();
  const std::ptrdiff_t stride = engine.layout.offset({1, 0, 0});
  KnownIds known(engine.layout, types);
  for (int z = box.min[2]; z <= box.max[2]; ++z) {
    for (int y = box.min[1]; y <= box.max[1]; ++y) {
      const int row = 16 * y + 256 * z;
      const std::byte* const first = engine.address(row);
      std::uint64_t blocks = 0;  // bit x of those of the row that are occupied
      for (int x = box.min[0]; x <= box.max[0]; ++x) {
        const StoredId id = engine.layout.read(first + x * stride);
        if (!known.find(id)) return unknownId(row + x, id, engine.layout, types);
        blocks |= std::uint64_t{known.isOccupied() ? 1U : 0U} << x;
      }
      const std::uint64_t scanned =
          (std::uint64_t{2} << box.max[0]) - (std::uint64_t{1} << box.min[0]);
      setRow(occupied, row, scanned, blocks);
    }
  }
  return absl::OkStatus();
}

absl::Status Chunk::refresh(const Box& box, const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(isBorrowed());
  BlockSet::Words words = box.isWhole() ? BlockSet::Words{} : occupied_.words();
  absl::Status status = scan(box, types, words);
  if (!status.ok()) return status;
  BlockSet occupied(words);
  if (box.isWhole()) {
    readEngine(engineIds());
    table_ = types.number_.value() & internal::TableNumber::kMax;
  } else if (!readsEngine()) {
    prepareIds();
    // Nothing throws any more.
    const EngineIds& engine = store_->engine;
    IdArray& ids = *ownIds();
    box.forEach([&](int index) {
      ids[static_cast<std::size_t>(index)] = engine.type(index).value_or(kAir);
    });
  }
  occupied_ = std::move(occupied);
  return status;
}

absl::Status Chunk::refresh(int index, const BlockTypeTable& types) {
  FRACTALRAY_DCHECK(isBorrowed());
  const EngineIds engine = engineIds();
  const StoredId id = engine.id(index);
  const std::optional<BlockTypeId> type = knownType(engine.layout, id, types);
  if (!type.has_value()) return unknownId(index, id, engine.layout, types);
  prepareIds();
  occupied_.set(index, !types.isEmptyEverywhere(*type));
  // Nothing throws any more.
  if (IdArray* const ids = ownIds(); ids != nullptr)
    (*ids)[static_cast<std::size_t>(index)] = *type;
  return absl::OkStatus();
}

void Chunk::readEngine(EngineIds engine) {
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(engine.first) % alignof(BlockTypeId) == 0;
  if (engine.layout.isPlain() && is_aligned) {
    ids_ = static_cast<const BlockTypeId*>(engine.first);
    store_ = {};
    return;
  }
  if (readsEngine()) return;
  store_ = internal::CowPtr<IdStore>::make(std::move(engine));
  ids_ = nullptr;
}

void Chunk::copyBorrowed() {
  if (!readsEngine()) return;
  auto copy = internal::CowPtr<IdStore>::make<OwnIds>();
  copy.edit().engine = engineIds();
  IdArray& ids = static_cast<OwnIds&>(copy.edit()).ids;
  if (ids_ != nullptr) {
    std::copy_n(ids_, kBlocksPerChunk, ids.begin());
  } else {
    for (int index = 0; index < kBlocksPerChunk; ++index)
      ids[static_cast<std::size_t>(index)] = engineBlock(index);
  }
  own(std::move(copy));
}

}  // namespace fractalray
