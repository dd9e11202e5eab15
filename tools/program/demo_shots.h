// SPDX-License-Identifier: Apache-2.0
// The shots of the demo, with their answers in words and in a picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../entities/entity_index.h"
#include "../../query/ray_query_service.h"
#include "color.h"
#include "picture_overlay.h"

namespace fractalray {

// A shot of the demo, and its title.
struct DemoShot {
  std::string_view title;
  Segment segment;
  LevelMask levels;
  std::string_view channel;
  Rgb color;  // in the picture
  bool stops_at_entities = false;
};

// A shot with its answer, and with its callbacks in the order of their calls: "balloon 2 at 22.02,
// default:dry_grass_3 at 46".
struct DemoAnswer {
  DemoShot shot;
  ShotResult result;
  std::string calls;
};

// Shoots at the structures of the example world, at entities and across its valleys, with a
// callback for every block type and entity class.
absl::StatusOr<std::vector<DemoAnswer>> shootDemoShots(const World& world,
                                                       const EntityIndex& entities);

// Returns title, table and calls of a shot.
std::string formatDemoAnswer(const World& world, const DemoAnswer& answer, Colors colors);

// Returns the lines of the shots that have one of these levels, up to the end of each, with the
// hits on them.
PictureOverlay overlayOf(const std::vector<DemoAnswer>& answers, LevelMask levels);

}  // namespace fractalray
