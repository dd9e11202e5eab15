// SPDX-License-Identifier: Apache-2.0
#include "fractal_chunk.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "../../core/check.h"

namespace fractalray {
namespace {

// The levels of a planet: below them its surface is land, and its inside caves.
constexpr int kPlanetLevels = 2;
// The thickness of a planet's soil, in half widths of blocks.
constexpr std::int64_t kSoilDepth = 4;
// Caves of a planet are balls, at most one in each cube of this width, in half widths of blocks.
constexpr int kCaveShift = 5;
constexpr std::int64_t kCaveCube = std::int64_t{1} << kCaveShift;
// The height of the ground along the borders of a land, in blocks.
constexpr int kGround = 8;

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

BlockTypeId add(BlockTypeTable& types, const char* name, BlockKind kind = BlockKind::kSolid) {
  const absl::StatusOr<BlockTypeId> added = types.add({.name = name, .kind = kind});
  FRACTALRAY_CHECK_OK(added);
  return *added;
}

std::int64_t lengthSquare(const Vec3i& v) {
  return dot(v, v);
}

// Returns a block's middle, from a point, in half widths of blocks.
Vec3i middleFrom(const FractalChunk::Step& block, const Vec3i& point) {
  return Vec3i{2 * block[0] + 1, 2 * block[1] + 1, 2 * block[2] + 1} - point;
}

}  // namespace

FractalTypes::FractalTypes(BlockTypeTable& types)
    : space(add(types, "space", BlockKind::kEmpty)),
      rock(add(types, "rock")),
      soils{add(types, "grass"), add(types, "sand"), add(types, "snow"), add(types, "red soil")},
      brick(add(types, "brick")),
      crystal(add(types, "crystal", BlockKind::kPermeable)),
      lamp(add(types, "lamp")) {}

bool FractalTypes::isSoil(BlockTypeId type) const {
  return std::find(soils.begin(), soils.end(), type) != soils.end();
}

FractalChunk::FractalChunk(std::uint64_t seed) : seed_(seed) {
  makePlanets();
}

std::uint64_t FractalChunk::random(std::int64_t x, std::int64_t y, std::int64_t z) const {
  std::uint64_t bits = mixed(seed_ ^ static_cast<std::uint64_t>(x));
  bits = mixed(bits ^ static_cast<std::uint64_t>(y));
  return mixed(bits ^ static_cast<std::uint64_t>(z));
}

void FractalChunk::makePlanets() {
  std::uint64_t bits = random(1, 0, 0);
  const int count = draw(bits, 1, kMost);
  for (int i = 0; i < count; ++i) {
    const int radius = draw(bits, 1, 3);
    Ball& ball = planets_[static_cast<std::size_t>(i)];
    ball.radius = std::int64_t{2} * radius;
    ball.soil = draw(bits, 0, FractalTypes::kSoils - 1);
    for (int axis = 0; axis < 3; ++axis)
      ball.center[axis] = std::int64_t{2} * draw(bits, radius, 16 - radius);
  }
}

void FractalChunk::makeTowers() {
  std::uint64_t bits = random(2, 0, 0);
  hill_ = draw(bits, 0, 2);
  const int count = draw(bits, 1, kMost);
  for (int i = 0; i < count; ++i) {
    Tower& tower = towers_[static_cast<std::size_t>(i)];
    tower.width = draw(bits, 3, 5);
    tower.x = draw(bits, 0, 16 - tower.width);
    tower.z = draw(bits, 0, 16 - tower.width);
    tower.top = draw(bits, kGround + 3, 15);
  }
}

int FractalChunk::highestTower() const {
  int top = 0;
  for (const Tower& tower : towers_)
    top = std::max(top, tower.top);
  return top;
}

FractalChunk::Ball FractalChunk::planetAt(const Step& at) const {
  for (const Ball& ball : planets_) {
    if (lengthSquare(middleFrom(at, ball.center)) <= ball.radius * ball.radius) return ball;
  }
  return {};
}

bool FractalChunk::isInCave(const Step& at) const {
  // The cubes are counted from the planet's middle, so that caves continue from chunk to chunk.
  const Vec3i from_middle = middleFrom(at, ball_.center);
  Vec3i cube;
  for (int axis = 0; axis < 3; ++axis)
    cube[axis] = from_middle[axis] >> kCaveShift;
  std::uint64_t bits = random(cube[0], cube[1], cube[2]);
  if (draw(bits, 0, 2) != 0) return false;
  const int radius = draw(bits, 5, kCaveCube / 2);
  Vec3i center = cube * kCaveCube;
  for (int axis = 0; axis < 3; ++axis)
    center[axis] += draw(bits, radius, static_cast<int>(kCaveCube) - radius);
  return lengthSquare(from_middle - center) <= std::int64_t{radius} * radius;
}

BlockTypeId FractalChunk::planetBlock(const Step& at, const FractalTypes& types) const {
  const std::int64_t square = lengthSquare(middleFrom(at, ball_.center));
  if (square > ball_.radius * ball_.radius || isInCave(at)) return kAir;
  const std::int64_t inside = ball_.radius - kSoilDepth;
  const bool is_soil = inside < 0 || square > inside * inside;
  return is_soil ? types.soils[static_cast<std::size_t>(ball_.soil)] : types.rock;
}

int FractalChunk::groundAt(int x, int z) const {
  const int from_border = std::min({x, 15 - x, z, 15 - z});
  return kGround + std::min(from_border / 2, hill_);
}

BlockTypeId FractalChunk::landBlock(const Step& at, const FractalTypes& types) const {
  for (const Tower& tower : towers_) {
    const int x = at[0] - tower.x;
    const int z = at[2] - tower.z;
    const int last = tower.width - 1;
    if (at[1] > tower.top || x < 0 || z < 0 || x > last || z > last) continue;
    const bool is_wall = x == 0 || z == 0 || x == last || z == last;
    if (!is_wall) return at[1] == tower.top ? types.crystal : kAir;
    const bool is_corner = (x == 0 || x == last) && (z == 0 || z == last);
    const bool is_window = !is_corner && at[1] > kGround + 2 && (tower.top - at[1]) % 3 == 1;
    return is_window ? types.crystal : types.brick;
  }
  const int ground = groundAt(at[0], at[2]);
  if (at[1] >= ground) return kAir;
  return at[1] + 1 == ground ? types.soils[static_cast<std::size_t>(ball_.soil)] : types.rock;
}

BlockTypeId FractalChunk::caveBlock(const Step& at, const FractalTypes& types) const {
  if (random(at[0] >> 2, at[1] >> 2, at[2] >> 2) % 3 != 0) return types.rock;
  return random(16 + at[0], at[1], at[2]) % 32 == 0 ? types.crystal : kAir;
}

BlockTypeId FractalChunk::block(const Step& at, const FractalTypes& types) const {
  for (int axis = 0; axis < 3; ++axis)
    FRACTALRAY_DCHECK(at[axis] >= 0 && at[axis] < kChunkSize, axis, at[axis]);
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
  const Ball planet = planetAt(at);
  return planet.radius > 0 ? types.soils[static_cast<std::size_t>(planet.soil)] : types.space;
}

FractalChunk FractalChunk::child(const Step& at, const FractalTypes& types) const {
  FractalChunk child(random(at[0] + 16 * at[1] + 256 * at[2], -1, 0));
  const BlockTypeId type = block(at, types);
  const Ball ball = kind_ == Kind::kSpace ? planetAt(at) : ball_;
  const bool is_round = kind_ == Kind::kSpace || (kind_ == Kind::kPlanet && age_ < kPlanetLevels);
  child.ball_.soil = ball.soil;
  if (is_round && (type == types.rock || types.isSoil(type))) {
    child.kind_ = Kind::kPlanet;
    child.age_ = kind_ == Kind::kSpace ? 1 : age_ + 1;
    // One seed for the whole planet, so that its parts fit.
    child.seed_ = kind_ == Kind::kSpace ? random(ball.center[0], ball.center[1], ball.center[2])
                                        : mixed(seed_);
    child.ball_.radius = 16 * ball.radius;
    for (int axis = 0; axis < 3; ++axis)
      child.ball_.center[axis] = 16 * (ball.center[axis] - std::int64_t{2} * at[axis]);
  } else if (types.isSoil(type)) {
    child.kind_ = Kind::kLand;
    child.makeTowers();
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
  absl::StatusOr<Chunk> content = Chunk::copied(ids, table);
  FRACTALRAY_CHECK_OK(content);
  return *std::move(content);
}

}  // namespace fractalray
