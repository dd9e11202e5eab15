// SPDX-License-Identifier: Apache-2.0
// fractalray_dive: the cost of a tick of a streamed world. See --help.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../../core/thread_executor.h"
#include "dive_scene.h"
#include "results.h"
#include "tick_report.h"

namespace fractalray::bench {
namespace {

// The goals, in milliseconds: half of a tick at 20 Hz, and all of it.
constexpr double kMostP99 = 25;
constexpr double kMostWorst = 50;

constexpr std::array<std::pair<const char*, double DiveCost::*>, 8> kParts = {{
    {"moves of the window", &DiveCost::moves},
    {"loads", &DiveCost::loads},
    {"entities", &DiveCost::entities},
    {"visibility", &DiveCost::sight},
    {"shots", &DiveCost::shots},
    {"edits", &DiveCost::edits},
    {"in the pause", &DiveCost::pause},
    {"processor time of all threads", &DiveCost::processor},
}};

TickOptions parse(int argc, char** argv) {
  TickOptions options;
  CLI::App app(
      "The cost of a server's tick, of 50 ms at 20 Hz: a viewer in a generated world of 10 levels\n"
      "with some 10^5 chunks streams, moves 10^4 entities, sees by 5,000 rays, shoots and edits;\n"
      "every two seconds the window moves, every second the store of changes copies its log. The\n"
      "same at several depths, and moves of a window.\n\n"
      "Example: fractalray_dive --quick",
      "fractalray_dive");
  app.add_flag("--quick", options.quick, "fewer ticks, chunks and entities: a minute at most");
  app.add_option("--threads", options.threads, "of streaming, visibility and shots (2)")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("N");
  app.add_option("--repeat", options.repeats, "moves of a window, of which the median counts (9)")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  app.add_option("--part", options.part, "measure only ticks or window (all)")
      ->check(CLI::IsMember({"ticks", "window"}).description(""))
      ->type_name("PART");
  app.add_option("--json", options.json, "also write the figures to a file")->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

// Returns the value that this part of the values does not exceed.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(part * static_cast<double>(values.size()));
  return values[std::min(rank, values.size() - 1)];
}

struct Quantiles {
  double p50 = 0;
  double p99 = 0;
  double worst = 0;
};

Quantiles printRow(TickReport& report, const std::string& scene, const std::string& part,
                   const std::vector<double>& millis) {
  const Quantiles of{quantile(millis, 0.5), quantile(millis, 0.99), quantile(millis, 1)};
  std::printf("  %-38s %-30s %8.2f %8.2f %8.2f\n", scene.c_str(), part.c_str(), of.p50, of.p99,
              of.worst);
  std::fflush(stdout);
  for (const auto& [name, value] :
       {std::pair("p50", of.p50), std::pair("p99", of.p99), std::pair("worst", of.worst)})
    report.figures.push_back({absl::StrCat("dive/", scene, "/", part, "/", name), value, "ms"});
  return of;
}

// Returns the quantiles of whole ticks.
Quantiles measureDepth(const TickOptions& options, std::size_t depth, const ThreadExecutor& threads,
                       TickReport& report) {
  DiveLoad load{.depth = depth};
  if (options.quick) {
    load.radius = 7;
    load.entities = 1'000;
  }
  DiveScene scene(load, threads);
  const std::string name = absl::StrCat("depth ", depth, ", ", scene.chunks(), " chunks");
  std::vector<DiveCost> costs(options.quick ? 120 : 400);
  for (DiveCost& cost : costs)
    cost = scene.tick();
  std::vector<double> millis(costs.size());
  for (const auto& [part, member] : kParts) {
    std::transform(costs.begin(), costs.end(), millis.begin(),
                   [member = member](const DiveCost& cost) { return cost.*member; });
    printRow(report, name, part, millis);
  }
  std::transform(costs.begin(), costs.end(), millis.begin(),
                 [](const DiveCost& cost) { return cost.all(); });
  return printRow(report, name, "all", millis);
}

void measureTicks(const TickOptions& options, TickReport& report) {
  const ThreadExecutor threads(options.threads);
  std::printf("\nTicks of 10 levels, %d threads %68s %8s %8s ms\n", threads.threads(), "p50", "p99",
              "worst");
  double least = 0;
  double most = 0;
  for (const std::size_t depth : {std::size_t{10}, std::size_t{100}, std::size_t{1000}}) {
    const Quantiles all = measureDepth(options, depth, threads, report);
    least = least == 0 ? all.p50 : std::min(least, all.p50);
    most = std::max(most, all.p50);
    report.targets.push_back(
        {absl::StrCat("ms a tick at depth ", depth, ", p99"), all.p99, kMostP99, false});
    report.targets.push_back(
        {absl::StrCat("ms a tick at depth ", depth, ", worst"), all.worst, kMostWorst, false});
  }
  report.targets.push_back(
      {"the most expensive depth, by the cheapest (p50)", most / least, 1.5, false});
}

int run(const TickOptions& options) {
  std::printf("%s\n", describeMachine().c_str());
  TickReport report;
  if (options.measures("ticks")) measureTicks(options, report);
  if (options.measures("window")) measureWindow(options, report);
  printTargets(report);
  return writeJson(options, report, "fractalray_dive") ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  return fractalray::bench::run(fractalray::bench::parse(argc, argv));
}
