// SPDX-License-Identifier: Apache-2.0
#include "../../levels/block_type.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace fractalray {
namespace {

TEST(BlockTypeTableTest, StartsWithAirAndTheDefaultChannel) {
  const BlockTypeTable types;
  EXPECT_EQ(types.size(), 1U);
  EXPECT_EQ(types.channels(), 1U);
  EXPECT_EQ(types.name(kAir), "air");
  EXPECT_EQ(types.find("air"), kAir);
  EXPECT_EQ(types.kind(kAir, kDefaultChannel), BlockKind::kEmpty);
  EXPECT_TRUE(types.isEmptyEverywhere(kAir));
  EXPECT_EQ(types.channelName(kDefaultChannel), "default");
  EXPECT_EQ(types.findChannel("default"), kDefaultChannel);
}

TEST(BlockTypeTableTest, ATypeHasItsDefaultKindWhereAChannelIsNotListed) {
  BlockTypeTable types;
  const ChannelId visible = types.addChannel("visible").value();
  const BlockTypeId glass =
      types.add({"glass", BlockKind::kSolid, {{visible, BlockKind::kEmpty}}}).value();
  const ChannelId body = types.addChannel("body").value();  // after the type
  EXPECT_EQ(types.kind(glass, kDefaultChannel), BlockKind::kSolid);
  EXPECT_EQ(types.kind(glass, visible), BlockKind::kEmpty);
  EXPECT_EQ(types.kind(glass, body), BlockKind::kSolid);
  EXPECT_FALSE(types.isEmptyEverywhere(glass));
  EXPECT_EQ(types.kinds(visible).size(), types.size());
  EXPECT_EQ(types.addChannel("visible").value(), visible);
  EXPECT_EQ(types.channels(), 3U);
}

TEST(BlockTypeTableTest, EmptyEverywhereCoversEveryChannelAndFutureOnes) {
  BlockTypeTable types;
  const ChannelId heat = types.addChannel("heat").value();
  const BlockTypeId mist =
      types.add({"mist", BlockKind::kEmpty, {{heat, BlockKind::kPermeable}}}).value();
  EXPECT_FALSE(types.isEmptyEverywhere(mist));
  // Empty in all channels that exist, but not in the next one: occupancies must count it at once.
  const BlockTypeId silent =
      types
          .add({"silent",
                BlockKind::kSolid,
                {{heat, BlockKind::kEmpty}, {kDefaultChannel, BlockKind::kEmpty}}})
          .value();
  EXPECT_FALSE(types.isEmptyEverywhere(silent));
  EXPECT_EQ(types.kind(silent, types.addChannel("sound").value()), BlockKind::kSolid);
  const BlockTypeId nothing = types.add({"nothing", BlockKind::kEmpty, {}}).value();
  EXPECT_TRUE(types.isEmptyEverywhere(nothing));
}

TEST(BlockTypeTableTest, ErrorsChangeNothing) {
  BlockTypeTable types;
  EXPECT_EQ(types.add({"", BlockKind::kSolid, {}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(types.add({"air", BlockKind::kSolid, {}}).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(
      types.add({"x", BlockKind::kSolid, {{ChannelId{1}, BlockKind::kEmpty}}}).status().code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(types.addChannel("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(types.size(), 1U);
  EXPECT_EQ(types.channels(), 1U);
  EXPECT_EQ(types.find("x"), std::nullopt);
  EXPECT_EQ(types.findChannel("x"), std::nullopt);
  EXPECT_FALSE(types.contains(BlockTypeId{1}));
}

TEST(BlockTypeTableTest, Holds65536TypesAndNoMore) {
  BlockTypeTable types;
  for (int i = 1; i < 65536; ++i) {
    ASSERT_TRUE(types.add({std::to_string(i), BlockKind::kSolid, {}}).ok());
  }
  EXPECT_TRUE(types.contains(BlockTypeId{65535}));
  EXPECT_EQ(types.find("65535"), BlockTypeId{65535});
  EXPECT_EQ(types.add({"one more", BlockKind::kSolid, {}}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(BlockTypeTableTest, AClosedTableHasWhatItHadAndTakesNothingNew) {
  BlockTypeTable types;
  const ChannelId visible = types.addChannel("visible").value();
  const std::array low = {ShapeBox{.min = {0, 0, 0}, .max = {kShapeUnits, 1, kShapeUnits}}};
  const std::array high = {ShapeBox{.min = {0, 1, 0}, .max = {kShapeUnits, 2, kShapeUnits}}};
  const ShapeId shape = types.addShape(low).value();
  ASSERT_TRUE(types.add({.name = "stone"}).ok());
  types.close("make a list");
  const absl::Status status = types.add({.name = "new"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "the block type \"new\" is not in the table, which is closed with 2 block types; "
            "make a list");
  EXPECT_EQ(types.addChannel("new").status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(types.addShape(high).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(types.addChannel("visible").value(), visible);
  EXPECT_EQ(types.addShape(low).value(), shape);
  EXPECT_EQ(types.size(), 2U);
  EXPECT_EQ(types.channels(), 2U);
  EXPECT_EQ(types.shapes(), 2U);
}

TEST(BlockKindTest, NamesRoundTrip) {
  for (const BlockKind kind : {BlockKind::kEmpty, BlockKind::kPermeable, BlockKind::kSolid}) {
    EXPECT_EQ(parseBlockKind(blockKindName(kind)), kind);
  }
  for (const char* const name : {"", "Solid", "air", "solid "}) {
    EXPECT_EQ(parseBlockKind(name), std::nullopt) << name;
  }
}

TEST(BlockTypeTableTest, NamesAreUtf8WithoutControlCharacters) {
  BlockTypeTable types;
  for (const std::string name : {"\x1b[2J", "a\nb", "\x7f", "\u0085", "\xff", "cut\xe4\xb8"}) {
    EXPECT_EQ(types.add({.name = name}).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(types.addChannel(name).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(types.find(name).has_value() || types.findChannel(name).has_value());
  }
  EXPECT_EQ(types.size(), 1U);
  EXPECT_TRUE(types.add({.name = "Gr\u00fcn \u4e2d"}).ok());
  EXPECT_TRUE(types.addChannel("Gr\u00fcn \u4e2d").ok());
}

}  // namespace
}  // namespace fractalray
