// SPDX-License-Identifier: Apache-2.0
// Shapes of block types by the C interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "../../bindings/c/fractalray_c.h"

namespace fractalray {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ShapesTest : public ::testing::Test {
 protected:
  ShapesTest() {
    frWorldDef def{};
    def.struct_size = sizeof(def);
    def.version = FR_VERSION;
    def.levels = 1;
    EXPECT_EQ(frCreateWorld(&def, &world_), FR_OK);
  }
  ~ShapesTest() override { EXPECT_EQ(frDestroyWorld(world_), FR_OK); }

  static std::string lastError() { return frGetLastError(); }

  frWorld* world_ = nullptr;
};

TEST_F(ShapesTest, ATypeHasTheShapeInEachChannel) {
  const std::array<double, 12> bars = {0, 0, 0, 0.25, 1, 1, 0.75, 0, 0, 1, 1, 1};
  const std::array<double, 6> slab = {0, 0, 0, 1, 0.5, 1};
  frShape bars_shape = 0;
  frShape slab_shape = 0;
  ASSERT_EQ(frWorld_AddShape(world_, bars.data(), 2, &bars_shape), FR_OK);
  ASSERT_EQ(frWorld_AddShape(world_, slab.data(), 1, &slab_shape), FR_OK);
  frChannel sight = 0;
  ASSERT_EQ(frWorld_AddChannel(world_, "sight", &sight), FR_OK);
  const std::int32_t kind = FR_PERMEABLE;
  frBlockTypeDef def{};
  def.struct_size = sizeof(def);
  def.name = "bars";
  def.kind = FR_SOLID;
  def.shape = bars_shape;
  def.channels = &sight;
  def.channel_kinds = &kind;
  def.channel_shapes = &slab_shape;
  def.channel_count = 1;
  frBlockType type = 0;
  ASSERT_EQ(frWorld_AddBlockType(world_, &def, &type), FR_OK) << lastError();
  std::array<double, 12> boxes{};
  size_t count = 0;
  ASSERT_EQ(frWorld_GetShape(world_, type, 0, boxes.data(), 2, &count), FR_OK);
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(boxes, bars);
  ASSERT_EQ(frWorld_GetShape(world_, type, sight, boxes.data(), 2, &count), FR_OK);
  EXPECT_EQ(count, 1U);
  ASSERT_EQ(frWorld_GetShape(world_, FR_AIR, 0, nullptr, 0, &count), FR_OK);
  EXPECT_EQ(count, 1U);
}

TEST_F(ShapesTest, RefusesBoxesAndShapesThatAreNone) {
  const std::array<double, 6> flat = {0, 0.5, 0, 1, 0.5, 1};
  frShape shape = 7;
  EXPECT_EQ(frWorld_AddShape(world_, flat.data(), 1, &shape), FR_INVALID_ARGUMENT);
  EXPECT_THAT(lastError(), HasSubstr("flat on axis y"));
  EXPECT_EQ(shape, 7);
  EXPECT_EQ(frWorld_AddShape(world_, nullptr, 1, &shape), FR_INVALID_ARGUMENT);
  frBlockTypeDef def{};
  def.struct_size = sizeof(def);
  def.name = "wrong";
  def.kind = FR_SOLID;
  def.shape = 9;
  frBlockType type = 0;
  EXPECT_EQ(frWorld_AddBlockType(world_, &def, &type), FR_INVALID_ARGUMENT);
  EXPECT_THAT(lastError(), HasSubstr("has shape 9"));
}

}  // namespace
}  // namespace fractalray
