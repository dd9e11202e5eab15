// SPDX-License-Identifier: Apache-2.0
// Terrain of three types in a world: blocks set one by one, chunks loaded, and the memory of
// 100,000 chunks that borrow their ids.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "../../levels/world.h"
#include "random.h"
#include "scene.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 53;
constexpr std::size_t kManyChunks = 100'000;
constexpr std::int64_t kEditedWidth = 8;  // of the part that is edited, in chunks
constexpr double kMaxSetBlockNs = 60;
constexpr double kMaxLoadMicros = 4;
constexpr double kMaxMegabytes = 60;

// The terrain's chunks, each with an array of ids, as an engine has them.
class TerrainChunks {
 public:
  explicit TerrainChunks(const Grid& grid) : width_(grid.size()[0] / kChunkSize) {
    const BlockTypeId stone = unwrap(types_->add({.name = "stone"}));
    const BlockTypeId ore = unwrap(types_->add({.name = "ore"}));
    kinds_ = {kAir, stone, ore};
    const BlockCoord& size = grid.size();
    ids_.reserve(static_cast<std::size_t>(size[0] * size[1] * size[2] / kBlocksPerChunk));
    grid.forEachChunk([&](const ChunkCoord& at) {
      at_.push_back(at);
      Ids& ids = ids_.emplace_back();
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const BlockCoord block = blockOf(at, index);
        const bool is_ore = hashCell(kSeed, block[0], block[1], block[2]) % 30 == 0;
        const BlockTypeId solid = is_ore ? ore : stone;
        ids[static_cast<std::size_t>(index)] = grid.occupied(block) ? solid : kAir;
      }
    });
  }

  std::size_t size() const { return at_.size(); }
  const ChunkCoord& at(std::size_t chunk) const { return at_[chunk]; }
  BlockTypeId kind(std::size_t number) const { return kinds_[number % kinds_.size()]; }
  World emptyWorld() const { return World({.block_types = types_}); }

  Chunk borrowed(std::size_t chunk) const {
    return unwrap(Chunk::borrowed(Chunk::Ids(ids_[chunk]), *types_));
  }
  Chunk copied(std::size_t chunk) const {
    return unwrap(Chunk::copied(Chunk::Ids(ids_[chunk]), *types_));
  }
  // Loads any number of chunks: beyond its own, the terrain again, farther along x.
  void loadBorrowed(World& world, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const auto turn = static_cast<std::int64_t>(i / size());
      const std::size_t chunk = i % size();
      checkOk(world.loadChunk(0, at_[chunk] + ChunkCoord{turn * width_, 0, 0}, borrowed(chunk)));
    }
  }

 private:
  using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

  std::int64_t width_;  // in chunks
  std::shared_ptr<BlockTypeTable> types_ = std::make_shared<BlockTypeTable>();
  std::array<BlockTypeId, 3> kinds_{};
  std::vector<ChunkCoord> at_;
  std::vector<Ids> ids_;
};

void addFigure(TickReport& report, const std::string& name, double value, const std::string& unit,
               double must) {
  std::printf("  %-58s %10.2f %s\n", name.c_str(), value, unit.c_str());
  std::fflush(stdout);
  report.figures.push_back({name, value, unit});
  report.targets.push_back({unit + ", " + name, value, must, false});
}

// Sets random blocks of 512 chunks around the ground, each to another type than it has.
double setBlockNs(const TickOptions& options, const TerrainChunks& terrain) {
  World world = terrain.emptyWorld();
  for (std::size_t i = 0; i < terrain.size(); ++i) {
    const ChunkCoord& at = terrain.at(i);
    // The ground is 100 to 186 blocks high.
    const bool is_edited =
        at[0] < kEditedWidth && at[2] < kEditedWidth && at[1] >= 4 && at[1] < 4 + kEditedWidth;
    if (is_edited) checkOk(world.loadChunk(0, at, terrain.copied(i)));
  }
  const std::size_t count = options.quick ? 20'000 : 200'000;
  Random random(kSeed);
  std::vector<BlockCoord> blocks;
  constexpr std::int64_t kWidth = kEditedWidth * kChunkSize;
  for (std::size_t i = 0; i < count; ++i) {
    blocks.push_back({random.between(0, kWidth - 1), 4 * kChunkSize + random.between(0, kWidth - 1),
                      random.between(0, kWidth - 1)});
  }
  std::size_t round = 0;
  const auto set = [&] {
    ++round;
    for (std::size_t i = 0; i < count; ++i)
      checkOk(world.setBlock(0, blocks[i], terrain.kind(i + round)));
  };
  const auto nothing = [] {};
  const std::array works{TickWork{set, nothing}};
  return wallMedians(options.repeats, works).front() / static_cast<double>(count);
}

struct LoadMicros {
  double borrowed = 0;
  double copied = 0;
};

// Loads all chunks of the terrain into an empty world.
LoadMicros loadMicros(const TickOptions& options, const TerrainChunks& terrain) {
  World world = terrain.emptyWorld();
  const auto borrow = [&] { terrain.loadBorrowed(world, terrain.size()); };
  const auto copy = [&] {
    for (std::size_t i = 0; i < terrain.size(); ++i)
      checkOk(world.loadChunk(0, terrain.at(i), terrain.copied(i)));
  };
  const auto unload = [&] {
    for (std::size_t i = 0; i < terrain.size(); ++i)
      checkOk(world.unloadChunk(0, terrain.at(i)));
  };
  const std::array works{TickWork{borrow, unload}, TickWork{copy, unload}};
  const std::vector<double> ns = wallMedians(options.repeats, works);
  const double micros_each = 1e-3 / static_cast<double>(terrain.size());
  return {.borrowed = ns[0] * micros_each, .copied = ns[1] * micros_each};
}

// Returns the megabytes that a world with many chunks takes on the heap, without the engine's ids.
double megabytesOfMany(const TerrainChunks& terrain) {
  const std::size_t before = heapBytes();
  World world = terrain.emptyWorld();
  terrain.loadBorrowed(world, kManyChunks);
  return (static_cast<double>(heapBytes()) - static_cast<double>(before)) / 1e6;
}

}  // namespace

void measureTerrain(const TickOptions& options, TickReport& report) {
  const BlockCoord size = options.quick ? BlockCoord{256, 256, 256} : kUsualSize;
  const TerrainChunks terrain(makeTerrain(size).grid);
  std::printf("\nTerrain of %zu chunks\n", terrain.size());
  addFigure(report, "terrain/setBlock, in 512 chunks", setBlockNs(options, terrain), "ns",
            kMaxSetBlockNs);
  const LoadMicros load = loadMicros(options, terrain);
  addFigure(report, "terrain/a chunk borrowed and loaded", load.borrowed, "us", kMaxLoadMicros);
  addFigure(report, "terrain/a chunk copied and loaded", load.copied, "us", kMaxLoadMicros);
  addFigure(report, "terrain/100,000 chunks, borrowed", megabytesOfMany(terrain), "MB",
            kMaxMegabytes);
}

}  // namespace fractalray::bench
