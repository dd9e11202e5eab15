// SPDX-License-Identifier: Apache-2.0
#include "../../formats/internal/node_boxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace fractalray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// In sixteenths of a node, as "x0 y0 z0 x1 y1 z1".
std::string text(const ShapeBox& box) {
  std::string out;
  for (const auto& corner : {box.min, box.max}) {
    for (const std::uint32_t unit : corner)
      out += (out.empty() ? "" : " ") + std::to_string(unit / 4096);
  }
  return out;
}
std::vector<std::string> texts(const NodeShape& shape) {
  std::vector<std::string> out;
  for (const ShapeBox& box : shape.boxes)
    out.push_back(text(box));
  return out;
}

// Returns the definition of a:node in a text that may have several lines.
NodeDefinition definition(std::string line) {
  std::replace(line.begin(), line.end(), '\n', ' ');
  const NodeDefinitions all = NodeDefinitions::parse(line, "test").value();
  EXPECT_THAT(all.damages(), IsEmpty());
  const NodeDefinition* const found = all.find("a:node");
  EXPECT_NE(found, nullptr);
  return found == nullptr ? NodeDefinition() : *found;
}

std::vector<std::string> selection(const NodeDefinition& node, std::uint8_t param2,
                                   std::uint8_t connections = 0) {
  return texts(nodeShape(node, node.selection, boxState(node, param2), connections));
}

TEST(NodeBoxesTest, ASlabIsTurnedByItsFacedir) {
  const NodeDefinition slab = definition(
      R"({"name": "a:node", "paramtype2": "facedir",
          "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}})");
  EXPECT_THAT(selection(slab, 0), ElementsAre("0 0 0 16 8 16"));
  // The top points to z+, z-, x+, x- and down.
  EXPECT_THAT(selection(slab, 4), ElementsAre("0 0 0 16 16 8"));
  EXPECT_THAT(selection(slab, 8), ElementsAre("0 0 8 16 16 16"));
  EXPECT_THAT(selection(slab, 12), ElementsAre("0 0 0 8 16 16"));
  EXPECT_THAT(selection(slab, 16), ElementsAre("8 0 0 16 16 16"));
  EXPECT_THAT(selection(slab, 20), ElementsAre("0 8 0 16 16 16"));
  EXPECT_THAT(selection(slab, 32 + 20), ElementsAre("0 8 0 16 16 16")) << "a colour";
}

TEST(NodeBoxesTest, ThereAre24WaysToTurnAPost) {
  const NodeDefinition post = definition(
      R"({"name": "a:node", "paramtype2": "colorfacedir",
          "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0, -0.25, 0.25]}})");
  std::set<std::vector<std::string>> ways;
  for (int facedir = 0; facedir < 24; ++facedir)
    ways.insert(selection(post, static_cast<std::uint8_t>(facedir)));
  EXPECT_EQ(ways.size(), 24U);
  // Facedir 1 looks to x+: what was in front, at z-, is at x-.
  EXPECT_THAT(selection(post, 1), ElementsAre("0 0 8 12 4 16"));
}

TEST(NodeBoxesTest, AFlatBoxJustBelowTheUpperFaceIsOneThere) {
  for (const std::string y : {"0.5", "0.4999999", "0.5000001"}) {
    const NodeDefinition flat =
        definition(R"({"name": "a:node", "selection_box": {"type": "fixed", "fixed": [-0.5, )" + y +
                   ", -0.5, 0.5, " + y + ", 0.5]}}");
    const NodeShape shape = nodeShape(flat, flat.selection, 0, 0);
    ASSERT_EQ(shape.boxes.size(), 1U) << y;
    EXPECT_EQ(shape.boxes[0].min[1], 65535U) << y;
    EXPECT_EQ(shape.boxes[0].max[1], 65536U) << y;
    EXPECT_FALSE(shape.is_cut) << y;
  }
}

TEST(NodeBoxesTest, AWallmountedBoxHangsOnItsWall) {
  const NodeDefinition sign = definition(
      R"({"name": "a:node", "paramtype2": "wallmounted", "selection_box": {"type": "wallmounted",
          "wall_side": [-0.5, -0.25, -0.25, -0.375, 0.25, 0.25]}})");
  EXPECT_THAT(selection(sign, 0), ElementsAre("0 15 0 16 16 16"));
  EXPECT_THAT(selection(sign, 1), ElementsAre("0 0 0 16 1 16"));
  EXPECT_THAT(selection(sign, 2), ElementsAre("14 4 4 16 12 12"));
  EXPECT_THAT(selection(sign, 3), ElementsAre("0 4 4 2 12 12"));
  EXPECT_THAT(selection(sign, 4), ElementsAre("4 4 14 12 12 16"));
  EXPECT_THAT(selection(sign, 5), ElementsAre("4 4 0 12 12 2"));
  EXPECT_THAT(selection(sign, 7), ElementsAre("0 15 0 16 16 16"));
  const NodeDefinition torch = definition(
      R"({"name": "a:node", "drawtype": "torchlike", "selection_box": {"type": "wallmounted"}})");
  EXPECT_THAT(selection(torch, 4), ElementsAre("0 0 0 16 1 16"));
}

// Since Luanti 5.7.
TEST(NodeBoxesTest, FourDirectionsTurnABoxAboutItsHeight) {
  for (const std::string type : {"4dir", "color4dir"}) {
    const NodeDefinition gate = definition(
        R"({"name": "a:node", "selection_box": {"type": "fixed",
            "fixed": [-0.5, -0.5, -0.25, 0.5, 0.5, 0]}, "paramtype2": ")" +
        type + R"("})");
    EXPECT_THAT(selection(gate, 0), ElementsAre("0 0 4 16 16 8"));
    EXPECT_THAT(selection(gate, 1), ElementsAre("4 0 0 8 16 16"));
    EXPECT_THAT(selection(gate, 2), ElementsAre("0 0 8 16 16 12"));
    EXPECT_THAT(selection(gate, 4 + 3), ElementsAre("8 0 0 12 16 16")) << "a colour and 3";
  }
}

TEST(NodeBoxesTest, ALevelRaisesTheTop) {
  const NodeDefinition snow = definition(
      R"({"name": "a:node", "paramtype2": "leveled", "leveled": 32, "selection_box":
          {"type": "leveled", "fixed": [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]}})");
  EXPECT_THAT(selection(snow, 0), ElementsAre("0 0 0 16 8 16"));
  EXPECT_THAT(selection(snow, 16), ElementsAre("0 0 0 16 4 16"));
  EXPECT_THAT(selection(snow, 128 + 16), ElementsAre("0 0 0 16 4 16"));
}

TEST(NodeBoxesTest, ALevelBelowTheBoxTurnsItOver) {
  const NodeDefinition node = definition(
      R"({"name": "a:node", "paramtype2": "leveled", "selection_box": {"type": "leveled", "fixed": [-0.5, -0.25, -0.5, 0.5, 0.5, 0.5]}})");
  EXPECT_THAT(selection(node, 0), ElementsAre("0 0 0 16 4 16"));
  EXPECT_THAT(selection(node, 32), ElementsAre("0 4 0 16 8 16"));
}

TEST(NodeBoxesTest, ANodeCollidesByItsNodeBoxUnlessTheCollisionBoxHasFixedBoxes) {
  const std::string node_box =
      R"({"name": "a:node", "drawtype": "nodebox", "node_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}, "collision_box": )";
  const auto collision = [&](const std::string& box) {
    const NodeDefinition node = definition(node_box + box + "}");
    return texts(nodeShape(node, node.collision, 0, 0));
  };
  const std::string low = R"("fixed": [-0.5, -0.5, -0.5, 0.5, -0.25, 0.5]})";
  EXPECT_THAT(collision(R"({"type": "fixed", )" + low), ElementsAre("0 0 0 16 4 16"));
  EXPECT_THAT(collision(R"({"type": "regular", )" + low), IsEmpty()) << "the whole node";
  EXPECT_THAT(collision(R"({"type": "regular"})"), ElementsAre("0 0 0 16 8 16"));
  EXPECT_THAT(collision(R"({"type": "connected", "connect_top": [0, 0, 0, 0.5, 0.5, 0.5]})"),
              ElementsAre("0 0 0 16 8 16"));
}

TEST(NodeBoxesTest, AFenceConnectsToAGroupOfThatWholeName) {
  const NodeDefinition fence = definition(
      R"({"name": "a:node", "drawtype": "nodebox", "connects_to": ["group:a,b"], "node_box": {"type": "connected", "fixed": []}})");
  const auto sides_towards = [&](const std::string& groups) {
    const NodeDefinition other = definition(R"({"name": "a:node", "groups": )" + groups + "}");
    return connectedSides(fence, [&](NodeSide) { return PlacedNode{&other, 0}; });
  };
  EXPECT_EQ(sides_towards(R"({"a": 1, "b": 1})"), 0);
  EXPECT_EQ(sides_towards(R"({"a,b": 1})"), 63);
}

TEST(NodeBoxesTest, AFenceGrowsTowardsWhatItConnectsTo) {
  const std::string fence_line =
      R"({"name": "a:node", "drawtype": "nodebox", "connects_to": ["group:fence", "b:wall"],
          "groups": {"fence": 1, "choppy": 0}, "node_box": {"type": "connected",
          "fixed": [[-0.125, -0.5, -0.125, 0.125, 0.5, 0.125]],
          "connect_front": [-0.125, 0, -0.5, 0.125, 0.25, -0.125],
          "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125],
          "disconnected": [-0.25, -0.5, -0.25, 0.25, 0, 0.25]},
          "selection_box": {"type": "connected", "fixed": [-0.125, -0.5, -0.125, 0.125, 0.5, 0.125],
          "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125],
          "disconnected_sides": [-0.25, -0.5, -0.25, 0.25, 0, 0.25]}})";
  const NodeDefinition fence = definition(fence_line);
  const NodeDefinition wall =
      definition(R"({"name": "a:node", "connect_sides": ["left"], "paramtype2": "facedir"})");
  NodeDefinition named_wall = wall;
  named_wall.name = "b:wall";
  NodeDefinition other = wall;
  other.name = "b:other";
  const auto sides = [&](const NodeDefinition* right, std::uint8_t param2) {
    return connectedSides(fence, [&](NodeSide side) {
      return side == NodeSide::kRight ? PlacedNode{right, param2} : PlacedNode{};
    });
  };
  constexpr std::uint8_t kRightBit = 32;
  EXPECT_EQ(sides(nullptr, 0), 0);
  EXPECT_EQ(sides(&other, 0), 0);
  EXPECT_EQ(sides(&fence, 0), kRightBit);
  EXPECT_EQ(sides(&named_wall, 0), 0) << "its right side";
  EXPECT_EQ(sides(&named_wall, 2), kRightBit);
  EXPECT_EQ(sides(&named_wall, 4), 0) << "it lies";
  named_wall.param2 = NodeDefinition::Param2::k4dir;
  EXPECT_EQ(sides(&named_wall, 1), 0);
  EXPECT_EQ(sides(&named_wall, 4 + 2), kRightBit);
  EXPECT_THAT(selection(fence, 0), ElementsAre("6 0 6 10 16 10", "4 0 4 12 8 12"));
  EXPECT_THAT(selection(fence, 0, kRightBit), ElementsAre("6 0 6 10 16 10", "10 8 6 16 12 10"));
  EXPECT_THAT(texts(nodeShape(fence, fence.collision, 0, 0)),
              ElementsAre("6 0 6 10 16 10", "4 0 4 12 8 12"));
}

TEST(NodeBoxesTest, BoxesAreCutAtTheNodeAndThickenedWhereTheyAreFlat) {
  const NodeDefinition tall = definition(
      R"({"name": "a:node", "selection_box": {"type": "fixed", "fixed":
          [[-0.25, -0.5, -0.25, 0.25, 1, 0.25], [-0.5, -0.5, -0.5, 0.5, -0.5, 0.5],
           [-0.5, 5, -0.5, 0.5, 6, 0.5]]}})");
  const NodeShape shape = nodeShape(tall, tall.selection, 0, 0);
  EXPECT_TRUE(shape.is_cut);
  ASSERT_EQ(shape.boxes.size(), 2U);
  EXPECT_EQ(text(shape.boxes[0]), "4 0 4 12 16 12");
  EXPECT_EQ(shape.boxes[1].min[1], 0U);
  EXPECT_EQ(shape.boxes[1].max[1], 1U);
}

TEST(NodeDefinitionsTest, DamagedLinesAreNamedAndTheRestIsRead) {
  const std::string lines =
      "{\"name\": \"a:good\", \"walkable\": false}\n"
      "{\"name\": \"a:cut off\", \"walk\n"
      "\n"
      "{\"walkable\": true}\n"
      "{\"name\": \"a:huge\", \"selection_box\": {\"type\": \"fixed\", \"fixed\": [0, 0, 0, 1e9, "
      "1, 1]}}\n"
      "{\"name\": \"a:odd\", \"selection_box\": {\"type\": \"sphere\"}}\n"
      "{\"name\": \"a:\\u001b[2J\", \"selection_box\": {\"type\": \"fixed\", \"fixed\": [1, 2]}}\n"
      "{\"name\": \"a:last\", \"pointable\": false}";
  const NodeDefinitions read = NodeDefinitions::parse(lines, "nodedefs.jsonl").value();
  EXPECT_EQ(read.size(), 5U);
  EXPECT_FALSE(read.find("a:good")->walkable);
  EXPECT_FALSE(read.find("a:last")->pointable);
  EXPECT_EQ(read.find("a:huge")->selection.kind, NodeBox::Kind::kRegular);
  ASSERT_EQ(read.damages().size(), 5U);
  EXPECT_THAT(read.damages()[0], HasSubstr("nodedefs.jsonl:2"));
  EXPECT_THAT(read.damages()[1], HasSubstr("nodedefs.jsonl:4: a definition needs a name"));
  EXPECT_THAT(read.damages()[2], HasSubstr("a:huge: selection_box.fixed: a box that reaches more"));
  EXPECT_THAT(read.damages()[3], HasSubstr("a:odd: selection_box.type"));
  EXPECT_THAT(read.damages()[4], HasSubstr("nodedefs.jsonl:7"));
  for (const std::string& damage : read.damages())
    EXPECT_EQ(damage.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace fractalray
