// SPDX-License-Identifier: Apache-2.0
#include "fractal_source.h"

#include <cstddef>
#include <tuple>
#include <utility>

using namespace fractalray;

namespace {

// The levels of a planet: below them its surface is flat land, and its inside caves.
constexpr int kPlanetLevels = 3;
// The height of the ground of a land chunk.
constexpr int kGround = 4;

// Mixes the bits of a number (splitmix64, by Sebastiano Vigna).
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

// Returns a number from `min` to `max` from the bits of a random one, and takes them off.
int draw(std::uint64_t& random, int min, int max) {
  const std::uint64_t count = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min) + 1;
  const auto drawn = static_cast<int>(random % count);
  random /= count;
  return min + drawn;
}

BlockTypeId add(BlockTypeTable& types, const char* name, BlockKind kind) {
  return types.add({.name = name, .kind = kind}).value();
}

// Returns the square of the distance of a block's middle to a point, in half widths of blocks.
std::int64_t distanceSquare(const FractalChunk::Step& block, const Vec3i& point) {
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t along = 2 * block[axis] + 1 - point[axis];
    sum += along * along;
  }
  return sum;
}

}  // namespace

FractalTypes::FractalTypes(BlockTypeTable& types)
    : space(add(types, "space", BlockKind::kEmpty)),
      rock(add(types, "rock", BlockKind::kSolid)),
      soil(add(types, "soil", BlockKind::kSolid)),
      brick(add(types, "brick", BlockKind::kSolid)),
      crystal(add(types, "crystal", BlockKind::kPermeable)) {}

std::uint64_t FractalChunk::random(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::uint64_t bits = mixed(seed_ ^ static_cast<std::uint64_t>(x));
  bits = mixed(bits ^ static_cast<std::uint64_t>(y));
  return mixed(bits ^ static_cast<std::uint64_t>(z));
}

FractalChunk::Ball FractalChunk::planetAt(const Step& at) const {
  std::uint64_t bits = random(1, 0, 0);
  for (int planets = draw(bits, 1, 3); planets > 0; --planets) {
    const int radius = draw(bits, 1, 3);
    Ball ball{.radius = std::int64_t{2} * radius};
    for (int axis = 0; axis < 3; ++axis)
      ball.center[axis] = std::int64_t{2} * draw(bits, radius, 16 - radius);
    if (distanceSquare(at, ball.center) <= ball.radius * ball.radius) return ball;
  }
  return {};
}

BlockTypeId FractalChunk::planetBlock(const Step& at, const FractalTypes& types) const {
  const std::int64_t square = distanceSquare(at, ball_.center);
  if (square > ball_.radius * ball_.radius) return kAir;
  const std::int64_t inside = ball_.radius - 4;  // soil is some two blocks thick
  if (inside < 0 || square > inside * inside) return types.soil;
  // Caves lie on a grid around the planet's middle: they continue from chunk to chunk.
  Vec3i cave;
  for (int axis = 0; axis < 3; ++axis)
    cave[axis] = (2 * at[axis] + 1 - ball_.center[axis]) >> 3;
  return random(cave[0], cave[1], cave[2]) % 4 == 0 ? kAir : types.rock;
}

BlockTypeId FractalChunk::landBlock(const Step& at, const FractalTypes& types) const {
  if (at[1] < kGround) return at[1] + 1 < kGround ? types.rock : types.soil;
  std::uint64_t bits = random(2, 0, 0);
  for (int towers = draw(bits, 1, 3); towers > 0; --towers) {
    const int width = draw(bits, 3, 5);
    const int x = at[0] - draw(bits, 0, 16 - width);
    const int z = at[2] - draw(bits, 0, 16 - width);
    const int top = draw(bits, kGround + 3, 15);
    if (at[1] > top || x < 0 || z < 0 || x >= width || z >= width) continue;
    if (x == 0 || z == 0 || x == width - 1 || z == width - 1) return types.brick;
    return at[1] == top ? types.crystal : kAir;
  }
  return kAir;
}

BlockTypeId FractalChunk::caveBlock(const Step& at, const FractalTypes& types) const {
  if (random(at[0] >> 2, at[1] >> 2, at[2] >> 2) % 3 != 0) return types.rock;
  return random(16 + at[0], at[1], at[2]) % 32 == 0 ? types.crystal : kAir;
}

BlockTypeId FractalChunk::block(const Step& at, const FractalTypes& types) const {
  switch (kind_) {
    case Kind::kPlanet:
      return planetBlock(at, types);
    case Kind::kLand:
      return landBlock(at, types);
    case Kind::kCave:
      return caveBlock(at, types);
    case Kind::kSpace:
      break;
  }
  return planetAt(at).radius > 0 ? types.rock : types.space;
}

FractalChunk FractalChunk::child(const Step& at, const FractalTypes& types) const {
  FractalChunk child(random(at[0] + 16 * at[1] + 256 * at[2], -1, 0));
  Ball ball = ball_;
  bool is_round = kind_ == Kind::kPlanet && age_ < kPlanetLevels;
  if (kind_ == Kind::kSpace) {
    ball = planetAt(at);
    is_round = ball.radius > 0;
  }
  const BlockTypeId type = block(at, types);
  if (is_round && (type == types.rock || type == types.soil)) {
    child.kind_ = Kind::kPlanet;
    child.age_ = age_ + 1;
    // One seed for the whole planet, so that its parts fit.
    child.seed_ =
        kind_ == Kind::kSpace ? random(ball.center[0], ball.center[1], ball.center[2]) : seed_;
    child.ball_.radius = 16 * ball.radius;
    for (int axis = 0; axis < 3; ++axis)
      child.ball_.center[axis] = 16 * (ball.center[axis] - std::int64_t{2} * at[axis]);
  } else if (type == types.soil) {
    child.kind_ = Kind::kLand;
  } else if (type == types.rock) {
    child.kind_ = Kind::kCave;
  }
  return child;
}

FractalChunk FractalChunk::at(const ChunkPath& path, std::uint64_t seed,
                              const FractalTypes& types) {
  FractalChunk chunk(seed);
  for (const Step& step : path.steps())
    chunk = chunk.child(step, types);
  return chunk;
}

Chunk FractalChunk::content(const FractalTypes& types, const BlockTypeTable& table) const {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const Step at{index & 15, (index >> 4) & 15, index >> 8};
    ids[static_cast<std::size_t>(index)] = block(at, types);
  }
  return Chunk::copied(ids, table).value();  // the types are in the table
}

void FractalSource::request(ChunkRequest request) {
  const FractalChunk chunk = FractalChunk::at(request.path(), seed_, types_);
  std::ignore = request.answer(chunk.content(types_, table_));
}
