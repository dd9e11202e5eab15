// SPDX-License-Identifier: Apache-2.0
// Snapshots of worlds of 10^3 to 10^5 chunks and of as many entities, edits while one is held, and
// effects that edit.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../../query/ray_query_service.h"
#include "random.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 31;

double microsOf(absl::FunctionRef<void()> work) {
  const Clock::time_point begin = Clock::now();
  work();
  return millisSince(begin) * 1e3;
}

void addFigure(TickReport& report, const std::string& name, double micros) {
  std::printf("  %-58s %10.2f us\n", name.c_str(), micros);
  std::fflush(stdout);
  report.figures.push_back({name, micros, "us"});
}

// A world of `count` chunks, every tenth of three types and so with ids of its own, the others of
// two.
class SnapshotWorld {
 public:
  // Makes the world; `spacing` is the distance of its chunks along each axis, in chunks.
  SnapshotWorld(std::size_t count, std::int64_t spacing) {
    const BlockTypeId stone = unwrap(world.blockTypes().add({.name = "stone"}));
    ore_ = unwrap(world.blockTypes().add({.name = "ore"}));
    std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
    for (std::size_t i = 0; i < ids.size(); i += 3)
      ids[i] = stone;
    std::vector<BlockTypeId> rich = ids;
    rich[5] = ore_;
    const auto width = static_cast<std::int64_t>(std::ceil(std::cbrt(static_cast<double>(count))));
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::int64_t>(i);
      chunks.push_back({number % width * spacing, number / width % width * spacing,
                        number / width / width * spacing});
      const Chunk::Ids content(i % 10 == 0 ? rich : ids);
      checkOk(
          world.loadChunk(0, chunks.back(), unwrap(Chunk::copied(content, world.blockTypes()))));
    }
  }

  // Changes a block of chunk `i`.
  void edit(std::size_t i) {
    checkOk(world.setBlock(0, blockOf(chunks[i], static_cast<int>(++edits_ % 3) * 16), ore_));
  }

  World world;
  std::vector<ChunkCoord> chunks;

 private:
  BlockTypeId ore_{};
  std::size_t edits_ = 0;
};

// Median microseconds: of a snapshot, of the first edit while it is held, of another one in the
// same chunk, and of an edit while no snapshot is held.
struct Costs {
  double snapshot = 0;
  double first_edit = 0;
  double next_edit = 0;
  double free_edit = 0;
};

Costs measureWorld(int repeats, SnapshotWorld& setup) {
  Random random(kSeed);
  std::vector<double> snapshot;
  std::vector<double> first;
  std::vector<double> next;
  std::vector<double> free;
  const auto anywhere = [&] {
    return static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(setup.chunks.size()) - 1));
  };
  for (int repeat = 0; repeat < repeats * 5; ++repeat) {
    const std::size_t chunk = anywhere();
    setup.edit(chunk);
    free.push_back(microsOf([&] { setup.edit(chunk); }));
    std::shared_ptr<const World> held;
    snapshot.push_back(microsOf([&] { held = setup.world.snapshot(); }));
    first.push_back(microsOf([&] { setup.edit(chunk); }));
    next.push_back(microsOf([&] { setup.edit(chunk); }));
  }
  return {median(snapshot), median(first), median(next), median(free)};
}

void measureWorlds(const TickOptions& options, TickReport& report) {
  std::printf("\nSnapshots of a world of one level\n");
  for (const auto& [spread, spacing] :
       {std::pair("side by side", std::int64_t{1}), std::pair("16 apart", std::int64_t{16})}) {
    for (const std::size_t count : {std::size_t{1000}, std::size_t{10'000}, std::size_t{100'000}}) {
      if (options.quick && count > 10'000) continue;
      SnapshotWorld setup(count, spacing);
      const Costs costs = measureWorld(options.repeats, setup);
      const std::string name = absl::StrCat("snapshot/", count, " chunks ", spread, "/");
      addFigure(report, absl::StrCat(name, "taking it"), costs.snapshot);
      addFigure(report, absl::StrCat(name, "first edit while held"), costs.first_edit);
      addFigure(report, absl::StrCat(name, "next edit in that chunk"), costs.next_edit);
      addFigure(report, absl::StrCat(name, "edit, none held"), costs.free_edit);
      if (count != 10'000) continue;
      report.targets.push_back(
          {absl::StrCat("us a snapshot, 10,000 chunks ", spread), costs.snapshot, 50, false});
    }
  }
}

void measureEntities(const TickOptions& options, TickReport& report) {
  std::printf("\nSnapshots of an entity index, each followed by a move of all\n");
  for (const std::size_t count : {std::size_t{1000}, std::size_t{10'000}, std::size_t{100'000}}) {
    if (options.quick && count > 10'000) continue;
    EntityIndex entities{Frame(1)};
    Random random(kSeed);
    std::vector<EntityMove> moves;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d position{512 * random.real(), 256 * random.real(), 512 * random.real()};
      const EntitySpec spec{.id = i + 1, .shape = Sphere{0.5}, .position = position};
      moves.push_back({unwrap(entities.add(spec)), position});
    }
    std::vector<double> snapshot;
    std::vector<double> held_moves;
    std::vector<double> free_moves;
    const auto step = [&] {
      for (EntityMove& move : moves)
        for (int axis = 0; axis < 3; ++axis)
          move.position[axis] += 0.2 * (random.real() - 0.5);
    };
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      step();
      free_moves.push_back(microsOf([&] { checkOk(entities.moveAll(moves)); }));
      std::shared_ptr<const EntityIndex> held;
      snapshot.push_back(microsOf([&] { held = entities.snapshot(); }));
      step();
      held_moves.push_back(microsOf([&] { checkOk(entities.moveAll(moves)); }));
    }
    const std::string name = absl::StrCat("snapshot/", count, " entities/");
    addFigure(report, absl::StrCat(name, "taking it"), median(snapshot));
    addFigure(report, absl::StrCat(name, "moving all while held"), median(held_moves));
    addFigure(report, absl::StrCat(name, "moving all, none held"), median(free_moves));
  }
}

// Shoots at a wall with an effect that does nothing, or that removes a block of it and puts it
// back.
void measureEffects(const TickOptions& options, TickReport& report) {
  std::printf("\nEffects\n");
  World world;
  const BlockTypeId stone = unwrap(world.blockTypes().add({.name = "stone"}));
  const BlockTypeId brick = unwrap(world.blockTypes().add({.name = "brick"}));
  for (std::int64_t x = 0; x < 8; ++x)
    checkOk(world.loadChunk(0, {x, 0, 0}, Chunk::uniform(kAir, world.blockTypes())));
  checkOk(world.fillBox(0, {100, 0, 0}, {101, 15, 15}, stone));
  checkOk(world.setBlock(0, {120, 3, 3}, brick));  // so that the wall's chunk has ids
  checkOk(world.setBlock(0, {102, 3, 3}, brick));
  EntityIndex entities(world.frame());
  RayQueryService service(world, entities);
  constexpr int kShots = 20'000;
  bool edits = false;
  checkOk(service.onBlockHit(stone, [&](const BlockHit& hit) {
    if (edits) {
      checkOk(world.setBlock(0, hit.block, brick));
      checkOk(world.setBlock(0, hit.block, stone));
    }
    return HitResponse::kStop;
  }));
  ShotResult result;
  const FixedSegment segment = unwrap(toUnits(Segment{{0.5, 7.5, 7.5}, {127.5, 8.25, 7.25}}));
  const auto shoot = [&] {
    for (int i = 0; i < kShots; ++i)
      checkOk(service.shootSegment(segment, world.allLevels(), {}, result));
  };
  const auto idle = [&] {
    edits = false;
    shoot();
  };
  const auto editing = [&] {
    edits = true;
    shoot();
  };
  const auto nothing = [] {};
  const std::vector<TickWork> works = {{idle, nothing}, {editing, nothing}};
  const std::vector<double> ns = wallMedians(options.repeats, works);
  addFigure(report, "effect/shot whose effect does nothing", ns[0] / kShots / 1e3);
  addFigure(report, "effect/the same, setting a block twice", ns[1] / kShots / 1e3);
}

}  // namespace

void measureSnapshots(const TickOptions& options, TickReport& report) {
  measureEffects(options, report);
  measureWorlds(options, report);
  measureEntities(options, report);
}

}  // namespace fractalray::bench
