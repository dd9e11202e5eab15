// SPDX-License-Identifier: Apache-2.0
// How an engine stores the ids and states of its blocks: width, strides and meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/check.h"
#include "../core/cow_ptr.h"
#include "../core/vec.h"
#include "block_type.h"

namespace fractalray {

// The id and the state that an engine stores of a block.
struct StoredId {
  std::uint32_t id = 0;
  std::uint32_t state = 0;  // 0 in a layout without states

  friend constexpr bool operator==(const StoredId&, const StoredId&) = default;
};

// The block types of an id, one for each state.
struct TypesOfId {
  std::uint32_t id = 0;
  std::span<const BlockTypeId> types{};
};

// The byte that holds the state of a block, such as the way it faces, and the ids whose type
// depends on it.
struct StateSpec {
  // Bytes from a block's id to the byte that holds its state, outside of the id: at most 2^40
  // either way.
  std::int64_t offset = 0;
  // The lowest bits of that byte are the state, 1 to 8 of them; 0 for a layout without states.
  int bits = 0;
  // Each with 2^bits types; an id that is not listed has its type of IdLayoutSpec::types in every
  // state.
  std::span<const TypesOfId> types{};
};

// The arguments of IdLayout::make(). The defaults describe the layout of Chunk::Ids.
struct IdLayoutSpec {
  // Bytes of an id: 1, 2 or 4, an unsigned number in the machine's byte order, at any alignment.
  int id_bytes = 2;
  // Bytes from a block's id to that of its neighbour in +x, +y and +z: either way at least those of
  // an id and at most 2^40, or 0 if all blocks along the axis share one.
  Vec3i strides = {2, 32, 512};
  // The block type of each of the engine's ids, from 0 on; kNoBlockType for an id that the engine
  // does not use. Nothing if the ids are block types themselves.
  std::optional<std::span<const BlockTypeId>> types = std::nullopt;
  StateSpec state{};
};

// Describes ids in an engine's memory: where the id of each block is, and which block type it
// stands for. Make one for all chunks of a kind: copies share the table. A value; const use is safe
// from any thread.
//
//   engine                       id_bytes  strides              first id of the chunk
//   Luanti, MapNode[4096]        2         {4, 64, 1024}        &nodes[0].param0, state.offset 3
//   Godot, ZXY order, 16 bits    2         {32, 2, 512}         &voxels[0]
//   a part of a 32^3 array       1         {1, 32, 1024}        &ids[16 * (px + 32 py + 1024 pz)]
//   one whose y axis points down 2         {2, -32, 512}        &ids[240], of the lowest block
class IdLayout {
 public:
  // Makes the layout of Chunk::Ids: block types in the order x + 16 y + 256 z.
  IdLayout() = default;
  // Makes a layout. INVALID_ARGUMENT if ids are not 1, 2 or 4 bytes wide, a stride is out of range
  // or less than an id, the state is not in a byte of its own, or an id of the states is not in
  // `types`, is there twice, or has not a type for each state. Cost: copies the tables.
  static absl::StatusOr<IdLayout> make(const IdLayoutSpec& spec);

  int idBytes() const { return data().id_bytes; }
  const Vec3i& strides() const { return data().strides; }
  // Returns the number of ids in the table; nothing if ids are block types themselves.
  std::optional<std::size_t> tableSize() const;
  bool hasStates() const { return data().state_mask != 0; }
  // Returns "id 7", or "id 7 in state 3" if there are states.
  std::string textOf(const StoredId& stored) const;

  // Returns the bytes from the id of block [0, 0, 0] to that of `block`. Requires: each component
  // is within +-2^20.
  std::ptrdiff_t offset(const Vec3i& block) const {
    for (int axis = 0; axis < 3; ++axis)
      FRACTALRAY_DCHECK(block[axis] >= -kMaxBlock && block[axis] <= kMaxBlock, axis, block[axis]);
    return static_cast<std::ptrdiff_t>(dot(block, data().strides));
  }
  // Reads and writes an id with its state, given the address of the id; no other bit changes.
  StoredId read(const void* at) const {
    const Data& data = this->data();
    StoredId stored{.id = readId(at, data.id_bytes)};
    if (data.state_mask != 0) {
      const std::byte* const state = static_cast<const std::byte*>(at) + data.state_offset;
      stored.state = static_cast<std::uint32_t>(*state) & data.state_mask;
    }
    return stored;
  }
  void write(void* at, const StoredId& stored) const noexcept;

  // Returns the block type that an id stands for in its state, whether or not a BlockTypeTable
  // contains it; nothing for an id that this layout's table does not contain.
  std::optional<BlockTypeId> type(const StoredId& stored) const {
    const Data& data = this->data();
    const std::size_t ids = data.has_table ? data.types.size() : std::size_t{kMaxType} + 1;
    if (stored.id >= ids) return std::nullopt;
    if (data.state_mask != 0 && data.rows[stored.id] != kNoRow) {
      return data.types_of_states[data.rows[stored.id] + stored.state];
    }
    return data.has_table ? data.types[stored.id] : static_cast<BlockTypeId>(stored.id);
  }
  // Returns the smallest id, and its smallest state, that stand for a block type; nothing if no id
  // of this width does.
  std::optional<StoredId> idOf(BlockTypeId type) const;
  // Returns true for the layout of Chunk::Ids that the default constructor makes.
  bool isPlain() const { return !data_; }
  // Returns true if it is certain that no two ids or states of a cube `width` blocks wide share a
  // byte, since each stride, in order of size, steps over all ids along the smaller ones. Requires:
  // width >= 1.
  bool keepsApart(std::int64_t width) const;

 private:
  struct Data : internal::RefCounted {
    int id_bytes = 2;
    bool has_table = false;
    Vec3i strides{2, 32, 512};
    std::vector<BlockTypeId> types;            // by id
    std::vector<std::optional<StoredId>> ids;  // by block type
    std::int64_t state_offset = 0;
    std::uint32_t state_mask = 0;              // 0 without states
    std::vector<std::uint32_t> rows;           // by id: the index in types_of_states, or kNoRow
    std::vector<BlockTypeId> types_of_states;  // a row for each id that is listed

    absl::Status setStates(const StateSpec& spec);
    void invert();
  };

  static constexpr std::uint32_t kMaxType = 0xffff;
  static constexpr std::uint32_t kNoRow = 0xffff'ffff;
  static constexpr std::int64_t kMaxBlock = std::int64_t{1} << 20;

  template <class Id>
  static std::uint32_t readAs(const void* at) {
    Id id{};
    std::memcpy(&id, at, sizeof(id));  // at any alignment
    return id;
  }

  static std::uint32_t readId(const void* at, int bytes) {
    switch (bytes) {
      case 1:
        return readAs<std::uint8_t>(at);
      case 2:
        return readAs<std::uint16_t>(at);
      default:
        return readAs<std::uint32_t>(at);
    }
  }

  const Data& data() const { return data_ ? *data_ : kDefault; }

  static const Data kDefault;
  internal::CowPtr<Data> data_;  // null for the layout of Chunk::Ids
};

}  // namespace fractalray
