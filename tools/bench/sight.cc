// SPDX-License-Identifier: Apache-2.0
// fractalray_sight: what it costs to know exactly who sees whom. See --help.
#include "sight.h"

#include <cstdio>
#include <cstdlib>

#include "CLI/CLI.hpp"

#include "results.h"

namespace fractalray::bench {
namespace {

TickOptions parse(int argc, char** argv) {
  TickOptions options;
  CLI::App app(
      "Measures what it costs to know exactly whether an eye sees any part of a box: pairs one by "
      "one, and\n"
      "rays to a few points of the box with what those get wrong; all pairs of a server's tick;\n"
      "large boxes past porous blocks. Processor time of one thread, medians. If an answer of a\n"
      "tick differs from that of its pair alone, the exit status is 1.\n\n"
      "Example: fractalray_sight --quick",
      "fractalray_sight");
  app.add_flag("--quick", options.quick, "fewer pairs: a minute at most");
  app.add_option("--repeat", options.repeats, "measurements, of which the median counts (9)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  app.add_option("--part", options.part, "measure only pairs, server or porous (all)")
      ->check(CLI::IsMember({"pairs", "server", "porous"}).description(""))
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
  if (options.measures("pairs")) measurePairs(options, report);
  if (options.measures("server")) measureServer(options, report);
  if (options.measures("porous")) measurePorous(options, report);
  printTargets(report);
  const bool is_written = writeJson(options, report, "fractalray_sight");
  return is_written && !report.is_wrong ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  return fractalray::bench::run(fractalray::bench::parse(argc, argv));
}
