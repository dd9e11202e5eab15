// SPDX-License-Identifier: Apache-2.0
// Checks that the table of node kinds decides the types' kinds, that errors in it are reported with
// their position, and that the built-in one covers the bundled world sensibly.
#include "../../formats/node_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "luanti_fixture.h"

namespace fractalray {
namespace {

using enum BlockKind;
using testing::HasSubstr;

NodeKinds parsed(std::string_view text) {
  absl::StatusOr<NodeKinds> kinds = NodeKinds::parse(text, "test");
  EXPECT_TRUE(kinds.ok()) << kinds.status();
  return *std::move(kinds);
}

// Returns the kind of a node by default, to the eye and to a body; a channel that is not known has
// the default.
struct ThreeKinds {
  BlockKind usual;
  BlockKind visible;
  BlockKind physical;

  friend bool operator==(const ThreeKinds&, const ThreeKinds&) = default;
  friend std::ostream& operator<<(std::ostream& out, const ThreeKinds& kinds) {
    return out << blockKindName(kinds.usual) << ", visible " << blockKindName(kinds.visible)
               << ", physical " << blockKindName(kinds.physical);
  }
};

ThreeKinds kindsOf(const NodeKinds& kinds, std::string_view node) {
  BlockTypeTable types;
  EXPECT_TRUE(kinds.addChannels(types).ok());
  const absl::StatusOr<BlockTypeId> type = kinds.addType(node, types);
  EXPECT_TRUE(type.ok()) << type.status();
  const auto in = [&](std::string_view channel) {
    return types.kind(*type, types.findChannel(channel).value_or(kDefaultChannel));
  };
  return {in("default"), in("visible"), in("physical")};
}

TEST(NodeKindsTest, ListedNamesHaveTheirKindsAndOthersTheDefault) {
  const NodeKinds kinds = parsed(R"({
    "default": {"default": "permeable", "visible": "solid"},
    "types": {"air": "empty", "mod:stone": "solid",
              "mod:glass": {"default": "solid", "visible": "empty"}}})");
  EXPECT_EQ(kindsOf(kinds, "air"), (ThreeKinds{kEmpty, kEmpty, kEmpty}));
  EXPECT_EQ(kindsOf(kinds, "mod:stone"), (ThreeKinds{kSolid, kSolid, kSolid}));
  EXPECT_EQ(kindsOf(kinds, "mod:glass"), (ThreeKinds{kSolid, kEmpty, kSolid}));
  EXPECT_EQ(kindsOf(kinds, "mod:other"), (ThreeKinds{kPermeable, kSolid, kPermeable}));
  EXPECT_TRUE(kinds.lists("mod:glass"));
  EXPECT_FALSE(kinds.lists("mod:other"));
  EXPECT_EQ(kinds.size(), 3U);
}

TEST(NodeKindsTest, TypesMayBeLeftOut) {
  EXPECT_EQ(kindsOf(parsed(R"({"default": "solid"})"), "mod:any"),
            (ThreeKinds{kSolid, kSolid, kSolid}));
}

TEST(NodeKindsTest, AllChannelsExistBeforeAnyNodeIsAdded) {
  BlockTypeTable types;
  const NodeKinds kinds = parsed(R"({"default": {"default": "solid", "one": "empty"},
                 "types": {"a": {"default": "solid", "two": "empty"}}})");
  ASSERT_TRUE(kinds.addChannels(types).ok());
  EXPECT_TRUE(types.findChannel("one").has_value());
  EXPECT_TRUE(types.findChannel("two").has_value());
}

TEST(NodeKindsTest, AirIsKAirOnlyIfItIsEmpty) {
  BlockTypeTable types;
  EXPECT_EQ(*parsed(R"({"default": "solid", "types": {"air": "empty"}})").addType("air", types),
            kAir);
  const absl::StatusOr<BlockTypeId> solid = parsed(R"({"default": "solid"})").addType("air", types);
  ASSERT_TRUE(solid.ok());
  EXPECT_NE(*solid, kAir);
  EXPECT_EQ(types.name(*solid), "air'");
  EXPECT_EQ(types.kind(*solid, kDefaultChannel), kSolid);
}

TEST(NodeKindsTest, RepeatedRequestsAddATypeOnce) {
  BlockTypeTable types;
  const NodeKinds kinds = parsed(R"({"default": "solid"})");
  EXPECT_EQ(*kinds.addType("mod:a", types), *kinds.addType("mod:a", types));
  EXPECT_NE(*kinds.addType("mod:a", types), *kinds.addType("mod:b", types));
  EXPECT_EQ(types.size(), 3U);
  EXPECT_EQ(kinds.addType("", types).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(NodeKindsTest, EveryErrorNamesItsPosition) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "test:1:1: "},
      {"{\n  \"default\": solid\n}", "test:2:14: "},
      {R"({"default": "solid", "default": "empty"})", R"(the member "default" is there twice)"},
      {"[]", "test: expected an object, got an array of 0"},
      {"{}", R"(test: the member "default" is missing)"},
      {R"({"types": {}})", R"(test: the member "default" is missing)"},
      {R"({"default": "hard"})",
       R"(test: default: expected one of "empty", "permeable", "solid", got "hard")"},
      {R"({"default": 1})", "test: default: "},
      {R"({"default": "solid", "type": {}})", "test: type: unknown member"},
      {R"({"default": "solid", "types": []})", "test: types: expected an object"},
      {R"({"default": "solid", "types": {"": "solid"}})", "a node needs a name"},
      {R"({"default": "solid", "types": {"a:b": null}})", R"(test: types["a:b"]: expected one of)"},
      {R"({"default": "solid", "types": {"a:b": {"visible": "empty"}}})",
       R"(test: types["a:b"]: the member "default" is missing)"},
      {R"({"default": "solid", "types": {"a:b": {"default": "solid", "visible": true}}})",
       R"(test: types["a:b"].visible: expected one of)"},
      {R"({"default": "solid", "types": {"a": {"default": "solid", "": "empty"}}})",
       "a channel needs a name"},
  };
  for (const auto& [text, message] : faults) {
    const absl::Status status = NodeKinds::parse(text, "test").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message)) << text;
  }
}

TEST(NodeKindsTest, FilesAreReadAndNamed) {
  const luanti_fixture::TempDirectory directory;
  const std::string path = directory.file("kinds.json");
  EXPECT_EQ(NodeKinds::read(path).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(NodeKinds::read(path).status().message()), HasSubstr(path));
  luanti_fixture::writeFile(path, R"({"default": "permeable"})");
  const absl::StatusOr<NodeKinds> kinds = NodeKinds::read(path);
  ASSERT_TRUE(kinds.ok()) << kinds.status();
  EXPECT_EQ(kindsOf(*kinds, "a").usual, kPermeable);
  luanti_fixture::writeFile(path, R"({"default": "permeable",})");
  EXPECT_THAT(std::string(NodeKinds::read(path).status().message()), HasSubstr(path + ":1:25: "));
}

TEST(NodeKindsTest, TheBuiltInTableHasAPlayersIdeaOfEachKind) {
  const NodeKinds& kinds = NodeKinds::builtin();
  const ThreeKinds plant{kPermeable, kPermeable, kEmpty};
  const ThreeKinds liquid{kPermeable, kPermeable, kPermeable};
  const ThreeKinds glass{kSolid, kEmpty, kSolid};
  const ThreeKinds see_through{kSolid, kPermeable, kSolid};
  const ThreeKinds solid{kSolid, kSolid, kSolid};
  const std::vector<std::pair<std::string, ThreeKinds>> expected = {
      {"air", {kEmpty, kEmpty, kEmpty}},
      {"ignore", solid},
      {"default:stone", solid},
      {"default:dirt_with_grass", solid},
      {"stairs:stair_cobble", solid},
      {"default:water_source", liquid},
      {"default:river_water_flowing", liquid},
      {"default:lava_source", {kPermeable, kSolid, kPermeable}},
      {"default:ladder_wood", liquid},
      {"default:torch_wall", plant},
      {"default:grass_3", plant},
      {"flowers:rose", plant},
      {"farming:wheat_4", plant},
      {"carts:rail", plant},
      {"default:glass", glass},
      {"xpanes:pane_flat", glass},
      {"stairs:slab_glass", glass},
      {"doors:door_glass_a", glass},
      {"default:jungleleaves", see_through},
      {"default:fence_wood", see_through},
      {"fireflies:hidden_firefly", {kEmpty, kEmpty, kEmpty}},
      {"some_mod:some_node", solid},
  };
  for (const auto& [node, node_kinds] : expected) {
    EXPECT_EQ(kindsOf(kinds, node), node_kinds) << node;
  }
  EXPECT_GT(kinds.size(), 100U);
}

}  // namespace
}  // namespace fractalray
