// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "reply.h"

namespace fractalray::serve {
namespace {

// Returns the text of a token, which is filled up by zeros.
std::string_view tokenOf(std::span<const std::byte> body) {
  std::string_view token(reinterpret_cast<const char*>(body.data()), body.size());
  while (token.ends_with('\0'))
    token.remove_suffix(1);
  return token;
}

// Returns the frame that refuses a call.
std::vector<std::byte> refusalReply(const wire::FrameHead& head, const Refusal& refusal) {
  return errorReply(head.verb, head.number, refusal.error, refusal.retry);
}

// Returns a call whose body is that of a connection.
std::shared_ptr<Call> takeCall(Connection& connection) {
  auto call = std::make_shared<Call>();
  call->connection = connection.number();
  call->number = connection.head().number;
  call->received = connection.since();
  connection.takeBody(*call);
  return call;
}

}  // namespace

absl::Status FrameHandler::checkHead(const Connection& connection) const {
  const wire::FrameHead& head = connection.head();
  absl::Status version = CallGate::checkVersion(head.version);
  if (!version.ok()) return version;
  if (head.verb < wire::kHello || head.verb > wire::kFeedTick) {
    return absl::InvalidArgumentError(absl::StrCat("a frame has the unknown verb ", head.verb));
  }
  const bool is_hello = head.verb == wire::kHello;
  if (is_hello == connection.isKnown()) {
    return absl::FailedPreconditionError("the first frame, and no other one, is a hello");
  }
  const std::uint64_t most = is_hello                         ? wire::padded(wire::kMaxTokenBytes)
                             : head.verb == wire::kBlockTypes ? 0
                                                              : gate_.limits().frame_bytes;
  if (head.bytes > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "a frame has ", head.bytes, " bytes; the server takes ", most, ": make several calls"));
  }
  if (head.bytes % 8 == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a frame has ", head.bytes, " bytes, no multiple of 8"));
}

bool FrameHandler::acceptHead(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  if (head.magic != wire::kMagic) {
    gate_.metrics().countReason(Metrics::kWrongFrame);
    return false;
  }
  const absl::Status status = checkHead(connection);
  if (!status.ok()) {
    gate_.metrics().countReason(Metrics::kWrongFrame);
    connection.reply(errorReply(head.verb, head.number, status), now, true);
    return true;
  }
  Reservation memory;
  if (const std::optional<Refusal> refusal = gate_.reserve(memory, head.bytes)) {
    connection.refuse(refusalReply(head, *refusal));
  } else {
    connection.receiveBody(std::move(memory));
  }
  return true;
}

void FrameHandler::acceptBody(Connection& connection, Clock::time_point now) {
  if (connection.head().verb == wire::kHello) {
    acceptHello(connection, now);
  } else if (connection.head().verb == wire::kBlockTypes) {
    acceptTypes(connection, now);
  } else if (connection.head().verb == wire::kFeedTick) {
    acceptTick(connection, now);
  } else {
    acceptCall(connection, now);
  }
}

void FrameHandler::acceptHello(Connection& connection, Clock::time_point now) {
  const std::uint64_t number = connection.head().number;
  const std::string_view token = tokenOf(connection.body());
  const absl::Status status = gate_.checkToken(token);
  if (!status.ok()) return connection.reply(errorReply(wire::kHello, number, status), now, true);
  if (gate_.mayFeed(token)) connection.setMayFeed();
  connection.setKnown();
  connection.reply(gate_.hello(number), now);
}

void FrameHandler::acceptTick(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  const std::shared_ptr<Call> call = takeCall(connection);
  if (const std::optional<Refusal> refusal = gate_.acceptTick(call, connection.mayFeed())) {
    return connection.reply(refusalReply(head, *refusal), now);
  }
  connection.answering(call);
}

void FrameHandler::acceptTypes(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  Reservation memory;
  std::vector<std::byte> frame;
  if (const std::optional<Refusal> refusal = gate_.answerTypes(head.number, memory, frame)) {
    return connection.reply(refusalReply(head, *refusal), now);
  }
  connection.reply(std::move(frame), now, false, std::move(memory));
}

void FrameHandler::acceptCall(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  const std::shared_ptr<Call> call = takeCall(connection);
  if (const std::optional<Refusal> refusal = gate_.accept(head.verb, call)) {
    return connection.reply(refusalReply(head, *refusal), now);
  }
  connection.answering(call);
}

}  // namespace fractalray::serve
