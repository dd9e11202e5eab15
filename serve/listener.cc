// SPDX-License-Identifier: Apache-2.0
#include "listener.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace fractalray::serve {
namespace {

constexpr int kBacklog = 128;  // connections that the system keeps until they are accepted

// Returns true if nobody listens at a Unix socket. Any other error, such as that of a server whose
// backlog is full, is no proof.
bool isDeserted(const wire::SocketAddress& address) {
  const absl::StatusOr<wire::Descriptor> socket = wire::newSocket(address);
  return socket.ok() &&
         ::connect(socket->number(), reinterpret_cast<const sockaddr*>(&address.storage),
                   address.length) != 0 &&
         errno == ECONNREFUSED;
}

// Returns the identity of the file at a path, not of what a link leads to; nothing without one.
std::optional<std::pair<dev_t, ino_t>> fileAt(const std::string& path) {
  struct stat file {};
  if (path.empty() || ::lstat(path.c_str(), &file) != 0) return std::nullopt;
  return std::pair(file.st_dev, file.st_ino);
}

// Removes the file of a Unix socket at which nobody listens.
absl::Status removeStale(const wire::SocketAddress& address) {
  struct stat file {};
  if (::lstat(address.path.c_str(), &file) != 0) return absl::OkStatus();
  if (!S_ISSOCK(file.st_mode)) {
    return absl::AlreadyExistsError(
        absl::StrCat(address.path, " is a file and no socket; give another path"));
  }
  if (!isDeserted(address)) {
    return absl::AlreadyExistsError(
        absl::StrCat("a server listens at ", address.path, " already; give another path"));
  }
  ::unlink(address.path.c_str());
  return absl::OkStatus();
}

// Returns the address with the port of a socket.
std::string withPort(const wire::SocketAddress& address, int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (!address.path.empty() ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    return address.text;
  }
  in_port_t port = 0;
  if (bound.ss_family == AF_INET6) {
    sockaddr_in6 of_six{};
    std::memcpy(&of_six, &bound, sizeof of_six);
    port = of_six.sin6_port;
  } else {
    sockaddr_in of_four{};
    std::memcpy(&of_four, &bound, sizeof of_four);
    port = of_four.sin_port;
  }
  return absl::StrCat(address.text.substr(0, address.text.rfind(':') + 1), ntohs(port));
}

}  // namespace

absl::StatusOr<Listener> Listener::open(const std::string& text) {
  const absl::StatusOr<wire::SocketAddress> address = wire::parseAddress(text);
  if (!address.ok()) return address.status();
  if (!address->path.empty()) {
    absl::Status status = removeStale(*address);
    if (!status.ok()) return status;
  }
  absl::StatusOr<wire::Descriptor> socket = wire::newSocket(*address);
  if (!socket.ok()) return socket.status();
  const int on = 1;
  if (address->path.empty()) {
    static_cast<void>(::setsockopt(socket->number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  }
  if (::bind(socket->number(), reinterpret_cast<const sockaddr*>(&address->storage),
             address->length) != 0) {
    if (errno != EADDRINUSE) return wire::systemError(text, errno);
    return absl::AlreadyExistsError(
        absl::StrCat("another program listens at ", text, " already; give another address"));
  }
  std::string bound = withPort(*address, socket->number());
  Listener listener(*std::move(socket), address->path, std::move(bound));
  listener.file_ = fileAt(address->path);
  if (::listen(listener.socket(), kBacklog) != 0) return wire::systemError(text, errno);
  return listener;
}

absl::StatusOr<std::optional<wire::Descriptor>> Listener::accept() const {
  wire::Descriptor socket(::accept(socket_.number(), nullptr, nullptr));
  if (!socket.isOpen()) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      return wire::systemError(address_, errno);
    }
    return std::optional<wire::Descriptor>();  // it is gone again, or there was none
  }
  const absl::Status status = wire::makeNonBlocking(socket.number());
  if (!status.ok()) return status;
  return std::optional(std::move(socket));
}

void Listener::close() {
  if (!socket_.isOpen()) return;
  // Not the file of another server, which began there after this one's was deleted.
  if (!path_.empty() && file_ == fileAt(path_)) ::unlink(path_.c_str());
  socket_.close();
}

}  // namespace fractalray::serve
