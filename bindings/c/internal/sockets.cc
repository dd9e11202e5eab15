// SPDX-License-Identifier: Apache-2.0
#include "sockets.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <system_error>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace fractalray::wire {
namespace {

absl::Status badAddress(std::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("the address is \"", std::string(text),
                   "\"; give unix:PATH, such as unix:/run/fr.sock, or tcp:HOST:PORT"));
}

absl::StatusOr<SocketAddress> unixAddress(std::string_view path) {
  SocketAddress address;
  sockaddr_un bound{};
  bound.sun_family = AF_UNIX;
  if (path.size() >= sizeof(bound.sun_path)) {
    return absl::InvalidArgumentError(absl::StrCat("the path \"", std::string(path), "\" has ",
                                                   path.size(), " bytes; a socket's has at most ",
                                                   sizeof(bound.sun_path) - 1));
  }
  std::memcpy(bound.sun_path, path.data(), path.size());
  std::memcpy(&address.storage, &bound, sizeof bound);
  address.length = sizeof bound;
  address.path = std::string(path);
  return address;
}

absl::StatusOr<std::vector<SocketAddress>> tcpAddresses(const std::string& host,
                                                        const std::string& port) {
  // The resolver would cut a larger number to 16 bits.
  int number = 0;
  constexpr int kMostPort = 65'535;
  if (!absl::SimpleAtoi(port, &number) || number < 0 || number > kMostPort) {
    return absl::InvalidArgumentError(
        absl::StrCat("the port is \"", port, "\"; it must be a number from 0 to ", kMostPort));
  }
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) {
    return absl::UnavailableError(
        absl::StrCat("the host ", host, " is not known: ", ::gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    SocketAddress address;
    if (each->ai_addrlen > sizeof address.storage) continue;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.length = each->ai_addrlen;
    addresses.push_back(std::move(address));
  }
  if (addresses.empty())
    return absl::UnavailableError(absl::StrCat("the host ", host, " has no address"));
  return addresses;
}

// Polls one socket for at most that time, above 0, and a minute.
int pollFor(pollfd& waiting, Clock::duration left) {
#ifdef __linux__
  // poll() counts in milliseconds: deadlines are as short as two.
  using std::chrono::nanoseconds;
  constexpr nanoseconds kMost = std::chrono::minutes(1);
  const std::int64_t ns = std::min(nanoseconds(left), kMost).count();
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  timespec time{};
  time.tv_sec = static_cast<decltype(time.tv_sec)>(ns / kNsPerSecond);
  time.tv_nsec = static_cast<decltype(time.tv_nsec)>(ns % kNsPerSecond);
  return ::ppoll(&waiting, 1, &time, nullptr);
#else
  // Rounded up, or the last millisecond would be waited for in a loop.
  const auto left_ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  constexpr long long kMostMs = 60'000;  // poll takes an int
  return ::poll(&waiting, 1, static_cast<int>(std::min<long long>(left_ms, kMostMs)));
#endif
}

// Waits for events of a socket; DEADLINE_EXCEEDED at `until`.
absl::Status waitFor(int socket, short events, Clock::time_point until) {
  while (true) {
    const auto left = until - Clock::now();
    if (left.count() <= 0)
      return absl::DeadlineExceededError("the server has not answered in time");
    pollfd waiting{socket, events, 0};
    const int ready = pollFor(waiting, left);
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) return systemError("poll", errno);
  }
}

// Moves the parts on by the bytes that were sent or received.
std::span<iovec> without(std::span<iovec> parts, std::size_t bytes) {
  while (!parts.empty() && bytes >= parts.front().iov_len) {
    bytes -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (bytes > 0) {
    parts.front().iov_base = static_cast<std::byte*>(parts.front().iov_base) + bytes;
    parts.front().iov_len -= bytes;
  }
  return parts;
}

msghdr messageOf(std::span<iovec> parts) {
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(parts.size());
  return message;
}

bool isToWait(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

// Returns 0 once it is connected, else errno.
int startToConnect(int socket, const SocketAddress& address) {
  const auto* const to = reinterpret_cast<const sockaddr*>(&address.storage);
  return ::connect(socket, to, address.length) == 0 ? 0 : errno;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

absl::Status systemError(std::string_view what, int number) {
  return absl::UnavailableError(
      absl::StrCat(std::string(what), ": ", std::generic_category().message(number)));
}

absl::StatusOr<SocketAddress> parseAddress(std::string_view text) {
  absl::StatusOr<std::vector<SocketAddress>> addresses = parseAddresses(text);
  if (!addresses.ok()) return addresses.status();
  return std::move(addresses->front());
}

absl::StatusOr<std::vector<SocketAddress>> parseAddresses(std::string_view text) {
  absl::StatusOr<std::vector<SocketAddress>> addresses = badAddress(text);
  if (text.find('\0') != std::string_view::npos) return addresses;
  if (text.starts_with("unix:") && text.size() > 5) {
    absl::StatusOr<SocketAddress> address = unixAddress(text.substr(5));
    if (!address.ok()) return address.status();
    addresses = std::vector<SocketAddress>{*std::move(address)};
  } else if (text.starts_with("tcp:")) {
    const std::string_view host_port = text.substr(4);
    const std::size_t colon = host_port.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == host_port.size())
      return addresses;
    std::string_view host = host_port.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    addresses = tcpAddresses(std::string(host), std::string(host_port.substr(colon + 1)));
  }
  if (!addresses.ok()) return addresses;
  for (SocketAddress& address : *addresses)
    address.text = std::string(text);
  return addresses;
}

absl::Status makeNonBlocking(int socket) {
  const int flags = ::fcntl(socket, F_GETFL);
  if (flags < 0 || ::fcntl(socket, F_SETFL, flags | O_NONBLOCK) < 0 ||
      ::fcntl(socket, F_SETFD, FD_CLOEXEC) < 0) {
    return systemError("fcntl", errno);
  }
  // Avoids delays, and SIGPIPE where send has no flag for it. The first fails for a Unix socket,
  // which does no harm.
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
#ifdef SO_NOSIGPIPE
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on));
#endif
  return absl::OkStatus();
}

absl::StatusOr<Descriptor> newSocket(const SocketAddress& address) {
  Descriptor socket(::socket(address.storage.ss_family, SOCK_STREAM, 0));
  if (!socket.isOpen()) return systemError(address.text, errno);
  absl::Status status = makeNonBlocking(socket.number());
  if (!status.ok()) return status;
  return socket;
}

absl::StatusOr<Descriptor> connectTo(const SocketAddress& address, Clock::time_point until) {
  absl::StatusOr<Descriptor> socket = newSocket(address);
  if (!socket.ok()) return socket;
  const int number = socket->number();
  int error = startToConnect(number, address);
  // The backlog of a Unix socket is full, for whose end there is no event.
  while (isToWait(error) && !address.path.empty()) {
    if (Clock::now() >= until) {
      return absl::DeadlineExceededError("the server has accepted no connection in time");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    error = startToConnect(number, address);
  }
  if (error == 0) return socket;
  if (error != EINPROGRESS && error != EINTR) return systemError(address.text, error);
  const absl::Status status = waitFor(number, POLLOUT, until);
  if (!status.ok()) return status;
  socklen_t size = sizeof error;
  if (::getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return systemError(address.text, error);
  return socket;
}

absl::StatusOr<Descriptor> connectToAny(std::span<const SocketAddress> addresses,
                                        Clock::time_point until) {
  absl::StatusOr<Descriptor> connected = absl::UnavailableError("there is no address");
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto left = until - Clock::now();
    const auto parts = static_cast<std::int64_t>(addresses.size() - i);
    connected =
        connectTo(addresses[i], i + 1 == addresses.size() ? until : Clock::now() + left / parts);
    if (connected.ok()) break;
  }
  return connected;
}

absl::Status sendAll(int socket, std::span<iovec> parts, Clock::time_point until) {
  while (!parts.empty()) {
    const msghdr message = messageOf(parts);
    const ssize_t sent = ::sendmsg(socket, &message, kSendFlags);
    if (sent >= 0) {
      parts = without(parts, static_cast<std::size_t>(sent));
    } else if (isToWait(errno)) {
      absl::Status status = waitFor(socket, POLLOUT, until);
      if (!status.ok()) return status;
    } else if (errno != EINTR) {
      return systemError("the connection has broken", errno);
    }
  }
  return absl::OkStatus();
}

absl::Status receiveAll(int socket, std::span<iovec> parts, Clock::time_point until) {
  parts = without(parts, 0);  // empty parts at the beginning: to receive nothing means the end
  while (!parts.empty()) {
    msghdr message = messageOf(parts);
    const ssize_t received = ::recvmsg(socket, &message, 0);
    if (received > 0) {
      parts = without(parts, static_cast<std::size_t>(received));
    } else if (received == 0) {
      return absl::UnavailableError("the server has closed the connection");
    } else if (isToWait(errno)) {
      absl::Status status = waitFor(socket, POLLIN, until);
      if (!status.ok()) return status;
    } else if (errno != EINTR) {
      return systemError("the connection has broken", errno);
    }
  }
  return absl::OkStatus();
}

bool isBroken(int socket) {
  std::byte next{};
  const ssize_t received = ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return received >= 0 || !isToTryAgain(errno);
}

}  // namespace fractalray::wire
