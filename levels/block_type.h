// SPDX-License-Identifier: Apache-2.0
// Block types: their kind for a shot, empty, permeable or solid, and their shape, channel by
// channel.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/check.h"
#include "block_shape.h"

namespace fractalray {

enum class BlockKind : std::uint8_t {
  kEmpty,      // never reported
  kPermeable,  // reported; its callback decides whether the shot continues
  kSolid,      // reported, and always terminal
};

// Converts a kind to "empty", "permeable" or "solid", and back (nothing for another word).
std::string_view blockKindName(BlockKind kind);
std::optional<BlockKind> parseBlockKind(std::string_view name);

// The number of a block type in its table.
enum class BlockTypeId : std::uint16_t {};
// The number of a channel in its table; kDefaultChannel is always there.
enum class ChannelId : std::uint16_t {};
inline constexpr ChannelId kDefaultChannel{};
// Type 0 of every table: named "air", empty in every channel.
inline constexpr BlockTypeId kAir{};
// A number that no table of fewer than 65,536 types contains, for ids without a meaning.
inline constexpr BlockTypeId kNoBlockType{0xffff};

// A block type to be added to a table.
struct BlockTypeSpec {
  std::string name;
  BlockKind kind = BlockKind::kSolid;  // in every channel that is not listed
  std::vector<std::pair<ChannelId, BlockKind>> channel_kinds{};
  ShapeId shape = kWholeCube;  // in every channel that is not listed
  std::vector<std::pair<ChannelId, ShapeId>> channel_shapes{};
};

namespace internal {

// A number that no other table has, not even a copy: by it a chunk identifies the table for which
// its derived sets were computed.
class TableNumber {
 public:
  // Numbers run from 1 to kMax.
  static constexpr std::uint32_t kMax = 0x7fffffff;

  TableNumber() : number_(next()) {}
  TableNumber(const TableNumber& /*other*/) : TableNumber() {}
  TableNumber& operator=(const TableNumber& /*other*/) {
    number_ = next();
    return *this;
  }
  std::uint32_t value() const { return number_; }

 private:
  static std::uint32_t next();

  std::uint32_t number_;
};

}  // namespace internal

// The block types of an engine, shared by its worlds. Types, shapes and channels are added and
// never change, so sets derived from them stay valid. If memory runs out, adding one throws
// std::bad_alloc and changes nothing. Adding needs exclusive access; const use is thread-safe.
//
// An id may come from memory that an engine writes to, so queries by id accept every id: one that
// is not in the table is empty in every channel, as air is.
class BlockTypeTable {
 public:
  // Holds "air" (kAir) and the channel "default" (kDefaultChannel).
  BlockTypeTable();

  // Adds a type. ALREADY_EXISTS for a name in use, INVALID_ARGUMENT for an empty name, one that is
  // no UTF-8 or has control characters, and a channel or a shape that is not in the table;
  // RESOURCE_EXHAUSTED past 65,536 types. A type is empty in channels where its shape has no boxes.
  absl::StatusOr<BlockTypeId> add(const BlockTypeSpec& spec);
  // Returns the channel of that name, added if it is new; types that do not list it have their
  // default kind there. INVALID_ARGUMENT for a name as above, RESOURCE_EXHAUSTED past 65,536
  // channels.
  absl::StatusOr<ChannelId> addChannel(std::string_view name);
  // Returns the shape that is the union of boxes, added if it is new: the same boxes in any order
  // are the same shape, and the whole cube is kWholeCube. INVALID_ARGUMENT for more than
  // kMaxShapeBoxes, and for a box that is flat or not inside the cube; RESOURCE_EXHAUSTED past
  // 65,536 shapes.
  absl::StatusOr<ShapeId> addShape(std::span<const ShapeBox> boxes);
  // Keeps the table as it is, whose numbers others know: whatever is new is FAILED_PRECONDITION
  // from now on, with this remedy.
  void close(std::string remedy) { remedy_ = std::move(remedy); }

  std::optional<BlockTypeId> find(std::string_view name) const;
  std::optional<ChannelId> findChannel(std::string_view name) const;

  std::size_t size() const { return names_.size(); }
  std::size_t channels() const { return channel_names_.size(); }
  bool contains(BlockTypeId type) const { return index(type) < size(); }
  // Returns the same type, or air if it is not in the table.
  BlockTypeId orAir(BlockTypeId type) const { return contains(type) ? type : kAir; }
  // Returns the name of a type, empty if it is not in the table.
  const std::string& name(BlockTypeId type) const;
  // Returns the name of a channel. Requires, for these three: the channel is in the table.
  const std::string& channelName(ChannelId channel) const;
  BlockKind kind(BlockTypeId type, ChannelId channel) const {
    const std::span<const BlockKind> by_type = kinds(channel);
    return index(type) < by_type.size() ? by_type[index(type)] : BlockKind::kEmpty;
  }
  // Returns the kinds of all types in a channel, by their numbers: for an id from a world use
  // kind(), which accepts ids that are not in the table. Valid until a type or channel is added.
  std::span<const BlockKind> kinds(ChannelId channel) const { return at(channel).kinds; }
  // Returns the boxes of a shape, in their order; one for the whole cube, none for a shape that is
  // not in the table. Valid until a shape is added.
  std::span<const ShapeBox> boxes(ShapeId shape) const;
  std::size_t shapes() const { return shapes_.size(); }
  // Returns the shape of a type in a channel; kWholeCube for an id that is not in the table.
  ShapeId shape(BlockTypeId type, ChannelId channel) const {
    const std::span<const ShapeId> by_type = shapes(channel);
    return index(type) < by_type.size() ? by_type[index(type)] : kWholeCube;
  }
  // Returns the shapes of all types in a channel, by their numbers; none if all are whole cubes.
  // Valid until a type or channel is added.
  std::span<const ShapeId> shapes(ChannelId channel) const {
    const Channel& in_channel = at(channel);
    return in_channel.has_shapes ? std::span<const ShapeId>(in_channel.shapes)
                                 : std::span<const ShapeId>();
  }
  // Returns true if the type is empty in every channel, those yet to be added too, or not in the
  // table: such blocks leave no bit in a chunk's occupancy.
  bool isEmptyEverywhere(BlockTypeId type) const;

  static constexpr std::size_t index(BlockTypeId type) { return static_cast<std::size_t>(type); }

 private:
  friend class Chunk;

  // A type as it is in a channel.
  struct Look {
    BlockKind kind;
    ShapeId shape;
  };
  // All types as they are in a channel, by number.
  struct Channel {
    std::vector<BlockKind> kinds;
    std::vector<ShapeId> shapes;
    bool has_shapes = false;  // true if any is not the whole cube

    void reserveOne();
    void append(Look look) noexcept;
  };
  const Channel& at(ChannelId channel) const {
    FRACTALRAY_DCHECK(static_cast<std::size_t>(channel) < channels(), channel);
    return channels_[static_cast<std::size_t>(channel)];
  }
  // Returns the look of a type in the channels that it does not list, or in one that it may list.
  Look lookOf(const BlockTypeSpec& spec) const;
  Look lookOf(const BlockTypeSpec& spec, ChannelId channel) const;
  // Returns INVALID_ARGUMENT for a channel or shape that is not in the table.
  absl::Status checkChannels(const BlockTypeSpec& spec) const;
  // Returns FAILED_PRECONDITION for what is new, if the table is closed.
  absl::Status checkOpen(std::string_view kind, std::string_view name) const;

  std::vector<std::string> names_;
  Channel default_;  // the types in channels that they do not list
  std::vector<std::string> channel_names_;
  std::vector<Channel> channels_;
  std::vector<std::vector<ShapeBox>> shapes_;  // by ShapeId, the boxes of each in order
  std::map<std::vector<ShapeBox>, ShapeId> shape_ids_;
  std::unordered_map<std::string, BlockTypeId> ids_;
  std::optional<std::string> remedy_;  // of a closed table
  internal::TableNumber number_;
};

}  // namespace fractalray
