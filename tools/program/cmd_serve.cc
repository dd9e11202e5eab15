// SPDX-License-Identifier: Apache-2.0
// `fractalray serve`: answers batches of other processes from a world.
#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/thread_executor.h"
#include "../../formats/scenario.h"
#include "../../serve/server.h"
#include "../../serve/wake_pipe.h"
#include "../../serve/world_source.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ServeArguments {
  WorldArguments world;
  std::string scenario;
  std::vector<std::string> listen;
  std::string metrics;
  std::string tokens;
  int threads = ThreadExecutor::threadsOfMachine();
  serve::ServeLimits limits;
  std::uint64_t call_ms = static_cast<std::uint64_t>(serve::ServeLimits().call_time.count());
  std::uint64_t drain_ms = static_cast<std::uint64_t>(serve::ServeLimits().drain_time.count());
};

// The pipe to which signals that end the server are written.
serve::WakePipe& stopPipe() {
  static serve::WakePipe pipe;
  return pipe;
}

// Makes SIGTERM and SIGINT stop the server, also one that reads its world yet.
absl::Status stopOnSignals() {
  absl::Status status = stopPipe().open();
  if (!status.ok()) return status;
  struct sigaction action {};
  action.sa_handler = [](int /*signal*/) { stopPipe().wake(); };
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  return status;
}

absl::StatusOr<std::unique_ptr<serve::AnswerSource>> openSource(const ServeArguments& arguments) {
  if (!arguments.scenario.empty()) {
    absl::StatusOr<Scenario> read = readScenario(arguments.scenario, arguments.world.limits);
    if (!read.ok()) return read.status();
    const auto scenario = std::make_shared<const Scenario>(*std::move(read));
    return std::make_unique<serve::WorldSource>(
        std::shared_ptr<const World>(scenario, &scenario->world),
        std::shared_ptr<const EntityIndex>(scenario, &scenario->entities));
  }
  if (arguments.world.world.empty()) {
    return absl::InvalidArgumentError("no world to serve; give --world or --scenario");
  }
  absl::StatusOr<OpenedWorld> opened = openWorldFor("serve", arguments.world);
  if (!opened.ok()) return opened.status();
  const auto world = std::make_shared<const World>(std::move(opened->world));
  return std::make_unique<serve::WorldSource>(world,
                                              std::make_shared<const EntityIndex>(world->frame()));
}

absl::StatusOr<serve::ServeOptions> optionsFrom(const ServeArguments& arguments) {
  serve::ServeOptions options;
  options.listen = arguments.listen;
  options.metrics = arguments.metrics;
  options.threads = arguments.threads;
  options.limits = arguments.limits;
  options.limits.call_time = std::chrono::milliseconds(arguments.call_ms);
  options.limits.drain_time = std::chrono::milliseconds(arguments.drain_ms);
  options.stop = stopPipe().socket();
  if (arguments.tokens.empty()) return options;
  absl::StatusOr<serve::Tokens> tokens = serve::Tokens::read(arguments.tokens);
  if (!tokens.ok()) return tokens.status();
  options.tokens = *std::move(tokens);
  return options;
}

// Says that the server can be called.
absl::Status writeReady(const serve::Server& server, const serve::AnswerSource& source) {
  std::string text = absl::StrCat("world ", source.version(), "\n");
  for (const std::string& address : server.addresses())
    absl::StrAppend(&text, "listening at ", address, "\n");
  absl::Status status = writeStdout(text);
  return status.ok() ? flushStdout() : status;
}

int runServe(const ServeArguments& arguments) {
  absl::Status status = stopOnSignals();
  if (!status.ok()) return reportError("serve", status, kExitFailed);
  const absl::StatusOr<serve::ServeOptions> options = optionsFrom(arguments);
  if (!options.ok()) return reportError("serve", options.status(), kExitUsage);
  const absl::StatusOr<std::unique_ptr<serve::AnswerSource>> source = openSource(arguments);
  if (!source.ok()) return reportError("serve", source.status(), kExitUsage);
  const absl::StatusOr<std::unique_ptr<serve::Server>> server =
      serve::Server::open(*options, **source);
  if (!server.ok()) return reportError("serve", server.status(), kExitUsage);
  status = writeReady(**server, **source);
  if (status.ok()) status = (*server)->run();
  return status.ok() ? kExitOk : reportError("serve", status, kExitFailed);
}

}  // namespace

void addServeCommand(CommandLine& line) {
  auto [options, arguments] =
      line.addCommand("serve", "Answer batches of other processes from a world", runServe);
  addWorldOptions(options, arguments.world);
  options.add("--scenario FILE", arguments.scenario, "Serve the world of a scenario file instead");
  options.excludes("--scenario", "--world");
  options.add("--listen ADDRESS", arguments.listen,
              "unix:PATH or tcp:HOST:PORT, where clients connect; may be repeated");
  options.require("--listen");
  options.add("--metrics ADDRESS", arguments.metrics,
              "Serve metrics for Prometheus by HTTP, such as at tcp:127.0.0.1:9100");
  options.add("--tokens FILE", arguments.tokens,
              "Accept only clients with a token of this file, which has one in each line");
  constexpr std::uint64_t kMostThreads = 1024;
  options.add("--threads N", arguments.threads, "Threads that answer", kMostThreads);
  serve::ServeLimits& limits = arguments.limits;
  options.add("--batch-lines N", limits.batch_lines, "The most lines of a call");
  options.add("--frame-bytes N", limits.frame_bytes, "The most bytes of a call");
  options.add("--queue-calls N", limits.queue_calls, "The most calls that wait or run");
  options.add("--queue-lines N", limits.queue_lines, "The most lines of these calls");
  options.add("--memory N", limits.memory_bytes, "The most bytes of calls and answers");
  options.add("--connections N", limits.connections, "The most connections");
  options.add("--max-steps N", limits.max_steps, "The most steps of a query; 0 for no limit");
  constexpr std::uint64_t kMostMs = 86'400'000;  // a day
  options.add("--call-ms N", arguments.call_ms, "The most milliseconds of a call", kMostMs);
  options.add("--drain-ms N", arguments.drain_ms,
              "The most milliseconds that calls have after SIGTERM", kMostMs);
  options.footer(
      "Example:\n"
      "  timeout --preserve-status 1 fractalray serve --listen unix:fr.sock \\\n"
      "    --scenario tests/scenarios/first-steps.json\n"
      "docs/serve.md has clients, limits and failures.");
}

}  // namespace fractalray
