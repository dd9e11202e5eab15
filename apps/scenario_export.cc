// SPDX-License-Identifier: Apache-2.0
#include "scenario_export.h"

#include <set>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../formats/scenario_write.h"
#include "../query/internal/block_pass_plain.h"

namespace fractalray {
namespace {

using internal::Scene;

// The chunks of a level on the way, up to `end`.
void addChunks(const Scene& scene, int level, const HitTime& end, std::set<ChunkPlace>& chunks) {
  const Level& loaded = scene.world.level(level);
  const std::int64_t width = scene.world.frame().chunkWidth(level);
  // With the policy that visits most, whatever the shot's was.
  GridWalk<3> walk(scene.line.from(), scene.line.segment().to, {width, width, width},
                   CornerPolicy::kBoth);
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > end) return;
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (loaded.state(chunk) != ChunkState::kAbsent) {
      chunks.insert({level, chunk});
    } else if (loaded.area(chunk) == nullptr && !walk.atCorner()) {
      // Over big stretches where nothing is loaded. Placeholders in there change no answer.
      internal::skipCube(walk, cell.cell, *loaded.emptyCubeLog2(chunk), 1);
    }
  } while (walk.next());
}

// Loaded chunks that reach as far as the level does, on each side of each axis.
void addOutermost(const World& world, int level, std::set<ChunkPlace>& chunks) {
  if (world.level(level).loadedChunks() == 0) return;
  const ChunkCoord min = world.level(level).bounds().min();
  const ChunkCoord max = world.level(level).bounds().max();
  Vec<bool, 3> low{};
  Vec<bool, 3> high{};
  world.level(level).forEachLoaded([&](const ChunkCoord& at, const Chunk&) {
    bool is_new = false;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_low = at[axis] == min[axis] && !low[axis];
      const bool is_high = at[axis] == max[axis] && !high[axis];
      low[axis] = low[axis] || is_low;
      high[axis] = high[axis] || is_high;
      is_new = is_new || is_low || is_high;
    }
    if (is_new) chunks.insert({level, at});
  });
}

}  // namespace

std::string saveShot(const Explanation& explanation, const ScenarioQuery& query,
                     const ShotRules& rules,
                     const std::function<std::string_view(BlockTypeId)>& name) {
  const Scene& scene = explanation.scene;
  const auto& shot = std::get<ShotQuery>(query.ask);
  // A shot that max_hits cuts may look for the unknown behind what would have ended it.
  const bool to_the_end = shot.max_hits.has_value() && (shot.unknown || shot.stop_at_unknown);
  const HitTime end = to_the_end ? HitTime(Fraction::one()) : explanation.clip;
  std::set<ChunkPlace> chunks;
  for (int level = 0; level < scene.world.frame().levels(); ++level) {
    if (!scene.levels.contains(level)) continue;
    addChunks(scene, level, end, chunks);
    if (shot.level_parts) addOutermost(scene.world, level, chunks);
  }
  ScenarioPart part{.world = scene.world,
                    .entities = scene.entities,
                    .chunks = {chunks.begin(), chunks.end()},
                    .entities_kept = {},
                    .name = name,
                    .stopping_types = rules.stopping_types,
                    .stopping_classes = rules.stopping_classes,
                    .queries = {query},
                    .about =
                        "Saved by fractalray explain: one shot, the chunks that it saw and the "
                        "entities on its way. What is beside the segment or behind its end is left "
                        "out."};
  for (const EntityStory& story : explanation.entities)
    part.entities_kept.push_back(story.entity);
  return formatScenario(part);
}

absl::Status checkSaved(std::string_view text, const std::string& answer) {
  const absl::StatusOr<Scenario> scenario = parseScenario(text, "the saved scenario");
  if (!scenario.ok()) return absl::InternalError(scenario.status().message());
  std::string again;
  absl::Status status = answerScenario(*scenario, [&](std::string_view piece) {
    again += piece;
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (again == answer) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("the saved scenario is answered otherwise; saved: ", again, "shot: ", answer));
}

}  // namespace fractalray
