// SPDX-License-Identifier: Apache-2.0
// An engine's blocks in a world: borrowed in several layouts, refreshed, copied, loaded as boxes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../../levels/engine_chunks.h"
#include "random.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 47;
constexpr std::int64_t kWidth = 8;  // of the world, in chunks
constexpr std::size_t kChunks = std::size_t{kWidth} * kWidth * kWidth;

// Ids of an engine, as it stores them.
struct Layout {
  std::string name;
  int id_bytes;
  Vec3i strides;
  bool has_table;
};

// An engine's chunks of 16 x 16 x 16 blocks of hills and ore, each in a memory of its own, and a
// world that borrows them.
class EngineWorld {
 public:
  explicit EngineWorld(const Layout& spec) {
    types_ = {kAir, unwrap(world.blockTypes().add({.name = "stone"})),
              unwrap(world.blockTypes().add({.name = "ore"}))};
    IdLayoutSpec layout_spec{.id_bytes = spec.id_bytes, .strides = spec.strides};
    if (spec.has_table) layout_spec.types = types_;
    layout = unwrap(IdLayout::make(layout_spec));
    bytes_of_chunk_ = static_cast<std::size_t>(layout.offset({15, 15, 15}) + spec.id_bytes);
    memory_.resize(bytes_of_chunk_ * kChunks);
    Random random(kSeed);
    for (std::size_t i = 0; i < kChunks; ++i) {
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        const bool is_ground = index < static_cast<int>(random.between(1500, 2500));
        const std::uint32_t ground = random.between(0, 30) == 0 ? 2 : 1;
        layout.write(address(i, index), {.id = is_ground ? ground : 0});
      }
    }
  }

  std::byte* address(std::size_t chunk, int index) {
    return memory_.data() + chunk * bytes_of_chunk_ +
           layout.offset({index & 15, (index >> 4) & 15, index >> 8});
  }
  static ChunkCoord at(std::size_t chunk) {
    const auto number = static_cast<std::int64_t>(chunk);
    return {number % kWidth, number / kWidth % kWidth, number / kWidth / kWidth};
  }
  void borrowAll() {
    for (std::size_t i = 0; i < kChunks; ++i)
      checkOk(world.loadChunk(0, at(i),
                              unwrap(Chunk::borrowed(address(i, 0), layout, world.blockTypes()))));
  }

  World world;
  IdLayout layout;

 private:
  std::vector<BlockTypeId> types_;
  std::size_t bytes_of_chunk_ = 0;
  std::vector<std::byte> memory_;
};

void addFigure(TickReport& report, const std::string& name, double ns) {
  std::printf("  %-58s %10.1f ns\n", name.c_str(), ns);
  std::fflush(stdout);
  report.figures.push_back({name, ns, "ns"});
}

void measureLayout(const TickOptions& options, const Layout& spec, TickReport& report) {
  EngineWorld engine(spec);
  Random random(kSeed);
  const int edits = options.quick ? 2000 : 20'000;
  const auto anywhere = [&] {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(kChunks) - 1));
  };
  const auto any_block = [&] { return static_cast<int>(random.between(0, kBlocksPerChunk - 1)); };
  const auto write = [&](std::size_t chunk, int index) {
    const std::uint32_t id = random.between(0, 1) == 0 ? 0 : 1;
    engine.layout.write(engine.address(chunk, index), {.id = id});
  };
  const auto borrow = [&] { engine.borrowAll(); };
  const auto copy = [&] {
    for (std::size_t i = 0; i < kChunks; ++i)
      unwrap(Chunk::fromArray(engine.address(i, 0), engine.layout, engine.world.blockTypes()));
  };
  const auto refresh_blocks = [&] {
    for (int i = 0; i < edits; ++i) {
      const std::size_t chunk = anywhere();
      const int index = any_block();
      write(chunk, index);
      checkOk(engine.world.refreshBlock(0, blockOf(EngineWorld::at(chunk), index)));
    }
  };
  const auto write_only = [&] {
    for (int i = 0; i < edits; ++i)
      write(anywhere(), any_block());
  };
  const auto refresh_boxes = [&] {
    for (int i = 0; i < edits / 10; ++i) {
      const BlockCoord corner = blockOf(EngineWorld::at(anywhere()), 2 + 16 * 3 + 256 * 4);
      checkOk(engine.world.refreshBox(0, corner, corner + BlockCoord{3, 3, 3}));
    }
  };
  const auto refresh_chunks = [&] {
    for (std::size_t i = 0; i < kChunks; ++i)
      checkOk(engine.world.refreshChunk(0, EngineWorld::at(i)));
  };
  const auto nothing = [] {};
  const std::vector<TickWork> works = {{borrow, nothing},        {copy, nothing},
                                       {write_only, nothing},    {refresh_blocks, nothing},
                                       {refresh_boxes, nothing}, {refresh_chunks, nothing}};
  const std::vector<double> ns = wallMedians(options.repeats, works);
  const std::string name = absl::StrCat("blocks/", spec.name, "/");
  addFigure(report, name + "borrow and load, a chunk", ns[0] / kChunks);
  addFigure(report, name + "from_array, a chunk", ns[1] / kChunks);
  addFigure(report, name + "refresh_block", (ns[3] - ns[2]) / edits);
  addFigure(report, name + "refresh_box of 4 x 4 x 4", ns[4] / (edits / 10));
  addFigure(report, name + "refresh_chunk", ns[5] / kChunks);
  if (spec.name != "ids") return;
  report.targets.push_back({"refresh_block / refresh_chunk, ids",
                            (ns[3] - ns[2]) / edits / (ns[5] / kChunks), 0.02, false});
}

// Boxes of 24 x 24 x 24 blocks, which lie across chunks, and of 32 x 32 x 32, which do not.
void measureBoxes(const TickOptions& options, TickReport& report) {
  World world;
  const BlockTypeId stone = unwrap(world.blockTypes().add({.name = "stone"}));
  for (const std::int64_t width : {24, 32}) {
    constexpr int kBoxes = 8;
    const auto load = [&] {
      for (std::int64_t i = 0; i < kBoxes; ++i) {
        const BlockCoord min{i * width, 0, 0};
        const BlockCoord max = min + BlockCoord{width - 1, width - 1, width - 1};
        checkOk(world.loadBox(0, min, max, [stone](const BlockCoord& at) {
          return at[1] < 9 + (at[0] & 7) ? stone : kAir;
        }));
      }
    };
    const auto nothing = [] {};
    const std::vector<TickWork> works = {{load, nothing}};
    const double ns = wallMedians(options.repeats, works)[0] / kBoxes;
    const std::string name = absl::StrCat("blocks/load_box of ", width, "^3");
    addFigure(report, name, ns);
    addFigure(report, absl::StrCat(name, ", a block"),
              ns / static_cast<double>(width * width * width));
  }
}

}  // namespace

void measureBlocks(const TickOptions& options, TickReport& report) {
  std::printf("\nAn engine's blocks, borrowed in a world of %zu chunks\n", kChunks);
  const std::vector<Layout> layouts = {
      {"ids", 2, {2, 32, 512}, false},
      {"MapNode with a table", 2, {4, 64, 1024}, true},
      {"ZXY of bytes with a table", 1, {16, 1, 256}, true},
      {"32-bit ids with a table", 4, {4, 64, 1024}, true},
  };
  for (const Layout& layout : layouts)
    measureLayout(options, layout, report);
  measureBoxes(options, report);
}

}  // namespace fractalray::bench
