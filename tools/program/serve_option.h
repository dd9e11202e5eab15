// SPDX-License-Identifier: Apache-2.0
// The options of commands that serve, and what they do with a source of answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../core/thread_executor.h"
#include "../../serve/door.h"
#include "../../serve/serve_limits.h"
#include "../../serve/source.h"
#include "command_line.h"

namespace fractalray {

inline constexpr std::uint64_t kMostServeMs = 86'400'000;  // a day

struct ServeArguments {
  std::vector<std::string> listen;
  std::string metrics;
  std::string tokens;
  std::string feed_tokens;
  int threads = ThreadExecutor::threadsOfMachine();
  serve::ServeLimits limits;
  std::uint64_t call_ms = static_cast<std::uint64_t>(serve::ServeLimits().call_time.count());
  std::uint64_t drain_ms = static_cast<std::uint64_t>(serve::ServeLimits().drain_time.count());
};

// Adds the options.
void addServeOptions(CommandOptions& options, ServeArguments& arguments);

using OpenSource = absl::FunctionRef<absl::StatusOr<std::unique_ptr<serve::AnswerSource>>()>;

using Doors = std::vector<std::shared_ptr<serve::Door>>;

// Opens a source and serves it until SIGTERM or SIGINT, at the addresses of the options and by
// these doors. Returns the exit status; errors are reported.
int serveSource(const ServeArguments& arguments, const Doors& doors, OpenSource open);

}  // namespace fractalray
