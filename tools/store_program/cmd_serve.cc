// SPDX-License-Identifier: Apache-2.0
// `fractalray serve --store`: answers batches of other processes from a Luanti map in PostgreSQL.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../formats/node_definitions.h"
#include "../../formats/node_kinds.h"
#include "../../serve/store/store_source.h"
#include "../program/command.h"
#include "../program/command_line.h"
#include "../program/limit_option.h"
#include "../program/serve_option.h"
#include "store_commands.h"

namespace fractalray {
namespace {

using std::chrono::milliseconds;

struct ServeStoreArguments {
  ServeArguments serve;
  std::string url;
  std::string types;
  std::string definitions;
  InputLimits input;
  std::uint64_t cache_memory = CachedWorldOptions().memory_bytes;
  std::uint64_t max_age_ms = static_cast<std::uint64_t>(CachedWorldOptions().max_age.count());
  std::uint64_t store_ms = static_cast<std::uint64_t>(CachedWorldOptions().timeout.count());
};

// The tables of nodes, which the cache refers to.
struct NodeTables {
  std::optional<NodeKinds> kinds;
  std::optional<NodeDefinitions> definitions;
};

absl::Status readTables(const ServeStoreArguments& arguments, NodeTables& tables) {
  if (!arguments.types.empty()) {
    absl::StatusOr<NodeKinds> read = NodeKinds::read(arguments.types, arguments.input);
    if (!read.ok()) return read.status();
    tables.kinds = *std::move(read);
  }
  if (!arguments.definitions.empty()) {
    absl::StatusOr<NodeDefinitions> read =
        NodeDefinitions::read(arguments.definitions, arguments.input);
    if (!read.ok()) return read.status();
    tables.definitions = *std::move(read);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<serve::AnswerSource>> openStore(const ServeStoreArguments& arguments,
                                                               NodeTables& tables) {
  absl::Status status = readTables(arguments, tables);
  if (!status.ok()) return status;
  CachedWorldOptions options{.url = arguments.url};
  options.memory_bytes = arguments.cache_memory;
  options.max_age = milliseconds(arguments.max_age_ms);
  options.timeout = milliseconds(arguments.store_ms);
  options.node_kinds = tables.kinds.has_value() ? &*tables.kinds : nullptr;
  options.definitions = tables.definitions.has_value() ? &*tables.definitions : nullptr;
  options.limits = arguments.input;
  // Calls that wait for a version leave others a thread, if there are several.
  return serve::StoreSource::open(options, std::max(arguments.serve.threads - 1, 1));
}

std::string refuseGrpc(std::string& /*address*/) {
  return "a store is not served by gRPC; give --listen, or serve a saved world: --world, not "
         "--store";
}

int runServeStore(const ServeStoreArguments& arguments) {
  NodeTables tables;
  return serveSource(arguments.serve, {}, [&] { return openStore(arguments, tables); });
}

}  // namespace

void addServeStoreCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "serve", "Answer batches of other processes from a store: `fractalray serve --store`",
      runServeStore);
  options.add("--store URL", arguments.url, "The database: postgresql://HOST/DATABASE");
  options.require("--store");
  options.add("--types FILE", arguments.types,
              "A JSON table of the kinds of nodes, in place of the built-in one");
  options.add("--definitions FILE", arguments.definitions,
              "The shapes of nodes, as nodedefs.jsonl has them");
  addLimitOption(options, arguments.input);
  options.add("--cache-memory N", arguments.cache_memory, "The most bytes of mapblocks in memory");
  options.add("--max-age-ms N", arguments.max_age_ms,
              "The most milliseconds since the version of an answer was the newest one",
              kMostServeMs);
  constexpr std::uint64_t kMostStoreMs = 3'600'000;  // as CachedWorld takes
  options.add("--store-ms N", arguments.store_ms,
              "The most milliseconds that a call waits for one answer of the store", kMostStoreMs);
  addServeOptions(options, arguments.serve);
  options.require("--listen");
  options.addSetter("--grpc ADDRESS", refuseGrpc, "Refused: a store is not served by gRPC");
  options.footer(
      "Example, for a store that `fractalray store init` has made:\n"
      "  fractalray serve --store postgresql:///world --listen unix:/run/fr.sock\n"
      "docs/serve.md has clients, limits and failures; docs/store.md the store.");
}

}  // namespace fractalray
