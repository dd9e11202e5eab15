// SPDX-License-Identifier: Apache-2.0
// The client of `fractalray serve`: one call at a time on one socket.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

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

// Returns the part of a version that names the world: what is before the '@'.
std::string worldOf(const std::string& version) {
  return version.substr(0, version.find('@'));
}

class RemoteConnection : public Remote {
 public:
  RemoteConnection(wire::SocketAddress address, std::string token, microseconds deadline,
                   microseconds timeout)
      : address_(std::move(address)),
        token_(std::move(token)),
        deadline_(deadline),
        timeout_(timeout) {}

  // Connects, unless there is a connection that works.
  absl::Status connect(Clock::time_point until) {
    if (socket_.isOpen() && !wire::isBroken(socket_.number())) return absl::OkStatus();
    socket_.close();
    absl::StatusOr<wire::Descriptor> socket = wire::connectTo(address_, until);
    if (!socket.ok()) return socket.status();
    std::string version;
    absl::Status status = sayHello(socket->number(), until, version);
    if (!status.ok()) return status;
    if (connects_ > 0 && worldOf(version) != worldOf(version_)) {
      return absl::FailedPreconditionError(
          absl::StrCat("the server has the world ", worldOf(version), " now, and had ",
                       worldOf(version_), "; make another connection"));
    }
    socket_ = *std::move(socket);
    version_ = std::move(version);
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
    status = request_.make(
        call, ++number_,
        has_deadline ? static_cast<std::uint64_t>(std::max<long long>(left, 1)) : 0, server_);
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
    error = std::move(answer.first_error);
    return status;
  }

  const std::string& version() const override { return version_; }
  frRemoteInfo info() const override {
    frRemoteInfo info{};
    info.batch_lines = server_.batch_lines;
    info.frame_bytes = server_.frame_bytes;
    info.connects = connects_;
    info.retry_us = retry_us_;
    return info;
  }
  void setDeadline(std::uint64_t deadline_us) override { deadline_ = timeOf(deadline_us); }

 private:
  absl::Status named(const absl::Status& status) const {
    return {status.code(), absl::StrCat(address_.text, ": ", status.message())};
  }

  // Sends a request and receives its answer. A server may answer before it has read all, and close
  // the connection: then its answer says why, and not the error of sending.
  absl::Status exchange(const RemoteCall& call, Clock::time_point until, RemoteAnswer& answer) {
    absl::Status sent = wire::sendAll(socket_.number(), request_.parts(), until);
    if (absl::IsDeadlineExceeded(sent)) return sent;
    absl::Status received = receiveAnswer(socket_.number(), call, request_.number(), until, answer);
    return !sent.ok() && !answer.is_whole ? sent : received;
  }

  absl::Status sayHello(int socket, Clock::time_point until, std::string& version) {
    wire::FrameHead head;
    head.verb = wire::kHello;
    head.bytes = wire::padded(token_.size());
    std::array<char, 8> zeros{};
    std::array<iovec, 3> parts = {{{&head, sizeof head},
                                   {token_.data(), token_.size()},
                                   {zeros.data(), head.bytes - token_.size()}}};
    absl::Status sent = wire::sendAll(socket, parts, until);
    if (absl::IsDeadlineExceeded(sent)) return sent;
    const absl::Status received = receiveHello(socket, until, version);
    return absl::IsUnavailable(received) && !sent.ok() ? sent : received;
  }

  absl::Status receiveHello(int socket, Clock::time_point until, std::string& version) {
    wire::FrameHead head;
    constexpr std::uint64_t kMost = sizeof(wire::HelloAnswer) + wire::kMaxTextBytes;
    absl::Status status = receiveHead(socket, 0, kMost, until, head);
    if (!status.ok()) return status;
    RemoteAnswer answer;
    if (head.result != FR_OK) return receiveError(socket, head, until, answer);
    wire::HelloAnswer hello;
    iovec part{&hello, sizeof hello};
    if (head.bytes >= sizeof hello) status = wire::receiveAll(socket, {&part, 1}, until);
    if (!status.ok()) return status;
    if (head.bytes != sizeof hello + wire::padded(hello.version_bytes)) {
      return absl::DataLossError("the server's answer has another size; it has another version");
    }
    status = receiveText(socket, hello.version_bytes, until, version);
    if (status.ok()) server_ = hello;
    return status;
  }

  wire::SocketAddress address_;
  std::string token_;
  microseconds deadline_;
  microseconds timeout_;
  wire::Descriptor socket_;
  wire::HelloAnswer server_;
  std::string version_;
  std::uint64_t connects_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t retry_us_ = 0;
  RemoteRequest request_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Remote>> connectRemote(const std::string& address,
                                                      const frConnectOptions& options) {
  absl::StatusOr<wire::SocketAddress> parsed = wire::parseAddress(address);
  if (!parsed.ok()) return parsed.status();
  std::string token = options.token == nullptr ? "" : options.token;
  if (token.size() > wire::kMaxTokenBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "options->token has ", token.size(), " bytes; it has at most ", wire::kMaxTokenBytes));
  }
  const microseconds timeout =
      options.timeout_us == 0 ? kDefaultTimeout : timeOf(options.timeout_us);
  auto remote = std::make_unique<RemoteConnection>(*std::move(parsed), std::move(token),
                                                   timeOf(options.deadline_us), timeout);
  const absl::Status status = remote->connect(Clock::now() + timeout);
  if (!status.ok())
    return absl::Status(status.code(), absl::StrCat(address, ": ", status.message()));
  return remote;
}

}  // namespace fractalray::capi
