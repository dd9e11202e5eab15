// SPDX-License-Identifier: Apache-2.0
// The door of `fractalray serve`, with the bundled world, in this process.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/open_world.h"
#include "../../serve/server.h"
#include "../../serve/world_source.h"
#include "door_measures.h"
#include "scale.h"
#include "served_world.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

void require(frResult result) {
  if (result == FR_OK) return;
  std::fprintf(stderr, "fractalray_scale: %s\n", frGetLastError());
  std::exit(1);
}

frResult askWorld(const frWorld* world, const frLines& lines, frCompactHit* hits) {
  return frWorld_CompactHits(world, &lines, kBundledLevels, nullptr, hits, nullptr, nullptr,
                             nullptr);
}

std::vector<frCompactHit> answersOf(const frWorld* world, const BundledLines& lines) {
  std::vector<frCompactHit> hits(lines.size());
  require(askWorld(world, lines.all(), hits.data()));
  return hits;
}

void measureCost(const ScaleOptions& options, serve::AnswerSource& source, AskHits local,
                 TickReport& report) {
  const ServedWorld served(source, {});
  frRemote* remote = nullptr;
  require(frConnect(served.addresses().front().c_str(), nullptr, &remote));
  const auto through_door = [&](const frLines& lines, frCompactHit* hits) {
    return frRemote_CompactHits(remote, &lines, kBundledLevels, nullptr, hits, nullptr, nullptr,
                                nullptr);
  };
  for (const std::size_t count : {std::size_t{64}, std::size_t{1024}, std::size_t{16'384}}) {
    const BundledLines lines(count);
    const double ratio =
        unwrap(leastCostRatio(lines.all(), local, through_door, options.quick ? 3 : 10));
    const std::string what =
        absl::StrCat("plain door, ", count, " lines a call: CPU to that in process");
    if (count == 1024) {
      addRow(report, what, ratio, 1.35, false);
    } else {
      std::printf("  %-58s %10.3f\n", what.c_str(), ratio);
      report.figures.push_back({what, ratio, "ratio"});
    }
  }
  frDestroyRemote(remote);
}

void measureDeadlines(const ScaleOptions& options, serve::AnswerSource& source,
                      const frWorld* world, TickReport& report) {
  const ServedWorld served(source, {});
  const BundledLines lines(16'384);
  const std::vector<frCompactHit> expected = answersOf(world, lines);
  const LateCalls found =
      unwrap(countLateCalls(served.addresses().front(), lines, expected,
                            std::chrono::milliseconds(2), options.quick ? 300 : 3000));
  report.is_wrong = report.is_wrong || found.wrong > 0;
  addRow(report, "plain door, deadline of 2 ms: share of late calls", found.share(), 0.1, false);
}

void measureOverload(const ScaleOptions& options, serve::AnswerSource& source, const frWorld* world,
                     TickReport& report) {
  serve::ServeOptions limits;
  limits.limits.queue_calls = 2;
  const ServedWorld served(source, limits);
  const BundledLines lines(1024);
  const std::vector<frCompactHit> expected = answersOf(world, lines);
  const auto measure = [&](int clients) {
    const Goodput found = unwrap(measureGoodput(served.addresses().front(), clients,
                                                std::chrono::seconds(options.quick ? 2 : 10),
                                                lines.all(), kBundledLevels, expected));
    report.is_wrong = report.is_wrong || found.wrong > 0;
    report.figures.push_back({absl::StrCat("plain door, ", clients, " clients: lines answered"),
                              found.lines_per_second, "1/s"});
    return found.lines_per_second;
  };
  // The queue takes two calls: four times as many clients are four times the load.
  const double best = std::max(measure(1), measure(2));
  addRow(report, "plain door, four times the load: lines answered to the best", measure(8) / best,
         0.9, true);
}

}  // namespace

void measureDoor(const ScaleOptions& options, TickReport& report) {
  constexpr const char* kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";
  std::printf("\nA server\n");
  frWorldDef def{};
  def.struct_size = sizeof def;
  def.version = FR_VERSION;
  frWorld* world = nullptr;
  require(frOpenWorld(&def, kWorld, nullptr, &world, nullptr));
  OpenedWorld opened = unwrap(openWorld(kWorld));
  const auto served = std::make_shared<const World>(std::move(opened.world));
  serve::WorldSource source(served, std::make_shared<const EntityIndex>(served->frame()));
  const auto local = [&](const frLines& lines, frCompactHit* hits) {
    return askWorld(world, lines, hits);
  };
  measureCost(options, source, local, report);
#ifdef FRACTALRAY_BENCH_GRPC
  measureGrpc(source, BundledLines(1024), local, options.quick ? 3 : 10, report);
#else
  std::printf("  gRPC is left out: this program was built without it\n");
#endif
  measureDeadlines(options, source, world, report);
  measureOverload(options, source, world, report);
  require(frDestroyWorld(world));
}

}  // namespace fractalray::bench
