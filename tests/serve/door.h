// SPDX-License-Identifier: Apache-2.0
// A server on a thread of the test, and clients of it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../serve/server.h"

namespace fractalray::testing {

// Answers from a world of the C interface.
class TestSource : public serve::AnswerSource {
 public:
  explicit TestSource(const frWorld* world) : world_(world) {}

  absl::StatusOr<serve::SourceView> view(const serve::Question& question,
                                         const serve::Freshness& fresh) override;
  std::string version() const override { return "test@1"; }

  // Called before each slice, on the thread that answers it; set it before the server runs.
  std::function<void()> before_slice;

 private:
  const frWorld* world_;
};

// Returns a path for a Unix socket that no other test uses: short, as the paths of sockets are.
std::string newSocketPath();

// Runs a server until it is destroyed. Listens at a Unix socket, a port of TCP, and a port for
// metrics.
class Door {
 public:
  explicit Door(serve::AnswerSource& source, serve::ServeOptions options = {});
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  const std::string& address() const { return unix_; }
  const std::string& tcpAddress() const { return tcp_; }
  // Returns the address of the first of the other doors in the options.
  const std::string& otherAddress() const { return other_; }
  // Returns the text of the metrics, read by HTTP; that of another path if one is given.
  std::string metrics(const std::string& path = "/metrics") const;
  // Returns a metric; 0 if there is none of that name (with its labels).
  double metric(const std::string& name) const;
  // Returns true once a metric is at least that much; false after ten seconds.
  bool reaches(const std::string& name, double value) const;

 private:
  std::string unix_;
  std::string tcp_;
  std::string other_;
  std::string metrics_;
  std::unique_ptr<serve::Server> server_;
  std::thread thread_;
};

// A connection of the C interface, closed at its end.
class Client {
 public:
  // Connects, with a deadline of each call in microseconds; 0 for none.
  explicit Client(const std::string& address, const char* token = nullptr,
                  std::uint64_t deadline_us = 0);
  Client(const std::string& address, const frConnectOptions& options);
  ~Client() { frDestroyRemote(remote_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Returns the result of frConnect.
  frResult connected() const { return connected_; }
  frRemote* get() const { return remote_; }
  frRemoteInfo info() const;
  std::string version() const;

 private:
  frRemote* remote_ = nullptr;
  frResult connected_ = FR_OK;
};

// A world of a floor, x from 0 to 64 and y from 0 to 1, with three entities above it.
class SmallWorld {
 public:
  SmallWorld();
  ~SmallWorld() { frDestroyWorld(world_); }
  SmallWorld(const SmallWorld&) = delete;
  SmallWorld& operator=(const SmallWorld&) = delete;

  frWorld* get() const { return world_; }

 private:
  frWorld* world_ = nullptr;
};

// Lines down to the floor of SmallWorld, and the first hits of a call with them.
class FloorCall {
 public:
  explicit FloorCall(std::size_t count);

  // Asks a server, and the world itself. Returns the result.
  frResult ask(frRemote* remote, const frQueryOptions* options = nullptr);
  frResult askHere(const frWorld* world, const frQueryOptions* options = nullptr);

  const frLines& lines() const { return lines_; }
  const std::vector<frCompactHit>& hits() const { return hits_; }
  const std::vector<frResult>& results() const { return results_; }
  const frBatchResult& batch() const { return batch_; }

 private:
  std::vector<double> numbers_;
  frLines lines_{};
  std::vector<frCompactHit> hits_;
  std::vector<frResult> results_;
  frBatchResult batch_{};
};

}  // namespace fractalray::testing
