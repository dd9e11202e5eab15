// SPDX-License-Identifier: Apache-2.0
// `fractalray serve` as a process.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace fractalray::testing {

// Serves a world at a Unix socket until it is killed or destroyed.
class ServerProcess {
 public:
  // Starts the program and waits until it listens. `more` are options that follow; that of the
  // world is the second one.
  explicit ServerProcess(const std::string& path, std::vector<std::string> more = {})
      : ServerProcess(path, firstSteps(), std::move(more)) {}
  ServerProcess(const std::string& path, std::vector<std::string> world,
                std::vector<std::string> more);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Returns true if it listens.
  bool isReady() const { return is_ready_; }
  void signal(int number) const;
  // Waits until it ends; returns its exit status, or minus the signal that has killed it.
  int wait();

 private:
  // Returns the option of tests/scenarios/first-steps.json.
  static std::vector<std::string> firstSteps();

  pid_t process_ = -1;
  int output_ = -1;
  bool is_ready_ = false;
};

}  // namespace fractalray::testing
