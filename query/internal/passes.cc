// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

#include "../../core/internal/geometry/path_mask.h"
#include "../../entities/internal/entity_store.h"
#include "../../levels/internal/world_content.h"
#include "block_pass_fast.h"
#include "block_pass_plain.h"
#include "entity_pass.h"
#include "loaded_path.h"

namespace fractalray::internal {
namespace {

// Calls `run_level` for each of the levels, from the finest to the coarsest: what ends the query on
// a fine one shortens the passes that follow.
template <class RunLevel>
void forEachLevel(const CandidateCollector& collector, LevelMask levels,
                  const RunLevel& run_level) {
  for (int level = collector.context.world.frame().levels() - 1; level >= 0; --level) {
    if (collector.isDone()) return;
    if (levels.contains(level)) run_level(level);
  }
}

// Runs one pass over the levels of blocks, then another over the index levels of entities.
template <class RunBlocks, class RunEntities>
void runBoth(CandidateCollector& collector, const RunBlocks& run_blocks,
             const RunEntities& run_entities) {
  const QueryContext& context = collector.context;
  if (context.options.filter.blocks) forEachLevel(collector, context.levels, run_blocks);
  if (context.options.filter.entities && context.entities.store().size() > 0) {
    forEachLevel(collector, context.entities.store().indexLevels(context.levels), run_entities);
  }
}

}  // namespace

void runPasses(CandidateCollector& collector) {
  const QueryContext& context = collector.context;
  if (context.options.pass == SearchPass::kPlain) {
    runBoth(
        collector, [&](int level) { collectBlocksPlain(collector, level); },
        [&](int level) { collectEntitiesPlain(collector, level); });
    return;
  }
  const PathMask path(context.line.segment());
  runBoth(
      collector,
      [&](int level) {
        if (context.world.content().level(level).loadedChunks() > 0) {
          collectBlocksFast(collector, path, level);
        }
      },
      [&](int level) { collectEntitiesFast(collector, path, level); });
}

bool isWhollyLoaded(const QueryContext& context) {
  if (context.options.pass == SearchPass::kPlain) return false;
  const PathMask path(context.line.segment());
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (context.levels.contains(level) && touchesOnlyLoaded(context.world, path, level)) {
      return true;
    }
  }
  return false;
}

}  // namespace fractalray::internal
