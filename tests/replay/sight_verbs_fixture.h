// SPDX-License-Identifier: Apache-2.0
// Shared by tests of sight of many boxes, blocks in sight and blasts in logs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../../core/units.h"
#include "recording_fixture.h"

namespace fractalray {

// The stone of the corridor at 40 is between the eyes and the first box.
class SightVerbsReplayTest : public RecordingTest {
 protected:
  SightVerbsReplayTest() : resistances_(world_.blockTypes().size(), kUnbreakable) {
    resistances_[BlockTypeTable::index(kAir)] = 0;
    resistances_[BlockTypeTable::index(kStone)] = 100;
  }

  static FixedBox box(const Vec3d& min, const Vec3d& max) { return toFixedBox({min, max}).value(); }
  static Vec3i point(const Vec3d& position) { return toUnits(position, "the point").value(); }

  // Asks two viewers for two boxes, for the blocks around an eye, and for a blast.
  void askAll() {
    const LevelMask levels = world_.allLevels();
    EXPECT_THAT(
        service_.visibleBoxes(viewers_, boxes_, levels)->answers,
        testing::ElementsAre(Sight::kHidden, Sight::kVisible, Sight::kSkipped, Sight::kSkipped));
    EXPECT_THAT(service_.visibleBlocks({0.5, 0.5, 0.5}, 45, levels)->visible, testing::SizeIs(3));
    const absl::StatusOr<Blast> blast = service_.blast(blastQuery(), levels);
    ASSERT_TRUE(blast.ok()) << blast.status();
    EXPECT_THAT(blast->blocks, testing::SizeIs(1));
    EXPECT_THAT(blast->entities, testing::SizeIs(1));
  }
  BlastQuery blastQuery() const {
    return {.center = {36.5, 0.5, 0.5},
            .radius = 20,
            .rays = rays_,
            .resistances = resistances_,
            .falloff = 1};
  }

  // The second viewer has no eye.
  const std::array<Vec3i, 2> eyes_ = {point({0.5, 0.5, 0.5}), point({1.5, 0.5, 0.5})};
  const std::vector<SightViewer> viewers_ = {{eyes_}, {}};
  const std::vector<FixedBox> boxes_ = {box({42, 0.25, 0.25}, {43, 0.75, 0.75}),
                                        box({30, 0.25, 0.25}, {31, 0.75, 0.75})};
  const std::vector<BlastRay> rays_ = {
      {.step = {kUnitsPerBlock / 2, 0, 0}, .power = 1000},
      {.step = {-kUnitsPerBlock / 2, 0, 0}, .power = 1000},
  };
  std::vector<std::int64_t> resistances_;
};

}  // namespace fractalray
