// SPDX-License-Identifier: Apache-2.0
// A world without files and without an end in any direction: every chunk is computed from its path
// alone, so it is the same however it was reached. Space has planets, planets have caves and land,
// the land has towers, and each of their bricks has a space of its own.
#pragma once

#include <array>
#include <cstdint>

#include "fractalray/fractalray.h"

// The block types of the world. All of them but air have finer chunks.
struct FractalTypes {
  // Adds the types to a table that does not have them yet.
  explicit FractalTypes(fractalray::BlockTypeTable& types);

  fractalray::BlockTypeId space;  // empty, and full of planets too small to be seen
  fractalray::BlockTypeId rock;
  fractalray::BlockTypeId soil;
  fractalray::BlockTypeId brick;
  fractalray::BlockTypeId crystal;  // permeable
};

// A chunk, by all that decides on its blocks; found from that of the chunk around it. A value.
class FractalChunk {
 public:
  using Step = fractalray::ChunkPath::Step;  // a block of the chunk, 0 to 15 on each axis

  enum class Kind : std::uint8_t {
    kSpace,   // empty, with one to three planets
    kPlanet,  // a part of a planet, round
    kLand,    // flat, with towers
    kCave,    // rock with caves, in which crystals grow
  };

  // Returns the root: space.
  explicit FractalChunk(std::uint64_t seed) : seed_(seed) {}

  Kind kind() const { return kind_; }
  // Returns the type of a block; and the chunk that it expands into, which any block has.
  fractalray::BlockTypeId block(const Step& at, const FractalTypes& types) const;
  FractalChunk child(const Step& at, const FractalTypes& types) const;
  // Returns the chunk with a path, of the world with that seed. Cost: O(steps), some 50 ns each.
  static FractalChunk at(const fractalray::ChunkPath& path, std::uint64_t seed,
                         const FractalTypes& types);
  // Returns its content.
  fractalray::Chunk content(const FractalTypes& types,
                            const fractalray::BlockTypeTable& table) const;

 private:
  // A ball, in half widths of this chunk's blocks, from its corner.
  struct Ball {
    fractalray::Vec3i center{};
    std::int64_t radius = 0;
  };

  // Returns a number that depends on this chunk's seed and three coordinates; and on nothing else.
  std::uint64_t random(std::int64_t x, std::int64_t y, std::int64_t z) const;
  // Returns the planet of which a block of space is part, of radius 0 if it is not.
  Ball planetAt(const Step& at) const;
  fractalray::BlockTypeId planetBlock(const Step& at, const FractalTypes& types) const;
  fractalray::BlockTypeId landBlock(const Step& at, const FractalTypes& types) const;
  fractalray::BlockTypeId caveBlock(const Step& at, const FractalTypes& types) const;

  std::uint64_t seed_;
  Kind kind_ = Kind::kSpace;
  Ball ball_;    // the planet, if this is a part of one
  int age_ = 0;  // the levels from the space around the planet down to this chunk
};

// Answers requests for chunks of the world with that seed, at once. Thread-safe.
class FractalSource : public fractalray::ChunkSource {
 public:
  // The table must outlive the source, and not grow while requests are answered.
  FractalSource(const fractalray::BlockTypeTable& table, const FractalTypes& types,
                std::uint64_t seed)
      : table_(table), types_(types), seed_(seed) {}

  void request(fractalray::ChunkRequest request) override;

 private:
  const fractalray::BlockTypeTable& table_;
  FractalTypes types_;
  std::uint64_t seed_;
};
