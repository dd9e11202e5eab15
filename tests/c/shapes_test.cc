// SPDX-License-Identifier: Apache-2.0
// Shapes of block types by the C interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

TEST_F(ShapesTest, RefusesBoxesThatAreNoneAndNamesThem) {
  struct Refused {
    std::array<double, 6> box;
    const char* message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::array<Refused, 7> all = {{
      {{0, 0.5, 0, 1, 0.5, 1}, "boxes[1]: a box of a shape is flat on axis y, from 0.5 to 0.5"},
      {{0, 0, 0.75, 1, 1, 0.25}, "is flat on axis z, from 0.75 to 0.25"},
      {{0, 0, 0, 1, 1, 1e-6}, "is flat on axis z"},
      {{0, 0, 0, 1.5, 1, 1}, "is not inside on axis x, from 0 to 1.5"},
      {{0, -1e9, 0, 1, 1, 1}, "is not inside on axis y, from -1e+09 to 1"},
      {{0, nan, 0, 1, 1, 1}, "is not inside on axis y, from nan to 1"},
      {{0, 0, 0, 1, 1, infinity}, "is not inside on axis z, from 0 to inf"},
  }};
  for (const Refused& refused : all) {
    std::array<double, 12> boxes = {0, 0, 0, 1, 0.5, 1};
    std::copy(refused.box.begin(), refused.box.end(), boxes.begin() + 6);
    frShape shape = 7;
    EXPECT_EQ(frWorld_AddShape(world_, boxes.data(), 2, &shape), FR_INVALID_ARGUMENT);
    EXPECT_THAT(lastError(), HasSubstr(refused.message));
    EXPECT_EQ(shape, 7);
  }
  // No shape has been added: the next one is the first.
  const std::array<double, 6> slab = {0, 0, 0, 1, 0.5, 1};
  frShape shape = 0;
  EXPECT_EQ(frWorld_AddShape(world_, slab.data(), 1, &shape), FR_OK);
  EXPECT_EQ(shape, 1);
}

TEST_F(ShapesTest, RefusesMoreBoxesThanAShapeMayHaveWithoutReadingThem) {
  const std::array<double, 6> slab = {0, 0, 0, 1, 0.5, 1};
  frShape shape = 7;
  for (const size_t count : {size_t{256}, std::numeric_limits<size_t>::max()}) {
    EXPECT_EQ(frWorld_AddShape(world_, slab.data(), count, &shape), FR_INVALID_ARGUMENT);
    EXPECT_THAT(lastError(), HasSubstr("255"));
  }
  EXPECT_EQ(frWorld_AddShape(world_, nullptr, 1, &shape), FR_INVALID_ARGUMENT);
  EXPECT_EQ(frWorld_AddShape(world_, slab.data(), 1, nullptr), FR_INVALID_ARGUMENT);
  EXPECT_EQ(shape, 7);
}

TEST_F(ShapesTest, RefusesTypesOfShapesThatAreNotThere) {
  frBlockTypeDef def{};
  def.struct_size = sizeof(def);
  def.name = "wrong";
  def.kind = FR_SOLID;
  def.shape = 9;
  frBlockType type = 7;
  EXPECT_EQ(frWorld_AddBlockType(world_, &def, &type), FR_INVALID_ARGUMENT);
  EXPECT_THAT(lastError(), HasSubstr("\"wrong\" has shape 9"));
  EXPECT_EQ(type, 7);
  EXPECT_EQ(frWorld_FindBlockType(world_, "wrong", &type), FR_NOT_FOUND);
}

TEST_F(ShapesTest, ATableHoldsNoMoreThan65536Shapes) {
  std::array<double, 6> post = {0, 0, 0, 1, 0, 1};
  frShape shape = 0;
  for (int height = 1; height < 65536; ++height) {
    post[4] = height / 65536.0;
    ASSERT_EQ(frWorld_AddShape(world_, post.data(), 1, &shape), FR_OK) << lastError();
  }
  EXPECT_EQ(shape, 65535);
  post = {0, 0, 0, 0.5, 0.5, 0.5};
  EXPECT_EQ(frWorld_AddShape(world_, post.data(), 1, &shape), FR_RESOURCE_EXHAUSTED);
  EXPECT_THAT(lastError(), HasSubstr("65536"));
  EXPECT_EQ(shape, 65535);
}

}  // namespace
}  // namespace fractalray
