// SPDX-License-Identifier: Apache-2.0
// One request for the metrics, by HTTP/1.0 or later: GET /metrics, and the connection ends.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "../bindings/c/internal/sockets.h"

namespace fractalray::serve {

// Belongs to the thread that runs the server's loop. Nothing here waits.
class MetricsPage {
 public:
  MetricsPage(wire::Descriptor socket, wire::Clock::time_point now)
      : socket_(std::move(socket)), since_(now) {}

  int socket() const { return socket_.number(); }
  bool isSending() const { return !answer_.empty(); }
  wire::Clock::time_point since() const { return since_; }

  // Receives or sends what is possible; `text` makes the metrics once they are asked for. Returns
  // false at the end.
  bool run(const std::function<std::string()>& text);

 private:
  bool receive(const std::function<std::string()>& text);
  bool send();

  wire::Descriptor socket_;
  wire::Clock::time_point since_;
  std::string request_;  // at most 4 KB
  std::string answer_;
  std::size_t sent_ = 0;
};

}  // namespace fractalray::serve
