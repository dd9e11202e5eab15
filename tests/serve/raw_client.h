// SPDX-License-Identifier: Apache-2.0
// A client that sends what no client of this project would.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../../bindings/c/internal/frame.h"
#include "../../bindings/c/internal/sockets.h"

namespace fractalray::testing {

// A socket that waits for at most ten seconds.
class RawClient {
 public:
  explicit RawClient(const std::string& address);

  // Sends bytes; returns false if the server has closed the connection.
  bool send(std::string_view bytes);
  // Receives bytes; returns fewer at the end of the connection.
  std::string receive(std::size_t bytes);
  // Receives until the server closes the connection.
  std::string receiveAll();
  // Receives a frame; returns false if there is none.
  bool receiveFrame(wire::FrameHead& head, std::string& body);
  // Says hello; returns true if the server answers it.
  bool sayHello();
  void close() { socket_.close(); }

 private:
  wire::Descriptor socket_;
};

// Returns the bytes of a value.
template <class T>
std::string bytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Returns a frame with a body of a multiple of 8 bytes.
std::string frameOf(wire::Verb verb, const std::string& body);
// Returns the body of a call of that many lines, each down to the floor of SmallWorld.
std::string bodyOfLines(std::size_t count, std::uint64_t deadline_us = 0);

}  // namespace fractalray::testing
