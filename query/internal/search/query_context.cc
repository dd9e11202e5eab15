// SPDX-License-Identifier: Apache-2.0
#include "query_context.h"

#include <algorithm>
#include <functional>

#include "../../../core/check.h"
#include "../../../core/internal/access.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../entities/internal/shape_geometry.h"
#include "../../../levels/internal/world_content.h"

namespace fractalray::internal {
namespace {

bool contains(std::span<const EntityId> ids, EntityId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool stops(const TerminalRule& rule) {
  return rule.kind == TerminalRule::Kind::kStop;
}

// Calls the filter and the terminal test of a candidate, if there are any; see classifyBlock().
template <class Key>
bool askUserCode(const QueryContext& context, Candidate& candidate,
                 const std::function<bool(const Hit&)>& filter, const CallbackTable<Key>* callbacks,
                 Key key) {
  const bool has_test =
      !candidate.terminal && callbacks != nullptr && callbacks->hasTerminalTest(key);
  if (!has_test && !filter) return true;
  if (context.ran_user_code != nullptr) *context.ran_user_code = true;
  const Hit hit = context.hitOf(candidate);
  if (filter && !filter(hit)) return false;
  if (has_test) candidate.terminal = callbacks->isTerminal(key, hit);
  return true;
}

}  // namespace

bool acceptsEntities(const QueryOptions& options, HitMode mode) {
  return options.filter.entities && options.filter.categories != 0 &&
         (mode != HitMode::kAny || options.entities_block);
}

std::optional<ShapeCrossing> QueryContext::crossShaped(int level, BlockTypeId type,
                                                       const BlockCoord& block) const {
  return crossShape(line, options.corner,
                    {.boxes = world.blockTypes().boxes(shapeOf(type)),
                     .block = {block[0], block[1], block[2]},
                     .shift = world.frame().blockShift(level)});
}

bool QueryContext::enterShape(Candidate& candidate, std::uint8_t step) const {
  const std::optional<ShapeCrossing> crossing =
      crossShaped(candidate.level, candidate.type, candidate.block);
  if (!crossing.has_value()) return false;
  // A shape that is hit later than its cell is entered, if only as that is left, comes before what
  // is entered then.
  const Vec3i cell{candidate.block[0], candidate.block[1], candidate.block[2]};
  const Fraction enter = line.enterTime(cell, world.frame().blockShift(candidate.level));
  candidate.step = crossing->enter == enter ? step : std::uint8_t{0};
  candidate.start_inside = crossing->start_inside;
  candidate.face = crossing->face;
  candidate.time = HitTime(crossing->enter);
  return true;
}

std::uint64_t QueryContext::frameMoves() const {
  // Neither number ever decreases.
  return Access::content(world).last_move.version() + Access::store(entities).lastMove().version();
}

bool QueryContext::startsInside(const Candidate& candidate) const {
  if (candidate.isBlock()) return candidate.start_inside;
  return internal::startsInside(line, candidate.shape, candidate.position, candidate.time);
}

bool QueryContext::classifyBlock(Candidate& candidate, BlockKind kind) const {
  candidate.terminal =
      kind == BlockKind::kSolid ||
      (hasRules() && stops(options.rules->ofBlock(candidate.type, candidate.level)));
  if (options.filter.skip_start_inside && startsInside(candidate)) return false;
  return askUserCode(*this, candidate, options.filter.block_filter,
                     callbacks == nullptr ? nullptr : &callbacks->blocks, candidate.type);
}

bool QueryContext::classifyEntity(Candidate& candidate) const {
  candidate.terminal =
      hasRules() && stops(options.rules->ofEntity(candidate.categories, candidate.level));
  if (options.filter.skip_start_inside && startsInside(candidate)) return false;
  return askUserCode(*this, candidate, options.filter.entity_filter,
                     callbacks == nullptr ? nullptr : &callbacks->entities, candidate.entity_class);
}

bool QueryContext::matchesFilter(const Entity& entity) const {
  return acceptsEntities(options, mode) && matches(entity) &&
         !contains(options.filter.ignore, entity.id) && !contains(ignore, entity.id);
}

Hit QueryContext::blockHit(const Candidate& candidate) const {
  Hit hit;
  hit.kind = Hit::Kind::kBlock;
  hit.t = candidate.time.toDouble();
  hit.face = candidate.face;
  hit.normal = candidate.face.normal();
  hit.start_inside = candidate.start_inside;
  hit.point = line.pointAt(hit.t);
  hit.distance = hit.t * line.lengthBlocks();
  hit.level = candidate.level;
  hit.block = candidate.block;
  hit.type = candidate.type;
  hit.step = candidate.step;
  hit.terminal = candidate.terminal;
  if (shapeOf(hit.type) != kWholeCube) [[unlikely]] {
    setShaped(hit);
  } else {
    const Vec3i cell{hit.block[0], hit.block[1], hit.block[2]};
    hit.t_exit = line.leaveTime(cell, world.frame().blockShift(hit.level)).toDouble();
    hit.plane = planeOfCube(hit.face);
  }
  return hit;
}

void QueryContext::setShaped(Hit& hit) const {
  const std::optional<ShapeCrossing> crossing = crossShaped(hit.level, hit.type, hit.block);
  FRACTALRAY_DCHECK(crossing.has_value());
  if (!crossing.has_value()) return;
  hit.t_exit = crossing->leave.toDouble();
  hit.plane = crossing->plane;
}

Hit QueryContext::entityHit(const Candidate& candidate) const {
  Hit hit;
  hit.kind = Hit::Kind::kEntity;
  static_cast<HitGeometry&>(hit) =
      hitGeometry(line, candidate.shape, candidate.position, candidate.time);
  hit.level = candidate.level;
  hit.entity = candidate.entity;
  hit.id = candidate.entity_id;
  hit.entity_class = candidate.entity_class;
  hit.categories = candidate.categories;
  hit.shape = candidate.shape;
  hit.position = candidate.position;
  hit.terminal = candidate.terminal;
  return hit;
}

}  // namespace fractalray::internal
