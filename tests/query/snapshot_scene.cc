// SPDX-License-Identifier: Apache-2.0
#include "snapshot_scene.h"

#include <string>

#include "../../core/check.h"
#include "../oracle/shot_compare.h"

namespace fractalray::oracle {

SnapshotScene::SnapshotScene(Rng& rng, int levels)
    : rng_(rng), scene_(randomScene(rng, levels, 20, 6)) {}

SnapshotScene::ChunkKey SnapshotScene::someChunk() {
  const int level = rng_.below(scene_->world.frame().levels());
  ChunkCoord at = scene_->world.frame().chunkAt(scene_->center, level);
  for (int axis = 0; axis < 3; ++axis)
    at[axis] += rng_.in(-2, 2);
  return {level, at};
}

void SnapshotScene::change() {
  if (rng_.oneIn(3)) return changeEntity();
  const ChunkKey key = someChunk();
  if (!scene_->world.frame().contains(key.first, key.second)) return;
  changeChunk(key);
}

void SnapshotScene::changeChunk(const ChunkKey& key) {
  const auto& [level, at] = key;
  World& world = scene_->world;
  const BlockCoord block = blockOf(at, rng_.below(kBlocksPerChunk));
  const auto type = static_cast<BlockTypeId>(rng_.below(6));
  switch (rng_.below(8)) {
    case 0: {
      auto ids = std::make_unique<Ids>();
      for (BlockTypeId& id : *ids)
        id = rng_.oneIn(40) ? type : kAir;
      absl::StatusOr<Chunk> chunk = rng_.oneIn(2)
                                        ? Chunk::borrowed(*ids, world.blockTypes())
                                        : Chunk::borrowedForWriting(*ids, world.blockTypes());
      FRACTALRAY_CHECK_OK(world.loadChunk(level, at, *std::move(chunk)));
      engine_[key] = std::move(ids);
      published_.erase(key);
      return;
    }
    case 1:
      (void)world.unloadChunk(level, at);
      engine_.erase(key);
      return;
    case 2:
      (void)world.expandBlock(level, block);
      return;
    case 3: {
      BlockCoord max = block;
      for (int axis = 0; axis < 3; ++axis)
        max[axis] += rng_.below(6);
      (void)world.fillBox(level, block, max, type);
      return;
    }
    case 4:
    case 5:
      return write(key);
    default:
      (void)world.setBlock(level, block, type);
  }
}

void SnapshotScene::write(const ChunkKey& key) {
  const auto found = engine_.find(key);
  const Chunk* const chunk = scene_->world.chunk(key.first, key.second);
  if (found == engine_.end() || chunk == nullptr || !chunk->isBorrowed()) return;
  for (int i = 0; i < 20; ++i) {
    (*found->second)[static_cast<std::size_t>(rng_.below(kBlocksPerChunk))] =
        static_cast<BlockTypeId>(rng_.below(6));
  }
  if (published_.contains(key) && rng_.oneIn(2)) return;  // it may refresh later
  FRACTALRAY_CHECK_OK(scene_->world.refreshChunk(key.first, key.second));
  published_.erase(key);
}

void SnapshotScene::changeEntity() {
  EntityIndex& index = scene_->entities;
  Vec3d position;
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = toBlocks(scene_->center[axis]) + static_cast<double>(rng_.in(-200, 200)) / 8;
  }
  const bool add = entities_.size() < 5 || (entities_.size() < 60 && rng_.oneIn(4));
  if (add) {
    const int level = rng_.below(index.frame().levels());
    entities_.push_back(index
                            .add({.id = next_id_++,
                                  .level = level,
                                  .shape = Box{{0.5, 0.5, 0.5}},
                                  .position = position})
                            .value());
    return;
  }
  const auto one = rng_.below(static_cast<int>(entities_.size()));
  const EntityHandle entity = entities_[static_cast<std::size_t>(one)];
  if (rng_.oneIn(5)) {
    FRACTALRAY_CHECK_OK(index.remove(entity));
    entities_.erase(entities_.begin() + one);
  } else {
    FRACTALRAY_CHECK_OK(index.move(entity, position));
  }
}

SightQuery sightOf(const FixedSegment& line) {
  const Vec3i half = Vec3i{1, 1, 1} * (kUnitsPerBlock / 2);
  return {.eye = line.from, .box = {.min = line.to - half, .max = line.to + half}};
}

PublishedScene SnapshotScene::publish(int queries) {
  PublishedScene published;
  published.world = scene_->world.snapshot();
  published.entities = scene_->entities.snapshot();
  for (const auto& [key, ids] : engine_)
    published_.insert(key);
  const RayQueryService service(scene_->world, scene_->entities);
  for (int i = 0; i < queries; ++i) {
    const FixedSegment segment = randomSegment(rng_, *scene_);
    const LevelMask levels = scene_->world.allLevels();
    published.queries.push_back({.line = segment, .levels = levels});
    published.shots.push_back(
        service.shootSegment(segment, levels, {.report_unknown = true}).value());
    published.closest.push_back(service.closestHit(segment, levels).value());
    published.sights.push_back(
        service.occluded(segment, levels, {.filter = {.categories = 1}, .entities_block = true})
            .value());
    published.visible.push_back(
        service.visible(sightOf(segment), levels, {.boxes_block = true}).value().sight);
  }
  return published;
}

std::string differenceOnSnapshots(const PublishedScene& scene) {
  const RayQueryService service(*scene.world, *scene.entities);
  std::string differences;
  for (std::size_t i = 0; i < scene.queries.size(); ++i) {
    const FixedSegment& segment = std::get<FixedSegment>(scene.queries[i].line);
    const LevelMask levels = scene.queries[i].levels;
    const ShotResult shot = service.shootSegment(segment, levels, {.report_unknown = true}).value();
    differences += difference(shot, scene.shots[i]);
    const ClosestHit closest = service.closestHit(segment, levels).value();
    const ClosestHit& expected = scene.closest[i];
    if (closest.hit.has_value() != expected.hit.has_value() ||
        (closest.hit.has_value() && !isSame(*closest.hit, *expected.hit))) {
      differences += "another closest hit\n";
    }
    if (service.occluded(segment, levels, {.filter = {.categories = 1}, .entities_block = true})
            .value() != scene.sights[i]) {
      differences += "another occlusion\n";
    }
    if (service.visible(sightOf(segment), levels, {.boxes_block = true}).value().sight !=
        scene.visible[i]) {
      differences += "another sight of a box\n";
    }
    if (shot.version != scene.shots[i].version || closest.version != expected.version) {
      differences += "another version\n";
    }
  }
  return differences;
}

}  // namespace fractalray::oracle
