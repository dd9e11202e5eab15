// SPDX-License-Identifier: Apache-2.0
#include "../../examples/sight_server/sight_server.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "measurement.h"
#include "sight.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

using sight_server::Ground;
using sight_server::Landscape;
using sight_server::Settings;
using sight_server::SightServer;

// Returns the number of pairs whose answer differs from that of visible().
std::size_t wrongPairs(const SightServer& server) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < server.viewers().size(); ++i) {
    for (std::size_t k = 0; k < server.boxes().size(); ++k) {
      const Sight sight = server.table().at(i, k);
      if (sight == Sight::kSkipped) continue;
      const SightQuery query{.eye = server.viewers()[i].eyes.front(), .box = server.boxes()[k]};
      wrong += unwrap(server.service().visible(query)).sight != sight ? 1U : 0U;
    }
  }
  return wrong;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// Measures some ticks; returns the median of their times.
double measureTicks(const TickOptions& options, Landscape landscape, bool has_history,
                    TickReport& report) {
  Ground ground(landscape, 256);
  SightServer server(ground, {.eyes = 1, .has_history = has_history});
  server.look();
  std::vector<double> millis;
  SightTableStats stats;
  std::size_t wrong = 0;
  for (int tick = 0; tick < (options.quick ? 4 : 24); ++tick) {
    server.step();
    const double begin = threadMillis();
    server.look();
    millis.push_back(threadMillis() - begin);
    stats += server.table().stats;
    if (tick % 8 == 3) wrong += wrongPairs(server);
  }
  const double tick_ms = median(millis);
  std::printf(
      "  %-8s %-15s %7.1f ms  %7.0f pairs  unchanged %4.1f %%, by ray %4.1f %%, by proof "
      "%4.1f %%, searched %4.1f %%; wrong %zu\n",
      std::string(landscapeName(landscape)).c_str(), has_history ? "with history" : "without",
      tick_ms, static_cast<double>(stats.pairs) / static_cast<double>(millis.size()),
      percent(stats.unchanged, stats.pairs), percent(stats.by_ray, stats.pairs),
      percent(stats.by_proof, stats.pairs), percent(stats.searched, stats.pairs), wrong);
  report.is_wrong = report.is_wrong || wrong > 0;
  return tick_ms;
}

}  // namespace

void measureServer(const TickOptions& options, TickReport& report) {
  std::printf(
      "\n200 eyes and 1,000 boxes in 160 x 160 blocks, pairs within 64 blocks, all walking, "
      "20 edits a tick: a tick on one core\n");
  for (const Landscape landscape : sight_server::kLandscapes) {
    const std::string name(landscapeName(landscape));
    const double fresh_ms = measureTicks(options, landscape, false, report);
    const double history_ms = measureTicks(options, landscape, true, report);
    report.figures.push_back({"server/" + name + "/without history", fresh_ms, "ms"});
    report.figures.push_back({"server/" + name + "/with history", history_ms, "ms"});
    report.targets.push_back({name + ": ms a tick", fresh_ms, 35, false});
    report.targets.push_back({name + ": ms a tick with history", history_ms, 25, false});
  }
}

}  // namespace fractalray::bench
