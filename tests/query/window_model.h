// SPDX-License-Identifier: Apache-2.0
// A plain model of a window, with which World, EntityIndex and Window are compared: chunks by their
// position below the root, in integers of any size, and entities by the formulas of the contract.
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

// An integer of 640 digits of base 16, the lowest first; negative numbers by their complement.
class BigInt {
 public:
  BigInt(std::int64_t value = 0);  // NOLINT(google-explicit-constructor): a number is one

  friend BigInt operator+(const BigInt& a, const BigInt& b);
  friend BigInt operator-(const BigInt& a, const BigInt& b);
  friend bool operator==(const BigInt&, const BigInt&) = default;
  BigInt times16(int times) const;
  // Returns the quotient by 16, without the remainder.
  BigInt over16() const;

  int digit(int index) const { return digits_[static_cast<std::size_t>(index)]; }
  // Returns true if it is from 0 to 16^digits - 1.
  bool fits(int digits) const;
  // Returns the value, nothing if it is not within 2^62.
  std::optional<std::int64_t> small() const;

 private:
  static constexpr std::size_t kDigits = 640;

  std::array<std::uint8_t, kDigits> digits_{};
};
using BigCoord = std::array<BigInt, 3>;

// Returns the path of a chunk at a position below the root, as text.
std::string pathText(const BigCoord& position, int steps);

struct WindowModel {
  struct ModelChunk {
    int depth = 0;        // below the root
    BigCoord position{};  // its index on that depth
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

  // Returns the position below the root of a chunk of the frame.
  BigCoord positionOf(int level, const ChunkCoord& chunk) const;
  // Returns the level and the index of a chunk in the frame; nothing if it is not in the frame.
  std::optional<std::pair<int, ChunkCoord>> indexOf(const ModelChunk& chunk) const;
  // Returns the path of a chunk, nothing if it has none.
  std::optional<std::string> path(int level, const ChunkCoord& chunk) const;

  // Makes an entity of the index one of the model, or replaces it.
  void copyEntity(const EntityIndex& index, EntityHandle handle);

  // Each makes a move, or returns nothing if it is refused.
  std::optional<Left> descend(const ChunkCoord& chunk);
  std::optional<Left> climb();
  std::optional<Left> recenter(const ChunkCoord& chunk);

  // Compares everything that the world and the index report with the model. Fatal expectations.
  void expectEqual(const World& world, const EntityIndex& index) const;
  // Compares the entities alone.
  void expectEntities(const EntityIndex& index) const;

 private:
  Left leaveOut(int levels, const Vec<absl::int128, 3>& offset);
  void expectChunks(const World& world, int level) const;
  void expectEntity(const EntityIndex& index, EntityId id, const ModelEntity& entity) const;
};

}  // namespace fractalray
