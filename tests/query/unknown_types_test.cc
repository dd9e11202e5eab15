// SPDX-License-Identifier: Apache-2.0
// Checks block type ids that the world's table does not contain: refused when chunks are loaded or
// refreshed; if an engine writes one into borrowed memory, no query hits the block and nothing is
// read out of bounds, as the address sanitizer verifies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "shot_fixture.h"

namespace fractalray {
namespace {

using testing::HasSubstr;

using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

constexpr BlockTypeId kUnknown{60000};

// A table in which the types of the scene have other kinds, and with many more of them.
BlockTypeTable otherTable() {
  BlockTypeTable types;
  for (int i = 1; i < 3000; ++i) {
    const BlockKind kind = i == 4 ? BlockKind::kEmpty : BlockKind::kSolid;
    EXPECT_TRUE(types.add({.name = "type " + std::to_string(i), .kind = kind}).ok());
  }
  return types;
}

class UnknownTypesTest : public CorridorTest {
 protected:
  UnknownTypesTest() : ids_(std::make_unique<Ids>()) { ids_->fill(kAir); }

  // Chunk 1 of the corridor, blocks 16 to 31, with its ids in the engine's memory.
  void borrow() {
    for (const std::size_t x : {1U, 2U, 4U})
      (*ids_)[x] = kWater;
    (*ids_)[8] = kStone;
    ASSERT_TRUE(
        world_.loadChunk(1, {1, 0, 0}, Chunk::borrowed(*ids_, world_.blockTypes()).value()).ok());
  }

  static BatchQuery query(const World& world) {
    return {.line = Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, .levels = world.allLevels()};
  }

  // Returns the answers to every kind of query, by one pass.
  void expectAnswers(const World& world, SearchPass pass, const std::string& hits,
                     Occlusion occlusion) {
    const RayQueryService service(world, entities_);
    const QueryOptions options{.pass = pass};
    const BatchQuery asked = query(world);
    const auto shot = service.shootSegment(std::get<Segment>(asked.line), asked.levels, options);
    ASSERT_TRUE(shot.ok()) << shot.status();
    EXPECT_EQ(textOf(*shot), hits);
    const std::string first = hits.substr(0, hits.find(' '));
    const auto closest = service.closestHit(std::get<Segment>(asked.line), asked.levels, options);
    ASSERT_TRUE(closest.ok()) << closest.status();
    ASSERT_TRUE(closest->hit.has_value());
    EXPECT_EQ(textOf(*closest->hit), first);
    const auto occluded =
        service.occluded(std::get<Segment>(asked.line), asked.levels, {.pass = pass});
    ASSERT_TRUE(occluded.ok()) << occluded.status();
    EXPECT_EQ(*occluded, occlusion);
    const std::vector<BatchQuery> queries(3, asked);
    ShotBatch batch;
    ASSERT_TRUE(service.shootSegment(queries, options, batch).ok());
    for (std::size_t i = 0; i < queries.size(); ++i)
      EXPECT_EQ(batch.hitsOf(i).size(), shot->hits.size());
    ClosestBatch picked;
    ASSERT_TRUE(service.closestHit(queries, options, picked).ok());
    EXPECT_EQ(textOf(picked.answers[2]), first);
    OcclusionBatch looks;
    ASSERT_TRUE(service.occluded(queries, {.pass = pass}, looks).ok());
    EXPECT_EQ(looks.answers[2], occlusion);
  }
  void expectAnswers(const World& world, const std::string& hits, Occlusion occlusion) {
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain})
      ASSERT_NO_FATAL_FAILURE(expectAnswers(world, pass, hits, occlusion));
  }

  std::unique_ptr<Ids> ids_;
};

TEST_F(UnknownTypesTest, AChunkOfAnotherTableWithUnknownTypesIsRefused) {
  const BlockTypeTable other = otherTable();
  Ids two;
  two.fill(BlockTypeId{2000});
  two[77] = kAir;
  Ids many;
  for (std::size_t i = 0; i < many.size(); ++i)
    many[i] = static_cast<BlockTypeId>(i % 2000);
  put(3, kWater);
  const std::uint64_t version = world_.version();
  for (const Chunk& chunk :
       {Chunk::uniform(BlockTypeId{2000}, other), Chunk::copied(two, other).value(),
        Chunk::copied(many, other).value(), Chunk::borrowed(many, other).value()}) {
    const absl::Status status = world_.loadChunk(1, {0, 0, 0}, chunk);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("the table ends at 8"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("[0, 0, 0] of level 1"));
  }
  EXPECT_EQ(world_.version(), version);
  EXPECT_EQ(shoot(), "water@3");
}

TEST_F(UnknownTypesTest, AChunkOfAnotherTableIsReadByThisWorldsTable) {
  // There 4 is empty and 5 is solid; here 4 is stone, and 5 is mist.
  const BlockTypeTable other = otherTable();
  Ids ids{};
  ids[7] = kStone;
  ids[8] = kMist;
  for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
    for (const bool is_borrowed : {false, true}) {
      Chunk chunk =
          is_borrowed ? Chunk::borrowed(ids, other).value() : Chunk::copied(ids, other).value();
      ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, std::move(chunk)).ok());
      EXPECT_EQ(world_.chunk(1, {1, 0, 0})->isBorrowed(), is_borrowed);
      EXPECT_EQ(shoot({.pass = pass}), "stone@23!");
      EXPECT_EQ(shoot({.filter = {.channel = kVisible}, .pass = pass}), "stone@23!");
      ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, Chunk::uniform(kMist, other)).ok());
      EXPECT_EQ(shoot({.pass = pass}), "");
      ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, Chunk::uniform(kStone, other)).ok());
      EXPECT_EQ(shoot({.pass = pass}), "stone@16!");
    }
  }
  // Two types without ids, which swap.
  Ids caves;
  caves.fill(kStone);
  caves[1] = BlockTypeId{5};
  ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, Chunk::copied(caves, other).value()).ok());
  EXPECT_EQ(shoot(), "stone@16!");
  EXPECT_EQ(world_.block(1, {17, 0, 0}).value(), kMist);
  EXPECT_FALSE(Chunk::copied(caves, otherTable()).value().isOccupied(0)) << "it was empty there";
  // A table of its own for a world that is loaded from a snapshot of another.
  World world({.levels = 2, .block_types = std::make_shared<BlockTypeTable>(otherTable())});
  ASSERT_TRUE(world.loadChunk(1, {0, 0, 0}, *world_.snapshot()->chunk(1, {1, 0, 0})).ok());
  EXPECT_FALSE(world.chunk(1, {0, 0, 0})->isOccupied(0));
  EXPECT_TRUE(world.chunk(1, {0, 0, 0})->isOccupied(1));
}

TEST_F(UnknownTypesTest, AnEditedChunkOfAirIsReadByTheTableOfAnotherWorld) {
  // Mist, 5, is empty here and solid there; there 2000 is a type.
  const BlockCoord one{16, 0, 0};
  const BlockCoord box{20, 3, 3};
  World other({.levels = 2, .block_types = std::make_shared<BlockTypeTable>(otherTable())});
  ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world_.setBlock(1, one, kMist).ok());
  ASSERT_TRUE(other.loadChunk(1, {1, 0, 0}, *world_.chunk(1, {1, 0, 0})).ok());
  EXPECT_TRUE(other.chunk(1, {1, 0, 0})->isOccupied(0));
  ASSERT_TRUE(world_.loadChunk(1, {1, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world_.fillBox(1, one, box, kMist).ok());
  ASSERT_TRUE(other.loadChunk(1, {1, 0, 0}, *world_.snapshot()->chunk(1, {1, 0, 0})).ok());
  EXPECT_TRUE(other.chunk(1, {1, 0, 0})->isOccupied(indexInChunk(box)));
  ASSERT_TRUE(other.loadChunk(1, {1, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(other.setBlock(1, one, BlockTypeId{2000}).ok());
  EXPECT_EQ(world_.loadChunk(1, {0, 0, 0}, *other.chunk(1, {1, 0, 0})).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(UnknownTypesTest, AnIdWrittenBetweenBorrowingAndLoadingIsRefused) {
  Chunk chunk = Chunk::borrowed(*ids_, world_.blockTypes()).value();
  (*ids_)[9] = kUnknown;
  const absl::Status status = world_.loadChunk(1, {1, 0, 0}, std::move(chunk));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("block [9, 0, 0]"));
}

TEST_F(UnknownTypesTest, AfterARefusedRefreshTheUnknownBlockIsNotHit) {
  borrow();
  ASSERT_NO_FATAL_FAILURE(
      expectAnswers(world_, "water@17 water@18 water@20 stone@24!", Occlusion::kBlocked));
  (*ids_)[1] = kUnknown;
  (*ids_)[8] = BlockTypeId{static_cast<std::uint16_t>(world_.blockTypes().size())};
  const std::uint64_t version = world_.version();
  EXPECT_EQ(world_.refreshChunk(1, {1, 0, 0}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(world_.version(), version);
  ASSERT_NO_FATAL_FAILURE(expectAnswers(world_, "water@18 water@20", Occlusion::kClear));
  (*ids_)[1] = kAir;
  (*ids_)[8] = kStone;
  ASSERT_TRUE(world_.refreshChunk(1, {1, 0, 0}).ok());
  ASSERT_NO_FATAL_FAILURE(
      expectAnswers(world_, "water@18 water@20 stone@24!", Occlusion::kBlocked));
}

TEST_F(UnknownTypesTest, ASnapshotOfUnknownIdsDoesNotHitThem) {
  borrow();
  (*ids_)[2] = kUnknown;
  const auto snapshot = world_.snapshot();
  (*ids_)[1] = kUnknown;
  ASSERT_NO_FATAL_FAILURE(
      expectAnswers(*snapshot, "water@17 water@20 stone@24!", Occlusion::kBlocked));
}

TEST_F(UnknownTypesTest, ABlockAheadThatBecomesUnknownIsSkipped) {
  borrow();
  put(40, kStone);
  atBlock(kWater, 17, [&] {
    (*ids_)[2] = kUnknown;
    (*ids_)[8] = kUnknown;
  });
  EXPECT_EQ(shoot(), "water@17 water@20 stone@40!");
  EXPECT_EQ(shoot({.max_hits = 1}), "water@17");
  const RayQueryService service(world_, entities_);
  ASSERT_TRUE(service.resume(result_, world_.allLevels()).ok());
  EXPECT_EQ(textOf(result_), "water@17 water@20 stone@40!");
}

TEST_F(UnknownTypesTest, AHitThatHasBecomeUnknownCanBeResumedAfter) {
  borrow();
  (void)shoot({.max_hits = 2});
  (*ids_)[2] = kUnknown;
  QueryOptions options;
  options.after = result_.hits;
  EXPECT_EQ(
      textOf(service_.shootSegment({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(), options)
                 .value()),
      "water@20 stone@24!");
}

TEST_F(UnknownTypesTest, PredicatesFiltersAndRulesAreNotCalledForUnknownBlocks) {
  borrow();
  (*ids_)[2] = kUnknown;
  std::vector<BlockTypeId> asked;
  const auto predicate = [&](const BlockHit& hit) {
    asked.push_back(hit.type);
    return false;
  };
  std::ignore = service_.onBlockHit(kWater, predicate, nullptr);
  TerminalRules rules;
  const BudgetId budget = rules.addBudget(100).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 1)).ok());
  QueryOptions options{.rules = &rules};
  const auto filter = [&](const BlockHit& hit) {
    asked.push_back(hit.type);
    return true;
  };
  options.filter.block_filter = filter;
  EXPECT_EQ(shoot(options), "water@17 water@20 stone@24!");
  EXPECT_THAT(asked, testing::Not(testing::Contains(kUnknown)));
}

TEST_F(UnknownTypesTest, AnUnknownBlockIsNotExpanded) {
  auto ids = std::make_unique<Ids>();
  ids->fill(kStone);
  ASSERT_TRUE(
      world_.loadChunk(0, {0, 0, 0}, Chunk::borrowed(*ids, world_.blockTypes()).value()).ok());
  (*ids)[static_cast<std::size_t>(indexInChunk({0, 5, 0}))] = kUnknown;
  const absl::Status status = world_.expandBlock(0, {0, 5, 0});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("60000"));
  EXPECT_EQ(world_.chunk(1, {0, 5, 0}), nullptr);
}

TEST_F(UnknownTypesTest, ATableReportsUnknownIdsAsEmpty) {
  const BlockTypeTable& types = world_.blockTypes();
  for (const BlockTypeId type : {kUnknown, static_cast<BlockTypeId>(types.size())}) {
    EXPECT_FALSE(types.contains(type));
    EXPECT_EQ(types.kind(type, kDefaultChannel), BlockKind::kEmpty);
    EXPECT_EQ(types.kind(type, kVisible), BlockKind::kEmpty);
    EXPECT_TRUE(types.isEmptyEverywhere(type));
    EXPECT_EQ(types.name(type), "");
    EXPECT_EQ(types.orAir(type), kAir);
  }
  EXPECT_EQ(types.orAir(kStone), kStone);
}

}  // namespace
}  // namespace fractalray
