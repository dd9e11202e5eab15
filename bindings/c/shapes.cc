// SPDX-License-Identifier: Apache-2.0
// Shapes of blocks that do not fill their cube, and the parts of a line inside them.
#include <algorithm>
#include <span>
#include <vector>

#include "../../query/hit_spans.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_input.h"

namespace fractalray::capi {
namespace {

constexpr std::size_t kNumbersOfBox = 6;

absl::StatusOr<std::vector<ShapeBox>> boxesFrom(const double* boxes, std::size_t count) {
  absl::Status status = checkArray({boxes, "boxes"}, count);
  if (status.ok()) status = checkBoxCount(count);
  if (!status.ok()) return status;
  std::vector<ShapeBox> read(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* const box = boxes + i * kNumbersOfBox;
    const absl::StatusOr<ShapeBox> rounded =
        shapeBox({box[0], box[1], box[2]}, {box[3], box[4], box[5]});
    if (!rounded.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("boxes[", i, "]: ", rounded.status().message()));
    }
    read[i] = *rounded;
  }
  return read;
}

void storeBox(const ShapeBox& box, double* to) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    to[axis] = static_cast<double>(box.min[axis]) / kShapeUnits;
    to[axis + 3] = static_cast<double>(box.max[axis]) / kShapeUnits;
  }
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frWorld_AddShape(frWorld* world, const double* boxes, size_t count, frShape* shape) {
  return editing(__func__, world, {{shape, "shape"}}, [&](WorldState& state) -> absl::Status {
    const absl::StatusOr<std::vector<fractalray::ShapeBox>> read = boxesFrom(boxes, count);
    if (!read.ok()) return read.status();
    const absl::StatusOr<fractalray::ShapeId> added =
        state.editWorld().blockTypes().addShape(*read);
    if (!added.ok()) return added.status();
    *shape = static_cast<frShape>(*added);
    return absl::OkStatus();
  });
}

frResult frWorld_GetShape(const frWorld* world, frBlockType type, frChannel channel, double* boxes,
                          size_t capacity, size_t* count) {
  return reading(__func__, world, {}, [&](const WorldState& state) -> absl::Status {
    absl::Status status = checkArray({boxes, "boxes"}, capacity);
    if (status.ok()) status = checkOptional({count, "count"});
    if (status.ok()) status = checkBlockType(state, type);
    if (status.ok()) status = checkChannel(state, channel);
    if (!status.ok()) return status;
    const fractalray::BlockTypeTable& types = state.world().blockTypes();
    const std::span<const fractalray::ShapeBox> shape =
        types.boxes(types.shape(typeFromC(type), static_cast<fractalray::ChannelId>(channel)));
    for (std::size_t i = 0; i < std::min(capacity, shape.size()); ++i)
      storeBox(shape[i], boxes + i * kNumbersOfBox);
    if (count != nullptr) *count = shape.size();
    return status;
  });
}

frResult frWorld_GetHitSpans(const frWorld* world, const frLine* line,
                             const frQueryOptions* options, const frHit* hit, double* spans,
                             size_t capacity, size_t* count) {
  return reading(
      __func__, world, {{line, "line"}, {hit, "hit"}, {count, "count"}},
      [&](const WorldState& state) -> absl::Status {
        absl::Status status = checkArray({spans, "spans"}, capacity);
        if (!status.ok()) return status;
        const absl::StatusOr<fractalray::Hit> of_line = fromC(*hit);
        if (!of_line.ok()) return of_line.status();
        std::vector<fractalray::HitSpan> found;
        std::vector<fractalray::Hit> after;
        status = runWithOptions(options, state, after, [&](const fractalray::QueryOptions& given) {
          return fractalray::hitSpans(state.world(), fromC(*line), *of_line, given, found);
        });
        if (!status.ok()) return status;
        *count = found.size();
        if (capacity == 0) return status;
        if (capacity < found.size()) {
          return absl::OutOfRangeError(
              absl::StrCat("the hit has ", found.size(), " spans, and capacity is ", capacity));
        }
        for (std::size_t i = 0; i < found.size(); ++i) {
          spans[2 * i] = found[i].t0;
          spans[2 * i + 1] = found[i].t1;
        }
        return status;
      });
}

}  // extern "C"
