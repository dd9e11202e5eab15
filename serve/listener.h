// SPDX-License-Identifier: Apache-2.0
// Sockets that accept connections.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

#include "../bindings/c/internal/sockets.h"

namespace fractalray::serve {

// Removes the file of a Unix socket at its end, if it is still its own.
class Listener {
 public:
  // Listens at the address in a text; see wire::parseAddress(). The file that a server which was
  // killed has left is replaced. ALREADY_EXISTS if something listens there, or the file is another
  // one; errors of the address and the system.
  static absl::StatusOr<Listener> open(const std::string& text);
  ~Listener() { close(); }
  Listener(Listener&& other) noexcept
      : socket_(std::move(other.socket_)),
        path_(std::exchange(other.path_, {})),
        file_(std::exchange(other.file_, {})),
        address_(std::move(other.address_)) {}
  Listener& operator=(Listener&&) = delete;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int socket() const { return socket_.number(); }
  // Returns the address, with the port that the system has chosen for port 0.
  const std::string& address() const { return address_; }
  // Accepts a connection; nothing if there is none now. UNAVAILABLE if the system cannot make one,
  // such as without descriptors: then the listener is to rest.
  absl::StatusOr<std::optional<wire::Descriptor>> accept() const;
  // Ends it.
  void close();

 private:
  Listener(wire::Descriptor socket, std::string path, std::string address)
      : socket_(std::move(socket)), path_(std::move(path)), address_(std::move(address)) {}

  wire::Descriptor socket_;
  std::string path_;  // of a Unix socket
  // The device and the number of its file; nothing if that was deleted at once.
  std::optional<std::pair<dev_t, ino_t>> file_;
  std::string address_;
};

}  // namespace fractalray::serve
