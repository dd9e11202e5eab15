// SPDX-License-Identifier: Apache-2.0
// Reads queries of sight as JSON files write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/ray.h"
#include "../core/units.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "../query/fields.h"
#include "../query/sight.h"
#include "json.h"

namespace fractalray {

// A point and a box, in finest-block widths or in units, which doubles cannot say far out.
using AnyPoint = std::variant<Vec3d, Vec3i>;
using AnyBox = std::variant<Bounds, FixedBox>;

// A query of sight as JSON has it. `options` has its plain members, except for what is a word in
// the file: the others are members of their own.
struct ViewQuery {
  enum class Kind : std::uint8_t { kVisible, kExposure };

  Kind kind = Kind::kVisible;
  AnyPoint eye{};
  AnyBox box{};
  LevelMask levels{};
  SightOptions options{};
  std::string channel = "default";
  std::string unloaded = "report";  // any word: the query reports one that is wrong when it runs
  std::vector<EntityId> ignore{};
  std::vector<AnyBox> occluders{};
};

// A query of sight as the library takes it. The options borrow from it and from its ViewQuery.
struct PreparedView {
  SightQuery query{};
  std::vector<FixedBox> occluders{};
  SightOptions options{};
  // OUT_OF_RANGE for a position that units cannot express. The query then has another one there
  // that the library refuses too, so that what is wrong besides is found.
  absl::Status beyond_frame{};

  PreparedView() = default;
  PreparedView(PreparedView&&) = default;
  PreparedView& operator=(PreparedView&&) = default;

  // Returns the error to report of a query that the library has refused.
  absl::Status errorOf(const absl::Status& refused) const {
    return errorToReport({beyond_frame, refused});
  }
};

// Returns the name of an option of sight in JSON, "" for one without meaning for it.
constexpr std::string_view viewMemberName(std::string_view option) {
  if (option == "report_certificate") return "certificate";
  return option == "solid_only" || option == "entities" ? std::string_view() : option;
}

// Calls visit(name, option ...) for each option of sight by its name in JSON; see forEachField().
template <class Visit, class... Options>
void forEachViewOption(const Visit& visit, Options&... options) {
  forEachField(
      [&](const FieldName& field, auto&... members) {
        const std::string_view name = viewMemberName(field.name);
        if (!name.empty()) visit(FieldName{name, field.help}, members...);
      },
      options...);
}

// Rounds the positions of a query to units, and finds its channel among those of the types; one
// that no type lists is everywhere what "default" is. Errors: INVALID_ARGUMENT for a coordinate
// that is no number, and for an unknown word for unloaded space.
absl::StatusOr<PreparedView> prepareView(const ViewQuery& query, const BlockTypeTable& types);

// Reads the members of a query of sight {"eye", "box", "levels", "unloaded", ...}. The eye, the box
// and "occluders" may be integers in units, as "eye_units", "box_units" and "occluder_units". The
// caller refuses other members by refuseOthers(). Errors go to the reader's status; what the
// library refuses is not an error here: the query reports it when it runs.
ViewQuery readViewQuery(const JsonReader& query, ViewQuery::Kind kind);
// Returns the members of a query, `"op": "visible", "eye": [0, 0, 0], ...`, without those that have
// their usual values. readViewQuery() reads back the same query.
std::string viewJson(const ViewQuery& query);

}  // namespace fractalray
