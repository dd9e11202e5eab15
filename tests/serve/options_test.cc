// SPDX-License-Identifier: Apache-2.0
// Options that cross the connection, and those that cannot.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../c/sized.h"
#include "door.h"

namespace fractalray::testing {
namespace {

std::int32_t keepAll(void* /*context*/, const frHit* /*hit*/) {
  return 1;
}

TEST(RemoteOptionsTest, FunctionsAndRulesAreRefused) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(1);
  frRules* rules = nullptr;
  ASSERT_EQ(frCreateRules(&rules), FR_OK);
  constexpr std::array<double, FR_MAX_BUDGETS> kBudgets{};
  std::array<frQueryOptions, 5> each{};
  each.fill(sized<frQueryOptions>());
  each[0].block_filter = keepAll;
  each[1].entity_filter = keepAll;
  each[2].on_hit = keepAll;
  each[3].rules = rules;
  each[4].budgets = kBudgets.data();
  const std::array<std::string, 5> names = {"block_filter", "entity_filter", "on_hit", "rules",
                                            "budgets"};
  for (std::size_t i = 0; i < each.size(); ++i) {
    EXPECT_EQ(call.ask(client.get(), &each[i]), FR_INVALID_ARGUMENT) << names[i];
    EXPECT_NE(std::string(frGetLastError()).find("options->" + names[i]), std::string::npos)
        << frGetLastError();
  }
  frQueryOptions context = sized<frQueryOptions>();
  context.hit_context = &context;  // not used without a function, and not sent
  EXPECT_EQ(call.ask(client.get(), &context), FR_OK) << frGetLastError();
  EXPECT_EQ(frDestroyRules(rules), FR_OK);
}

// A handle is of one process: the server finds the entity by its id.
TEST(RemoteOptionsTest, EntitiesAreFoundByTheirIds) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  Client client(door.address());
  frLines lines = sized<frLines>();
  constexpr std::array<double, 6> kThrough = {5, 5, 5, 45, 5, 5};  // through all three spheres
  lines.count = 1;
  lines.from = {kThrough.data(), 48, 0, FR_F64, 0};
  lines.to = {kThrough.data() + 3, 48, 0, FR_F64, 0};
  std::vector<frHit> after;
  frQueryOptions options = sized<frQueryOptions>();
  for (std::uint64_t id = 1; id <= 3; ++id) {
    frHit hit{};
    ASSERT_EQ(
        frRemote_ClosestHits(client.get(), &lines, 1, &options, &hit, nullptr, nullptr, nullptr),
        FR_OK)
        << frGetLastError();
    EXPECT_EQ(hit.id, id);
    // The handle that another process gives to another entity.
    frEntity other = 0;
    ASSERT_EQ(frWorld_FindEntity(world.get(), id % 3 + 1, &other), FR_OK);
    hit.entity = other;
    after.push_back(hit);
    options.after = after.data();
    options.after_count = after.size();
  }
}

TEST(RemoteOptionsTest, WrongArgumentsAreThoseOfThisProcess) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(3);
  std::array<frCompactHit, 3> hits{};
  EXPECT_EQ(frRemote_CompactHits(nullptr, &call.lines(), 1, nullptr, hits.data(), nullptr, nullptr,
                                 nullptr),
            FR_INVALID_ARGUMENT);
  EXPECT_EQ(frRemote_CompactHits(client.get(), nullptr, 1, nullptr, hits.data(), nullptr, nullptr,
                                 nullptr),
            FR_INVALID_ARGUMENT);
  EXPECT_EQ(frRemote_CompactHits(client.get(), &call.lines(), 1, nullptr, nullptr, nullptr, nullptr,
                                 nullptr),
            FR_INVALID_ARGUMENT);
  frQueryOptions other_size = sized<frQueryOptions>();
  other_size.struct_size = 8;
  EXPECT_EQ(call.ask(client.get(), &other_size), FR_INVALID_ARGUMENT);
  frRemote* none = nullptr;
  EXPECT_EQ(frConnect("udp:1", nullptr, &none), FR_INVALID_ARGUMENT);
  for (const char* const port : {"99999", "-1", "http"}) {
    EXPECT_EQ(frConnect((std::string("tcp:127.0.0.1:") + port).c_str(), nullptr, &none),
              FR_INVALID_ARGUMENT)
        << port;
  }
  EXPECT_EQ(frConnect("unix:/no such folder/x", nullptr, &none), FR_UNAVAILABLE);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace fractalray::testing
