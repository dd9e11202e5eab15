// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

#include "../../../core/check.h"
#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/path_mask.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../levels/internal/world_content.h"
#include "block_pass_fast.h"
#include "block_pass_plain.h"
#include "entity_pass.h"
#include "loaded_path.h"

namespace fractalray::internal {
namespace {

using Reading = CandidateCollector::Reading;

// The levels of blocks and of grids of entities to run a pass over.
struct Levels {
  LevelMask blocks;
  LevelMask entities;

  bool empty() const { return blocks.empty() && entities.empty(); }
};

Levels levelsOf(const QueryContext& context) {
  const EntityStore& store = Access::store(context.entities);
  return {.blocks = context.options.filter.blocks ? context.levels : LevelMask(),
          .entities = hitsEntities(context) ? store.gridLevels(context.levels) : LevelMask()};
}

// Adds a block of a direct search, entered through a face. Returns true if nothing after it
// matters.
bool addBlock(const EnteredBlock& block, CandidateCollector& collector) {
  const Vec3i cell{block.block[0], block.block[1], block.block[2]};
  return collector.addCounted(block.level, block.type, block.block,
                              {.cell = cell, .t = block.enter, .face = block.face, .step = 1});
}

// Adds the blocks of a direct search, in the order of the line.
void addBlocks(const DirectResult& direct, CandidateCollector& collector) {
  for (const EnteredBlock& block : direct.passed) {
    if (addBlock(block, collector)) return;
  }
  if (direct.isFound()) addBlock(direct.block, collector);
}

// Calls `run_level` for each of the levels, from the finest to the coarsest: what ends the query on
// a fine one shortens the passes that follow.
template <class RunLevel>
void forEachLevel(const CandidateCollector& collector, LevelMask levels,
                  const RunLevel& run_level) {
  for (int level = collector.context.world.frame().levels() - 1; level >= 0; --level) {
    if (collector.reading() == Reading::kDone) return;
    if (levels.contains(level)) run_level(level);
  }
}

void collectLoaded(CandidateCollector& collector, const PathMask& path, int level) {
  if (Access::content(collector.context.world).level(level).loadedChunks() > 0) {
    collectBlocksFast(collector, path, level);
  }
}

void runSlice(CandidateCollector& collector, const Levels& levels, PassProgress& progress) {
  FRACTALRAY_DCHECK(canPause(collector.context.options.pass), collector.context.options.pass);
  const PathMask path(collector.context.line.segment());
  forEachLevel(collector, levels.blocks, [&](int level) {
    collector.beginPass();
    collectLoaded(collector, path, level);
    if (collector.limit().is_pause) {
      progress.blocks.pause(level, collector.limit().time.lowerBound());
    } else {
      progress.blocks.finish(level);
    }
  });
  forEachLevel(collector, levels.entities, [&](int level) {
    collector.beginPass();
    const std::optional<Fraction> until = collectEntitiesFast(collector, path, level);
    if (until.has_value()) {
      progress.entities.pause(level, *until);
      collector.pauseAt(*until);
    } else {
      progress.entities.finish(level);
    }
  });
}

}  // namespace

LevelMask PassPositions::at(const Fraction& t) const {
  LevelMask levels;
  for (int level = 0; level < kMaxLevels; ++level) {
    if (open_.contains(level) && until(level) == t) levels.add(level);
  }
  return levels;
}

void PassPositions::lowerToFirst(LevelMask except, std::optional<Fraction>& t) const {
  for (int level = 0; level < kMaxLevels; ++level) {
    if (!open_.contains(level) || except.contains(level)) continue;
    const Fraction time = until(level);
    if (!t.has_value() || time < *t) t = time;
  }
}

void PassPositions::finishFrom(const HitTime& end) {
  for (int level = 0; level < kMaxLevels; ++level) {
    if (open_.contains(level) && HitTime(until(level)) >= end) {
      finish(level);
    }
  }
}

std::optional<Fraction> PassProgress::horizon() const {
  std::optional<Fraction> first;
  blocks.lowerToFirst({}, first);
  entities.lowerToFirst({}, first);
  return first;
}

std::optional<Fraction> PassProgress::nextAfter(const Fraction& horizon) const {
  std::optional<Fraction> next;
  blocks.lowerToFirst(blocks.at(horizon), next);
  entities.lowerToFirst(entities.at(horizon), next);
  return next;
}

void runPasses(const DirectResult& direct, CandidateCollector& collector) {
  FRACTALRAY_DCHECK(!direct.isCut());
  Levels levels = levelsOf(collector.context);
  if (direct.isDecided()) {
    levels.blocks = {};
    addBlocks(direct, collector);
  }
  if (levels.empty() || collector.reading() == Reading::kDone) return;
  if (collector.context.options.pass == SearchPass::kPlain) {
    forEachLevel(collector, levels.blocks,
                 [&](int level) { collectBlocksPlain(collector, level); });
    forEachLevel(collector, levels.entities,
                 [&](int level) { collectEntitiesPlain(collector, level); });
    return;
  }
  const PathMask path(collector.context.line.segment());
  forEachLevel(collector, levels.blocks, [&](int level) { collectLoaded(collector, path, level); });
  forEachLevel(collector, levels.entities,
               [&](int level) { collectEntitiesFast(collector, path, level); });
}

void runFirstSlice(const DirectResult& direct, CandidateCollector& collector,
                   PassProgress& progress) {
  progress.complete();
  Levels levels = levelsOf(collector.context);
  if (direct.isDecided() || direct.isCut()) {
    levels.blocks = {};
    collector.beginPass();
    addBlocks(direct, collector);
    FRACTALRAY_DCHECK(!collector.limit().is_pause);
  }
  if (direct.isCut()) {
    const EnteredBlock& last = direct.passed.back();
    collector.pauseAt(last.enter);
    if (collector.limit().is_pause) progress.blocks.pause(last.level, last.enter);
  }
  runSlice(collector, levels, progress);
}

void runNextSlice(CandidateCollector& collector, PassProgress& progress) {
  const std::optional<Fraction> horizon = progress.horizon();
  FRACTALRAY_DCHECK(horizon.has_value());
  runSlice(collector,
           {.blocks = progress.blocks.at(*horizon), .entities = progress.entities.at(*horizon)},
           progress);
}

bool findsInOrder(const QueryContext& context) {
  const Levels levels = levelsOf(context);
  return levels.blocks.count() == 1 && levels.entities.empty();
}

bool findsInOrder(const PassProgress& progress, const Fraction& horizon) {
  return progress.blocks.at(horizon).count() == 1 && progress.entities.at(horizon).empty();
}

void openAllAt(const QueryContext& context, const Fraction& horizon, PassProgress& progress) {
  progress.complete();
  const Levels levels = levelsOf(context);
  for (int level = 0; level < kMaxLevels; ++level) {
    if (levels.blocks.contains(level)) progress.blocks.pause(level, horizon);
    if (levels.entities.contains(level)) progress.entities.pause(level, horizon);
  }
}

bool isWhollyLoaded(const QueryContext& context) {
  if (!descendsTrees(context.options.pass)) return false;
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (context.levels.contains(level) && isInFullBox(context.world, context.line, level)) {
      return true;
    }
  }
  const PathMask path(context.line.segment());
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (context.levels.contains(level) && touchesOnlyLoaded(context.world, path, level)) {
      return true;
    }
  }
  return false;
}

}  // namespace fractalray::internal
