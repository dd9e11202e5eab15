// SPDX-License-Identifier: Apache-2.0
// The queries of sight as a log has them: block types and channels by name, arrays of their own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "../../core/fixed_box.h"
#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "../../query/blast.h"
#include "../../query/block_search.h"
#include "../../query/observed_sight.h"
#include "../../query/query_filter.h"
#include "../../query/sight.h"

namespace fractalray {

// A filter besides that of the occluders.
struct LoggedFilter {
  QueryFilter plain{};  // the plain members (query/fields.h)
  std::string channel = "default";
  std::vector<EntityId> ignore;
};

// Returns the filter to run a query again. A channel that the table lacks becomes one that is
// refused. Borrows the ignore list.
QueryFilter filterOf(const LoggedFilter& filter, const BlockTypeTable& types);

// The arguments of each verb, but for the options of the occluders, which all of them have.
struct LoggedVisible {
  using Call = VisibleCall;
  SightQuery query{};
};
struct LoggedExposure {
  using Call = ExposureCall;
  SightQuery query{};
};
struct LoggedVisibleBoxes {
  using Call = VisibleBoxesCall;
  struct Viewer {
    std::vector<Vec3i> eyes;

    friend bool operator==(const Viewer&, const Viewer&) = default;
  };
  std::vector<Viewer> viewers;
  std::vector<FixedBox> boxes;
  std::int64_t max_distance = std::numeric_limits<std::int64_t>::max();
  Sight if_undecided = Sight::kUndecided;
  bool leaves_out = false;   // it had the function; the answer says which pairs that left out
  bool has_history = false;  // answers were kept for it, or by it
};
struct LoggedVisibleBlocks {
  using Call = VisibleBlocksCall;
  Vec3d eye{};
  double radius = 0;
  std::vector<std::string> types;  // empty for one that the table lacked
  LoggedFilter targets;
};
struct LoggedBlast {
  using Call = BlastCall;
  struct Resistance {
    std::string type_name;  // empty for a number that the table lacked
    std::int64_t resistance = 0;

    friend bool operator==(const Resistance&, const Resistance&) = default;
  };
  Vec3d center{};
  double radius = 0;
  std::int64_t falloff = 0;
  std::uint64_t max_samples = 0;
  std::vector<BlastRay> rays;
  std::vector<Resistance> resistances;  // but for kUnbreakable
  LoggedFilter filter;
};

// The question of a query of sight; its index is the number of its verb.
using LoggedQuestion = std::variant<LoggedVisible, LoggedExposure, LoggedVisibleBoxes,
                                    LoggedVisibleBlocks, LoggedBlast>;

// The members that a query of sight alone has.
struct LoggedSight {
  LoggedQuestion question;
  SightOptions options{};  // the plain ones (query/fields.h)
  std::vector<FixedBox> occluders{};

  SightVerb verb() const { return SightVerb{static_cast<std::uint8_t>(question.index())}; }
};

// Blocks of answers, by the names of their types.
struct LoggedFoundBlock : FoundBlock {
  std::string type_name;
};
struct LoggedBrokenBlock : BrokenBlock {
  std::string type_name;
};

// The answer of visibleBlocks().
struct LoggedBlocks {
  std::vector<LoggedFoundBlock> visible;
  std::vector<LoggedFoundBlock> unknown;
  std::vector<LoggedFoundBlock> undecided;
};
// The answer of blast().
struct LoggedBlastAnswer {
  bool reaches_unknown = false;
  std::vector<LoggedBrokenBlock> blocks;
  std::vector<ExposedEntity> entities;  // without handles
};

}  // namespace fractalray
