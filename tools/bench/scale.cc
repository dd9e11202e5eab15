// SPDX-License-Identifier: Apache-2.0
// fractalray_scale: the cost of several processes, as ratios to one. See --help.
#include "scale.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "CLI/CLI.hpp"

#include "results.h"

namespace fractalray::bench {

void addRow(TickReport& report, const std::string& what, double value, double must, bool at_least) {
  std::printf("  %-58s %10.3f\n", what.c_str(), value);
  std::fflush(stdout);
  report.figures.push_back({what, value, "ratio"});
  report.targets.push_back({what, value, must, at_least});
}

namespace {

ScaleOptions parse(int argc, char** argv) {
  ScaleOptions options;
  CLI::App app(
      "Measures several processes, as ratios to one: the door of `fractalray serve`, late calls,\n"
      "overload, a warm cache of a store. All answers are compared with those of one process; if\n"
      "any differs, the exit status is 1. ./dev bench scale runs it with a store of its own, and\n"
      "measures bakes on Dask as well.\n\n"
      "Example: fractalray_scale --quick --part door",
      "fractalray_scale");
  app.add_flag("--quick", options.quick, "fewer rounds: half a minute");
  app.add_option("--part", options.part, "measure only door or cache (all)")
      ->check(CLI::IsMember({"door", "cache"}).description(""))
      ->type_name("PART");
  app.add_option("--store", options.store, "URL of a store that has examples/worlds/w1")
      ->type_name("URL");
  app.add_option("--json", options.json, "also write the figures to a file")->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

int run(const ScaleOptions& options) {
  std::printf("%s\n", describeMachine().c_str());
  TickReport report;
  if (options.measures("door")) measureDoor(options, report);
  if (options.measures("cache")) measureWarmCache(options, report);
  printTargets(report);
  const bool is_written = writeJson(options, report, "fractalray_scale");
  return is_written && !report.is_wrong ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  return fractalray::bench::run(fractalray::bench::parse(argc, argv));
}
