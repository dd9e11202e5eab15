// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL server for tests: in a temporary folder, on a Unix socket there, without a network.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../core/vec.h"

struct pg_conn;  // libpq's

namespace fractalray::store_fixture {

// Starts a server of its own, and ends it. The kernel ends it if the test dies. As root it runs as
// the user postgres or nobody, since the server refuses root.
class PostgresServer {
 public:
  // Returns why no server can be started, and the remedy; "" if one can.
  static std::string whyNot();

  // Makes an empty cluster and starts it. A failure fails the test, with the server's log.
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Makes a database, and returns its URL.
  std::string create(const std::string& database);
  std::string url(const std::string& database) const;
  // Returns the folder of the socket.
  const std::string& folder() const { return folder_; }

  // Lets a role connect with its password alone, from now on.
  void askForPassword(const std::string& role) const;

  void start();
  void stop();
  // Stop all of its processes without ending them, and let them continue.
  void stall();
  void resume();

 private:
  std::vector<pid_t> processes() const;
  bool isReady() const;

  std::string folder_;
  pid_t pid_ = 0;
};

// Returns the one server of the program, started by the first call.
PostgresServer& theServer();

// A session of a writer or an administrator; whatever fails, fails the test.
class Sql {
 public:
  explicit Sql(const std::string& url);
  ~Sql();
  Sql(const Sql&) = delete;
  Sql& operator=(const Sql&) = delete;

  // Runs statements; returns the first value of the last one, "" if it has none.
  std::string run(const std::string& statements);
  // Writes a mapblock as Luanti does, and removes one.
  void put(const ChunkCoord& at, const std::vector<std::uint8_t>& blob);
  void erase(const ChunkCoord& at);
  // Returns all mapblocks.
  std::map<ChunkCoord, std::vector<std::uint8_t>> mapblocks();

 private:
  pg_conn* connection_;
};

}  // namespace fractalray::store_fixture
