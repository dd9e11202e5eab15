// SPDX-License-Identifier: Apache-2.0
// Checks which shapes of block types a scenario may not have, with the position and the reason.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "sound_scenario.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// A block type that is set to a value, and the refusal.
struct WrongShape {
  const char* pointer;
  const char* value;
  const char* refusal;
};

TEST(ScenarioShapesTest, WrongShapesAreRefusedWithThePositionAndTheReason) {
  const std::vector<WrongShape> wrong = {
      {"/block_types/stone", R"({"boxes": []})", R"(block_types.stone: the member "default")"},
      {"/block_types/stone", R"({"kind": "solid", "box": []})",
       R"(block_types.stone: unknown member "box")"},
      {"/block_types/stone", R"({"kind": "solid", "boxes": 7})",
       "block_types.stone.boxes: expected an array"},
      {"/block_types/stone", R"({"kind": "solid", "boxes": [[[0, 0, 0], [1, 1, 1]], [[0, 0, 0]]]})",
       "block_types.stone.boxes[1]: expected an array of 2 corners"},
      {"/block_types/stone", R"({"kind": "solid", "boxes": [[[0, 0, 0], [1, null, 1]]]})",
       "block_types.stone.boxes[0][1][1]: expected a"},
      {"/block_types/stone", R"({"kind": "solid", "boxes": [[[0, 0.5, 0], [1, 0.5, 1]]]})",
       "block_types.stone.boxes[0]: a box of a shape is flat on axis y, from 0.5 to 0.5"},
      {"/block_types/stone", R"({"kind": "solid", "boxes": [[[0, 0, 1], [1, 1, 0]]]})",
       "block_types.stone.boxes[0]: a box of a shape is flat on axis z, from 1 to 0"},
      {"/block_types/glass/sight", R"({"kind": "solid", "boxes": [[[0, 0, 0], [1, 1e9, 1]]]})",
       "block_types.glass.sight.boxes[0]: a box of a shape is not inside on axis y, from 0 to "
       "1e+09"},
      {"/block_types/glass/sight", R"({"kind": "solid", "boxes": [[[-1e-9, 0, 0], [1, 1, 1]]]})",
       "block_types.glass.sight.boxes[0]: a box of a shape is not inside on axis x, from -1e-09"},
  };
  for (const WrongShape& each : wrong) {
    const std::string refused = refusal(spoiled(each.pointer, each.value));
    EXPECT_THAT(refused, StartsWith(std::string("f.json: ") + each.refusal)) << each.value;
    EXPECT_EQ(refused.find('\n'), std::string::npos) << refused;
  }
}

TEST(ScenarioShapesTest, AShapeOfTooManyBoxesIsRefused) {
  std::string boxes;
  for (int i = 0; i < 1000; ++i)
    boxes += (i > 0 ? ", " : "") + std::string("[[0, 0, 0], [1, 1, 1]]");
  EXPECT_THAT(refusal(spoiled("/block_types/glass/sight",
                              R"({"kind": "solid", "boxes": [)" + boxes + "]}")),
              HasSubstr("block_types.glass.sight.boxes: a shape of 1000 boxes; it may have 255"));
}

}  // namespace
}  // namespace fractalray
