// SPDX-License-Identifier: Apache-2.0
#include "serve_option.h"

#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../serve/server.h"
#include "../../serve/wake_pipe.h"
#include "command.h"
#include "output.h"

namespace fractalray {
namespace {

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

// Reads a file of tokens, unless its name is empty.
absl::Status readTokens(const std::string& path, serve::Tokens& tokens) {
  if (path.empty()) return absl::OkStatus();
  absl::StatusOr<serve::Tokens> read = serve::Tokens::read(path);
  if (!read.ok()) return read.status();
  tokens = *std::move(read);
  return absl::OkStatus();
}

absl::StatusOr<serve::ServeOptions> optionsFrom(const ServeArguments& arguments,
                                                const Doors& doors) {
  serve::ServeOptions options;
  options.doors = doors;
  options.listen = arguments.listen;
  options.metrics = arguments.metrics;
  options.threads = arguments.threads;
  options.limits = arguments.limits;
  options.limits.call_time = std::chrono::milliseconds(arguments.call_ms);
  options.limits.drain_time = std::chrono::milliseconds(arguments.drain_ms);
  options.stop = stopPipe().socket();
  absl::Status status = readTokens(arguments.tokens, options.tokens);
  if (status.ok()) status = readTokens(arguments.feed_tokens, options.feed_tokens);
  if (!status.ok()) return status;
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

}  // namespace

void addServeOptions(CommandOptions& options, ServeArguments& arguments) {
  options.add("--listen ADDRESS", arguments.listen,
              "unix:PATH or tcp:HOST:PORT, where clients connect; may be repeated");
  options.add("--metrics ADDRESS", arguments.metrics,
              "Serve metrics for Prometheus by HTTP, such as at tcp:127.0.0.1:9100");
  options.add("--tokens FILE", arguments.tokens,
              "Accept only clients with a token of this file, which has one in each line");
  options.add("--feed-tokens FILE", arguments.feed_tokens,
              "Let clients with a token of this file feed entities, too");
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
  options.add("--call-ms N", arguments.call_ms, "The most milliseconds of a call", kMostServeMs);
  options.add("--drain-ms N", arguments.drain_ms,
              "The most milliseconds that calls have after SIGTERM", kMostServeMs);
}

int serveSource(const ServeArguments& arguments, const Doors& doors, OpenSource open) {
  absl::Status status = stopOnSignals();
  if (!status.ok()) return reportError("serve", status, kExitFailed);
  const absl::StatusOr<serve::ServeOptions> options = optionsFrom(arguments, doors);
  if (!options.ok()) return reportError("serve", options.status(), kExitUsage);
  const absl::StatusOr<std::unique_ptr<serve::AnswerSource>> source = open();
  if (!source.ok()) return reportError("serve", source.status(), kExitUsage);
  const absl::StatusOr<std::unique_ptr<serve::Server>> server =
      serve::Server::open(*options, **source);
  if (!server.ok()) return reportError("serve", server.status(), kExitUsage);
  status = writeReady(**server, **source);
  if (status.ok()) status = (*server)->run();
  return status.ok() ? kExitOk : reportError("serve", status, kExitFailed);
}

}  // namespace fractalray
