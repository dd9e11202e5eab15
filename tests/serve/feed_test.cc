// SPDX-License-Identifier: Apache-2.0
// Entities that a client feeds, tick by tick: answers are those of a world with these entities.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../bindings/c/internal/frame.h"
#include "../../serve/entity_feed.h"
#include "../../serve/world_source.h"
#include "../c/sized.h"
#include "../oracle/rng.h"
#include "door.h"
#include "raw_client.h"

namespace fractalray::testing {
namespace {

using serve::EntityFeed;
using serve::EntityTick;

constexpr std::int64_t kUnit = FR_UNITS_PER_BLOCK;

frFedEntity fedAt(std::uint64_t id, std::int64_t x, std::int64_t y, std::int64_t z) {
  frFedEntity fed{};
  fed.id = id;
  fed.position[0] = x;
  fed.position[1] = y;
  fed.position[2] = z;
  for (std::int64_t& half : fed.half_extents)
    half = kUnit / 2;
  fed.shape = id % 2 == 0 ? FR_BOX : FR_SPHERE;
  return fed;
}

frFedMove moveTo(std::uint64_t id, std::int64_t x, std::int64_t y, std::int64_t z) {
  return {.id = id, .position = {x, y, z}};
}

// A world without blocks whose entities are fed.
class FedWorld {
 public:
  FedWorld() {
    auto world = std::make_shared<const World>();
    auto entities = std::make_shared<const EntityIndex>(world->frame());
    source_ = std::make_unique<serve::WorldSource>(std::move(world), std::move(entities));
    serve::ServeOptions options;
    options.feed_tokens = serve::Tokens({"game"});
    door_ = std::make_unique<Door>(*source_, options);
  }

  const Door& door() const { return *door_; }

 private:
  std::unique_ptr<serve::WorldSource> source_;
  std::unique_ptr<Door> door_;
};

// A tick, with arrays of its own.
struct Tick {
  std::uint64_t number = 0;
  bool is_whole = false;
  std::vector<frFedEntity> added{};
  std::vector<frFedMove> moved{};
  std::vector<std::uint64_t> removed{};

  frResult feed(Client& client) const {
    frEntityTick tick = sized<frEntityTick>();
    tick.tick = number;
    tick.is_whole = is_whole ? 1 : 0;
    tick.added = added.data();
    tick.added_count = added.size();
    tick.moved = moved.data();
    tick.moved_count = moved.size();
    tick.removed = removed.data();
    tick.removed_count = removed.size();
    return frRemote_FeedTick(client.get(), &tick);
  }
  EntityTick view() const {
    return {
        .number = number, .is_whole = is_whole, .removed = removed, .added = added, .moved = moved};
  }
};

// Returns the id of the first entity on a line along x through y = z = 5 blocks; 0 for none.
std::uint64_t firstOn(Client& client) {
  constexpr std::array<double, 6> kLine = {0, 5, 5, 100, 5, 5};
  frLines lines = sized<frLines>();
  lines.count = 1;
  lines.from = {kLine.data(), 48, 0, FR_F64, 0};
  lines.to = {kLine.data() + 3, 48, 0, FR_F64, 0};
  frHit hit{};
  EXPECT_EQ(frRemote_ClosestHits(client.get(), &lines, FR_ALL_LEVELS, nullptr, &hit, nullptr,
                                 nullptr, nullptr),
            FR_OK)
      << frGetLastError();
  return hit.kind == FR_HIT_ENTITY ? hit.id : 0;
}

TEST(FeedTest, AnswersHaveTheEntitiesOfTheTickThatTheyName) {
  const FedWorld world;
  Client game(world.door().address(), "game");
  Client reader(world.door().address());
  EXPECT_EQ(firstOn(reader), 0U);
  EXPECT_EQ(reader.info().tick, 0U);
  const Tick first{.number = 41,
                   .is_whole = true,
                   .added = {fedAt(1, 20 * kUnit, 5 * kUnit, 5 * kUnit),
                             fedAt(2, 30 * kUnit, 5 * kUnit, 5 * kUnit)}};
  ASSERT_EQ(first.feed(game), FR_OK) << frGetLastError();
  EXPECT_EQ(firstOn(reader), 1U);
  EXPECT_EQ(reader.info().tick, 41U);
  const Tick second{.number = 42,
                    .added = {fedAt(3, 25 * kUnit, 5 * kUnit, 5 * kUnit)},
                    .moved = {moveTo(2, 22 * kUnit, 5 * kUnit, 5 * kUnit)},
                    .removed = {1}};
  ASSERT_EQ(second.feed(game), FR_OK) << frGetLastError();
  EXPECT_EQ(firstOn(reader), 2U);
  EXPECT_EQ(reader.info().tick, 42U);
  const Tick last{.number = 7, .is_whole = true};
  ASSERT_EQ(last.feed(game), FR_OK) << frGetLastError();
  EXPECT_EQ(firstOn(reader), 0U);
  EXPECT_EQ(reader.info().tick, 7U);
}

TEST(FeedTest, AnAnswerHasTheEntitiesOfOneTickThoughItsNumberIsRepeated) {
  // Feeds the same whole tick again, without its entity, after the first slice of a call.
  class RepeatingSource : public serve::WorldSource {
   public:
    using WorldSource::WorldSource;

    absl::StatusOr<serve::SourceView> view(const serve::Question& question,
                                           const serve::Freshness& fresh) override {
      ++views_;
      if (views_ == 2) {
        EXPECT_TRUE(feed({.number = 1, .is_whole = true}).ok());
      }
      return WorldSource::view(question, fresh);
    }

   private:
    int views_ = 0;
  };
  const auto world = std::make_shared<const World>();
  RepeatingSource source(world, std::make_shared<const EntityIndex>(world->frame()));
  const frFedEntity entity = fedAt(1, 20 * kUnit, 5 * kUnit, 5 * kUnit);
  ASSERT_TRUE(source.feed({.number = 1, .is_whole = true, .added = {&entity, 1}}).ok());
  const Door door(source);
  Client client(door.address());
  constexpr std::array<double, 6> kLine = {0, 5, 5, 100, 5, 5};
  frLines lines = sized<frLines>();
  lines.count = 2000;  // two slices
  lines.from = {kLine.data(), 0, 0, FR_F64, 0};
  lines.to = {kLine.data() + 3, 0, 0, FR_F64, 0};
  std::vector<frCompactHit> hits(lines.count);
  ASSERT_EQ(frRemote_CompactHits(client.get(), &lines, FR_ALL_LEVELS, nullptr, hits.data(), nullptr,
                                 nullptr, nullptr),
            FR_OK)
      << frGetLastError();
  for (const frCompactHit& hit : hits)
    ASSERT_EQ(hit.kind, FR_HIT_NONE) << "of the tick before";
}

TEST(FeedTest, HitsOfEarlierCallsAreRecognizedByTheirIdsAfterTicks) {
  const FedWorld world;
  Client game(world.door().address(), "game");
  Client reader(world.door().address());
  const auto whole = [](std::uint64_t number, std::vector<std::uint64_t> ids) {
    Tick tick{.number = number, .is_whole = true};
    for (const std::uint64_t id : ids)
      tick.added.push_back(
          fedAt(id, (10 + 2 * static_cast<std::int64_t>(id)) * kUnit, 5 * kUnit, 5 * kUnit));
    return tick;
  };
  ASSERT_EQ(whole(1, {1, 2, 3}).feed(game), FR_OK) << frGetLastError();
  constexpr std::array<double, 6> kLine = {0, 5, 5, 100, 5, 5};
  frLines lines = sized<frLines>();
  lines.count = 1;
  lines.from = {kLine.data(), 48, 0, FR_F64, 0};
  lines.to = {kLine.data() + 3, 48, 0, FR_F64, 0};
  const auto ask = [&](const frQueryOptions* options) {
    frHit hit{};
    EXPECT_EQ(frRemote_ClosestHits(reader.get(), &lines, FR_ALL_LEVELS, options, &hit, nullptr,
                                   nullptr, nullptr),
              FR_OK)
        << frGetLastError();
    return hit;
  };
  const frHit first = ask(nullptr);
  ASSERT_EQ(first.id, 1U);
  // The slots of the next tick are those of other entities.
  ASSERT_EQ(whole(2, {3, 2, 1}).feed(game), FR_OK) << frGetLastError();
  frQueryOptions options = sized<frQueryOptions>();
  options.after = &first;
  options.after_count = 1;
  EXPECT_EQ(ask(&options).id, 2U);
  constexpr std::uint64_t kEnd = 1;
  lines.after = &first;
  lines.after_ends = &kEnd;
  EXPECT_EQ(ask(nullptr).id, 2U);
}

TEST(FeedTest, AGapIsRefusedUntilAWholeTickComes) {
  const FedWorld world;
  Client game(world.door().address(), "game");
  Client reader(world.door().address());
  EXPECT_EQ(Tick{.number = 1}.feed(game), FR_FAILED_PRECONDITION) << "the first tick is whole";
  const auto at = [](std::int64_t x) { return fedAt(1, x * kUnit, 5 * kUnit, 5 * kUnit); };
  ASSERT_EQ((Tick{.number = 1, .is_whole = true, .added = {at(20)}}.feed(game)), FR_OK);
  for (const std::uint64_t wrong : {1U, 3U, 900U}) {
    EXPECT_EQ((Tick{.number = wrong, .removed = {1}}.feed(game)), FR_FAILED_PRECONDITION);
    const std::string error = frGetLastError();
    EXPECT_NE(error.find("last tick is 1, and tick " + std::to_string(wrong)), std::string::npos)
        << error;
    EXPECT_EQ(firstOn(reader), 1U);
    EXPECT_EQ(reader.info().tick, 1U);
  }
  EXPECT_EQ((Tick{.number = 3, .is_whole = true}.feed(game)), FR_OK) << frGetLastError();
  EXPECT_EQ(firstOn(reader), 0U);
  EXPECT_EQ((Tick{.number = 4, .added = {at(9)}}.feed(game)), FR_OK) << frGetLastError();
  EXPECT_EQ(firstOn(reader), 1U);
}

TEST(FeedTest, ARefusedTickChangesNothing) {
  const World world;
  EntityFeed feed(std::make_shared<const EntityIndex>(world.frame()));
  const auto at = [](std::uint64_t id, std::int64_t x) { return fedAt(id, x * kUnit, 0, 0); };
  ASSERT_TRUE(
      feed.apply(Tick{.number = 1, .is_whole = true, .added = {at(1, 1), at(2, 2)}}.view()).ok());
  const std::uint64_t version = feed.state().entities->version();
  // Each names the entity, and the next tick may be a change.
  const std::vector<Tick> refused = {
      {.number = 2, .removed = {9}},
      {.number = 2, .moved = {moveTo(9, 0, 0, 0)}},
      {.number = 2, .added = {at(2, 5)}},
      {.number = 2, .moved = {moveTo(1, (std::int64_t{1} << 53) + 1, 0, 0)}},
  };
  for (const Tick& tick : refused) {
    const absl::Status status = feed.apply(tick.view());
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(std::string(status.message()).find("whole"), std::string::npos) << status;
    EXPECT_EQ(feed.state().tick, 1U);
    EXPECT_EQ(feed.state().entities->version(), version);
  }
  // One that fails after a part of it: the entities of the last tick stay, until a whole one comes.
  const Tick partly{.number = 2, .added = {at(2, 5)}, .removed = {1}};
  const absl::Status status = feed.apply(partly.view());
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_NE(std::string(status.message()).find("send a whole tick"), std::string::npos) << status;
  EXPECT_EQ(feed.state().entities->version(), version);
  EXPECT_TRUE(absl::IsFailedPrecondition(feed.apply(Tick{.number = 2}.view())));
  ASSERT_TRUE(feed.apply(Tick{.number = 5, .is_whole = true, .added = {at(4, 4)}}.view()).ok());
  EXPECT_EQ(feed.state().tick, 5U);
  EXPECT_EQ(feed.state().entities->size(), 1U);
  EXPECT_TRUE(feed.apply(Tick{.number = 6, .removed = {4}}.view()).ok());
}

TEST(FeedTest, PositionsAreExactInUnits) {
  const World world;
  EntityFeed feed(std::make_shared<const EntityIndex>(world.frame()));
  oracle::Rng rng("PositionsAreExactInUnits");
  Tick tick{.number = 1, .is_whole = true};
  for (std::uint64_t id = 1; id <= 200; ++id) {
    const auto number = [&] { return rng.in(-(std::int64_t{1} << 40), std::int64_t{1} << 40); };
    tick.added.push_back(fedAt(id, number(), number(), number()));
    tick.added.back().half_extents[0] = rng.in(1, kUnit);
  }
  const absl::Status status = feed.apply(tick.view());
  ASSERT_TRUE(status.ok()) << status;
  const EntityFeed::State state = feed.state();
  for (const frFedEntity& fed : tick.added) {
    const Entity* const entity = state.entities->find(state.entities->findId(fed.id).value());
    ASSERT_NE(entity, nullptr);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(entity->position[axis], fed.position[axis]) << fed.id;
    EXPECT_EQ(entity->shape.half_extents[0], fed.half_extents[0]) << fed.id;
  }
}

TEST(FeedTest, OnlyTokensWithTheRightMayFeed) {
  const FedWorld world;
  Client other(world.door().address(), "gam");
  EXPECT_EQ((Tick{.number = 1, .is_whole = true}.feed(other)), FR_PERMISSION_DENIED);
  EXPECT_EQ(firstOn(other), 0U) << "it may ask";
  const SmallWorld small;
  TestSource source(small.get());
  const Door door(source);
  Client nobody(door.address());
  EXPECT_EQ((Tick{.number = 1, .is_whole = true}.feed(nobody)), FR_PERMISSION_DENIED);
  serve::ServeOptions options;
  options.tokens = serve::Tokens({"reader"});
  options.feed_tokens = serve::Tokens({"game"});
  const Door guarded(source, options);
  EXPECT_EQ(Client(guarded.address()).connected(), FR_PERMISSION_DENIED);
  Client game(guarded.address(), "game");
  EXPECT_EQ((Tick{.number = 1, .is_whole = true}.feed(game)), FR_FAILED_PRECONDITION)
      << "this world takes none";
  FloorCall call(10);
  EXPECT_EQ(call.ask(game.get()), FR_OK) << frGetLastError();
}

TEST(FeedTest, ServersWithLostTicksAgreeWithOneWorld) {
  const FedWorld fed[3];
  std::vector<std::unique_ptr<Client>> games;
  for (const FedWorld& each : fed)
    games.push_back(std::make_unique<Client>(each.door().address(), "game"));
  frWorldDef def = sized<frWorldDef>();
  def.version = FR_VERSION;
  frWorld* here = nullptr;
  ASSERT_EQ(frCreateWorld(&def, &here), FR_OK) << frGetLastError();
  oracle::Rng rng("ServersWithLostTicksAgreeWithOneWorld");
  const auto number = [&] { return rng.in(0, 100 * kUnit); };
  std::vector<frFedEntity> all;
  std::vector<frEntity> handles;
  for (std::uint64_t id = 1; id <= 300; ++id) {
    all.push_back(fedAt(id, number(), number(), number()));
    frEntityDef entity = sized<frEntityDef>();
    entity.id = id;
    entity.shape = all.back().shape;
    for (int axis = 0; axis < 3; ++axis) {
      entity.position[axis] = static_cast<double>(all.back().position[axis]) / kUnit;
      entity.half_extents[axis] = 0.5;
    }
    handles.emplace_back();
    ASSERT_EQ(frWorld_AddEntities(here, &entity, 1, &handles.back()), FR_OK) << frGetLastError();
  }
  for (std::uint64_t tick = 1; tick <= 30; ++tick) {
    Tick change{.number = tick, .is_whole = tick == 1};
    if (tick == 1) change.added = all;
    for (std::size_t i = 0; tick > 1 && i < all.size(); i += 2) {
      frFedEntity& each = all[i];
      std::array<double, 3> position{};
      for (int axis = 0; axis < 3; ++axis) {
        each.position[axis] = number();
        position[static_cast<std::size_t>(axis)] = static_cast<double>(each.position[axis]) / kUnit;
      }
      change.moved.push_back(moveTo(each.id, each.position[0], each.position[1], each.position[2]));
      const frVectors vectors{position.data(), 24, 0, FR_F64, 0};
      ASSERT_EQ(frWorld_MoveEntities(here, &handles[i], &vectors, 1), FR_OK) << frGetLastError();
    }
    for (const auto& game : games) {
      if (tick > 1 && tick < 30 && rng.oneIn(5)) continue;  // it is lost
      if (change.feed(*game) == FR_OK) continue;
      EXPECT_NE(std::string(frGetLastError()).find("gap"), std::string::npos) << frGetLastError();
      const Tick whole{.number = tick, .is_whole = true, .added = all};
      ASSERT_EQ(whole.feed(*game), FR_OK) << frGetLastError();
    }
  }
  std::vector<double> numbers;
  constexpr std::size_t kLines = 2000;
  for (std::size_t i = 0; i < 6 * kLines; ++i)
    numbers.push_back(static_cast<double>(number()) / kUnit);
  frLines lines = sized<frLines>();
  lines.count = kLines;
  lines.from = {numbers.data(), 48, 0, FR_F64, 0};
  lines.to = {numbers.data() + 3, 48, 0, FR_F64, 0};
  std::vector<frHit> wanted(kLines);
  ASSERT_EQ(frWorld_ClosestHits(here, &lines, FR_ALL_LEVELS, nullptr, wanted.data(), nullptr,
                                nullptr, nullptr),
            FR_OK)
      << frGetLastError();
  std::size_t hits = 0;
  for (const auto& game : games) {
    std::vector<frHit> got(kLines);
    ASSERT_EQ(frRemote_ClosestHits(game->get(), &lines, FR_ALL_LEVELS, nullptr, got.data(), nullptr,
                                   nullptr, nullptr),
              FR_OK)
        << frGetLastError();
    EXPECT_EQ(game->info().tick, 30U);
    for (std::size_t i = 0; i < kLines; ++i) {
      got[i].entity = wanted[i].entity;  // handles are of each process
      ASSERT_EQ(std::memcmp(&got[i], &wanted[i], sizeof(frHit)), 0) << i;
      hits += got[i].kind == FR_HIT_ENTITY ? 1U : 0U;
    }
  }
  EXPECT_GT(hits, 100U);
  EXPECT_EQ(frDestroyWorld(here), FR_OK);
}

TEST(FeedTest, HostileTicksAreRefused) {
  const FedWorld world;
  RawClient raw(world.door().address());
  wire::FrameHead hello;
  hello.verb = wire::kHello;
  hello.bytes = 8;
  ASSERT_TRUE(raw.send(bytesOf(hello) + std::string("game\0\0\0\0", 8)));
  wire::FrameHead head;
  std::string body;
  ASSERT_TRUE(raw.receiveFrame(head, body));
  ASSERT_EQ(head.result, FR_OK);
  wire::TickHead tick;
  tick.tick = 1;
  tick.is_whole = 1;
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    for (std::uint64_t* const array : {&tick.added, &tick.moved, &tick.removed}) {
      *array = count;
      ASSERT_TRUE(raw.send(frameOf(wire::kFeedTick, bytesOf(tick))));
      ASSERT_TRUE(raw.receiveFrame(head, body));
      EXPECT_EQ(head.result, FR_INVALID_ARGUMENT);
      *array = 0;
    }
  }
  ASSERT_TRUE(raw.send(frameOf(wire::kFeedTick, "")));
  ASSERT_TRUE(raw.receiveFrame(head, body));
  EXPECT_EQ(head.result, FR_INVALID_ARGUMENT);
  ASSERT_TRUE(raw.send(frameOf(wire::kFeedTick, bytesOf(tick))));
  ASSERT_TRUE(raw.receiveFrame(head, body));
  EXPECT_EQ(head.result, FR_OK);
}

}  // namespace
}  // namespace fractalray::testing
