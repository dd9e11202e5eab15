// SPDX-License-Identifier: Apache-2.0
// Moves of a window over worlds of 10^5 chunks and as many entities: together, and part by part.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../../query/window.h"
#include "random.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 47;
constexpr int kLevels = 4;

double millisOf(absl::FunctionRef<void()> work) {
  const Clock::time_point begin = Clock::now();
  work();
  return millisSince(begin);
}

// A cube of chunks with caves on each of the finer levels, most of them on the finest, and entities
// all over the cube of the finest.
class WindowScene {
 public:
  enum class Chunks { kOnAllLevels, kOnLevel1 };

  WindowScene(std::size_t chunks, std::size_t entities, Chunks where = Chunks::kOnAllLevels) {
    const BlockTypeId stone = unwrap(world_.blockTypes().add({.name = "stone"}));
    std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
    for (std::size_t i = 0; i < ids.size(); i += 3)
      ids[i] = stone;
    const Chunk caves = unwrap(Chunk::copied(Chunk::Ids(ids), world_.blockTypes()));
    if (where == Chunks::kOnAllLevels) {
      loadCube(1, chunks / 10, caves);
      loadCube(2, chunks * 3 / 10, caves);
      loadCube(3, chunks * 6 / 10, caves);
    } else {
      loadCube(1, chunks, caves);
    }
    addEntities(entities, 16 * std::cbrt(static_cast<double>(entities * 6 / 10)));
  }

  // Descends by a part of an area, so that one level needs new areas.
  WindowMove descend() { return unwrap(window_.descend({3, 5, 7})); }
  WindowMove climb() { return unwrap(window_.climb()); }
  WindowMove recenter(std::int64_t x) { return unwrap(window_.recenter({x, 0, 0})); }

  std::shared_ptr<const World> holdWorld() { return world_.snapshot(); }
  std::shared_ptr<const EntityIndex> holdEntities() { return entities_.snapshot(); }
  // Returns the number of areas with chunks, of all levels.
  std::size_t areas() const { return areas_.size(); }

 private:
  void loadCube(int level, std::size_t count, const Chunk& content) {
    const auto width = static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(count))));
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::int64_t>(i);
      const ChunkCoord at{number % width, number / width % width, number / width / width};
      checkOk(world_.loadChunk(level, at, content));
      areas_.insert({level, {at[0] >> 4, at[1] >> 4, at[2] >> 4}});
    }
  }

  // Adds entities of the levels that a descent keeps, with radii of half a block and of some
  // blocks.
  void addEntities(std::size_t count, double reach) {
    Random random(kSeed);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d position{reach * random.real(), reach * random.real(), reach * random.real()};
      const double radius = i % 10 == 0 ? 4.0 : 0.5;
      unwrap(entities_.add({.id = i,
                            .level = 1 + static_cast<int>(i % 3),
                            .shape = Sphere{radius},
                            .position = position}));
    }
  }

  World world_{{.levels = kLevels, .block_types = nullptr}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, unwrap(ChunkPath::parse("777_777_777"))};
  std::set<std::pair<int, ChunkCoord>> areas_;
};

// The times of moves, in milliseconds.
struct MoveCosts {
  double descend = 0;
  double climb = 0;
  double recenter = 0;
  double freeing = 0;  // of the memory that a climb leaves over
};

// Times a move, and the freeing of the memory that it leaves over. Ends the program if the move
// drops or evicts anything.
template <class Move>
void measureMove(const Move& move, std::vector<double>& moving, std::vector<double>& freeing) {
  std::optional<WindowMove> moved;
  moving.push_back(millisOf([&] { moved = move(); }));
  if (!moved->evicted.empty() || moved->dropped_chunks != 0) {
    std::fprintf(stderr, "fractalray_ticks: a move evicted %zu entities and dropped %zu chunks\n",
                 moved->evicted.size(), moved->dropped_chunks);
    std::abort();
  }
  freeing.push_back(millisOf([&] { moved.reset(); }));
}

// Returns medians; each descent is undone by a climb.
MoveCosts measureMoves(int repeats, WindowScene& scene, bool is_held) {
  std::vector<double> descend;
  std::vector<double> climb;
  std::vector<double> recenter;
  std::vector<double> freeing;
  std::vector<double> others;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::shared_ptr<const World> world;
    std::shared_ptr<const EntityIndex> entities;
    const auto hold = [&] {
      if (!is_held) return;
      world = scene.holdWorld();
      entities = scene.holdEntities();
    };
    hold();
    measureMove([&] { return scene.descend(); }, descend, others);
    hold();
    measureMove([&] { return scene.climb(); }, climb, freeing);
    hold();
    measureMove([&] { return scene.recenter(1); }, recenter, others);
    scene.recenter(-1);
  }
  return {median(descend), median(climb), median(recenter), median(freeing)};
}

void addFigures(TickReport& report, const std::string& name, const MoveCosts& costs) {
  std::printf("  %-52s %8.2f %8.2f %8.2f %8.2f ms\n", name.c_str(), costs.descend, costs.climb,
              costs.recenter, costs.freeing);
  std::fflush(stdout);
  for (const auto& [move, millis] :
       {std::pair("descend", costs.descend), std::pair("climb", costs.climb),
        std::pair("recenter", costs.recenter), std::pair("freeing", costs.freeing)})
    report.figures.push_back({absl::StrCat("window/", name, "/", move), millis, "ms"});
}

}  // namespace

void measureWindow(const TickOptions& options, TickReport& report) {
  const std::size_t count = options.quick ? 10'000 : 100'000;
  std::printf("\nMoves of a window of %d levels  %32s %8s %8s %8s\n", kLevels, "descend", "climb",
              "recenter", "freeing");
  WindowScene all(count, count);
  const MoveCosts costs = measureMoves(options.repeats, all, false);
  addFigures(report, absl::StrCat(count, " chunks and entities"), costs);
  WindowScene chunks(count, 0);
  addFigures(report, absl::StrCat(count, " chunks, in ", chunks.areas(), " areas re-linked"),
             measureMoves(options.repeats, chunks, false));
  WindowScene coarse(count, 0, WindowScene::Chunks::kOnLevel1);
  addFigures(report, absl::StrCat(count, " chunks of the coarsest level, one by one"),
             measureMoves(options.repeats, coarse, false));
  WindowScene entities(0, count);
  addFigures(report, absl::StrCat(count, " entities moved"),
             measureMoves(options.repeats, entities, false));
  addFigures(report, absl::StrCat(count, " chunks and entities, snapshots held"),
             measureMoves(options.repeats, all, true));
  const double worst = std::max({costs.descend, costs.climb, costs.recenter});
  report.targets.push_back(
      {absl::StrCat("ms a move, ", count, " chunks and entities"), worst, 20, false});
}

}  // namespace fractalray::bench
