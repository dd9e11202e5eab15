// SPDX-License-Identifier: Apache-2.0
// Pictures of a world, made by shots through the query service alone: one a pixel.
#pragma once

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../formats/image.h"
#include "../query/ray_query_service.h"

namespace fractalray {

// A pinhole camera in finest-block widths; y is up, as in Luanti.
struct Camera {
  Vec3d position{};
  Vec3d target{};                     // the point in the middle of the picture
  double field_of_view_degrees = 70;  // from the left to the right edge
};

struct PictureOptions {
  int width = 960;
  int height = 540;
  LevelMask levels;
  ChannelId channel = kDefaultChannel;
  double view_distance = 1000;  // in finest-block widths; things fade into the sky on the way there
};

// A camera that sees all that is loaded on the finest level from above one of its corners; nothing
// where nothing is loaded.
std::optional<Camera> overviewCamera(const World& world);

// Renders the world: the colour of each hit by its block type's name, shaded by its face, permeable
// blocks as a tint by the length travelled in them, entities in a colour by their class. `progress`
// is told the rows done, from this thread. Deterministic: the same picture on any number of
// threads. INVALID_ARGUMENT for a camera or a size that makes no picture; RESOURCE_EXHAUSTED where
// memory runs out; errors of shootSegment.
absl::StatusOr<Image> renderPicture(const World& world, const RayQueryService& service,
                                    const Camera& camera, const PictureOptions& options,
                                    absl::FunctionRef<void(int rows_done)> progress);

}  // namespace fractalray
