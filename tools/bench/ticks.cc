// SPDX-License-Identifier: Apache-2.0
// fractalray_ticks: the cost of a server's tick. See --help.
#include <cstdio>
#include <cstdlib>

#include "CLI/CLI.hpp"

#include "../../core/thread_executor.h"
#include "results.h"
#include "tick_report.h"

namespace fractalray::bench {
namespace {

TickOptions parse(int argc, char** argv) {
  TickOptions options;
  options.threads = ThreadExecutor::threadsOfMachine();
  CLI::App app(
      "The cost of a server's tick: batches of queries against the same one by one, callbacks\n"
      "that edit, snapshots, an engine's blocks, moves of a window, a store of changes, terrain\n"
      "that is set, loaded and kept in memory. Wall-clock medians. The outcome of each batch is\n"
      "compared with that of the same queries one by one; if they differ, the exit status is 1.\n\n"
      "Example: fractalray_ticks --quick --threads 2",
      "fractalray_ticks");
  app.add_flag("--quick", options.quick, "fewer queries: a minute at most");
  app.add_option("--threads", options.threads, "of the batches on several (as the machine has)")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("N");
  app.add_option("--repeat", options.repeats, "measurements, of which the median counts (9)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  app.add_option("--part", options.part,
                 "measure only batches, snapshots, blocks, window, changes or terrain (all)")
      ->check(CLI::IsMember({"batches", "snapshots", "blocks", "window", "changes", "terrain"})
                  .description(""))
      ->type_name("PART");
  app.add_option("--json", options.json, "also write the figures to a file")->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

int run(const TickOptions& options) {
  std::printf("%s\n", describeMachine().c_str());
  TickReport report;
  if (options.measures("batches")) measureBatches(options, report);
  if (options.measures("snapshots")) measureSnapshots(options, report);
  if (options.measures("blocks")) measureBlocks(options, report);
  if (options.measures("window")) measureWindow(options, report);
  if (options.measures("changes")) measureChanges(options, report);
  if (options.measures("terrain")) measureTerrain(options, report);
  printTargets(report);
  const bool is_written = writeJson(options, report, "fractalray_ticks");
  return is_written && !report.is_wrong ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  return fractalray::bench::run(fractalray::bench::parse(argc, argv));
}
