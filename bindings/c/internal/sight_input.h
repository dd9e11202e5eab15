// SPDX-License-Identifier: Apache-2.0
// The options of a query of sight as the library takes them, converted from those of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../query/sight.h"
#include "../fractalray_c.h"
#include "vectors.h"

namespace fractalray::capi {

// The names of the options and of the arrays that they point to, for errors.
struct SightOptionNames {
  const char* options = "options";
  const char* ignore = "options->ignore";
  const char* occluders = "options->occluders";
};

// Refers to itself by the functions of the options; so it is neither copied nor moved.
class SightInput {
 public:
  SightInput() = default;
  SightInput(const SightInput&) = delete;
  SightInput& operator=(const SightInput&) = delete;

  // Reads options, which may be null, and must outlive this with all that they point to.
  absl::Status read(const frSightOptions* options, const SightOptionNames& names = {});

  const SightOptions& options() const { return options_; }
  SightOptions& edit() { return options_; }

 private:
  void readFunctions(const frSightOptions& options);

  SightOptions options_;
  std::vector<FixedBox> occluders_;
  // The caller's functions.
  frPredicateFcn* block_filter_ = nullptr;
  frPredicateFcn* entity_filter_ = nullptr;
  void* filter_context_ = nullptr;
};

inline FixedBox fromC(const frFixedBox& box) {
  return {.min = {box.min[0], box.min[1], box.min[2]}, .max = {box.max[0], box.max[1], box.max[2]}};
}
inline SightQuery fromC(const frSightQuery& query) {
  return {.eye = {query.eye[0], query.eye[1], query.eye[2]}, .box = fromC(query.box)};
}
inline frFixedBox toC(const FixedBox& box) {
  return {.min = {box.min[0], box.min[1], box.min[2]}, .max = {box.max[0], box.max[1], box.max[2]}};
}
inline frSightQuery toC(const SightQuery& query) {
  return {.eye = {query.eye[0], query.eye[1], query.eye[2]}, .box = toC(query.box)};
}

void write(const SightStats& stats, frSightStats& to);
// Returns a point of the caller in units. `name` is that of the point, as "the eye".
absl::StatusOr<Vec3i> unitsAt(const VectorReader& points, std::size_t i, std::string_view name);

// Returns boxes of the caller. Requires: the array has been checked.
std::vector<FixedBox> boxesFrom(const frFixedBox* boxes, std::size_t count);

}  // namespace fractalray::capi
