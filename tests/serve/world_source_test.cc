// SPDX-License-Identifier: Apache-2.0
// Worlds of the library, as the server sees them.
#include "../../serve/world_source.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "../../levels/fingerprint.h"
#include "../c/sized.h"

namespace fractalray::testing {
namespace {

// Makes a source of a world with one block, and an entity if `id` is not 0.
std::unique_ptr<serve::WorldSource> sourceWith(const BlockCoord& at, EntityId id = 0) {
  World world;
  const BlockTypeId stone = world.blockTypes().add({.name = "stone"}).value();
  EXPECT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  EXPECT_TRUE(world.setBlock(0, at, stone).ok());
  EntityIndex entities(world.frame());
  if (id != 0) {
    EXPECT_TRUE(entities.add({.id = id, .shape = Sphere{1}, .position = {2, 2, 2}}).ok());
  }
  return std::make_unique<serve::WorldSource>(
      std::make_shared<const World>(std::move(world)),
      std::make_shared<const EntityIndex>(std::move(entities)));
}

TEST(WorldSourceTest, EqualWorldsHaveEqualVersions) {
  const std::string version = sourceWith({9, 2, 2})->version();
  EXPECT_EQ(sourceWith({9, 2, 2})->version(), version);
  EXPECT_NE(sourceWith({9, 2, 3})->version(), version);
  const std::string with_entity = sourceWith({9, 2, 2}, 7)->version();
  EXPECT_NE(with_entity, version);
  // The part before the '@' names the blocks.
  EXPECT_EQ(with_entity.substr(0, with_entity.find('@')), version.substr(0, version.find('@')));
}

TEST(WorldSourceTest, HasItsOwnVersionAndNoLaterOne) {
  const auto source = sourceWith({9, 2, 2});
  const std::string version = source->version();
  EXPECT_TRUE(source->view({}, {.at_least = version}).ok());
  const std::string other = sourceWith({9, 2, 3})->version();
  const absl::Status refused = source->view({}, {.at_least = other}).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_NE(std::string(refused.message()).find(version), std::string::npos) << refused;
  EXPECT_NE(std::string(refused.message()).find(other), std::string::npos) << refused;
}

TEST(WorldSourceTest, NamesItsTableOfTypes) {
  World world;
  const std::uint64_t empty = blockTypesFingerprint(world.blockTypes());
  EXPECT_EQ(sourceWith({9, 2, 2})->blockTypes(), sourceWith({1, 1, 1})->blockTypes());
  EXPECT_NE(sourceWith({9, 2, 2})->blockTypes(), empty);
  EXPECT_NE(sourceWith({9, 2, 2})->blockTypes(), 0U);
}

TEST(WorldSourceTest, ShowsBlocksAndEntitiesAndCannotBeChanged) {
  const auto source = sourceWith({9, 2, 2}, 7);
  const absl::StatusOr<serve::SourceView> view = source->view({}, {});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(view->version, source->version());
  frLine line{};
  constexpr double kFrom[3] = {0.5, 2.5, 2.5};
  constexpr double kTo[3] = {15, 2.5, 2.5};
  ASSERT_EQ(frMakeSegment(kFrom, kTo, &line), FR_OK);
  frQueryOptions options = sized<frQueryOptions>();
  frHit hit{};
  EXPECT_EQ(frWorld_ClosestHit(view->world, &line, FR_ALL_LEVELS, &options, &hit, nullptr), FR_OK);
  EXPECT_EQ(hit.id, 7U);
  options.no_entities = 1;
  EXPECT_EQ(frWorld_ClosestHit(view->world, &line, FR_ALL_LEVELS, &options, &hit, nullptr), FR_OK);
  EXPECT_EQ(hit.cell[0], 9);
  constexpr std::int64_t kBlock[3] = {1, 1, 1};
  EXPECT_EQ(frWorld_SetBlock(const_cast<frWorld*>(view->world), 0, kBlock, FR_AIR),
            FR_FAILED_PRECONDITION);
}

}  // namespace
}  // namespace fractalray::testing
