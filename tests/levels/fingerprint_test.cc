// SPDX-License-Identifier: Apache-2.0
// Checks that fingerprints of block types are equal for equal meanings of the numbers, and differ
// for any difference.
#include "../../levels/fingerprint.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "../../core/internal/stable_hash.h"

namespace fractalray {
namespace {

ShapeId addSlab(BlockTypeTable& types, std::uint32_t height) {
  const std::array boxes = {ShapeBox{.min = {0, 0, 0}, .max = {65536, height, 65536}}};
  return types.addShape(boxes).value();
}

BlockTypeTable someTypes() {
  BlockTypeTable types;
  const ChannelId eye = types.addChannel("eye").value();
  EXPECT_TRUE(types.add({.name = "stone"}).ok());
  EXPECT_TRUE(types.add({.name = "glass", .channel_kinds = {{eye, BlockKind::kEmpty}}}).ok());
  EXPECT_TRUE(types.add({.name = "slab", .shape = addSlab(types, 32768)}).ok());
  return types;
}

// The numbers were computed by another program (Python), from the definition of the hash.
TEST(StableHashTest, IsTheSameEverywhere) {
  EXPECT_EQ(internal::stableHashOf(""), 0xcbf29ce484222325U);
  EXPECT_EQ(internal::stableHashOf("default:stone"), 0x3cd2b968a66df6c9U);
  internal::StableHash hash;
  hash.add(std::uint64_t{1});
  EXPECT_EQ(hash.value(), 0x910a2dec89025cc1U);
  hash.add(std::int64_t{-1});
  hash.add(Vec3i{1, 2, 3});
  hash.add("air");
  EXPECT_EQ(hash.value(), 0xc680a76b139213e6U);
}

TEST(BlockTypesFingerprintTest, IsTheSameEverywhere) {
  EXPECT_EQ(blockTypesFingerprint(BlockTypeTable()), 0x8081112d275ca748U);
  EXPECT_EQ(blockTypesFingerprint(someTypes()), 0xbb25d4bd53cc3ab6U);
}

TEST(BlockTypesFingerprintTest, AnyDifferenceChangesIt) {
  std::set<std::uint64_t> seen = {blockTypesFingerprint(someTypes()),
                                  blockTypesFingerprint(BlockTypeTable())};
  const auto expect_new = [&](const std::string& what,
                              const std::function<void(BlockTypeTable&)>& add) {
    BlockTypeTable types = someTypes();
    add(types);
    EXPECT_TRUE(seen.insert(blockTypesFingerprint(types)).second) << what;
  };
  const auto add = [](BlockTypeTable& types, const BlockTypeSpec& spec) {
    EXPECT_TRUE(types.add(spec).ok());
  };
  const ChannelId eye{1};
  expect_new("a type", [&](auto& types) { add(types, {.name = "a"}); });
  expect_new("its name", [&](auto& types) { add(types, {.name = "b"}); });
  expect_new("its kind",
             [&](auto& types) { add(types, {.name = "a", .kind = BlockKind::kPermeable}); });
  expect_new("its kind in a channel", [&](auto& types) {
    add(types, {.name = "a", .channel_kinds = {{eye, BlockKind::kPermeable}}});
  });
  expect_new("its shape",
             [&](auto& types) { add(types, {.name = "a", .shape = addSlab(types, 32768)}); });
  expect_new("the height of its shape",
             [&](auto& types) { add(types, {.name = "a", .shape = addSlab(types, 32767)}); });
  expect_new("its shape in a channel", [&](auto& types) {
    add(types, {.name = "a", .channel_shapes = {{eye, addSlab(types, 32768)}}});
  });
  expect_new("a channel", [&](auto& types) { EXPECT_TRUE(types.addChannel("ear").ok()); });
  expect_new("its name too", [&](auto& types) { EXPECT_TRUE(types.addChannel("toe").ok()); });
  expect_new("a type, empty in the channels that there are", [&](auto& types) {
    add(types, {.name = "a",
                .channel_kinds = {{kDefaultChannel, BlockKind::kEmpty}, {eye, BlockKind::kEmpty}}});
  });
  expect_new("empty in all",
             [&](auto& types) { add(types, {.name = "a", .kind = BlockKind::kEmpty}); });
  for (const bool is_swapped : {false, true}) {
    expect_new("the order of types", [&](auto& types) {
      add(types, {.name = is_swapped ? "q" : "p"});
      add(types, {.name = is_swapped ? "p" : "q"});
    });
  }
}

TEST(BlockTypesFingerprintTest, NumbersOfShapesAndUnusedShapesDoNotChangeIt) {
  BlockTypeTable types;
  addSlab(types, 1);
  addSlab(types, 2);
  const ChannelId eye = types.addChannel("eye").value();
  EXPECT_TRUE(types.add({.name = "stone"}).ok());
  EXPECT_TRUE(types.add({.name = "glass", .channel_kinds = {{eye, BlockKind::kEmpty}}}).ok());
  EXPECT_TRUE(types.add({.name = "slab", .shape = addSlab(types, 32768)}).ok());
  EXPECT_EQ(blockTypesFingerprint(types), blockTypesFingerprint(someTypes()));
  const BlockTypeTable copy = types;
  EXPECT_EQ(blockTypesFingerprint(copy), blockTypesFingerprint(types));
}

}  // namespace
}  // namespace fractalray
