// SPDX-License-Identifier: Apache-2.0
#include "frames.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "answer_frame.h"
#include "reply.h"

namespace fractalray::serve {
namespace {

constexpr std::chrono::milliseconds kMemoryWait{20};  // the time in which some calls end

bool isOfThisVersion(std::int32_t version) {
  // Until 1.0 structs may change with the minor version.
  constexpr std::int32_t kPart = FR_VERSION_MAJOR > 0 ? 1'000'000 : 1'000;
  return version / kPart == FR_VERSION / kPart;
}

// Returns the text of a token, which is filled up by zeros.
std::string_view tokenOf(std::span<const std::byte> body) {
  std::string_view token(reinterpret_cast<const char*>(body.data()), body.size());
  while (token.ends_with('\0'))
    token.remove_suffix(1);
  return token;
}

}  // namespace

absl::Status FrameHandler::checkHead(const Connection& connection) const {
  const wire::FrameHead& head = connection.head();
  if (!isOfThisVersion(head.version)) {
    return absl::FailedPreconditionError(absl::StrCat("the client has version ", head.version,
                                                      ", the server ", FR_VERSION,
                                                      "; use two of one minor version"));
  }
  if (head.verb < wire::kHello || head.verb > wire::kFeedTick) {
    return absl::InvalidArgumentError(absl::StrCat("a frame has the unknown verb ", head.verb));
  }
  const bool is_hello = head.verb == wire::kHello;
  if (is_hello == connection.isKnown()) {
    return absl::FailedPreconditionError("the first frame, and no other one, is a hello");
  }
  const std::uint64_t most = is_hello                         ? wire::padded(wire::kMaxTokenBytes)
                             : head.verb == wire::kBlockTypes ? 0
                                                              : limits_.frame_bytes;
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
    metrics_.countReason(Metrics::kWrongFrame);
    return false;
  }
  const absl::Status status = checkHead(connection);
  if (!status.ok()) {
    metrics_.countReason(Metrics::kWrongFrame);
    connection.reply(errorReply(head.verb, head.number, status), now, true);
    return true;
  }
  Reservation memory;
  if (memory.add(budget_, head.bytes)) {
    connection.receiveBody(std::move(memory));
  } else {
    connection.refuse(noMemoryReply(head, now));
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
  const bool may_feed = !feeders_.empty() && feeders_.accepts(token);
  if (may_feed) connection.setMayFeed();
  if (tokens_.accepts(token) || may_feed) {
    connection.setKnown();
    return connection.reply(helloReply(number, limits_, source_.blockTypes(), source_.version()),
                            now);
  }
  metrics_.countReason(Metrics::kWrongToken);
  const absl::Status error = absl::PermissionDeniedError(
      "the server does not accept the token; it lists those that it does in a file");
  connection.reply(errorReply(wire::kHello, number, error), now, true);
}

// Applies the tick at once: its connection sends no other one before the answer, and ticks are few.
void FrameHandler::acceptTick(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  if (!connection.mayFeed()) {
    const absl::Status error = absl::PermissionDeniedError(
        "the connection's token does not give the right to feed entities; the server lists those "
        "that do in the file of --feed-tokens");
    return connection.reply(errorReply(head.verb, head.number, error), now);
  }
  absl::StatusOr<EntityTick> tick = decodeTick(connection.editBody());
  const absl::Status status = tick.ok() ? source_.feed(*tick) : tick.status();
  if (!status.ok()) return connection.reply(errorReply(head.verb, head.number, status), now);
  connection.reply(emptyReply(head.verb, head.number), now);
}

void FrameHandler::acceptTypes(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  const std::string_view names = source_.blockTypeNames();
  if (names.empty() || names.size() > wire::kMaxTypesBytes) {
    const absl::Status error = absl::FailedPreconditionError(
        names.empty()
            ? "the table of block types of the server's world may change, and is not sent"
            : "the names of the block types of the server's world are too long to be sent");
    return connection.reply(errorReply(head.verb, head.number, error), now);
  }
  Reservation memory;
  if (!memory.add(budget_, typesReplyBytes(names))) {
    return connection.reply(noMemoryReply(head, now), now);
  }
  connection.reply(typesReply(head.number, names), now, false, std::move(memory));
}

void FrameHandler::acceptCall(Connection& connection, Clock::time_point now) {
  const wire::FrameHead head = connection.head();
  const auto call = std::make_shared<Call>();
  call->connection = connection.number();
  call->number = head.number;
  call->received = connection.since();
  connection.takeBody(*call);
  absl::StatusOr<CallRequest> request = decodeCall(head.verb, call->body, limits_);
  if (!request.ok()) {
    metrics_.countReason(Metrics::kWrongFrame);
    return connection.reply(errorReply(head.verb, head.number, request.status()), now);
  }
  call->request = *std::move(request);
  if (!call->memory.add(budget_, answerBytes(call->request))) {
    return connection.reply(noMemoryReply(head, now), now);
  }
  if (const auto wait = queue_.push(call)) {
    metrics_.countReason(Metrics::kQueueFull);
    return connection.reply(busyReply(head, "queue full", *wait), now);
  }
  connection.answering(call);
}

std::vector<std::byte> FrameHandler::busyReply(const wire::FrameHead& head, const char* what,
                                               std::chrono::milliseconds wait) {
  const absl::Status error =
      absl::ResourceExhaustedError(absl::StrCat(what, "; again in ", wait.count(), " ms"));
  return errorReply(head.verb, head.number, error, wait);
}

std::vector<std::byte> FrameHandler::noMemoryReply(const wire::FrameHead& head,
                                                   Clock::time_point now) {
  last_shortage_ = now;
  metrics_.countReason(Metrics::kMemoryFull);
  return busyReply(head, "memory for calls full", kMemoryWait);
}

}  // namespace fractalray::serve
