// SPDX-License-Identifier: Apache-2.0
// example_sight_server: see --help.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

#include "fractalray/core/thread_executor.h"
#include "samples.h"
#include "sight_server.h"

namespace sight_server {
namespace {

struct Options {
  Landscape landscape = Landscape::kTown;
  Settings settings;
  int ticks = 40;
  int threads = 1;
  bool prints_counts = false;  // alone: what is the same on every machine
};

Options parse(int argc, char** argv) {
  Options options;
  std::string landscape = "town";
  CLI::App app(
      "Finds out who sees whom on a server: on each tick players and entities walk, blocks change, "
      "and for\n"
      "each player the entities are found that it sees any part of, exactly. Prints how many "
      "pairs\n"
      "were answered by what, and what rays to a few points of the boxes get wrong.\n\n"
      "Example: example_sight_server --landscape forest --players 100 --ticks 20",
      "example_sight_server");
  const auto number = [&app](const char* name, auto& value, int min, int max, const char* text) {
    app.add_option(name, value, text)->check(CLI::Range(min, max).description(""))->type_name("N");
  };
  app.add_option("--landscape", landscape, "terrain, caves, forest or town (town)")
      ->check(CLI::IsMember({"terrain", "caves", "forest", "town"}).description(""))
      ->type_name("NAME");
  number("--players", options.settings.players, 1, 10000, "players (200)");
  number("--eyes", options.settings.eyes, 1, 3, "eyes of a player (3)");
  number("--entities", options.settings.entities, 1, 100000, "entities (1000)");
  app.add_option("--reach", options.settings.reach, "how far players see, in blocks (64)")
      ->check(CLI::Range(1.0, 1000.0).description(""))
      ->type_name("BLOCKS");
  number("--edits", options.settings.edits, 0, 100000, "blocks that change on a tick (20)");
  number("--ticks", options.ticks, 1, 1000000, "ticks (40)");
  number("--threads", options.threads, 1, 256, "threads (1)");
  app.add_flag("--counts", options.prints_counts,
               "print only counts, which are the same on every machine");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  options.landscape = *landscapeOf(landscape);
  return options;
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Totals {
  fractalray::SightTableStats stats;
  std::uint64_t visible = 0;
  std::uint64_t unknown = 0;
  double seconds = 0;
};

void add(const fractalray::SightTable& table, double seconds, Totals& totals) {
  totals.stats += table.stats;
  totals.seconds += seconds;
  for (const fractalray::Sight sight : table.answers) {
    totals.visible += sight == fractalray::Sight::kVisible ? 1 : 0;
    totals.unknown += sight == fractalray::Sight::kUnknown ? 1 : 0;
  }
}

void print(const Totals& totals, const Options& options) {
  const fractalray::SightTableStats& stats = totals.stats;
  const auto row = [&](const char* what, std::uint64_t count) {
    std::printf("%-34s %12llu", what, static_cast<unsigned long long>(count));
    if (!options.prints_counts && stats.pairs > 0) {
      std::printf("  %5.1f %%",
                  100.0 * static_cast<double>(count) / static_cast<double>(stats.pairs));
    }
    std::printf("\n");
  };
  row("pairs within reach", stats.pairs);
  row("  nothing had changed", stats.unchanged);
  row("  the old witness still sees", stats.by_ray);
  row("  the old proof still hides", stats.by_proof);
  row("  searched", stats.searched);
  row("visible", totals.visible);
  row("unknown", totals.unknown);
  if (options.prints_counts) return;
  std::printf("%.2f ms a tick, %.2f million pairs a second\n", totals.seconds * 1e3 / options.ticks,
              static_cast<double>(stats.pairs) / totals.seconds / 1e6);
}

// Compares the pairs of one tick with rays to some points, from the first eyes.
void printSamples(SightServer& server, const Options& options) {
  const std::vector<SamplePair> pairs = pairsOf(server);
  const auto visible = std::count_if(pairs.begin(), pairs.end(),
                                     [](const SamplePair& pair) { return pair.is_visible; });
  std::printf("\nOne eye each, in the last tick: %zu pairs, %td visible\n%-28s", pairs.size(),
              visible, "instead of an exact answer");
  if (!options.prints_counts) std::printf(" %12s", "us a pair");
  std::printf(" %22s %22s\n", "visible called hidden", "hidden called visible");
  for (const Samples samples : kSamples) {
    const auto begin = std::chrono::steady_clock::now();
    const SampleErrors errors = compareSamples(server.service(), pairs, samples);
    const double seconds = secondsSince(begin);
    const std::string name(samplesName(samples));
    std::printf("%-28s", name.c_str());
    if (!options.prints_counts)
      std::printf(" %12.2f", seconds * 1e6 / static_cast<double>(pairs.size()));
    std::printf(" %22llu %22llu\n", static_cast<unsigned long long>(errors.missed),
                static_cast<unsigned long long>(errors.leaked));
  }
}

int run(const Options& options) {
  Ground ground(options.landscape, 256);
  SightServer server(ground, options.settings);
  const fractalray::ThreadExecutor executor(options.threads);
  std::printf("%zu players with %zu eyes, %zu entities, %s\n", options.settings.players,
              options.settings.eyes, options.settings.entities,
              std::string(landscapeName(options.landscape)).c_str());
  server.look(executor);  // without a history: the first tick, which is not counted
  Totals totals;
  for (int tick = 0; tick < options.ticks; ++tick) {
    server.step();
    const auto begin = std::chrono::steady_clock::now();
    const fractalray::SightTable& table = server.look(executor);
    add(table, secondsSince(begin), totals);
  }
  print(totals, options);
  printSamples(server, options);
  return 0;
}

}  // namespace
}  // namespace sight_server

int main(int argc, char** argv) {
  return sight_server::run(sight_server::parse(argc, argv));
}
