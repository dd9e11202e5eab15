// SPDX-License-Identifier: Apache-2.0
// The client of `fractalray serve`: one call at a time on one socket.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "frame.h"
#include "remote.h"
#include "remote_answer.h"
#include "remote_request.h"
#include "sockets.h"

namespace fractalray::capi {
namespace {

using std::chrono::microseconds;
using wire::Clock;

constexpr microseconds kDefaultTimeout{60'000'000};
constexpr std::uint64_t kMostMicroseconds = 1'000'000'000'000;  // 11 days: sums do not overflow

microseconds timeOf(std::uint64_t time_us) {
  return microseconds{std::min(time_us, kMostMicroseconds)};
}

// Returns the part of a version that names the world: what is before the last '@'.
std::string worldOf(const std::string& version) {
  return version.substr(0, version.rfind('@'));
}

std::string textOf(const char* text) {
  return text == nullptr ? "" : text;
}

absl::Status checkLength(const std::string& text, std::string_view name, std::size_t most) {
  if (text.size() <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(name), " has ", text.size(), " bytes; it has at most ", most));
}

// Returns an array as a part of a message. Requires: its elements are multiples of 8 bytes.
template <class T>
iovec partOf(const T* array, std::size_t count) {
  static_assert(sizeof(T) % 8 == 0);
  return {const_cast<T*>(array), count * sizeof(T)};
}

class RemoteConnection : public Remote {
 public:
  // The options are checked, but for the address. Copies them.
  RemoteConnection(std::string address, const frConnectOptions& options)
      : address_(std::move(address)),
        token_(textOf(options.token)),
        expected_world_(textOf(options.world)),
        expected_types_(options.block_types),
        deadline_(timeOf(options.deadline_us)),
        timeout_(options.timeout_us == 0 ? kDefaultTimeout : timeOf(options.timeout_us)) {}

  microseconds timeout() const { return timeout_; }

  // Connects, unless there is a connection that works.
  absl::Status connect(Clock::time_point until) {
    if (socket_.isOpen() && !wire::isBroken(socket_.number())) return absl::OkStatus();
    socket_.close();
    // Resolved again each time: the host may have moved.
    const absl::StatusOr<std::vector<wire::SocketAddress>> addresses =
        wire::parseAddresses(address_);
    if (!addresses.ok()) return addresses.status();
    absl::StatusOr<wire::Descriptor> socket = wire::connectToAny(*addresses, until);
    if (!socket.ok()) return socket.status();
    wire::HelloAnswer hello;
    std::string version;
    absl::Status status = sayHello(socket->number(), until, hello, version);
    if (status.ok()) status = checkServer(hello, version);
    if (!status.ok()) return status;
    socket_ = *std::move(socket);
    server_ = hello;
    version_ = std::move(version);
    expected_world_ = worldOf(version_);
    if (server_.block_types != 0) expected_types_ = server_.block_types;
    ++connects_;
    return absl::OkStatus();
  }

  absl::Status ask(const RemoteCall& call, LineError& error) override {
    retry_us_ = 0;
    const bool has_deadline = deadline_.count() > 0;
    const Clock::time_point until = Clock::now() + (has_deadline ? deadline_ : timeout_);
    absl::Status status = connect(until);
    if (!status.ok()) return named(status);
    const auto left = std::chrono::duration_cast<microseconds>(until - Clock::now()).count();
    status =
        request_.make(call, ++number_,
                      has_deadline ? static_cast<std::uint64_t>(std::max<long long>(left, 1)) : 0,
                      at_least_, server_);
    if (!status.ok()) return status;
    RemoteAnswer answer;
    status = exchange(call, until, answer);
    retry_us_ = answer.retry_us;
    if (!answer.is_whole) {
      socket_.close();
      return named(status);
    }
    if (!status.ok()) return status;
    version_ = std::move(answer.version);
    tick_ = answer.tick;
    error = std::move(answer.first_error);
    return status;
  }

  absl::StatusOr<std::span<const std::string>> blockTypes() override {
    retry_us_ = 0;
    const Clock::time_point until = Clock::now() + (deadline_.count() > 0 ? deadline_ : timeout_);
    absl::Status status = connect(until);
    if (!status.ok()) return named(status);
    if (!types_.empty()) return std::span<const std::string>(types_);
    wire::FrameHead head;
    head.verb = wire::kBlockTypes;
    head.number = ++number_;
    iovec part{&head, sizeof head};
    RemoteAnswer answer;
    std::vector<std::string> names;
    status = wire::sendAll(socket_.number(), {&part, 1}, until);
    if (status.ok()) status = receiveTypes(socket_.number(), number_, until, answer, names);
    retry_us_ = answer.retry_us;
    if (!answer.is_whole) socket_.close();
    if (!status.ok()) return named(status);
    types_ = std::move(names);
    return std::span<const std::string>(types_);
  }

  absl::Status feed(const frEntityTick& tick) override {
    retry_us_ = 0;
    const Clock::time_point until = Clock::now() + (deadline_.count() > 0 ? deadline_ : timeout_);
    absl::Status status = connect(until);
    if (!status.ok()) return named(status);
    const std::uint64_t most = server_.frame_bytes / sizeof(frFedEntity);
    if (tick.added_count > most || tick.moved_count > most || tick.removed_count > most) {
      return absl::ResourceExhaustedError(absl::StrCat("the tick has more than ", most,
                                                       " entities in an array; the server takes ",
                                                       server_.frame_bytes, " bytes"));
    }
    wire::TickHead body;
    body.tick = tick.tick;
    body.added = tick.added_count;
    body.moved = tick.moved_count;
    body.removed = tick.removed_count;
    body.is_whole = tick.is_whole != 0 ? 1 : 0;
    wire::FrameHead head;
    std::array<iovec, 5> parts = {{{&head, sizeof head},
                                   {&body, sizeof body},
                                   partOf(tick.added, tick.added_count),
                                   partOf(tick.moved, tick.moved_count),
                                   partOf(tick.removed, tick.removed_count)}};
    head.verb = wire::kFeedTick;
    head.number = ++number_;
    for (const iovec& part : parts)
      head.bytes += part.iov_len;
    head.bytes -= sizeof head;
    RemoteAnswer answer;
    const absl::Status sent = wire::sendAll(socket_.number(), parts, until);
    if (!absl::IsDeadlineExceeded(sent))
      status = receiveNothing(socket_.number(), number_, until, answer);
    retry_us_ = answer.retry_us;
    if (answer.is_whole) return status;
    socket_.close();
    return named(sent.ok() ? status : sent);
  }

  const std::string& version() const override { return version_; }
  frRemoteInfo info() const override {
    frRemoteInfo info{};
    info.batch_lines = server_.batch_lines;
    info.frame_bytes = server_.frame_bytes;
    info.connects = connects_;
    info.retry_us = retry_us_;
    info.block_types = server_.block_types;
    info.tick = tick_;
    return info;
  }
  void setDeadline(std::uint64_t deadline_us) override { deadline_ = timeOf(deadline_us); }
  absl::Status setAtLeast(std::string version) override {
    absl::Status status = checkLength(version, "version", wire::kMaxTextBytes);
    if (status.ok()) at_least_ = std::move(version);
    return status;
  }

 private:
  absl::Status named(const absl::Status& status) const {
    return {status.code(), absl::StrCat(address_, ": ", status.message())};
  }

  // Checks that a server has the world and the table of types that are expected: of the options, or
  // of the connection before.
  absl::Status checkServer(const wire::HelloAnswer& hello, const std::string& version) const {
    const char* const reason = connects_ > 0 ? " was there before" : " is expected";
    if (!expected_world_.empty() && worldOf(version) != expected_world_) {
      return absl::FailedPreconditionError(
          absl::StrCat("the server has the world ", worldOf(version), ", and ", expected_world_,
                       reason, "; make another connection, to a server of that world"));
    }
    if (expected_types_ == 0 || hello.block_types == expected_types_) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("the server has a table of block types with the fingerprint ",
                     absl::Hex(hello.block_types, absl::kZeroPad16), ", and one with ",
                     absl::Hex(expected_types_, absl::kZeroPad16), reason,
                     "; make another connection, and read names and numbers of types again"));
  }

  // Sends a request and receives its answer. A server may answer before it has read all, and close
  // the connection: then its answer says why, and not the error of sending.
  absl::Status exchange(const RemoteCall& call, Clock::time_point until, RemoteAnswer& answer) {
    absl::Status sent = wire::sendAll(socket_.number(), request_.parts(), until);
    if (absl::IsDeadlineExceeded(sent)) return sent;
    absl::Status received = receiveAnswer(socket_.number(), call, request_.number(), until, answer);
    return !sent.ok() && !answer.is_whole ? sent : received;
  }

  absl::Status sayHello(int socket, Clock::time_point until, wire::HelloAnswer& hello,
                        std::string& version) {
    wire::FrameHead head;
    head.verb = wire::kHello;
    head.bytes = wire::padded(token_.size());
    std::array<char, 8> zeros{};
    std::array<iovec, 3> parts = {{{&head, sizeof head},
                                   {token_.data(), token_.size()},
                                   {zeros.data(), head.bytes - token_.size()}}};
    absl::Status sent = wire::sendAll(socket, parts, until);
    if (absl::IsDeadlineExceeded(sent)) return sent;
    const absl::Status received = receiveHello(socket, until, hello, version);
    return absl::IsUnavailable(received) && !sent.ok() ? sent : received;
  }

  static absl::Status receiveHello(int socket, Clock::time_point until, wire::HelloAnswer& hello,
                                   std::string& version) {
    wire::FrameHead head;
    constexpr std::uint64_t kMost = sizeof(wire::HelloAnswer) + wire::kMaxTextBytes;
    absl::Status status = receiveHead(socket, 0, kMost, until, head);
    if (!status.ok()) return status;
    RemoteAnswer answer;
    if (head.result != FR_OK) return receiveError(socket, head, until, answer);
    iovec part{&hello, sizeof hello};
    if (head.bytes >= sizeof hello) status = wire::receiveAll(socket, {&part, 1}, until);
    if (!status.ok()) return status;
    if (head.bytes != sizeof hello + wire::padded(hello.version_bytes)) {
      return absl::DataLossError("the server's answer has another size; it has another version");
    }
    return receiveText(socket, hello.version_bytes, until, version);
  }

  std::string address_;
  std::string token_;
  std::string expected_world_;    // or empty
  std::uint64_t expected_types_;  // or 0
  std::string at_least_;
  microseconds deadline_;
  microseconds timeout_;
  wire::Descriptor socket_;
  wire::HelloAnswer server_;
  std::string version_;
  std::vector<std::string> types_;  // once they were asked for: they stay as they are
  std::uint64_t tick_ = 0;          // of the last answer
  std::uint64_t connects_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t retry_us_ = 0;
  RemoteRequest request_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Remote>> connectRemote(const std::string& address,
                                                      const frConnectOptions& options) {
  absl::Status status = checkLength(textOf(options.token), "options->token", wire::kMaxTokenBytes);
  if (status.ok()) {
    status = checkLength(textOf(options.world), "options->world", wire::kMaxTextBytes);
  }
  if (!status.ok()) return status;
  auto remote = std::make_unique<RemoteConnection>(address, options);
  status = remote->connect(Clock::now() + remote->timeout());
  if (!status.ok())
    return absl::Status(status.code(), absl::StrCat(address, ": ", status.message()));
  return remote;
}

}  // namespace fractalray::capi
