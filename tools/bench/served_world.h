// SPDX-License-Identifier: Apache-2.0
// A server on a thread of a benchmark, at a Unix socket and the doors of its options.
#pragma once

#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../serve/server.h"
#include "unwrap.h"

namespace fractalray::bench {

class ServedWorld {
 public:
  ServedWorld(serve::AnswerSource& source, serve::ServeOptions options) {
    options.listen = {absl::StrCat("unix:/tmp/fractalray-scale-", ::getpid(), ".sock")};
    server_ = unwrap(serve::Server::open(options, source));
    thread_ = std::thread([this] { checkOk(server_->run()); });
  }
  ~ServedWorld() {
    server_->stop();
    thread_.join();
  }
  ServedWorld(const ServedWorld&) = delete;
  ServedWorld& operator=(const ServedWorld&) = delete;

  // Returns the address of the socket, and those of the doors.
  std::vector<std::string> addresses() const { return server_->addresses(); }

 private:
  std::unique_ptr<serve::Server> server_;
  std::thread thread_;
};

}  // namespace fractalray::bench
