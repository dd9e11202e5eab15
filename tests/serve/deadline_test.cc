// SPDX-License-Identifier: Apache-2.0
// Deadlines: the leading lines are answered for which there is time.
#include <gmock/gmock.h>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "door.h"
#include "raw_client.h"

namespace fractalray::testing {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kManyLines = 60'000;

TEST(DeadlineTest, LeadingLinesAreAnswered) {
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(100)); };
  const Door door(source);
  Client client(door.address(), nullptr, 3'000'000);
  FloorCall call(kManyLines);  // 65 slices, 6.5 seconds
  // One call in some is late where other programs keep the processor from the server.
  frResult result = FR_DEADLINE_EXCEEDED;
  for (int i = 0; i < 3 && result == FR_DEADLINE_EXCEEDED; ++i)
    result = call.ask(client.get());
  ASSERT_EQ(result, FR_OK) << frGetLastError();
  const std::size_t completed = call.batch().completed;
  EXPECT_GE(completed, 16U);
  EXPECT_LT(completed, kManyLines);
  FloorCall here(kManyLines);
  ASSERT_EQ(here.askHere(world.get()), FR_OK);
  EXPECT_EQ(std::memcmp(call.hits().data(), here.hits().data(), completed * sizeof(frCompactHit)),
            0);
  for (std::size_t i = 0; i < kManyLines; ++i) {
    ASSERT_EQ(call.results()[i], i < completed ? FR_OK : FR_DEADLINE_EXCEEDED) << i;
    if (i >= completed) {
      ASSERT_EQ(call.hits()[i].kind, FR_HIT_NONE) << i;
      ASSERT_EQ(call.hits()[i].face_axis, -1) << i;
    }
  }
}

// Without results and the summary of the batch, lines without an answer would look like misses.
TEST(DeadlineTest, LinesThatAreLeftOutAreAnErrorIfNothingReportsThem) {
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(100)); };
  const Door door(source);
  Client client(door.address(), nullptr, 3'000'000);
  const FloorCall call(kManyLines);
  std::vector<frCompactHit> hits(kManyLines);
  std::string error;
  // One call in some is late where other programs keep the processor from the server.
  for (int i = 0; i < 3 && error.find("were not answered") == std::string::npos; ++i) {
    ASSERT_EQ(frRemote_CompactHits(client.get(), &call.lines(), FR_ALL_LEVELS, nullptr, hits.data(),
                                   nullptr, nullptr, nullptr),
              FR_DEADLINE_EXCEEDED);
    error = frGetLastError();
  }
  EXPECT_THAT(error, ::testing::HasSubstr(" of 60000 lines were not answered in time"));
  ASSERT_EQ(frRemote_SetDeadline(client.get(), 0), FR_OK);
  FloorCall few(10);
  EXPECT_EQ(few.ask(client.get()), FR_OK)
      << "the connection has lost nothing: " << frGetLastError();
}

TEST(DeadlineTest, ACallThatIsNotBegunInTimeIsAnError) {
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(500)); };
  const Door door(source);
  std::thread first([&door] {
    Client client(door.address());
    FloorCall call(1);
    EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  });
  EXPECT_TRUE(door.reaches("queue_calls", 1));
  Client client(door.address(), nullptr, 50'000);
  FloorCall call(10);
  EXPECT_EQ(call.ask(client.get()), FR_DEADLINE_EXCEEDED);
  first.join();
  ASSERT_EQ(frRemote_SetDeadline(client.get(), 0), FR_OK);
  EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
}

TEST(DeadlineTest, TheDeadlineBeginsWithTheFirstByteOfTheCall) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  const std::string call = frameOf(wire::kCompactHits, bodyOfLines(10, 100'000));
  RawClient slow(door.address());
  ASSERT_TRUE(slow.sayHello());
  ASSERT_TRUE(slow.send(std::string_view(call).substr(0, 40)));
  std::this_thread::sleep_for(milliseconds(300));
  ASSERT_TRUE(slow.send(std::string_view(call).substr(40)));
  wire::FrameHead head;
  std::string body;
  ASSERT_TRUE(slow.receiveFrame(head, body));
  EXPECT_EQ(head.result, FR_DEADLINE_EXCEEDED);
}

TEST(DeadlineTest, TheServerHasALimitOfItsOwn) {
  const SmallWorld world;
  TestSource source(world.get());
  source.before_slice = [] { std::this_thread::sleep_for(milliseconds(100)); };
  serve::ServeOptions options;
  options.limits.call_time = milliseconds(250);
  const Door door(source, options);
  Client client(door.address());
  FloorCall call(kManyLines);
  ASSERT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_GE(call.batch().completed, 1024U);
  EXPECT_LT(call.batch().completed, kManyLines);
}

}  // namespace
}  // namespace fractalray::testing
