// SPDX-License-Identifier: Apache-2.0
// POSIX sockets: addresses, and whole messages until a point in time. No call raises SIGPIPE.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray::wire {

using Clock = std::chrono::steady_clock;

#ifdef MSG_NOSIGNAL
inline constexpr int kSendFlags = MSG_NOSIGNAL;
#else
inline constexpr int kSendFlags = 0;  // newSocket() sets SO_NOSIGPIPE
#endif

// Returns true after an error after which a socket that does not block is to be tried again.
inline bool isToTryAgain(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool isOpen() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

// "unix:/run/fr.sock", "tcp:HOST:PORT", "tcp:[::1]:PORT".
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
  std::string text;  // as it was given
  std::string path;  // of a Unix socket, else empty
};
// INVALID_ARGUMENT for a text that is none, UNAVAILABLE for a host that is not known. Cost: may ask
// the system's resolver.
absl::StatusOr<SocketAddress> parseAddress(std::string_view text);
// Returns all addresses of the host, in the order of the system's resolver; at least one. Errors
// and cost as above.
absl::StatusOr<std::vector<SocketAddress>> parseAddresses(std::string_view text);

// Returns UNAVAILABLE with the text of errno.
absl::Status systemError(std::string_view what, int number);

// Return a socket that does not block and is closed by exec; and set both of another one.
absl::StatusOr<Descriptor> newSocket(const SocketAddress& address);
absl::Status makeNonBlocking(int socket);

// Connects; UNAVAILABLE if nobody listens, DEADLINE_EXCEEDED at `until`.
absl::StatusOr<Descriptor> connectTo(const SocketAddress& address, Clock::time_point until);
// Connects to the first address that accepts: each has an equal part of the time that is left, so
// that one that does not answer leaves time for the others. The error is that of the last one.
// Requires: there is one.
absl::StatusOr<Descriptor> connectToAny(std::span<const SocketAddress> addresses,
                                        Clock::time_point until);

// Send and receive all bytes of the parts, which are changed. UNAVAILABLE if the connection breaks,
// DEADLINE_EXCEEDED at `until`: then it is in the middle of a message. Requires: at most 64 parts.
absl::Status sendAll(int socket, std::span<iovec> parts, Clock::time_point until);
absl::Status receiveAll(int socket, std::span<iovec> parts, Clock::time_point until);

// Returns true if the other side has closed the connection, or sent what nobody has asked for.
bool isBroken(int socket);

}  // namespace fractalray::wire
