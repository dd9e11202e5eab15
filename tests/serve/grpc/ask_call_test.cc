// SPDX-License-Identifier: Apache-2.0
// Calls that end otherwise: deadlines, cancelled calls, overload, hostile messages, the end of a
// server.
#include "../../../serve/grpc/ask_call.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../oracle/long_run.h"
#include "../../oracle/rng.h"
#include "../door.h"
#include "../raw_client.h"
#include "grpc_client.h"

namespace fractalray::testing {
namespace {

using std::chrono::milliseconds;

constexpr const char* kAsk = "/fractalray.v1.Queries/Ask";

void setDeadline(grpc::ClientContext& context, milliseconds time) {
  context.set_deadline(std::chrono::system_clock::now() + time);
}

wire::AnswerHead headOf(const std::string& body) {
  wire::AnswerHead head;
  EXPECT_GE(body.size(), sizeof head);
  if (body.size() >= sizeof head) std::memcpy(&head, body.data(), sizeof head);
  return head;
}

std::size_t randomIndex(oracle::Rng& rng, const std::string& text) {
  return static_cast<std::size_t>(rng.below(static_cast<int>(text.size())));
}

// Returns true once no call has memory; false after ten seconds. A call has some until gRPC has
// sent its answer.
bool isMemoryFree(const Door& door) {
  for (int i = 0; i < 1000; ++i) {
    if (door.metric("memory_bytes") == 0) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

class AskCallTest : public ::testing::Test {
 protected:
  AskCallTest() : source_(world_.get()) {}

  // Makes each slice of lines take that long.
  void slow(milliseconds time) {
    source_.before_slice = [time] { std::this_thread::sleep_for(time); };
  }

  SmallWorld world_;
  TestSource source_;
};

TEST_F(AskCallTest, ADeadlineInCenturiesIsNone) {
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  for (const std::int64_t seconds : {9'000'000'000, 20'000'000'000, 300'000'000'000}) {
    grpc::ClientContext context;
    context.set_deadline(gpr_timespec{seconds, 0, GPR_CLOCK_REALTIME});
    const GrpcAnswer answer = client.ask(callOf(v1::COMPACT_HITS, bodyOfLines(10)), context);
    EXPECT_EQ(answer.code, grpc::StatusCode::OK) << seconds << ": " << answer.error;
  }
}

TEST_F(AskCallTest, ADeadlineAnswersTheLeadingLines) {
  slow(milliseconds(100));
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  grpc::ClientContext context;
  setDeadline(context, milliseconds(3000));
  const GrpcAnswer answer = client.ask(callOf(v1::COMPACT_HITS, bodyOfLines(60'000)), context);
  ASSERT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
  const wire::AnswerHead head = headOf(answer.body);
  EXPECT_GT(head.batch.completed, 0U);
  EXPECT_LT(head.batch.completed, 60'000U);
  EXPECT_EQ(head.rest, FR_DEADLINE_EXCEEDED);
}

TEST_F(AskCallTest, ADeadlineThatIsTooShortEndsTheCall) {
  slow(milliseconds(300));
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  grpc::ClientContext context;
  setDeadline(context, milliseconds(50));
  EXPECT_EQ(client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(20)), context).code,
            grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(20))).code, grpc::StatusCode::OK);
}

TEST_F(AskCallTest, ACancelledCallIsDropped) {
  slow(milliseconds(20));
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  grpc::ClientContext context;
  std::thread canceller([&] {
    EXPECT_TRUE(door.reaches("queue_calls", 1));
    context.TryCancel();
  });
  EXPECT_EQ(client.ask(callOf(v1::OCCLUDED_MANY, bodyOfLines(60'000)), context).code,
            grpc::StatusCode::CANCELLED);
  canceller.join();
  EXPECT_TRUE(door.reaches("calls_total{verb=\"occluded_many\",result=\"CANCELLED\"}", 1));
  EXPECT_EQ(door.metric("lines_total{verb=\"occluded_many\"}"), 0);
  EXPECT_TRUE(isMemoryFree(door));
}

TEST_F(AskCallTest, BothDoorsShareOneQueue) {
  std::promise<void> opens;
  source_.before_slice = [opened = opens.get_future().share()] { opened.wait(); };
  serve::ServeOptions options;
  options.limits.queue_calls = 1;
  const Door door(source_, withGrpc(options));
  GrpcClient client(door.otherAddress());
  const v1::Call call = callOf(v1::CLOSEST_HITS, bodyOfLines(10));
  std::thread first([&door, &call] {
    GrpcClient other(door.otherAddress());
    const GrpcAnswer answer = other.ask(call);
    EXPECT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
  });
  EXPECT_TRUE(door.reaches("queue_calls", 1));
  const GrpcAnswer answer = client.ask(call);
  EXPECT_EQ(answer.code, grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(answer.error.find("queue full; again in "), std::string::npos) << answer.error;
  EXPECT_GE(answer.retry_us, 1000U);
  Client plain(door.address());
  FloorCall floor(10);
  EXPECT_EQ(floor.ask(plain.get()), FR_RESOURCE_EXHAUSTED);
  opens.set_value();
  first.join();
  EXPECT_EQ(door.metric("refused_total{reason=\"queue_full\"}"), 2);
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::OK);
}

TEST_F(AskCallTest, LargeCallsAreRefused) {
  serve::ServeOptions options;
  options.limits.batch_lines = 100;
  options.limits.frame_bytes = 10'000;
  const Door door(source_, withGrpc(options));
  GrpcClient client(door.otherAddress());
  for (const std::size_t lines : {101U, 250U, 50'000U}) {
    EXPECT_EQ(client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(lines))).code,
              grpc::StatusCode::RESOURCE_EXHAUSTED)
        << lines;
  }
  EXPECT_EQ(client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(100))).code, grpc::StatusCode::OK);
  EXPECT_TRUE(isMemoryFree(door));
}

TEST_F(AskCallTest, OtherVersionsWorldsVerbsAndMethodsAreRefused) {
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  v1::Call call = callOf(v1::CLOSEST_HITS, bodyOfLines(1));
  call.set_world("test");
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::OK);
  call.set_world("another");
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::FAILED_PRECONDITION);
  call.set_world("");
  call.set_version(FR_VERSION + 1000);
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::FAILED_PRECONDITION);
  call.set_version(FR_VERSION);
  for (const int verb : {0, 1, 7, -1}) {
    call.set_verb(static_cast<v1::Verb>(verb));
    EXPECT_EQ(client.ask(call).code, grpc::StatusCode::INVALID_ARGUMENT) << verb;
  }
  EXPECT_EQ(client.callRaw("/fractalray.v1.Queries/Push", "").code,
            grpc::StatusCode::UNIMPLEMENTED);
}

TEST_F(AskCallTest, HostileMessagesEndOnlyTheirCalls) {
  const Door door(source_, withGrpc());
  GrpcClient client(door.otherAddress());
  v1::Call call = callOf(v1::CLOSEST_HITS, bodyOfLines(4));
  call.set_version(FR_VERSION);
  const std::string sound = call.SerializeAsString();
  ASSERT_EQ(client.callRaw(kAsk, sound).code, grpc::StatusCode::OK);
  oracle::Rng rng = oracle::rngOf("hostile messages");
  const int rounds = oracle::isLongRun() ? 50'000 : 2'000;
  for (int i = 0; i < rounds; ++i) {
    std::string message = sound;
    for (int changes = rng.below(4); changes >= 0; --changes)
      message[randomIndex(rng, message)] = static_cast<char>(rng.below(256));
    if (rng.oneIn(4)) message.resize(randomIndex(rng, message));
    const GrpcAnswer answer = client.callRaw(kAsk, message);
    EXPECT_TRUE(answer.code == grpc::StatusCode::OK ||
                answer.code == grpc::StatusCode::INVALID_ARGUMENT ||
                answer.code == grpc::StatusCode::FAILED_PRECONDITION ||
                answer.code == grpc::StatusCode::OUT_OF_RANGE ||
                answer.code == grpc::StatusCode::PERMISSION_DENIED ||
                answer.code == grpc::StatusCode::RESOURCE_EXHAUSTED ||
                answer.code == grpc::StatusCode::DEADLINE_EXCEEDED)
        << answer.code << " " << answer.error;
  }
  EXPECT_EQ(client.callRaw(kAsk, sound).code, grpc::StatusCode::OK);
  EXPECT_TRUE(door.reaches("calls_total{verb=\"closest_hits\",result=\"OK\"}", 2));
  EXPECT_TRUE(isMemoryFree(door));
}

TEST_F(AskCallTest, AServerThatEndsAnswersCallsThatHaveBegun) {
  slow(milliseconds(300));
  GrpcAnswer answer;
  std::thread asking;
  {
    const Door door(source_, withGrpc());
    asking = std::thread([&answer, address = door.otherAddress()] {
      GrpcClient client(address);
      answer = client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(10)));
    });
    EXPECT_TRUE(door.reaches("queue_calls", 1));
  }
  asking.join();
  EXPECT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
}

TEST_F(AskCallTest, AServerThatNeverRunsEnds) {
  auto opened = serve::Server::open(withGrpc(), source_);
  ASSERT_TRUE(opened.ok()) << opened.status();
  std::thread asking([address = (*opened)->addresses().front()] {
    GrpcClient client(address);
    EXPECT_NE(client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(10))).code, grpc::StatusCode::OK);
  });
  std::this_thread::sleep_for(milliseconds(200));  // the call waits, or not yet: either ends
  opened->reset();
  asking.join();
}

}  // namespace
}  // namespace fractalray::testing
