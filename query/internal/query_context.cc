// SPDX-License-Identifier: Apache-2.0
#include "query_context.h"

#include <algorithm>

namespace fractalray::internal {
namespace {

bool contains(std::span<const EntityId> ids, EntityId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

bool stops(const TerminalRule& rule) {
  return rule.kind == TerminalRule::Kind::kStop;
}

}  // namespace

bool QueryContext::classifyBlock(Candidate& candidate, BlockKind kind) const {
  candidate.terminal =
      kind == BlockKind::kSolid ||
      (hasRules() && stops(options.rules->ofBlock(candidate.type, candidate.level)));
  if (options.skip_start_inside && candidate.startsInside()) return false;
  const bool has_predicate = !candidate.terminal && block_callbacks != nullptr &&
                             block_callbacks->hasPredicate(candidate.type);
  if (!has_predicate && !options.block_filter) return true;
  if (ran_user_code != nullptr) *ran_user_code = true;
  const BlockHit hit = blockHit(candidate);
  if (options.block_filter && !options.block_filter(hit)) return false;
  if (has_predicate) {
    candidate.terminal = block_callbacks->saysTerminal(candidate.type, hit);
  }
  return true;
}

bool QueryContext::classifyEntity(Candidate& candidate) const {
  candidate.terminal =
      hasRules() && stops(options.rules->ofEntity(candidate.categories, candidate.level));
  if (options.skip_start_inside && candidate.startsInside()) return false;
  const bool has_predicate = !candidate.terminal && entity_callbacks != nullptr &&
                             entity_callbacks->hasPredicate(candidate.entity_class);
  if (!has_predicate && !options.entity_filter) return true;
  if (ran_user_code != nullptr) *ran_user_code = true;
  const EntityHit hit = entityHit(candidate);
  if (options.entity_filter && !options.entity_filter(hit)) return false;
  if (has_predicate) {
    candidate.terminal = entity_callbacks->saysTerminal(candidate.entity_class, hit);
  }
  return true;
}

bool QueryContext::matchesFilter(const Entity& entity) const {
  return matches(entity) && !contains(options.ignore, entity.id) && !contains(ignore, entity.id);
}

BlockHit QueryContext::blockHit(const Candidate& candidate) const {
  const Vec3i cell{candidate.block[0], candidate.block[1], candidate.block[2]};
  BlockHit hit;
  hit.t = candidate.time.toDouble();
  hit.t_exit = line.leaveTime(cell, world.frame().blockShift(candidate.level)).toDouble();
  hit.face = candidate.face;
  hit.normal = candidate.face.normal();
  hit.start_inside = candidate.startsInside();
  hit.point = line.pointAt(hit.t);
  hit.distance = hit.t * line.lengthBlocks();
  hit.level = candidate.level;
  hit.block = candidate.block;
  hit.type = candidate.type;
  hit.step = candidate.step;
  hit.terminal = candidate.terminal;
  return hit;
}

EntityHit QueryContext::entityHit(const Candidate& candidate) const {
  EntityHit hit;
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
