// SPDX-License-Identifier: Apache-2.0
#include "shot_oracle.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "shape_oracle.h"
#include "shape_walk_oracle.h"
#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

struct Scene {
  const World& world;
  const EntityIndex& entities;
  FixedSegment segment;
  LevelMask levels;
  const QueryOptions& options;
};

Vec3i cornerOf(const Vec<std::int64_t, 3>& cell, std::int64_t width) {
  return {cell[0] * width, cell[1] * width, cell[2] * width};
}

// The cells of the walk that are entered in that part of the line, and the first one if it begins
// there.
std::vector<WalkCell<3>> cellsIn(const Scene& scene, std::int64_t width, const BoxPart& part) {
  const FixedSegment& segment = scene.segment;
  const CornerPolicy corner = scene.options.corner;
  const Begin begin = beginOf(segment);
  if (part.exit < begin.t) return {};
  if (segment.begin.axes != 0 && part.enter <= begin.t) {
    return reflectedCells(segment, width, corner, part.exit);
  }
  return walkCells<3>(segment.from, segment.to, {width, width, width}, corner, part.enter,
                      part.exit);
}

bool isReported(const Scene& scene, int level, const BlockCoord& block, BlockTypeId type) {
  const BlockKind kind = scene.world.blockTypes().kind(type, scene.options.filter.channel);
  if (kind == BlockKind::kEmpty) return false;
  if (scene.options.filter.solid_only && kind != BlockKind::kSolid) return false;
  const ChunkCoord child{block[0], block[1], block[2]};
  const bool defers =
      scene.levels.contains(level + 1) && scene.world.chunk(level + 1, child) != nullptr;
  return !defers;
}

// Returns where on its axis a line is at a time, in 1/65,536 of a block: the plane of the face
// through which it then enters the block, or 0 for no face.
std::uint32_t planeOf(const FixedSegment& segment, const Rational& t, Face face,
                      const Vec3i& corner, std::int64_t width) {
  if (!face.exists()) return 0;
  const int axis = face.axis;
  const Rational at = Rational(segment.from[axis]) + t * Rational(segment.delta()[axis]);
  const Rational plane = (at - Rational(corner[axis])) * 65536 / width;
  return static_cast<std::uint32_t>(toInt64(floorOf(plane)));
}

BlockHit asBlockHit(const OracleHit& hit) {
  Hit block;
  block.kind = Hit::Kind::kBlock;
  block.t = toDouble(hit.t);
  block.t_exit = hit.t_exit;
  block.face = hit.face;
  block.start_inside = hit.start_inside;
  block.level = hit.level;
  block.block = hit.block;
  block.type = hit.type;
  return block;
}

EntityHit asEntityHit(const OracleHit& hit) {
  Hit entity;
  entity.kind = Hit::Kind::kEntity;
  entity.t = toDouble(hit.t);
  entity.t_exit = hit.t_exit;
  entity.face = hit.face;
  entity.start_inside = hit.start_inside;
  entity.level = hit.level;
  entity.entity = hit.entity;
  entity.id = hit.id;
  entity.entity_class = hit.entity_class;
  return entity;
}

// Appends the candidate unless the options refuse it.
void addCandidate(const Scene& scene, OracleHit hit, std::vector<OracleHit>& candidates) {
  if (scene.options.filter.skip_start_inside && hit.start_inside) return;
  if (hit.is_entity) {
    const auto& filter = scene.options.filter.entity_filter;
    if (filter && !filter(asEntityHit(hit))) return;
  } else {
    const auto& filter = scene.options.filter.block_filter;
    if (filter && !filter(asBlockHit(hit))) return;
  }
  candidates.push_back(std::move(hit));
}

void addBlocksOfChunk(const Scene& scene, int level, const ChunkCoord& chunk,
                      std::vector<OracleHit>& candidates) {
  const Frame& frame = scene.world.frame();
  const std::int64_t chunk_width = frame.chunkWidth(level);
  const Vec3i min = cornerOf({chunk.values}, chunk_width);
  const std::optional<BoxPart> in_chunk =
      partInBox(scene.segment, min, min + Vec3i{chunk_width, chunk_width, chunk_width});
  if (!in_chunk.has_value()) return;
  const std::int64_t width = frame.blockWidth(level);
  for (const WalkCell<3>& cell : cellsIn(scene, width, *in_chunk)) {
    const BlockCoord block{cell.cell.values};
    if (chunkOf(block) != chunk) continue;
    const absl::StatusOr<BlockTypeId> type = scene.world.block(level, block);
    if (!type.ok() || !isReported(scene, level, block, *type)) continue;
    const Vec3i corner = cornerOf({block.values}, width);
    const std::optional<BoxPart> in_block =
        partInBox(scene.segment, corner, corner + Vec3i{width, width, width});
    OracleHit hit;
    hit.level = level;
    hit.block = block;
    hit.type = *type;
    hit.t = {cell.t};
    hit.t_exit = toDouble(in_block.value().exit);
    hit.face = cell.face;
    hit.start_inside = cell.step == 0;
    hit.step = cell.step;
    const BlockTypeTable& types = scene.world.blockTypes();
    const ShapeId shape = types.shape(*type, scene.options.filter.channel);
    if (shape != kWholeCube) {
      const std::optional<ShapeVisit> visit =
          visitShape(scene.segment, scene.options.corner, types.boxes(shape), corner, width);
      if (!visit.has_value()) continue;
      hit.t = {visit->t};
      hit.t_exit = toDouble(visit->t_exit);
      hit.face = visit->face;
      hit.start_inside = visit->start_inside;
      hit.step = visit->t == cell.t ? cell.step : 0;
    }
    hit.plane = planeOf(scene.segment, hit.t.p, hit.face, corner, width);
    addCandidate(scene, hit, candidates);
  }
}

void addEntity(const Scene& scene, EntityHandle handle, std::vector<OracleHit>& candidates) {
  const Entity& entity = *scene.entities.find(handle);
  const auto& ignore = scene.options.filter.ignore;
  if (!scene.levels.contains(entity.level)) return;
  if ((entity.categories & scene.options.filter.categories) == 0) return;
  if (std::find(ignore.begin(), ignore.end(), entity.id) != ignore.end()) return;
  const std::optional<Meeting> meeting = meetShape(scene.segment, entity.shape, entity.position);
  if (!meeting.has_value()) return;
  OracleHit hit;
  hit.is_entity = true;
  hit.level = entity.level;
  hit.id = entity.id;
  hit.entity = handle;
  hit.entity_class = entity.entity_class;
  hit.t = meeting->enter;
  hit.t_exit = meeting->t_exit;
  hit.start_inside = meeting->inside;
  if (meeting->entry_axis >= 0) {
    const bool forwards = scene.segment.delta()[meeting->entry_axis] > 0;
    hit.face = {static_cast<std::int8_t>(meeting->entry_axis),
                static_cast<std::int8_t>(forwards ? -1 : 1)};
  }
  addCandidate(scene, hit, candidates);
}

std::vector<OracleSpan> levelSpans(const Scene& scene) {
  std::vector<OracleSpan> parts;
  for (int level = 0; level < scene.world.frame().levels(); ++level) {
    if (!scene.levels.contains(level)) continue;
    const std::int64_t width = scene.world.frame().chunkWidth(level);
    std::optional<std::pair<Vec3i, Vec3i>> box;
    scene.world.forEachLoaded(level, [&](const ChunkCoord& chunk, const Chunk&) {
      const Vec3i min = cornerOf({chunk.values}, width);
      const Vec3i max = min + Vec3i{width, width, width};
      if (!box.has_value()) box = {min, max};
      for (int axis = 0; axis < 3; ++axis) {
        box->first[axis] = std::min(box->first[axis], min[axis]);
        box->second[axis] = std::max(box->second[axis], max[axis]);
      }
    });
    if (!box.has_value()) continue;
    const std::optional<BoxPart> part = partInBox(scene.segment, box->first, box->second);
    const Rational begin = beginOf(scene.segment).t;
    if (!part.has_value() || part->exit < begin) continue;
    parts.push_back({level, std::max(part->enter, begin), part->exit});
  }
  return parts;
}

bool isTerminal(const Scene& scene, const Rules& rules, const OracleHit& hit) {
  if (hit.is_entity) return rules.entity_stops && rules.entity_stops(hit.entity_class);
  if (scene.world.blockTypes().kind(hit.type, scene.options.filter.channel) == BlockKind::kSolid) {
    return true;
  }
  return rules.block_stops && rules.block_stops(hit.type);
}

}  // namespace

bool isBefore(const OracleHit& a, const OracleHit& b) {
  const std::strong_ordering by_time = a.t <=> b.t;
  if (by_time != 0) return by_time < 0;
  if (a.is_entity != b.is_entity) return a.is_entity;
  if (a.level != b.level) return a.level > b.level;
  return a.is_entity ? a.id < b.id : a.step < b.step;
}

std::optional<Rational> firstUnknown(const World& world, const FixedSegment& segment,
                                     LevelMask levels) {
  const std::optional<ExactTime> unknown =
      firstUnknown(world, segment, levels, {.p = beginOf(segment).t});
  if (!unknown.has_value()) return std::nullopt;
  return unknown->p;
}

std::optional<ExactTime> firstUnknown(const World& world, const FixedSegment& segment,
                                      LevelMask levels, const ExactTime& from) {
  std::vector<std::pair<Rational, Rational>> known;
  for (int level = 0; level < world.frame().levels(); ++level) {
    if (!levels.contains(level)) continue;
    const std::int64_t width = world.frame().chunkWidth(level);
    world.forEachLoaded(level, [&](const ChunkCoord& chunk, const Chunk&) {
      const Vec3i min = cornerOf({chunk.values}, width);
      for (int axis = 0; axis < 3; ++axis) {  // in a plane between chunks it is where floor says
        if (segment.delta()[axis] == 0 && segment.from[axis] == min[axis] + width) return;
      }
      const auto part = partInBox(segment, min, min + Vec3i{width, width, width});
      if (part.has_value() && part->enter < part->exit) known.emplace_back(part->enter, part->exit);
    });
  }
  if (segment.from == segment.to)
    return known.empty() ? std::optional<ExactTime>(from) : std::nullopt;
  std::sort(known.begin(), known.end());
  ExactTime until = from;
  for (const auto& [enter, exit] : known) {
    if (ExactTime{enter} > until) break;
    until = std::max(until, ExactTime{exit});
  }
  if (until >= ExactTime{1}) return std::nullopt;
  return until;
}

std::vector<OracleHit> candidates(const World& world, const EntityIndex& entities,
                                  const FixedSegment& segment, LevelMask levels,
                                  const QueryOptions& options) {
  const Scene scene{world, entities, segment, levels.activeIn(world.frame()), options};
  std::vector<OracleHit> found;
  for (int level = 0; level < world.frame().levels(); ++level) {
    if (!options.filter.blocks || !scene.levels.contains(level)) continue;
    world.forEachLoaded(level, [&](const ChunkCoord& chunk, const Chunk&) {
      addBlocksOfChunk(scene, level, chunk, found);
    });
  }
  for (const EntityHandle entity : entities.all()) {
    if (options.filter.entities) addEntity(scene, entity, found);
  }
  std::sort(found.begin(), found.end(), isBefore);
  return found;
}

OracleShot shoot(const World& world, const EntityIndex& entities, const FixedSegment& segment,
                 LevelMask levels, const QueryOptions& options, const Rules& rules) {
  const Scene scene{world, entities, segment, levels.activeIn(world.frame()), options};
  OracleShot shot;
  shot.level_spans = levelSpans(scene);
  shot.unknown_from = firstUnknown(world, segment, levels);
  for (OracleHit& hit : candidates(world, entities, segment, levels, options)) {
    if (options.stop_at_unknown && shot.unknown_from.has_value() &&
        hit.t > ExactTime{*shot.unknown_from}) {
      break;
    }
    if (shot.hits.size() == options.max_hits) {
      shot.truncated = true;
      break;
    }
    hit.terminal = isTerminal(scene, rules, hit);
    shot.hits.push_back(hit);
    if (!hit.terminal) continue;
    shot.terminated = true;
    if (shot.unknown_from.has_value() && ExactTime{*shot.unknown_from} >= hit.t) {
      shot.unknown_from.reset();
    }
    break;
  }
  return shot;
}

}  // namespace fractalray::oracle
