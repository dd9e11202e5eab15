// SPDX-License-Identifier: Apache-2.0
// A world without files and without an end in any direction: every chunk is computed from its path
// alone, so it is the same however it was reached. Space has planets, planets have craters, caves
// and land, the land has towers, and each of their bricks has a space of its own.
#pragma once

#include <array>
#include <cstdint>

#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "../../levels/chunk.h"
#include "../../levels/chunk_path.h"

namespace fractalray {

// The block types of the world. All of them but air expand into finer chunks.
struct FractalTypes {
  static constexpr int kSoils = 4;

  // Adds the types to a table. Requires: none of their names is in it.
  explicit FractalTypes(BlockTypeTable& types);

  bool isSoil(BlockTypeId type) const;

  BlockTypeId space;  // empty, and full of planets too small to be seen
  BlockTypeId rock;
  std::array<BlockTypeId, kSoils> soils;  // each planet is covered with one of them
  BlockTypeId brick;
  BlockTypeId crystal;  // permeable
  BlockTypeId lamp;     // is in no chunk: for edits
};

// Everything that decides the blocks of a chunk; derived from that of the chunk around it. A value;
// const use is safe from any thread. Integers alone decide, so it is the same on every machine.
class FractalChunk {
 public:
  using Step = ChunkPath::Step;  // a block of the chunk, 0 to 15 on each axis

  enum class Kind : std::uint8_t {
    kSpace,   // empty, with one to three planets
    kPlanet,  // a part of a planet, round, with craters and caves
    kLand,    // gentle hills with towers
    kCave,    // rock with caves, in which crystals grow
  };

  // Makes the root: space.
  explicit FractalChunk(std::uint64_t seed);

  Kind kind() const { return kind_; }
  // Returns the soil of a planet or a land, an index into FractalTypes::soils.
  int soil() const { return ball_.soil; }
  // Returns the height of the highest block of a land's towers, at most 15; 0 for other kinds.
  int highestTower() const;
  // Return the type of a block, and the chunk that it expands into: every block has one. Requires,
  // for both: each component of `at` is 0 to 15. Cost: below 100 ns.
  BlockTypeId block(const Step& at, const FractalTypes& types) const;
  FractalChunk child(const Step& at, const FractalTypes& types) const;
  // Returns the chunk with a path, of the world with that seed. Cost: O(steps), that of child()
  // each.
  static FractalChunk at(const ChunkPath& path, std::uint64_t seed, const FractalTypes& types);
  // Returns its content. Requires: the types are in the table.
  Chunk content(const FractalTypes& types, const BlockTypeTable& table) const;

 private:
  static constexpr int kMost = 3;  // planets of a space, towers of a land

  // A ball, in half widths of this chunk's blocks, from its corner. Of radius 0 if there is none.
  struct Ball {
    Vec3i center{};
    std::int64_t radius = 0;
    int soil = 0;  // an index into FractalTypes::soils
  };
  // A tower, in blocks: a square of walls, and its highest block. Of width 0 if there is none.
  struct Tower {
    int x = 0;
    int z = 0;
    int width = 0;
    int top = 0;
  };

  // Returns a number that depends on this chunk's seed and three coordinates; and on nothing else.
  std::uint64_t random(std::int64_t x, std::int64_t y, std::int64_t z) const;
  // Set the content of a space; that of a land.
  void makePlanets();
  void makeTowers();

  // Returns the planet of which a block of space is part.
  Ball planetAt(const Step& at) const;
  BlockTypeId planetBlock(const Step& at, const FractalTypes& types) const;
  BlockTypeId landBlock(const Step& at, const FractalTypes& types) const;
  BlockTypeId caveBlock(const Step& at, const FractalTypes& types) const;
  bool isInCave(const Step& at) const;
  // Returns the height of the ground of a land, in blocks: the same along all its borders.
  int groundAt(int x, int z) const;

  std::uint64_t seed_;
  Kind kind_ = Kind::kSpace;
  int age_ = 0;  // of planets: the levels from the space around it down to this chunk
  Ball ball_;    // of planets and lands: the planet of which this is a part
  std::array<Ball, kMost> planets_{};
  std::array<Tower, kMost> towers_{};
  int hill_ = 0;  // of lands: the height of the hill in its middle
};

}  // namespace fractalray
