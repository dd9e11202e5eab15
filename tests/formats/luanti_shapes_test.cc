// SPDX-License-Identifier: Apache-2.0
// Maps with node definitions: the shapes of what stands there, also as Luanti's own raycast hits
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../../formats/json_document.h"
#include "../../query/ray_query_service.h"
#include "luanti_map_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::BlockParts;
using luanti_fixture::Database;
using luanti_fixture::encode;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kDefinitions =
    R"({"name": "a:slab", "paramtype2": "facedir", "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}, "collision_box": {"type": "regular"}}
{"name": "a:fence", "drawtype": "nodebox", "connects_to": ["a:fence"], "node_box": {"type": "connected", "fixed": [-0.125, -0.5, -0.125, 0.125, 1, 0.125], "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125]}, "selection_box": {"type": "connected", "fixed": [-0.125, -0.5, -0.125, 0.125, 0.5, 0.125], "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125]}}
{"name": "a:barrier", "pointable": false}
{"name": "a:sheet", "walkable": false, "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, -0.4375, 0.5]}}
{"name": "air", "walkable": false, "pointable": false, "drawtype": "airlike"}
)";

class LuantiShapesTest : public LuantiMapTest {
 protected:
  LuantiShapesTest() {
    parts_.names = {{0, "air"}, {1, "a:slab"}, {2, "a:fence"}, {3, "a:barrier"}, {4, "a:sheet"}};
    parts_.ids.fill(0);
  }
  void put(int x, int y, int z, std::uint16_t id, std::uint8_t param2 = 0) {
    const auto index = static_cast<std::size_t>(x + 16 * y + 256 * z);
    parts_.ids[index] = id;
    parts_.param2[index] = param2;
  }
  // Writes the mapblock, and another one of fences on its right.
  void write(std::string_view definitions) {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, encode(parts_));
    database.putKeyed({1, 0, 0}, encode(blockOf("a:fence")));
    luanti_fixture::writeFile(directory_.file("nodedefs.jsonl"), definitions);
  }
  // Returns the name of the first type that a line through the world hits in a channel, and where.
  static std::string hit(const World& world, const Segment& line, std::string_view channel) {
    const EntityIndex entities(world.frame());
    const RayQueryService service(world, entities);
    QueryOptions options;
    options.filter.channel = world.blockTypes().findChannel(channel).value();
    const auto closest = service.closestHit(line, world.finestLevels(1), options).value();
    if (!closest.hit.has_value()) return "nothing";
    return absl::StrCat(world.blockTypes().name(closest.hit->type), " at ", closest.hit->point[1]);
  }

  BlockParts parts_;
};

TEST_F(LuantiShapesTest, NodesHaveTheBoxesOfTheirDefinitions) {
  put(2, 2, 2, 1);
  put(4, 2, 2, 1, 20);
  put(6, 2, 2, 3);
  put(8, 2, 2, 4);
  write(kDefinitions);
  const OpenedWorld opened = open();
  EXPECT_EQ(opened.report.definitions, 5U);
  EXPECT_THAT(opened.report.defaulted_names, testing::IsEmpty());
  // Fences collide 1.5 nodes high: alone, and in the 27 ways in which those of a mapblock connect.
  EXPECT_EQ(opened.report.cut_types, 28U);
  const auto down = [&](double x, std::string_view channel) {
    return hit(opened.world, {{x, 9.5, 2.5}, {x, 0.5, 2.5}}, channel);
  };
  EXPECT_EQ(down(2.5, "default"), "a:slab at 2.5");
  EXPECT_EQ(down(2.5, "collision"), "a:slab at 3");
  EXPECT_EQ(down(2.5, "physical"), "a:slab at 3");
  EXPECT_EQ(hit(opened.world, {{4.5, 0.5, 2.5}, {4.5, 9.5, 2.5}}, "selection"),
            "a:slab [20] at 2.5");
  EXPECT_EQ(down(6.5, "selection"), "nothing");
  EXPECT_EQ(down(6.5, "default"), "a:barrier at 3");
  EXPECT_EQ(down(8.5, "collision"), "nothing");
  EXPECT_EQ(down(8.5, "selection"), "a:sheet at 2.0625");
}

TEST_F(LuantiShapesTest, AnOldNameStandsForTheNodeThatHasAnotherNow) {
  parts_.names.emplace_back(5, "a:old_slab");
  parts_.names.emplace_back(6, "a:lost");
  put(2, 2, 2, 5);
  put(4, 2, 2, 6);
  write(std::string(kDefinitions) + "{\"name\": \"a:old_slab\", \"alias\": \"a:slab\"}\n" +
        "{\"name\": \"a:lost\", \"alias\": \"a:nothing\"}\n{\"name\": \"b\", \"alias\": 7}");
  const OpenedWorld opened = open();
  EXPECT_EQ(opened.report.definitions, 5U);
  EXPECT_THAT(opened.report.damaged_definitions, ElementsAre(HasSubstr("nodedefs.jsonl:8: b: ")));
  EXPECT_THAT(opened.report.defaulted_names, ElementsAre("a:lost"));
  const auto down = [&](double x) {
    return hit(opened.world, {{x, 9.5, 2.5}, {x, 0.5, 2.5}}, "default");
  };
  EXPECT_EQ(down(2.5), "a:slab at 2.5");
  EXPECT_EQ(down(4.5), "a:lost at 3");
}

TEST_F(LuantiShapesTest, NodesConnectAcrossMapblocks) {
  put(15, 2, 2, 2);
  put(13, 2, 2, 2);
  write(kDefinitions);
  const OpenedWorld opened = open();
  const auto down = [&](double x) {
    return hit(opened.world, {{x, 9.5, 2.5}, {x, 0.5, 2.5}}, "selection");
  };
  EXPECT_EQ(down(15.5), "a:fence [0, 32] at 3");
  EXPECT_EQ(down(15.75), "a:fence [0, 32] at 2.75");
  EXPECT_EQ(down(13.75), "nothing");
}

TEST_F(LuantiShapesTest, DamagedDefinitionsAreReportedAndTheirNodesAreCubes) {
  put(2, 2, 2, 1);
  write("{\"name\": \"a:slab\", \"selection_box\": {\"type\": \"fixed\", \"fixed\": 7}}\n{");
  const OpenedWorld opened = open();
  ASSERT_EQ(opened.report.damaged_definitions.size(), 2U);
  EXPECT_THAT(opened.report.damaged_definitions[0], HasSubstr("nodedefs.jsonl:1: a:slab"));
  EXPECT_THAT(opened.report.defaulted_names, ElementsAre("a:fence"));
  EXPECT_EQ(hit(opened.world, {{2.5, 9.5, 2.5}, {2.5, 0.5, 2.5}}, "default"), "a:slab at 3");
}

// A map of 2,778 random nodes with the answers of Luanti's own raycast, if it is there.
TEST(LuantiRaycastTest, FirstHitsAreThoseOfLuanti) {
  const std::string folder = std::string(FRACTALRAY_SOURCE_DIR) + "/../shared/worlds/D1";
  if (!std::filesystem::exists(folder + "/map.sqlite")) GTEST_SKIP() << "no " << folder;
  const OpenedWorld opened = openLuantiWorld(folder).value();
  const World& world = opened.world;
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  QueryOptions options;
  options.filter.channel = world.blockTypes().findChannel("selection").value();
  // The mapblocks of the rays, as text: the program xz unpacks them.
  FILE* const pipe = popen(("xz -dc " + folder + "/rays.jsonl.xz").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 65536> part{};
  while (const std::size_t size = fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), size);
  pclose(pipe);
  int rays = 0;
  int equal = 0;
  for (std::size_t begin = 0; begin < text.size() && rays < 1500;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const JsonDocument line =
        parseJson(std::string_view(text).substr(begin, end - begin), "rays.jsonl").value();
    begin = end + 1;
    const auto point = [&](const char* name) {
      const Json& list = line.root()[name];
      return Vec3d{list[0].get<double>() + 0.5, list[1].get<double>() + 0.5,
                   list[2].get<double>() + 0.5};
    };
    const auto closest =
        service.closestHit(Segment{point("a"), point("b")}, world.finestLevels(1), options).value();
    const Json& hits = line.root()["hits"];
    const bool is_equal = hits.empty()
                              ? !closest.hit.has_value()
                              : closest.hit.has_value() && hits[0][0] == closest.hit->block[0] &&
                                    hits[0][1] == closest.hit->block[1] &&
                                    hits[0][2] == closest.hit->block[2];
    ++rays;
    equal += is_equal ? 1 : 0;
  }
  ASSERT_EQ(rays, 1500);
  // The others are touches within Luanti's 2e-4, its own misses, and boxes beyond the node.
  EXPECT_GE(equal, 1446);
}

}  // namespace
}  // namespace fractalray
