// SPDX-License-Identifier: Apache-2.0
// Definitions of nodes that are damaged or hostile: the line is named, its node is a cube if its
// name can be read, and the rest is read.
#include "../../formats/node_definitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "../../formats/internal/node_boxes.h"

namespace fractalray {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kFence =
    R"({"name": "a:fence", "drawtype": "nodebox", "paramtype2": "facedir", "leveled": 3,)"
    R"( "connects_to": ["a:fence", "group:wood"], "connect_sides": ["top", "left"],)"
    R"( "groups": {"wood": 1, "cracky": 0}, "selection_box": {"type": "connected",)"
    R"( "fixed": [[-0.125, -0.5, -0.125, 0.125, 1, 0.125]],)"
    R"( "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125]}})";
constexpr std::string_view kSlab =
    R"({"name": "a:slab", "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}})";

NodeDefinitions parse(std::string_view text) {
  return NodeDefinitions::parse(text, "nodedefs.jsonl").value();
}
bool isCube(const NodeDefinition& node) {
  return node.selection.kind == NodeBox::Kind::kRegular &&
         node.collision.kind == NodeBox::Kind::kRegular;
}
// Returns the line of a node with a member of its selection box, or of its own, set to a value.
std::string withBox(const std::string& member, const std::string& value) {
  return R"({"name": "a:node", "selection_box": {"type": "connected", ")" + member +
         "\": " + value + "}}\n";
}
std::string boxes(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += std::string(i > 0 ? ", " : "") + "[-0.5, -0.5, -0.5, 0.5, 0, 0.5]";
  return "[" + list + "]";
}

TEST(NodeDefinitionsTest, AFileThatIsCutOffAnywhereKeepsTheLinesBefore) {
  const std::string text = std::string(kSlab) + "\n" + std::string(kFence);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const NodeDefinitions read = parse(std::string_view(text).substr(0, size));
    const bool has_first = size >= kSlab.size();
    const bool is_whole = size == 0 || size == kSlab.size() || size == kSlab.size() + 1;
    ASSERT_EQ(read.size(), has_first ? 1U : 0U) << size;
    ASSERT_EQ(read.damages().size(), is_whole ? 0U : 1U) << size;
    if (has_first) {
      ASSERT_FALSE(isCube(*read.find("a:slab"))) << size;
    }
  }
  EXPECT_EQ(parse(text).size(), 2U);
}

TEST(NodeDefinitionsTest, MembersOfTheWrongKindAreNamedOrRead) {
  // The values that a member may have; each other one is damage.
  const std::set<std::string> box = {"{}", R"({"type": "fixed"})"};
  const std::set<std::string> texts = {"\"word\"", "null", "[]", "{}"};
  const std::map<std::string, std::set<std::string>> members = {
      {"drawtype", {"\"word\""}}, {"liquidtype", {"\"word\""}}, {"paramtype2", {"\"word\""}},
      {"walkable", {"true"}},     {"pointable", {"true"}},      {"leveled", {"7", "-1e308"}},
      {"node_box", box},          {"selection_box", box},       {"collision_box", box},
      {"connects_to", texts},     {"connect_sides", texts},     {"groups", {"null", "[]", "{}"}}};
  const std::array values = {"7",
                             "-1e308",
                             "\"word\"",
                             "true",
                             "null",
                             "[]",
                             "[[[1]]]",
                             "{}",
                             "[7]",
                             R"({"type": "fixed"})",
                             R"({"type": "fixed", "fixed": [[1, 2], [3]]})",
                             R"({"type": "fixed", "fixed": [0, 0, 0, 1, null, 1]})",
                             R"({"type": "leveled", "fixed": "all"})",
                             R"({"type": "wallmounted", "wall_top": {"a": 1}})"};
  for (const auto& [member, readable] : members) {
    for (const std::string value : values) {
      const NodeDefinitions read =
          parse(R"({"name": "a:node", ")" + member + "\": " + value + "}\n" + std::string(kSlab));
      ASSERT_EQ(read.size(), 2U) << member << " " << value;
      const std::size_t damages = readable.contains(value) ? 0 : 1;
      ASSERT_EQ(read.damages().size(), damages) << member << " " << value;
      if (damages == 0) continue;
      EXPECT_THAT(read.damages()[0], HasSubstr("nodedefs.jsonl:1: a:node: " + member));
      EXPECT_THAT(read.damages()[0], HasSubstr("its node is a cube"));
      EXPECT_TRUE(isCube(*read.find("a:node")));
      EXPECT_TRUE(read.find("a:node")->walkable);
    }
  }
}

TEST(NodeDefinitionsTest, BoxesThatReachFarAreNamed) {
  for (const std::string number : {"1e9", "-1e9", "1e308", "-1000.5"}) {
    const NodeDefinitions read =
        parse(withBox("fixed", "[0, 0, 0, 1, " + number + ", 1]") + std::string(kSlab));
    EXPECT_EQ(read.size(), 2U);
    ASSERT_EQ(read.damages().size(), 1U) << number;
    EXPECT_THAT(read.damages()[0], HasSubstr("a:node: selection_box.fixed: a box that reaches"));
    EXPECT_TRUE(isCube(*read.find("a:node")));
  }
}

TEST(NodeDefinitionsTest, TooManyBoxesAreNamedAlsoIfEachListIsShort) {
  EXPECT_THAT(parse(withBox("fixed", boxes(255))).damages(), IsEmpty());
  for (const std::string& line : {withBox("fixed", boxes(256)),
                                  withBox("fixed", boxes(200) + ", \"connect_top\": " + boxes(56)),
                                  withBox("disconnected", boxes(10'000))}) {
    const NodeDefinitions read = parse(line);
    ASSERT_EQ(read.damages().size(), 1U);
    EXPECT_THAT(read.damages()[0], HasSubstr(" boxes at once; a node may have 255: join"));
    EXPECT_THAT(read.damages()[0], HasSubstr("a:node: selection_box: "));
    EXPECT_TRUE(isCube(*read.find("a:node")));
  }
  // A shape of all the boxes of a definition is accepted by a table of block types.
  const NodeDefinitions read =
      parse(withBox("fixed", boxes(200) + ", \"connect_top\": " + boxes(55)));
  const NodeDefinition& node = *read.find("a:node");
  const NodeShape shape = nodeShape(node, node.selection, 0, 63);
  EXPECT_EQ(shape.boxes.size(), 255U);
  EXPECT_TRUE(checkBoxCount(shape.boxes.size()).ok());
}

TEST(NodeDefinitionsTest, BoxesThatNeverOccurTogetherAreNotAddedUp) {
  std::string lists = boxes(20);
  for (const std::string side : {"top", "bottom", "front", "left", "back", "right"})
    lists += ", \"connect_" + side + "\": " + boxes(20) + ", \"disconnected_" + side +
             "\": " + boxes(20);
  const NodeDefinitions read = parse(withBox("fixed", lists));
  EXPECT_THAT(read.damages(), IsEmpty());
  const NodeBox& box = read.find("a:node")->selection;
  EXPECT_EQ(mostBoxes(box), 140U);
  for (const int connections : {0, 5, 63}) {
    const auto sides = static_cast<std::uint8_t>(connections);
    EXPECT_EQ(nodeShape(*read.find("a:node"), box, 0, sides).boxes.size(), 140U);
  }
  const NodeDefinitions more = parse(withBox("fixed", lists + ", \"disconnected\": " + boxes(116)));
  EXPECT_THAT(more.damages(), ElementsAre(HasSubstr("256 boxes at once")));
}

TEST(NodeDefinitionsTest, HostileNamesAreShownAsText) {
  const std::string hostile = "{\"name\": \"a:\\u001b[2J\\n\", \"leveled\": \"high\"}\n";
  const NodeDefinitions read =
      parse(hostile + "{\"name\": \"\"}\n{\"name\": [1]}\n{\"name\": \"" +
            std::string(100'000, 'x') + "\", \"walkable\": 7}\n" + std::string(kSlab));
  EXPECT_EQ(read.size(), 3U);
  ASSERT_EQ(read.damages().size(), 4U);
  for (const std::string& damage : read.damages()) {
    EXPECT_EQ(damage.find_first_of("\x1b\n"), std::string::npos);
    EXPECT_LT(damage.size(), 1000U);
  }
  EXPECT_FALSE(isCube(*read.find("a:slab")));
}

TEST(NodeDefinitionsTest, DamagesAreListedUpToAHundred) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "{\n";
  const NodeDefinitions read = parse(text + std::string(kSlab));
  EXPECT_EQ(read.damages().size(), 100U);
  EXPECT_EQ(read.size(), 1U);
}

}  // namespace
}  // namespace fractalray
