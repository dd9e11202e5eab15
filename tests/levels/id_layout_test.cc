// SPDX-License-Identifier: Apache-2.0
#include "../../levels/id_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fractalray::id_layout_test {
namespace {

using testing::HasSubstr;

constexpr BlockTypeId kStone{4};
constexpr BlockTypeId kWater{1};

TEST(IdLayoutTest, OneThatIsNotMadeIsThatOfIds) {
  const IdLayout layout;
  EXPECT_TRUE(layout.isPlain());
  EXPECT_EQ(layout.idBytes(), 2);
  EXPECT_EQ(layout.offset({1, 2, 3}), 2 * (1 + 16 * 2 + 256 * 3));
  EXPECT_EQ(layout.tableSize(), std::nullopt);
  EXPECT_EQ(layout.type({65535}), BlockTypeId{65535});
  EXPECT_EQ(layout.idOf(kStone), StoredId{4});
  EXPECT_TRUE(layout.keepsApart(16));
}

TEST(IdLayoutTest, WrongSpecsAreRefusedWithTheValue) {
  for (const int bytes : {-1, 0, 3, 8}) {
    const auto layout = IdLayout::make({.id_bytes = bytes});
    EXPECT_EQ(layout.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(layout.status().message()), HasSubstr(std::to_string(bytes)));
  }
  const std::int64_t most = std::int64_t{1} << 40;
  EXPECT_TRUE(IdLayout::make({.strides = {most, -most, 0}}).ok());
  for (const std::int64_t stride : {most + 1, -most - 1, INT64_MIN, INT64_MAX}) {
    const auto layout = IdLayout::make({.strides = {2, stride, 512}});
    EXPECT_EQ(layout.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(layout.status().message()), HasSubstr("axis 1"));
    EXPECT_THAT(std::string(layout.status().message()), HasSubstr(std::to_string(stride)));
  }
}

TEST(IdLayoutTest, StridesThatCountIdsInsteadOfBytesAreRefused) {
  for (const std::int64_t stride : {1, -1}) {
    const auto layout = IdLayout::make({.id_bytes = 2, .strides = {stride, 32, 1024}});
    EXPECT_EQ(layout.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(layout.status().message()),
                HasSubstr("the stride " + std::to_string(stride) +
                          " of axis 0 is less than an id of 2 bytes"));
    EXPECT_THAT(std::string(layout.status().message()), HasSubstr("strides are in bytes"));
  }
  EXPECT_FALSE(IdLayout::make({.id_bytes = 4, .strides = {4, 64, 3}}).ok());
  EXPECT_TRUE(IdLayout::make({.id_bytes = 4, .strides = {4, 0, -4}}).ok());
}

TEST(IdLayoutTest, IdsAreReadAndWrittenAtAnyAlignmentAndNothingElse) {
  for (const int bytes : {1, 2, 4}) {
    const IdLayout layout =
        IdLayout::make({.id_bytes = bytes, .strides = {bytes, 16 * bytes, 256 * bytes}}).value();
    std::array<std::uint8_t, 9> memory{};
    memory.fill(0x77);
    layout.write(&memory[3], {0x11223344});
    EXPECT_EQ(layout.read(&memory[3]).id, bytes == 4 ? 0x11223344U : bytes == 2 ? 0x3344U : 0x44U);
    for (int i = 0; i < 9; ++i) {
      if (i < 3 || i >= 3 + bytes) {
        EXPECT_EQ(memory[static_cast<std::size_t>(i)], 0x77);
      }
    }
  }
}

TEST(IdLayoutTest, TheTableIsCopiedAndInvertedToTheSmallestId) {
  std::vector<BlockTypeId> types = {kAir, kStone, kNoBlockType, kStone, kWater};
  const IdLayout layout = IdLayout::make({.id_bytes = 1, .types = types}).value();
  types.assign(5, kAir);
  EXPECT_EQ(layout.tableSize(), 5U);
  EXPECT_EQ(layout.type({3}), kStone);
  EXPECT_EQ(layout.type({2}), kNoBlockType);
  EXPECT_EQ(layout.type({5}), std::nullopt);
  EXPECT_EQ(layout.type({0xffffffff}), std::nullopt);
  EXPECT_EQ(layout.idOf(kStone), StoredId{1});
  EXPECT_EQ(layout.idOf(kWater), StoredId{4});
  EXPECT_EQ(layout.idOf(BlockTypeId{2}), std::nullopt);
  EXPECT_EQ(layout.idOf(BlockTypeId{9}), std::nullopt);
  const IdLayout none = IdLayout::make({.types = std::span<const BlockTypeId>()}).value();
  EXPECT_EQ(none.type({0}), std::nullopt) << "an empty table contains nothing";
}

// A node as Luanti stores it; its facing is the lowest 5 bits of param2.
struct Node {
  std::uint16_t param0 = 0;
  std::uint8_t param1 = 0;
  std::uint8_t param2 = 0;
};
constexpr BlockTypeId kTurned{5};

IdLayoutSpec nodeSpec(std::span<const BlockTypeId> types, std::span<const TypesOfId> states) {
  return {
      .strides = {4, 64, 1024}, .types = types, .state = {.offset = 3, .bits = 5, .types = states}};
}

TEST(IdLayoutTest, TheTypeOfAnIdMayDependOnItsState) {
  const std::vector<BlockTypeId> types = {kAir, kWater, kStone};
  std::vector<BlockTypeId> stairs(32, kStone);
  stairs[3] = kTurned;
  const std::vector<TypesOfId> states = {{.id = 2, .types = stairs}};
  const IdLayout layout = IdLayout::make(nodeSpec(types, states)).value();
  Node node{.param0 = 2, .param1 = 0x77, .param2 = 0xe3};
  EXPECT_EQ(layout.read(&node.param0), (StoredId{.id = 2, .state = 3}));
  EXPECT_EQ(layout.type({2, 3}), kTurned);
  EXPECT_EQ(layout.type({2, 4}), kStone);
  EXPECT_EQ(layout.type({1, 3}), kWater) << "an id that is not listed has one type";
  EXPECT_EQ(layout.type({3, 3}), std::nullopt);
  EXPECT_EQ(layout.idOf(kTurned), (StoredId{2, 3}));
  EXPECT_EQ(layout.idOf(kStone), (StoredId{2, 0}));
  EXPECT_EQ(layout.idOf(kWater), (StoredId{1, 0}));
  layout.write(&node.param0, {2, 4});
  EXPECT_EQ(node.param0, 2);
  EXPECT_EQ(node.param1, 0x77);
  EXPECT_EQ(node.param2, 0xe4) << "the other bits are not the state";
  EXPECT_EQ(layout.textOf({2, 4}), "id 2 in state 4");
  EXPECT_EQ(IdLayout().textOf({2, 0}), "id 2");
}

TEST(IdLayoutTest, WrongStatesAreRefusedWithTheValue) {
  const std::vector<BlockTypeId> types = {kAir, kStone};
  const std::vector<BlockTypeId> few(31, kStone);
  const std::vector<BlockTypeId> all(32, kStone);
  const auto error = [&](IdLayoutSpec spec) {
    const auto layout = IdLayout::make(spec);
    EXPECT_EQ(layout.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(layout.status().message());
  };
  const auto of = [&](const std::vector<TypesOfId>& states) {
    return error(nodeSpec(types, states));
  };
  EXPECT_THAT(of({{.id = 1, .types = few}}), HasSubstr("id 1 of the states has 31 types"));
  EXPECT_THAT(of({{.id = 2, .types = all}}), HasSubstr("id 2 of the states is not among the 2"));
  EXPECT_THAT(of({{.id = 1, .types = all}, {.id = 1, .types = all}}), HasSubstr("there twice"));
  EXPECT_THAT(error({.types = types, .state = {.offset = 2, .bits = 9}}), HasSubstr("9 bits"));
  EXPECT_THAT(error({.types = types, .state = {.offset = 2, .bits = -1}}), HasSubstr("-1 bits"));
  EXPECT_THAT(error({.types = types, .state = {.offset = 1, .bits = 8}}),
              HasSubstr("1 bytes after the id, which has 2"));
  EXPECT_THAT(error({.types = types, .state = {.offset = (std::int64_t{1} << 40) + 1, .bits = 8}}),
              HasSubstr("1099511627777"));
  EXPECT_THAT(error({.state = {.offset = 2, .bits = 8}}), HasSubstr("needs a table"));
}

TEST(IdLayoutTest, StatesBetweenIdsOrInAnArrayOfTheirOwnAreKeptApart) {
  const std::vector<BlockTypeId> types = {kAir};
  const auto keeps = [&](const Vec3i& strides, std::int64_t offset) {
    const IdLayoutSpec spec{
        .strides = strides, .types = types, .state = {.offset = offset, .bits = 8}};
    return IdLayout::make(spec).value().keepsApart(16);
  };
  EXPECT_TRUE(keeps({4, 64, 1024}, 3));
  EXPECT_TRUE(keeps({4, 64, 1024}, -1));
  EXPECT_FALSE(keeps({2, 32, 512}, 2)) << "in the next id";
  EXPECT_FALSE(keeps({4, 64, 1024}, 4));
  EXPECT_TRUE(keeps({2, 32, 512}, 8192)) << "an array of their own";
  EXPECT_TRUE(keeps({2, 32, 512}, -8192));
}

TEST(IdLayoutTest, IdsThatDoNotFitTheirWidthAreNotWritten) {
  const IdLayout bytes = IdLayout::make({.id_bytes = 1}).value();
  EXPECT_EQ(bytes.idOf(BlockTypeId{255}), StoredId{255});
  EXPECT_EQ(bytes.idOf(BlockTypeId{256}), std::nullopt);
  std::vector<BlockTypeId> types(300, kAir);
  types[256] = kStone;
  EXPECT_EQ(IdLayout::make({.id_bytes = 1, .types = types}).value().idOf(kStone), std::nullopt);
  EXPECT_EQ(IdLayout::make({.id_bytes = 2, .types = types}).value().idOf(kStone), StoredId{256});
  const IdLayout wide = IdLayout::make({.id_bytes = 4, .strides = {4, 64, 1024}}).value();
  EXPECT_EQ(wide.type({65536 + 4}), std::nullopt) << "not type 4";
}

TEST(IdLayoutTest, BlocksThatMayShareBytesAreFound) {
  const auto apart = [](int bytes, const Vec3i& strides) {
    return IdLayout::make({.id_bytes = bytes, .strides = strides}).value().keepsApart(16);
  };
  EXPECT_TRUE(apart(2, {4, 64, 1024}));
  EXPECT_TRUE(apart(2, {32, 2, 512}));
  EXPECT_TRUE(apart(2, {2, -32, 512}));
  EXPECT_TRUE(apart(1, {1, 32, 1024}));
  EXPECT_TRUE(apart(4, {-4, -64, -1024}));
  EXPECT_FALSE(apart(4, {4, 32, 512}));
  EXPECT_FALSE(apart(2, {2, 30, 512}));
  EXPECT_FALSE(apart(2, {0, 32, 512}));
  EXPECT_FALSE(apart(1, {1, 16, -17}));
}

}  // namespace
}  // namespace fractalray::id_layout_test
