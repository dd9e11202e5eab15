// SPDX-License-Identifier: Apache-2.0
// A plain model of a window: chunks by their place below the root, as integers of any size, and
// entities by the formulas of the contract. What World, EntityIndex and Window are compared with.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/numeric/int128.h"

#include "../../query/window.h"

namespace fractalray {

// An integer of any size that tests need: digits to base 16, the lowest first, negative numbers by
// their complement.
class BigInt {
 public:
  BigInt(std::int64_t value = 0);  // NOLINT(google-explicit-constructor): a number is one

  friend BigInt operator+(const BigInt& a, const BigInt& b);
  friend BigInt operator-(const BigInt& a, const BigInt& b);
  friend bool operator==(const BigInt&, const BigInt&) = default;
  BigInt times16(int times) const;
  // The quotient by 16, without the remainder.
  BigInt over16() const;

  int digit(int place) const { return digits_[static_cast<std::size_t>(place)]; }
  // Whether it is from 0 to 16^digits - 1.
  bool fits(int digits) const;
  // Nothing if it is not within 2^62.
  std::optional<std::int64_t> small() const;

 private:
  static constexpr std::size_t kDigits = 640;

  std::array<std::uint8_t, kDigits> digits_{};
};
using BigCoord = std::array<BigInt, 3>;

// The path of a place as text.
std::string pathText(const BigCoord& place, int steps);

struct WindowModel {
  struct ModelChunk {
    int depth = 0;     // below the root
    BigCoord place{};  // on that depth
    bool is_loaded = true;
    BlockTypeId type{};
  };
  struct ModelEntity {
    EntityHandle handle;
    int level = 0;
    FixedShape shape;
    Vec3i position{};
  };
  struct Left {
    std::vector<EntityId> evicted;
    std::size_t dropped = 0;
  };

  Frame frame;
  int depth = 0;  // of the level-0 chunk (0, 0, 0)
  BigCoord anchor{};
  std::vector<ModelChunk> chunks{};
  std::map<EntityId, ModelEntity> entities{};

  // The place below the root of a chunk of the frame, and the index of a place in the frame;
  // nothing if it is not in it.
  BigCoord placeOf(int level, const ChunkCoord& chunk) const;
  std::optional<std::pair<int, ChunkCoord>> indexOf(const ModelChunk& chunk) const;
  // The path of a chunk, nothing if it has none.
  std::optional<std::string> path(int level, const ChunkCoord& chunk) const;

  // Each moves, or returns nothing if that is refused.
  std::optional<Left> descend(const ChunkCoord& chunk);
  std::optional<Left> climb();
  std::optional<Left> recenter(const ChunkCoord& chunk);

  // The model must equal the world and the index, in all that these tell. Fatal expectations.
  void expectEqual(const World& world, const EntityIndex& index) const;

 private:
  Left leaveOut(int levels, const Vec<absl::int128, 3>& offset);
  void expectChunks(const World& world, int level) const;
  void expectEntity(const EntityIndex& index, EntityId id, const ModelEntity& entity) const;
};

}  // namespace fractalray
