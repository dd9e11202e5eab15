// SPDX-License-Identifier: Apache-2.0
// Checks that the bundled world equals, node by node, the memory of Luanti's engine when it wrote
// the map, and that its lines of sight are Luanti's own.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/open_world.h"
#include "../../query/ray_query_service.h"

namespace fractalray {
namespace {

const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";
const std::string kData = FRACTALRAY_SOURCE_DIR "/tests/formats/data/";

OpenedWorld openBundled(const OpenOptions& options = {}) {
  absl::StatusOr<OpenedWorld> opened = openWorld(kWorld, options);
  EXPECT_TRUE(opened.ok()) << opened.status();
  return *std::move(opened);
}

// Returns the lines of a data file that are no comments.
std::vector<std::string> dataLines(const std::string& name) {
  std::ifstream file(kData + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

// Returns the name of the node of a type, whose own may end with how the node is turned: " [2]".
std::string nodeName(const BlockTypeTable& types, BlockTypeId type) {
  const std::string name(types.name(type));
  return name.substr(0, name.find(' '));
}

// Returns the text that the data file has hashes of: a line "COUNT NAME" for each run of nodes of
// one name.
std::string runsOf(const Chunk& chunk, const BlockTypeTable& types) {
  std::string text;
  int count = 0;
  for (int i = 0; i < kBlocksPerChunk; ++i) {
    ++count;
    const std::string name = nodeName(types, chunk.block(i));
    if (i + 1 < kBlocksPerChunk && nodeName(types, chunk.block(i + 1)) == name) continue;
    absl::StrAppend(&text, count, " ", name, "\n");
    count = 0;
  }
  return text;
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

TEST(LuantiWorldTest, IsRecognisedByItsFolderAndByItsFile) {
  const absl::StatusOr<std::string> file = findWorldFile(kWorld);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(*file, kWorld + "/map.sqlite");
  EXPECT_EQ(*findWorldFile(*file), *file);
  const absl::StatusOr<OpenedWorld> opened = openWorld(*file);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->format, "Luanti");
  EXPECT_EQ(opened->chunk_name, "mapblock");
  EXPECT_EQ(opened->report.chunks, openBundled().report.chunks);
  EXPECT_EQ(openWorld(kWorld + "/none").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(findWorldFile(kWorld + "/none").status().code(), absl::StatusCode::kNotFound);
}

TEST(LuantiWorldTest, WhatNoFormatRecognisesIsRefusedWithTheFormats) {
  for (const std::string path : {__FILE__, "/", "/dev/null"}) {
    for (const absl::Status& status : {openWorld(path).status(), findWorldFile(path).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_EQ(status.message(), path +
                                      ": not a saved world that can be read; give a Luanti "
                                      "world: its folder, or its map.sqlite");
    }
  }
}

TEST(LuantiWorldTest, TheReportAddsUp) {
  const OpenedWorld opened = openBundled();
  EXPECT_EQ(opened.report.chunks, 1728U);
  EXPECT_EQ(opened.report.loaded, 1000U);
  EXPECT_EQ(opened.report.not_generated, 728U);
  EXPECT_EQ(opened.report.damaged, 0U);
  EXPECT_EQ(opened.world.loadedChunks(3), 1000U);
  EXPECT_EQ(opened.world.loadedBox(3)->min, (ChunkCoord{-17, -2, -7}));
  EXPECT_EQ(opened.world.loadedBox(3)->max, (ChunkCoord{-8, 7, 2}));
}

TEST(LuantiWorldTest, EveryNodeEqualsTheEnginesOwn) {
  const OpenedWorld opened = openBundled();
  const std::vector<std::string> lines = dataLines("w1_engine_nodes.txt");
  ASSERT_EQ(lines.size(), 800U);
  for (const std::string& line : lines) {
    std::istringstream words(line);
    ChunkCoord at;
    std::uint64_t hash = 0;
    words >> at[0] >> at[1] >> at[2] >> std::hex >> hash;
    ASSERT_TRUE(words) << line;
    const Chunk* const chunk = opened.world.chunk(3, at);
    ASSERT_NE(chunk, nullptr) << line;
    EXPECT_EQ(fnv1a(runsOf(*chunk, opened.world.blockTypes())), hash) << line;
  }
}

// One line of the data file.
struct Sight {
  Segment segment;  // in blocks: Luanti's positions and a half
  bool clear = false;
  BlockCoord blocker{};
  std::string name;
};

Sight parseSight(const std::string& line) {
  std::istringstream words(line);
  Sight sight;
  for (Vec3d* const end : {&sight.segment.from, &sight.segment.to}) {
    for (int axis = 0; axis < 3; ++axis) {
      words >> (*end)[axis];
      (*end)[axis] += 0.5;
    }
  }
  std::string word;
  words >> word;
  sight.clear = word == "clear";
  if (!sight.clear) {
    sight.blocker[0] = std::stoll(word);
    words >> sight.blocker[1] >> sight.blocker[2] >> sight.name;
  }
  EXPECT_TRUE(words) << line;
  return sight;
}

TEST(LuantiWorldTest, FirstHitsAreLuantisLinesOfSight) {
  // Luanti's line_of_sight takes every node but air for a whole opaque cube.
  const absl::StatusOr<NodeKinds> kinds =
      NodeKinds::parse(R"({"default": "solid", "types": {"air": "empty"}})", "kinds");
  ASSERT_TRUE(kinds.ok()) << kinds.status();
  const NodeDefinitions none;
  OpenOptions options;
  options.node_kinds = &*kinds;
  options.definitions = &none;
  const OpenedWorld opened = openBundled(options);
  const EntityIndex entities(opened.world.frame());
  const RayQueryService service(opened.world, entities);
  const std::vector<std::string> lines = dataLines("w1_line_of_sight.txt");
  ASSERT_EQ(lines.size(), 2928U);
  int blocked = 0;
  for (const std::string& line : lines) {
    const Sight sight = parseSight(line);
    const absl::StatusOr<ShotResult> shot = service.shootSegment(sight.segment, LevelMask({3}));
    ASSERT_TRUE(shot.ok()) << line << ": " << shot.status();
    EXPECT_EQ(shot->terminated, !sight.clear) << line;
    if (sight.clear || shot->hits.empty()) {
      EXPECT_EQ(shot->hits.empty(), sight.clear) << line;
      continue;
    }
    ++blocked;
    const auto& hit = shot->hits.front();
    EXPECT_EQ(hit.block, sight.blocker) << line;
    EXPECT_EQ(opened.world.blockTypes().name(hit.type), sight.name) << line;
  }
  EXPECT_GT(blocked, 1000);
}

// Checks the rule of the coarser levels on real ground: a coarse block is empty or solid in a
// channel only if every node below is.
TEST(LuantiWorldTest, CoarseBlocksAreEmptyOrSolidOnlyIfAllTheirNodesAre) {
  const OpenedWorld opened = openBundled();
  const World& world = opened.world;
  std::set<std::string> names;
  world.forEachLoaded(3, [&](const ChunkCoord& at, const Chunk& chunk) {
    const absl::StatusOr<BlockTypeId> coarse = world.block(2, parentBlock(at));
    ASSERT_TRUE(coarse.ok()) << coarse.status();
    names.insert(world.blockTypes().name(*coarse));
    for (std::size_t c = 0; c < world.blockTypes().channels(); ++c) {
      const auto channel = static_cast<ChannelId>(c);
      std::set<BlockKind> kinds;
      for (int i = 0; i < kBlocksPerChunk; ++i) {
        kinds.insert(world.blockTypes().kind(chunk.block(i), channel));
      }
      const BlockKind expected = kinds.size() == 1 ? *kinds.begin() : BlockKind::kPermeable;
      EXPECT_EQ(world.blockTypes().kind(*coarse, channel), expected);
    }
  });
  EXPECT_TRUE(names.contains("coarse:empty"));
  EXPECT_TRUE(names.contains("coarse:solid"));
  EXPECT_TRUE(names.contains("coarse:mixed"));
}

}  // namespace
}  // namespace fractalray
