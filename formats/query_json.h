// SPDX-License-Identifier: Apache-2.0
// Reads queries as JSON files write them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/corner_policy.h"
#include "../core/grid_walk.h"
#include "../core/level_mask.h"
#include "../core/ray.h"
#include "../core/segment.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "../query/fields.h"
#include "../query/query_options.h"
#include "input_limits.h"
#include "json.h"
#include "named_rules.h"

namespace fractalray {

// The id of a query, which its answer echoes: a string, or a number.
struct QueryId {
  std::string text{};  // of a number, its digits
  bool is_number = false;

  // Returns it as JSON.
  std::string json() const;
};

// The cells of a line, in 2 or 3 dimensions; the third component of a walk in 2 means nothing.
struct WalkQuery {
  int dimensions = 3;
  Vec3d from{};
  Vec3d to{};
  Vec3i cell{kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock};  // the cells' widths, in units
  CornerPolicy corner = CornerPolicy::kBoth;
};

using AnyWalk = std::variant<GridWalk<2>, GridWalk<3>>;

// Makes the walk itself, at its first cell. Errors: INVALID_ARGUMENT for an end that is not finite,
// OUT_OF_RANGE for one outside of the frame, RESOURCE_EXHAUSTED for more than limits.cells
// crossings. Requires: cell widths as cellWidth gives them.
absl::StatusOr<AnyWalk> makeWalk(const WalkQuery& query, const InputLimits& limits = {});

// A shot as JSON has it. `options` has its plain members (query/fields.h), except for what is named
// in the file: the others are members of their own.
struct ShotQuery {
  std::variant<Segment, Ray> line;
  LevelMask levels;
  QueryOptions options{};
  std::string channel = "default";
  std::vector<EntityId> ignore{};
  // The terminal rules of the shot, null for none; and the budgets that it starts with, if they are
  // not the rules' own amounts.
  std::shared_ptr<const NamedRules> rules{};
  std::optional<Budgets> budgets{};
  bool spans = false;  // true if the answer has the spans of each hit (query/hit_spans.h)
};

// Returns the name of an option of shots in JSON, "" for one without meaning there.
constexpr std::string_view shotMemberName(std::string_view option) {
  if (option == "report_unknown") return "unknown";
  if (option == "report_level_spans") return "level_parts";
  const bool is_of_others = option == "entities_block" || option == "report_blocker" ||
                            option == "max_batch_steps" || option == "after_by_id";
  return is_of_others ? std::string_view() : option;
}

// Calls visit(name, option ...) for each option of a shot by its name in JSON, in the order in
// which it is written; see forEachField().
template <class Visit, class... Options>
void forEachShotOption(const Visit& visit, Options&... options) {
  forEachField(
      [&](const FieldName& field, auto&... members) {
        const std::string_view name = shotMemberName(field.name);
        if (!name.empty()) visit(FieldName{name, field.help}, members...);
      },
      options...);
}

// Returns the line of a shot in units; errors of toUnits() or toFixedSegment().
absl::StatusOr<FixedSegment> lineOf(const ShotQuery& query);

// Returns the options of a shot on a world with these types. A channel that no type lists is
// everywhere what "default" is. The options borrow the ignore list, the rules and the budgets from
// `query`.
QueryOptions toOptions(const ShotQuery& query, const BlockTypeTable& types);

// Reads a list of level numbers; leaves out those that no world has (kMaxLevels and beyond).
LevelMask readLevels(const JsonReader& value);
// Returns a level mask as such a list.
std::string levelsJson(LevelMask levels);
// Returns a cell's width in units. Errors: INVALID_ARGUMENT below one unit (1/65536) and for what
// is not a multiple of it, OUT_OF_RANGE beyond 2^61 units.
absl::StatusOr<std::int64_t> cellWidth(double blocks);

// Reads the id that a query has in its answer: a string or a number.
QueryId readQueryId(const JsonReader& value);
// Reads the members of a shot {"from", "to", "levels", "corner", "channel", ...}; those that may be
// left out have the values of `usual`, and "levels" may be if `usual` has any. A ray has "origin",
// "direction", "max_distance" (null for infinite) and perhaps "bounds" instead of the ends. The
// caller refuses other members by refuseOthers(). Errors go to the reader's status. An end outside
// the frame is not an error here: the query reports it when it runs.
ShotQuery readShotQuery(const JsonReader& query, const ShotQuery& usual = {});
// Reads the members of a walk {"dimensions", "from", "to", "cell", "corner"}; otherwise like
// readShotQuery().
WalkQuery readWalkQuery(const JsonReader& query);

}  // namespace fractalray
