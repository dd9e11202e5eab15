// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/gathering.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "absl/strings/str_cat.h"
#include "fractalray/query/entity_pass.h"
#include "fractalray/query/fast_pass.h"
#include "fractalray/query/plain_pass.h"

namespace fractalray::internal {

bool Gathering::overspent() {
  status_ = absl::ResourceExhaustedError(
      absl::StrCat("the shot took more than its ", scene.options.max_steps,
                   " steps; raise max_steps or shorten the segment"));
  return false;
}

bool Gathering::meetBlock(int level, BlockTypeId type, const BlockCoord& block,
                          const GridCell<3>& cell) {
  const BlockKind kind = scene.kindOf(type);
  if (kind == BlockKind::kEmpty) return false;
  Candidate& candidate = scratch_.candidates.emplace_back();
  candidate.kind = Candidate::Kind::kBlock;
  candidate.step = cell.step;
  candidate.level = level;
  candidate.type = type;
  candidate.face = cell.face;
  candidate.block = block;
  candidate.time = HitTime(cell.t);
  return isBehind(candidate) && scene.admitBlock(candidate, kind) ? keep() : drop();
}

bool Gathering::meetEntity(std::uint32_t slot) {
  const EntityHandle handle = scene.entities.handle(slot);
  const Entity& entity = *scene.entities.find(handle);
  // Chunks that lie side by side often bring the same one.
  if (!scratch_.candidates.empty() && scratch_.candidates.back().entity == handle) return false;
  if (!scene.concerns(entity) || hasBeenHit(handle)) return false;
  ++stats.entities_tested;
  const std::optional<HitTime> time = meet(scene.line, entity.shape, entity.position);
  if (!time.has_value() || *time > clip_) return false;
  Candidate& candidate = scratch_.candidates.emplace_back();
  candidate.kind = Candidate::Kind::kEntity;
  candidate.level = int{entity.level};
  candidate.entity = handle;
  candidate.entity_id = entity.id;
  candidate.entity_class = entity.entity_class;
  candidate.categories = entity.categories;
  candidate.shape = entity.shape;
  candidate.position = entity.position;
  candidate.time = *time;
  return isBehind(candidate) && scene.admitEntity(candidate) ? keep() : drop();
}

bool Gathering::hasBeenHit(EntityHandle handle) const {
  const auto is_among = [&](std::span<const Hit> hits) {
    return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
      const auto* entity_hit = std::get_if<EntityHit>(&hit);
      return entity_hit != nullptr && entity_hit->entity == handle;
    });
  };
  return is_among(hits_) || is_among(scene.after) || is_among(scene.options.after);
}

bool Gathering::keep() {
  const Candidate& candidate = scratch_.candidates.back();
  if (!scene.isLast(candidate)) return false;
  if (!is_clipped_ || candidate.time < clip_) clip_ = candidate.time;
  is_clipped_ = true;
  return true;
}

bool Gathering::drop() {
  scratch_.candidates.pop_back();
  return false;
}

void Gathering::sortAndCut() {
  std::vector<Candidate>& candidates = scratch_.candidates;
  if (candidates.size() < 2) return;
  std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.time > clip_; });
  std::sort(candidates.begin(), candidates.end(), comesBefore);
  const auto last =
      std::find_if(candidates.begin(), candidates.end(),
                   [&](const Candidate& candidate) { return scene.isLast(candidate); });
  if (last != candidates.end()) candidates.erase(last + 1, candidates.end());
  const auto is_same = [](const Candidate& a, const Candidate& b) {
    return !a.isBlock() && !b.isBlock() && a.entity == b.entity;
  };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), is_same), candidates.end());
}

namespace {

// Calls `gather_level` for each of the levels, from the finest to the coarsest: what ends the shot
// on a fine one shortens all that follows.
template <class GatherLevel>
void forEachLevel(const Gathering& gathering, LevelMask levels, const GatherLevel& gather_level) {
  for (int level = gathering.scene.world.frame().levels() - 1; level >= 0; --level) {
    if (gathering.isDone()) return;
    if (levels.contains(level)) gather_level(level);
  }
}

// Blocks, and then entities.
void gatherPlainly(Gathering& gathering) {
  const Scene& scene = gathering.scene;
  if (scene.options.blocks) {
    forEachLevel(gathering, scene.levels,
                 [&](int level) { gatherBlocksPlainly(gathering, level); });
  }
  if (scene.options.entities && scene.entities.size() > 0) {
    forEachLevel(gathering, scene.entities.indexLevels(scene.levels),
                 [&](int level) { gatherEntitiesPlainly(gathering, level); });
  }
}

void gatherFast(Gathering& gathering) {
  const Scene& scene = gathering.scene;
  const PathMask path(scene.line.segment());
  if (scene.options.blocks) {
    forEachLevel(gathering, scene.levels, [&](int level) {
      if (scene.world.level(level).loadedChunks() > 0) {
        gatherBlocksFast(gathering, path, level);
      }
    });
  }
  if (scene.options.entities && scene.entities.size() > 0) {
    forEachLevel(gathering, scene.entities.indexLevels(scene.levels),
                 [&](int level) { gatherEntitiesFast(gathering, path, level); });
  }
}

}  // namespace

absl::Status gather(const Scene& scene, const Candidate* after, std::span<const Hit> hits,
                    ShotScratch& scratch, QueryStats& stats) {
  scratch.candidates.clear();
  Gathering gathering(scene, after, hits, scratch, stats);
  if (scene.options.pass == Pass::kPlain) {
    gatherPlainly(gathering);
  } else {
    gatherFast(gathering);
  }
  if (gathering.status().ok()) gathering.sortAndCut();
  return gathering.status();
}

}  // namespace fractalray::internal
