// SPDX-License-Identifier: Apache-2.0
#include "scenario_export.h"

#include <set>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../../formats/scenario_write.h"

namespace fractalray {
namespace {

// Adds the loaded chunks at the border of a level's bounding box, on each side of each axis.
void addOutermost(const World& world, int level, std::set<ChunkOfLevel>& chunks) {
  const std::optional<ChunkBox> loaded = world.loadedBox(level);
  if (!loaded.has_value()) return;
  Vec<bool, 3> low{};
  Vec<bool, 3> high{};
  world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) {
    bool is_new = false;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_low = at[axis] == loaded->min[axis] && !low[axis];
      const bool is_high = at[axis] == loaded->max[axis] && !high[axis];
      low[axis] = low[axis] || is_low;
      high[axis] = high[axis] || is_high;
      is_new = is_new || is_low || is_high;
    }
    if (is_new) chunks.insert({level, at});
  });
}

}  // namespace

std::string saveShot(const Explanation& explanation, const ScenarioQuery& query,
                     const StoppingCallbacks& stopping,
                     const std::function<std::string_view(BlockTypeId)>& name) {
  const internal::QueryContext& context = explanation.context;
  const auto& shot = std::get<ShotQuery>(query.ask);
  // A shot that max_hits ends may search for unloaded space past the hit that would have ended it.
  const QueryOptions& options = shot.options;
  const bool to_the_end = options.max_hits != QueryOptions().max_hits &&
                          (options.report_unknown || options.stop_at_unknown);
  std::set<ChunkOfLevel> chunks;
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (!context.levels.contains(level)) continue;
    for (const ChunkCoord& chunk : chunksAlong(explanation, level, to_the_end))
      chunks.insert({level, chunk});
    if (options.report_level_spans) addOutermost(context.world, level, chunks);
  }
  ScenarioPart part{.world = context.world,
                    .entities = context.entities,
                    .chunks = {chunks.begin(), chunks.end()},
                    .entities_kept = {},
                    .name = name,
                    .stopping_types = stopping.stopping_types,
                    .stopping_classes = stopping.stopping_classes,
                    .queries = {query},
                    .about =
                        "Saved by fractalray explain: one shot, with the chunks and entities along "
                        "it. Everything off the segment or after its end is left out."};
  for (const EntityTrace& trace : explanation.entities)
    part.entities_kept.push_back(trace.entity);
  return formatScenario(part);
}

absl::Status checkSaved(std::string_view text, const std::string& answer) {
  absl::StatusOr<Scenario> scenario = parseScenario(text, "the saved scenario");
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
