// SPDX-License-Identifier: Apache-2.0
// Block types and their kind for a shot: empty, permeable or solid, channel by channel.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

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

// The block types of an engine, shared by its worlds. Types and channels are added and never
// change, so sets derived from them stay valid. If memory runs out, adding one throws
// std::bad_alloc and changes nothing. Adding needs exclusive access; const use is thread-safe.
//
// An id may come from memory that an engine writes to, so queries by id accept every id: one that
// is not in the table is empty in every channel, as air is.
class BlockTypeTable {
 public:
  // Holds "air" (kAir) and the channel "default" (kDefaultChannel).
  BlockTypeTable();

  // Adds a type. ALREADY_EXISTS for a name in use, INVALID_ARGUMENT for an empty name, one that is
  // no UTF-8 or has control characters, and a channel that is not in the table; RESOURCE_EXHAUSTED
  // past 65,536 types.
  absl::StatusOr<BlockTypeId> add(const BlockTypeSpec& spec);
  // Returns the channel of that name, added if it is new; types that do not list it have their
  // default kind there. INVALID_ARGUMENT for a name as above, RESOURCE_EXHAUSTED past 65,536
  // channels.
  absl::StatusOr<ChannelId> addChannel(std::string_view name);

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
  std::span<const BlockKind> kinds(ChannelId channel) const;
  // Returns true if the type is empty in every channel, those yet to be added too, or not in the
  // table: such blocks leave no bit in a chunk's occupancy.
  bool isEmptyEverywhere(BlockTypeId type) const;

  static constexpr std::size_t index(BlockTypeId type) { return static_cast<std::size_t>(type); }

 private:
  friend class Chunk;

  std::vector<std::string> names_;
  std::vector<BlockKind> default_kinds_;
  std::vector<std::string> channel_names_;
  std::vector<std::vector<BlockKind>> kinds_;  // by channel, then by type
  std::unordered_map<std::string, BlockTypeId> ids_;
  internal::TableNumber number_;
};

}  // namespace fractalray
