// SPDX-License-Identifier: Apache-2.0
// Pictures of a world, made by queries of the service alone: a shot for each sample of a pixel, and
// a line of sight from there to the sun.
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../core/level_mask.h"
#include "../../core/parallel_for.h"
#include "../../formats/image.h"
#include "../../query/ray_query_service.h"
#include "camera.h"
#include "light.h"
#include "picture_overlay.h"

namespace fractalray {

struct PictureOptions {
  int width = 960;
  int height = 540;
  // The samples across and down in each pixel, 1 to 8.
  int samples = 2;
  LevelMask levels{};
  // The channels of the eye and of the sunlight: leaves, say, are seen through but give shade.
  ChannelId channel = kDefaultChannel;
  ChannelId shadow_channel = kDefaultChannel;
  bool shadows = true;
  // Leaves out the blocks of coarse levels whose finer chunk is not loaded. Such blocks are
  // permeable, since their content is unknown, and would surround a small world like a wall.
  bool detailed_only = false;
  double view_distance = 1000;  // in finest-block widths; things fade into the sky on the way there
  Sky sky{};
  PictureOverlay overlay{};
};

// Renders the world: the colour of each hit by its block type's name, lit by the sky and the sun,
// permeable blocks as a tint by the length travelled in them, entities in a colour by their class.
// `parallel_for` spreads the rows; `progress` is called on this thread with the number of rows
// done. The same picture on every machine and with any number of threads. INVALID_ARGUMENT for a
// camera or a size that makes no picture; RESOURCE_EXHAUSTED if memory runs out; errors of
// shootSegment. Requires: a service without callbacks, if `parallel_for` uses threads.
absl::StatusOr<Image> renderPicture(const World& world, const RayQueryService& service,
                                    const Camera& camera, const PictureOptions& options,
                                    ParallelFor parallel_for,
                                    absl::FunctionRef<void(int rows_done)> progress);

}  // namespace fractalray
