// SPDX-License-Identifier: Apache-2.0
// An explosion: blocksInSphere finds the blocks near it, and a batch of lines of sight those that
// are shielded from it. Concrete withstands and shields; soil and wood do not. A hill that is one
// coarse block is expanded first, so that the blast leaves a crater in it.
#include <cstdint>
#include <iostream>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

constexpr int kCoarse = 0;
constexpr int kFine = 1;
constexpr Vec3d kCenter{11.5, 5.5, 8.5};
constexpr double kRadius = 9;

struct Scene {
  World world{{.levels = 2}};
  ChannelId blast{};
  BlockTypeId soil{};
  BlockTypeId wood{};
  BlockTypeId concrete{};
};

// Adds types that are solid in the channel "blast" if they withstand, and permeable if they are
// destroyed.
bool addTypes(Scene& scene) {
  BlockTypeTable& types = scene.world.blockTypes();
  const absl::StatusOr<ChannelId> blast = types.addChannel("blast");
  if (!blast.ok()) return false;
  scene.blast = *blast;
  const auto soft = [&](const char* name) {
    return types.add({.name = name, .channel_kinds = {{*blast, BlockKind::kPermeable}}});
  };
  const absl::StatusOr<BlockTypeId> soil = soft("soil");
  const absl::StatusOr<BlockTypeId> wood = soft("wood");
  const absl::StatusOr<BlockTypeId> concrete = types.add({.name = "concrete"});
  if (!soil.ok() || !wood.ok() || !concrete.ok()) return false;
  scene.soil = *soil;
  scene.wood = *wood;
  scene.concrete = *concrete;
  return true;
}

// Builds a yard in detail, with a tower and a wall in front of it, and next to it a hill that is a
// single block of the coarse level.
bool build(Scene& scene) {
  World& world = scene.world;
  bool ok = addTypes(scene);
  ok = ok && world.loadChunk(kCoarse, {0, 0, 0}, Chunk()).ok();
  ok = ok && world.setBlock(kCoarse, {1, 0, 0}, scene.soil).ok();
  ok = ok && world.loadChunk(kFine, {0, 0, 0}, Chunk()).ok();
  ok = ok && world.fillBox(kFine, {0, 0, 0}, {15, 3, 15}, scene.soil).ok();
  ok = ok && world.fillBox(kFine, {2, 4, 6}, {4, 11, 10}, scene.wood).ok();
  return ok && world.fillBox(kFine, {6, 2, 3}, {6, 8, 13}, scene.concrete).ok();
}

// Loads the chunks of the coarse blocks that the blast reaches.
bool expand(Scene& scene) {
  const auto reached = blocksInSphere(scene.world, kCenter, kRadius, LevelMask::all());
  if (!reached.ok()) return false;
  for (const FoundBlock& found : *reached) {
    const bool is_coarse = found.level == kCoarse;
    if (is_coarse && !scene.world.expandBlock(kCoarse, found.block).ok()) return false;
  }
  return true;
}

// Destroys the soft blocks within reach whose middle no solid block hides from the centre.
bool explode(Scene& scene) {
  const QueryFilter in_blast{.channel = scene.blast};
  const auto reached = blocksInSphere(scene.world, kCenter, kRadius, {kFine}, in_blast);
  if (!reached.ok()) return false;
  std::vector<FoundBlock> soft;
  std::vector<BatchQuery> lines;
  for (const FoundBlock& found : *reached) {
    if (found.kind == BlockKind::kSolid) continue;
    Vec3d middle;
    for (int axis = 0; axis < 3; ++axis)
      middle[axis] = static_cast<double>(found.block[axis]) + 0.5;
    soft.push_back(found);
    lines.push_back({.line = Segment{.from = kCenter, .to = middle}, .levels = {kFine}});
  }
  const EntityIndex entities(scene.world.frame());
  const RayQueryService service(scene.world, entities);
  OcclusionBatch sight;
  if (!service.occluded(lines, {.filter = in_blast}, sight).ok()) return false;
  int destroyed = 0;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    if (sight.answers[i] == Occlusion::kBlocked) continue;
    if (!scene.world.setBlock(kFine, soft[i].block, kAir).ok()) return false;
    ++destroyed;
  }
  std::cout << reached->size() << " blocks within reach, " << reached->size() - soft.size()
            << " withstand, " << soft.size() - static_cast<std::size_t>(destroyed)
            << " are shielded, " << destroyed << " destroyed\n";
  return true;
}

// Draws the layer at z = 8, in fine blocks; '%' stands for blocks that are not in detail.
void draw(const Scene& scene) {
  for (std::int64_t y = 12; y >= 0; --y) {
    for (std::int64_t x = 0; x < 32; ++x) {
      const absl::StatusOr<BlockTypeId> type = scene.world.block(kFine, {x, y, 8});
      char mark = '.';
      if (!type.ok()) {
        mark = '%';
      } else if (x == 11 && y == 5) {
        mark = '*';
      } else if (*type != kAir) {
        mark = scene.world.blockTypes().name(*type)[0];
      }
      std::cout << mark;
    }
    std::cout << "\n";
  }
}

}  // namespace

int main() {
  Scene scene;
  if (!build(scene)) return 1;
  draw(scene);
  if (!expand(scene) || !explode(scene)) return 1;
  draw(scene);
}
