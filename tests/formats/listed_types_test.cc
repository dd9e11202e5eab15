// SPDX-License-Identifier: Apache-2.0
// Checks that a list of names gives the types of every part of a map the same numbers and looks,
// and that what is not in the list is an error.
#include "../../formats/internal/listed_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "../../formats/luanti_mapblock.h"
#include "../../formats/open_world.h"
#include "../../levels/fingerprint.h"
#include "luanti_map_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::BlockParts;
using luanti_fixture::Database;
using luanti_fixture::encode;
using testing::HasSubstr;

std::vector<std::string> namesOf(const BlockTypeTable& types) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < types.size(); ++i)
    names.push_back(types.name(static_cast<BlockTypeId>(i)));
  return names;
}

void expectStatus(const absl::Status& status, absl::StatusCode code, const std::string& message) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(message));
}

class ListedTypesTest : public LuantiMapTest {
 protected:
  absl::Status tryNames(const std::vector<std::string>& names) const {
    OpenOptions options;
    options.block_type_names = names;
    return openLuantiWorld(map(), options).status();
  }
  // Writes mapblocks of one kind of node each, in a line along x.
  void write(const std::vector<std::string>& nodes) const {
    Database database(map());
    database.createKeyed();
    std::int64_t x = 0;
    for (const std::string& node : nodes)
      database.putKeyed({x++, 0, 0}, encode(blockOf(node)));
  }
};

// The bundled world has definitions: slabs that are turned, and types of coarse blocks.
TEST(ListedTypesOfAWorldTest, PartsHaveTheNumbersAndLooksOfTheWhole) {
  const std::string path = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";
  const OpenedWorld whole = openWorld(path).value();
  OpenOptions options;
  options.block_type_names = namesOf(whole.world.blockTypes());
  EXPECT_THAT(options.block_type_names, testing::Contains(HasSubstr(" [")));
  EXPECT_THAT(options.block_type_names, testing::Contains("coarse:mixed"));
  for (const ChunkBox& box : {ChunkBox{.min = {-17, -2, -7}, .max = {-13, 7, 2}},
                              ChunkBox{.min = {-12, -2, -7}, .max = {-8, 7, 2}},
                              ChunkBox{.min = {-9, 4, 0}, .max = {-9, 4, 0}},
                              ChunkBox{.min = {500, 0, 0}, .max = {500, 0, 0}}}) {
    options.chunks = box;
    const absl::StatusOr<OpenedWorld> part = openWorld(path, options);
    ASSERT_TRUE(part.ok()) << part.status();
    EXPECT_EQ(namesOf(part->world.blockTypes()), options.block_type_names);
    EXPECT_EQ(blockTypesFingerprint(part->world.blockTypes()),
              blockTypesFingerprint(whole.world.blockTypes()));
    part->world.forEachLoaded(3, [&](const ChunkCoord& at, const Chunk& chunk) {
      for (int i = 0; i < kBlocksPerChunk; ++i)
        ASSERT_EQ(chunk.block(i), whole.world.chunk(3, at)->block(i));
    });
  }
  OpenOptions without;
  without.chunks = ChunkBox{.min = {-12, -2, -7}, .max = {-8, 7, 2}};
  const OpenedWorld other = openWorld(path, without).value();
  EXPECT_NE(blockTypesFingerprint(other.world.blockTypes()),
            blockTypesFingerprint(whole.world.blockTypes()));
  // The report of the nodes does not depend on the list.
  options.chunks = without.chunks;
  const OpenedWorld listed = openWorld(path, options).value();
  EXPECT_EQ(listed.report.defaulted_names, other.report.defaulted_names);
  EXPECT_EQ(listed.report.cut_types, other.report.cut_types);
}

TEST_F(ListedTypesTest, WhatIsNotInTheListIsAnErrorThatNamesIt) {
  write({"mod:a", "mod:b"});
  const std::vector<std::string> all = namesOf(open().world.blockTypes());
  EXPECT_TRUE(tryNames(all).ok()) << tryNames(all);
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::vector<std::string> names = all;
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    expectStatus(tryNames(names), absl::StatusCode::kFailedPrecondition,
                 "\"" + all[i] + "\" is not in the list of " + std::to_string(names.size()) +
                     " names; add it at the end");
    // The remedy.
    names.push_back(all[i]);
    EXPECT_TRUE(tryNames(names).ok()) << tryNames(names);
    // Types that the map does not have may be in the list.
    names.push_back("mod:unused");
    EXPECT_TRUE(tryNames(names).ok()) << tryNames(names);
  }
}

// Types whose names have a mark, as another one has the name with another look; and channels.
TEST_F(ListedTypesTest, EveryTableOfAWorldIsMadeAgainByItsNames) {
  write({"air", "mod:a", "b [3]", "it's", "quote'"});
  const absl::StatusOr<NodeKinds> kinds = NodeKinds::parse(
      R"({"default": "solid", "types": {"mod:a": {"default": "empty", "x": "solid", "y": "solid"},
          "b [3]": {"default": "solid", "y": "permeable"}}})",
      "kinds");
  ASSERT_TRUE(kinds.ok()) << kinds.status();
  OpenOptions options;
  options.node_kinds = &*kinds;
  const OpenedWorld found = open(options);
  options.block_type_names = namesOf(found.world.blockTypes());
  EXPECT_THAT(options.block_type_names, testing::Contains("air'"));
  EXPECT_THAT(options.block_type_names, testing::Contains(HasSubstr("coarse:empty,")));
  EXPECT_THAT(options.block_type_names, testing::Contains("coarse:solid,y=mixed"));
  const OpenedWorld listed = open(options);
  EXPECT_EQ(namesOf(listed.world.blockTypes()), options.block_type_names);
  EXPECT_EQ(blockTypesFingerprint(listed.world.blockTypes()),
            blockTypesFingerprint(found.world.blockTypes()));
  // With other kinds the names mean other types.
  options.node_kinds = nullptr;
  expectStatus(openLuantiWorld(map(), options).status(), absl::StatusCode::kInvalidArgument,
               "\"air'\", is that of block type 0");
}

TEST_F(ListedTypesTest, WrongListsAreRefused) {
  using enum absl::StatusCode;
  write({"mod:a"});
  expectStatus(tryNames({"mod:a"}), kFailedPrecondition,
               "block type 0 is \"air\" in the table and");
  expectStatus(tryNames({"air", "mod:a", "mod:a"}), kInvalidArgument,
               "name 2 of block types, \"mod:a\", is that of block type 1");
  expectStatus(tryNames({"air", ""}), kInvalidArgument, "name 1 of block types: ");
  expectStatus(tryNames({"air", "a\nb"}), kInvalidArgument, "name 1 of block types: ");
  std::vector<std::string> many = {"air"};
  while (many.size() < 65537)
    many.push_back(std::to_string(many.size()));
  expectStatus(tryNames(many), kResourceExhausted, "name 65536 of block types: ");
}

TEST_F(ListedTypesTest, VariantsAreThoseOfTheDefinitions) {
  write({"air"});
  luanti_fixture::writeFile(
      directory_.file("nodedefs.jsonl"),
      R"({"name": "a:slab", "paramtype2": "facedir", "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}})"
      "\n");
  EXPECT_TRUE(tryNames({"air", "a:slab [20]", "a:slab", "coarse:mixed", "coarse:empty"}).ok());
  for (const std::string wrong : {"a:slab [0]", "a:slab [33]", "a:slab [07]"}) {
    expectStatus(tryNames({"air", wrong}), absl::StatusCode::kInvalidArgument,
                 "name 1 of block types, \"" + wrong + "\"");
  }
  // Without a definition these are names as any other.
  EXPECT_TRUE(tryNames({"air", "b:slab [0]", "a:slab [300]", "[1]",
                        "coarse:", "coarse:mixed,x=solid", "coarse:mixed", "coarse:empty"})
                  .ok());
}

TEST_F(ListedTypesTest, ASharedTableIsTheBeginOfTheList) {
  write({"mod:a"});
  OpenOptions options;
  options.block_types = std::make_shared<BlockTypeTable>();
  const BlockTypeId gate = options.block_types->add({.name = "gate"}).value();
  options.block_type_names = {"air", "gate", "mod:a", "coarse:mixed", "coarse:solid"};
  EXPECT_EQ(namesOf(open(options).world.blockTypes()), options.block_type_names);
  EXPECT_EQ(options.block_types->find("gate"), gate);
  EXPECT_EQ(namesOf(open(options).world.blockTypes()), options.block_type_names);
  options.block_type_names[1] = "door";
  expectStatus(openLuantiWorld(map(), options).status(), absl::StatusCode::kFailedPrecondition,
               "block type 1 is \"gate\" in the table and \"door\" in the list");
  options.block_type_names = {"air", "gate"};
  expectStatus(openLuantiWorld(map(), options).status(), absl::StatusCode::kFailedPrecondition,
               "block type 2 is \"mod:a\" in the table and not in the list");
}

TEST_F(ListedTypesTest, TheDecoderOfMapblocksTakesTheList) {
  BlockTypeTable types;
  const std::vector<std::string> names = {"air", "mod:b", "mod:a"};
  auto decoder = MapblockDecoder::make(types, {.block_type_names = names}).value();
  EXPECT_EQ(namesOf(types), names);
  const DecodedMapblock decoded = decoder.decode(encode(blockOf("mod:a"))).value();
  EXPECT_EQ(decoded.chunk.block(0), BlockTypeId{2});
  expectStatus(decoder.decode(encode(blockOf("mod:c"))).status(),
               absl::StatusCode::kFailedPrecondition, "\"mod:c\" is not in the list of 3 names");
}

}  // namespace
}  // namespace fractalray
