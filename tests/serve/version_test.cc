// SPDX-License-Identifier: Apache-2.0
// Versions of worlds that change while they are asked, and worlds that are not those expected.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../serve/source.h"
#include "../../serve/world_source.h"
#include "../c/sized.h"
#include "door.h"

namespace fractalray::testing {
namespace {

// A world that gets a new version whenever a test says so.
class ChangingSource : public serve::AnswerSource {
 public:
  ChangingSource(const frWorld* whole, const frWorld* part) : whole_(whole), part_(part) {}

  absl::StatusOr<serve::SourceView> view(const serve::Question& /*question*/,
                                         const serve::Freshness& fresh) override {
    at_least = std::string(fresh.at_least);
    if (before_view) before_view();
    if (!error.ok()) return error;
    return serve::SourceView{.world = part_, .version = version()};
  }
  bool isFinal(const serve::Question& /*question*/, const serve::SourceView& view,
               std::span<const double> until, const serve::Freshness& /*fresh*/) override {
    decided.assign(until.begin(), until.end());
    return view.world == whole_ || whole_ == part_;
  }
  absl::StatusOr<serve::SourceView> load(const serve::Question& /*question*/,
                                         const serve::Freshness& /*fresh*/) override {
    ++loads;
    return serve::SourceView{.world = whole_, .version = version()};
  }
  std::size_t mostLines() const override { return 100; }
  std::string version() const override { return "changing@" + std::to_string(number); }
  std::uint64_t blockTypes() const override { return types; }

  int number = 1;
  std::uint64_t types = 7;
  int loads = 0;
  std::string at_least;         // of the last call
  std::vector<double> decided;  // of the last slice
  std::function<void()> before_view;
  absl::Status error;

 private:
  const frWorld* whole_;
  const frWorld* part_;
};

TEST(VersionTest, AnswersOfACallAreOfOneVersion) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  int views = 0;
  source.before_view = [&] {
    if (++views == 3) ++source.number;
  };
  const Door door(source);
  Client client(door.address());
  FloorCall call(500);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(call.batch().completed, 500U);
  EXPECT_EQ(client.version(), "changing@2");
  EXPECT_EQ(views, 3 + 5) << "the call begins again";
  FloorCall here(500);
  ASSERT_EQ(here.askHere(world.get()), FR_OK);
  EXPECT_EQ(call.batch().hits, here.batch().hits) << "and counts nothing twice";
}

TEST(VersionTest, AWorldThatChangesAllTheTimeAnswersTheFirstLines) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  source.before_view = [&] { ++source.number; };
  const Door door(source);
  Client client(door.address());
  FloorCall call(500);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(call.batch().completed, 100U);
  EXPECT_EQ(call.results()[99], FR_OK);
  EXPECT_EQ(call.results()[100], FR_UNAVAILABLE);
}

TEST(VersionTest, WhatAViewLacksIsLoaded) {
  const SmallWorld whole;
  frWorldDef def = sized<frWorldDef>();
  def.version = FR_VERSION;
  frWorld* empty = nullptr;
  ASSERT_EQ(frCreateWorld(&def, &empty), FR_OK) << frGetLastError();
  {
    ChangingSource source(whole.get(), empty);
    const Door door(source);
    Client client(door.address());
    FloorCall call(150);
    ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
    EXPECT_EQ(call.batch().hits, 150U);
    EXPECT_EQ(source.loads, 2) << "once for each slice";
    ASSERT_EQ(source.decided.size(), 50U);
    for (const double time : source.decided)
      EXPECT_TRUE(std::isinf(time)) << "nothing is hit before it is loaded";
  }
  EXPECT_EQ(frDestroyWorld(empty), FR_OK);
  ChangingSource source(whole.get(), whole.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(50);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(source.loads, 0);
  ASSERT_EQ(source.decided.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_EQ(source.decided[i], call.hits()[i].t) << i;
}

TEST(VersionTest, HitsOfTheOptionsMakeNoMoreLinesThanTheSourceTakes) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  const Door door(source);
  Client client(door.address());
  constexpr std::size_t kLines = 150;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < kLines; ++i)
    numbers.insert(numbers.end(), {5, 5, 5, 45, 5, 5});  // through all entities
  frLines lines = sized<frLines>();
  lines.count = kLines;
  lines.from = {numbers.data(), 48, 0, FR_F64, 0};
  lines.to = {numbers.data() + 3, 48, 0, FR_F64, 0};
  std::vector<frHit> hits(kLines);
  const auto ask = [&](const frQueryOptions* options) {
    return frRemote_ClosestHits(client.get(), &lines, FR_ALL_LEVELS, options, hits.data(), nullptr,
                                nullptr, nullptr);
  };
  ASSERT_EQ(ask(nullptr), FR_OK) << frGetLastError();
  EXPECT_EQ(hits.back().id, 1U);
  // As many as let all lines be answered together, if the source takes any number.
  const std::vector<frHit> after(16 * kLines, hits.back());
  frQueryOptions options = sized<frQueryOptions>();
  options.after = after.data();
  options.after_count = after.size();
  ASSERT_EQ(ask(&options), FR_OK) << frGetLastError();
  EXPECT_EQ(hits.back().id, 2U);
  EXPECT_EQ(source.decided.size(), 50U) << "after 100 lines";
}

TEST(VersionTest, CallersNameTheVersionThatTheyNeed) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(10);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(source.at_least, "");
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), "changing@7"), FR_OK) << frGetLastError();
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(source.at_least, "changing@7");
  source.error = absl::AbortedError("not yet");
  EXPECT_EQ(call.ask(client.get()), FR_ABORTED);
  EXPECT_NE(std::string(frGetLastError()).find("not yet"), std::string::npos) << frGetLastError();
  EXPECT_GT(client.info().retry_us, 0U);
  source.error = absl::UnavailableError("the store is away");
  EXPECT_EQ(call.ask(client.get()), FR_UNAVAILABLE);
  EXPECT_GT(client.info().retry_us, 0U);
  source.error = absl::FailedPreconditionError("another world");
  EXPECT_EQ(call.ask(client.get()), FR_FAILED_PRECONDITION);
  EXPECT_EQ(client.info().retry_us, 0U);
  source.error = absl::OkStatus();
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), nullptr), FR_OK);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(source.at_least, "");
  EXPECT_EQ(client.info().connects, 1U) << "none of these ends the connection";
  const std::string too_long(5000, '1');
  EXPECT_EQ(frRemote_SetAtLeast(client.get(), too_long.c_str()), FR_INVALID_ARGUMENT);
}

TEST(VersionTest, AWorldThatDoesNotChangeHasItsOwnVersionAlone) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(10);
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), "test@1"), FR_OK);
  EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), "test@2"), FR_OK);
  EXPECT_EQ(call.ask(client.get()), FR_FAILED_PRECONDITION);
  const std::string error = frGetLastError();
  EXPECT_NE(error.find("test@1"), std::string::npos) << error;
  EXPECT_NE(error.find("test@2"), std::string::npos) << error;
}

TEST(VersionTest, AnotherWorldOrTableThanExpectedIsRefused) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  const Door door(source);
  frConnectOptions options = sized<frConnectOptions>();
  options.world = "changing";
  options.block_types = 7;
  const Client right(door.address(), options);
  EXPECT_EQ(right.connected(), FR_OK) << frGetLastError();
  EXPECT_EQ(right.info().block_types, 7U);
  options.world = "fixed";
  EXPECT_EQ(Client(door.address(), options).connected(), FR_FAILED_PRECONDITION);
  std::string error = frGetLastError();
  EXPECT_NE(error.find("fixed"), std::string::npos) << error;
  EXPECT_NE(error.find("changing"), std::string::npos) << error;
  options.world = nullptr;
  options.block_types = 8;
  EXPECT_EQ(Client(door.address(), options).connected(), FR_FAILED_PRECONDITION);
  error = frGetLastError();
  EXPECT_NE(error.find("0000000000000007"), std::string::npos) << error;
  EXPECT_NE(error.find("0000000000000008"), std::string::npos) << error;
}

TEST(VersionTest, TheTableOfTypesCanBeAskedFor) {
  const SmallWorld small;
  World world;
  ASSERT_TRUE(world.blockTypes().add({.name = "stone"}).ok());
  ASSERT_TRUE(world.blockTypes().add({.name = "a name of some words"}).ok());
  const auto shared = std::make_shared<const World>(std::move(world));
  serve::WorldSource source(shared, std::make_shared<const EntityIndex>(shared->frame()));
  const Door door(source);
  Client client(door.address());
  std::size_t types = 0;
  ASSERT_EQ(frRemote_CountBlockTypes(client.get(), &types), FR_OK) << frGetLastError();
  EXPECT_EQ(types, 3U);
  std::array<char, 64> name{};
  std::size_t length = 0;
  const auto nameOf = [&](frBlockType type) -> std::string {
    if (frRemote_GetBlockTypeName(client.get(), type, name.data(), name.size(), &length) != FR_OK)
      return frGetLastError();
    return {name.data(), length};
  };
  EXPECT_EQ(nameOf(0), shared->blockTypes().name(kAir));
  EXPECT_EQ(nameOf(1), "stone");
  EXPECT_EQ(nameOf(2), "a name of some words");
  EXPECT_NE(nameOf(3).find("3 block types"), std::string::npos) << nameOf(3);
  FloorCall call(10);
  EXPECT_EQ(call.ask(client.get()), FR_OK) << "the connection is as it was: " << frGetLastError();
  EXPECT_EQ(client.info().connects, 1U);
  EXPECT_EQ(door.metric("memory_bytes"), 0);
  // A table that may change is not sent.
  TestSource changing(small.get());
  const Door other(changing);
  Client asking(other.address());
  EXPECT_EQ(frRemote_CountBlockTypes(asking.get(), &types), FR_FAILED_PRECONDITION);
  EXPECT_EQ(call.ask(asking.get()), FR_OK) << frGetLastError();
}

TEST(VersionTest, ATableThatIsAnotherAfterAReconnectionIsRefused) {
  const SmallWorld world;
  ChangingSource source(world.get(), world.get());
  auto door = std::make_unique<Door>(source);
  const std::string address = door->address();
  Client client(address);
  FloorCall call(10);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  door = nullptr;
  source.types = 8;
  serve::ServeOptions options;
  options.listen = {address};
  const auto server = serve::Server::open(options, source);
  ASSERT_TRUE(server.ok()) << server.status();
  std::thread thread([&server] { EXPECT_TRUE((*server)->run().ok()); });
  EXPECT_EQ(call.ask(client.get()), FR_FAILED_PRECONDITION);
  EXPECT_NE(std::string(frGetLastError()).find("block types"), std::string::npos)
      << frGetLastError();
  EXPECT_EQ(call.ask(Client(address).get()), FR_OK) << frGetLastError();
  (*server)->stop();
  thread.join();
}

}  // namespace
}  // namespace fractalray::testing
