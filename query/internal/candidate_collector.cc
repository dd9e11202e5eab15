// SPDX-License-Identifier: Apache-2.0
#include "candidate_collector.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"

#include "block_pass_fast.h"
#include "block_pass_plain.h"
#include "entity_pass.h"

namespace fractalray::internal {

Gathering::Gathering(const Scene& shot_scene, const Candidate* after, std::span<const Hit> hits,
                     ShotScratch& scratch, QueryStats& query_stats)
    : scene(shot_scene),
      stats(query_stats),
      after_(after),
      scratch_(scratch),
      steps_left_(scene.options.max_steps - std::min(scene.options.max_steps, stats.steps())) {
  scratch.candidates.clear();
  scratch.ignored.begin(scene.options.ignore, scene.ignore);
  // The scene's `after` is the query's own or that of the options, which counts once.
  const std::span<const Hit> of_options = scene.options.after;
  const bool is_same =
      of_options.data() == scene.after.data() && of_options.size() == scene.after.size();
  scratch.earlier.begin({hits, scene.after, is_same ? std::span<const Hit>() : of_options});
}

bool Gathering::overspent() {
  steps_left_ = 0;
  status_ = absl::ResourceExhaustedError(
      absl::StrCat("the shot took more than its ", scene.options.max_steps,
                   " steps; raise max_steps or shorten the segment"));
  return false;
}

bool Gathering::meetBlock(int level, BlockTypeId type, const BlockCoord& block,
                          const GridCell<3>& cell) {
  const BlockKind kind = scene.kindOf(type);
  if (kind == BlockKind::kEmpty) return false;
  Candidate& candidate = scratch_.candidates.add();
  candidate.kind = Candidate::Kind::kBlock;
  candidate.step = cell.step;
  candidate.level = level;
  candidate.type = type;
  candidate.face = cell.face;
  candidate.block = block;
  candidate.time = HitTime(cell.t);
  if (isNotBeforeLast(candidate.time, candidate.rank())) {
    drop();
    return true;
  }
  if (isNotAfter(candidate.time, candidate.rank())) return drop();
  return scene.admitBlock(candidate, kind) ? keep() : drop();
}

bool Gathering::meetEntity(std::uint32_t slot) {
  if (!spend(stats.entities_tested)) return false;
  const EntityHandle handle = scene.entities.handle(slot);
  const Entity& entity = *scene.entities.find(handle);
  // Chunks that lie side by side often bring the same one.
  CandidateList& candidates = scratch_.candidates;
  if (!candidates.empty() && candidates.newest().entity == handle) return false;
  if (!scene.matches(entity) || isIgnored(entity.id)) return false;
  const std::optional<HitTime> time = meet(scene.line, entity.shape, entity.position);
  if (!time.has_value()) return false;
  const Candidate::Rank rank = Candidate::rankOfEntity(entity.level, entity.id);
  if (isNotBeforeLast(*time, rank) || isNotAfter(*time, rank) || hasBeenHit(handle)) return false;
  Candidate& candidate = candidates.add();
  candidate.kind = Candidate::Kind::kEntity;
  candidate.level = int{entity.level};
  candidate.entity = handle;
  candidate.entity_id = entity.id;
  candidate.entity_class = entity.entity_class;
  candidate.categories = entity.categories;
  candidate.shape = entity.shape;
  candidate.position = entity.position;
  candidate.time = *time;
  return scene.admitEntity(candidate) ? keep() : drop();
}

bool Gathering::isIgnored(EntityId id) {
  IgnoredIds& ignored = scratch_.ignored;
  if (ignored.size() == 0) return false;
  if (!has_read_ignored_ && ignored.size() > kShortList) {
    if (!spend(stats.listed, ignored.size())) return true;
    has_read_ignored_ = true;
  }
  return ignored.contains(id);
}

bool Gathering::hasBeenHit(EntityHandle handle) {
  EarlierHits& earlier = scratch_.earlier;
  if (earlier.size() == 0) return false;
  if (!has_read_earlier_ && earlier.size() > kShortList) {
    if (!spend(stats.listed, earlier.size())) return true;
    has_read_earlier_ = true;
  }
  return earlier.contains(handle);
}

bool Gathering::keep() {
  const Candidate& candidate = scratch_.candidates.newest();
  if (!scene.isLast(candidate)) return false;
  clip_ = candidate.time;
  last_rank_ = candidate.rank();
  is_clipped_ = true;
  scratch_.candidates.makeNewestLast();
  return true;
}

bool Gathering::drop() {
  scratch_.candidates.dropNewest();
  return false;
}

void Gathering::close() {
  if (!status_.ok()) return;
  scratch_.candidates.cut();
  const std::size_t candidates = scratch_.candidates.size();
  if (candidates > 1) spend(stats.ordered, candidates);
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
  Gathering gathering(scene, after, hits, scratch, stats);
  if (scene.options.pass == Pass::kPlain) {
    gatherPlainly(gathering);
  } else {
    gatherFast(gathering);
  }
  gathering.close();
  return gathering.status();
}

}  // namespace fractalray::internal
