// SPDX-License-Identifier: Apache-2.0
// Messages that protoc's code has written are read as they are, and the other way round; others are
// refused.
#include "../../../serve/grpc/messages.h"

#include <fractalray.pb.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../../../bindings/c/internal/frame.h"
#include "../../oracle/rng.h"

namespace fractalray::testing {
namespace {

using serve::CallMessage;
using serve::readCall;

// Returns a message in slices of that many bytes, as it arrives from the network.
grpc::ByteBuffer inSlices(std::string_view message, std::size_t size) {
  std::vector<grpc::Slice> slices;
  for (std::size_t at = 0; at < message.size(); at += size) {
    const std::string_view part = message.substr(at, size);
    slices.emplace_back(part.data(), part.size());
  }
  return {slices.data(), slices.size()};
}

std::string sample() {
  v1::Call call;
  call.set_version(-7);
  call.set_verb(v1::COMPACT_HITS);
  call.set_body(std::string(300, 'b') + std::string(4, '\0'));
  call.set_world("world");
  return call.SerializeAsString();
}

absl::Status readFrom(std::string_view message, CallMessage& to, std::size_t slice = 4096) {
  grpc::ByteBuffer buffer = inSlices(message, slice);
  return readCall(buffer, to);
}

std::size_t indexIn(oracle::Rng& rng, const std::string& text) {
  return static_cast<std::size_t>(rng.below(static_cast<int>(text.size())));
}

TEST(MessagesTest, ACallIsReadFromAnySlices) {
  for (const std::size_t size : {1U, 7U, 100U, 4096U}) {
    CallMessage read;
    const absl::Status status = readFrom(sample(), read, size);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(read.version, -7);
    EXPECT_EQ(read.verb, 3U);
    EXPECT_EQ(read.world, "world");
    ASSERT_EQ(read.body.size(), 304U);
    EXPECT_EQ(read.body[299], std::byte{'b'});
    EXPECT_EQ(read.body[303], std::byte{0});
  }
}

TEST(MessagesTest, FieldsThatAreNotKnownAreSkippedAndTheLastOneCounts) {
  // 15 as a number, eight bytes, bytes, four bytes; and another body before the right one.
  const std::string unknown("\x78\x05\x79zzzzzzzz\x7a\x03zzz\x7dzzzz\x1a\x02no", 25);
  CallMessage read;
  const absl::Status status = readFrom(unknown + sample() + unknown.substr(0, 21), read);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(read.body.size(), 304U);
}

TEST(MessagesTest, OtherMessagesAreRefused) {
  const std::string whole = sample();
  CallMessage read;
  EXPECT_EQ(readFrom("", read).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(readFrom("\x7b", read).code(), absl::StatusCode::kInvalidArgument) << "a group";
  EXPECT_EQ(readFrom(std::string("\0", 1), read).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(readFrom("\x1a\xff\xff\xff\xff\x07", read).code(), absl::StatusCode::kInvalidArgument)
      << "a body of 2 GB in a message of six bytes";
  int refused = 0;
  for (std::size_t size = 1; size < whole.size(); ++size)
    refused += readFrom(std::string_view(whole).substr(0, size), read).ok() ? 0 : 1;
  EXPECT_GE(refused, static_cast<int>(whole.size()) - 5) << "whole fields are whole messages";
}

TEST(MessagesTest, RandomMessagesTakeNoMoreMemoryThanTheyHave) {
  oracle::Rng rng("random messages");
  const std::string whole = sample();
  for (int i = 0; i < 20'000; ++i) {
    std::string message = whole;
    for (int changes = rng.below(4); changes >= 0; --changes)
      message[indexIn(rng, message)] = static_cast<char>(rng.below(256));
    message.resize(indexIn(rng, message) + 1);
    CallMessage read;
    const absl::Status status = readFrom(message, read, static_cast<std::size_t>(rng.in(1, 400)));
    EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status)) << status;
    EXPECT_LE(read.body.size() + read.world.size(), message.size());
  }
}

TEST(MessagesTest, AnAnswerIsTheBodyOfTheFrame) {
  for (const std::size_t size : {0U, 8U, 200U, 100'000U}) {
    std::vector<std::byte> frame(sizeof(wire::FrameHead) + size, std::byte{7});
    const grpc::ByteBuffer buffer = serve::answerOf(std::move(frame));
    std::vector<grpc::Slice> slices;
    ASSERT_TRUE(buffer.Dump(&slices).ok());
    std::string bytes;
    for (const grpc::Slice& slice : slices)
      bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    v1::Answer answer;
    ASSERT_TRUE(answer.ParseFromString(bytes));
    EXPECT_EQ(answer.body(), std::string(size, '\7'));
  }
}

}  // namespace
}  // namespace fractalray::testing
