// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../../examples/sight_server/landscape.h"
#include "../../examples/sight_server/samples.h"
#include "measurement.h"
#include "random.h"
#include "sight.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

using sight_server::Ground;
using sight_server::Landscape;
using sight_server::SamplePair;
using sight_server::Samples;

constexpr double kNearest = 8;
constexpr double kFarthest = 64;

Vec3i unitsOf(double x, double y, double z) {
  return unwrap(toUnits(Vec3d{x, y, z}));
}

// Returns the middle of the feet of someone who stands near a column and a height.
std::optional<Vec3d> standingAt(const Ground& ground, double x, double z, double near) {
  const std::optional<std::int64_t> floor = ground.floorAt(
      static_cast<std::int64_t>(x), static_cast<std::int64_t>(z), static_cast<std::int64_t>(near));
  if (!floor.has_value()) return std::nullopt;
  return Vec3d{x, static_cast<double>(*floor), z};
}

// Returns pairs of players who stand so far apart.
std::vector<SamplePair> makePairs(const Ground& ground, const RayQueryService& service,
                                  std::size_t count) {
  Random random(5);
  const auto width = static_cast<double>(ground.width());
  std::vector<SamplePair> pairs;
  while (pairs.size() < count) {
    const std::optional<Vec3d> from =
        standingAt(ground, random.real() * width, random.real() * width, 20 + 60 * random.real());
    const double distance = kNearest + (kFarthest - kNearest) * random.real();
    const double angle = 2 * 3.141592653589793 * random.real();
    if (!from.has_value()) continue;
    const std::optional<Vec3d> to = standingAt(ground, (*from)[0] + distance * std::cos(angle),
                                               (*from)[2] + distance * std::sin(angle), (*from)[1]);
    if (!to.has_value()) continue;
    const SightQuery query{.eye = unitsOf((*from)[0], (*from)[1] + 1.62, (*from)[2]),
                           .box = {.min = unitsOf((*to)[0] - 0.3, (*to)[1], (*to)[2] - 0.3),
                                   .max = unitsOf((*to)[0] + 0.3, (*to)[1] + 1.8, (*to)[2] + 0.3)}};
    pairs.push_back({query, unwrap(service.visible(query)).sight == Sight::kVisible});
  }
  return pairs;
}

// The work of all pairs once.
struct PairWork {
  std::uint64_t rays = 0;
  std::uint64_t most_rays = 0;
  double share_visible = 0;
};

PairWork workOf(const RayQueryService& service, const std::vector<SamplePair>& pairs) {
  PairWork work;
  SightAnswer answer;
  for (const SamplePair& pair : pairs) {
    checkOk(service.visible(pair.query, LevelMask::all(), {}, answer));
    work.rays += answer.stats.rays;
    work.most_rays = std::max(work.most_rays, answer.stats.rays);
    work.share_visible += pair.is_visible ? 1.0 / static_cast<double>(pairs.size()) : 0;
  }
  return work;
}

// Returns the processor time of a pair by each method, in us, medians; by turns.
std::vector<double> pairMicros(int repeats, std::size_t pairs,
                               const std::vector<std::function<void()>>& methods) {
  std::vector<std::vector<double>> us(methods.size());
  for (int repeat = -1; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const double begin = threadMillis();
      methods[i]();
      const double end = threadMillis();
      if (repeat >= 0) us[i].push_back((end - begin) * 1e3 / static_cast<double>(pairs));
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& of_method : us)
    medians.push_back(median(of_method));
  return medians;
}

void printErrors(Samples samples, double us, const sight_server::SampleErrors& errors,
                 const std::vector<SamplePair>& pairs) {
  const auto visible = static_cast<double>(std::count_if(
      pairs.begin(), pairs.end(), [](const SamplePair& pair) { return pair.is_visible; }));
  const double hidden = static_cast<double>(pairs.size()) - visible;
  std::printf("  %-28s %8.2f us   visible called hidden %5.2f %%, hidden called visible %5.2f %%\n",
              std::string(sight_server::samplesName(samples)).c_str(), us,
              100 * static_cast<double>(errors.missed) / std::max(visible, 1.0),
              100 * static_cast<double>(errors.leaked) / std::max(hidden, 1.0));
}

void measureLandscape(const TickOptions& options, Landscape landscape, TickReport& report) {
  Ground ground(landscape, options.quick ? 256 : 512);
  const EntityIndex no_entities(ground.world().frame());
  const RayQueryService service(ground.world(), no_entities);
  const std::vector<SamplePair> pairs = makePairs(ground, service, options.quick ? 4000 : 20000);
  const PairWork work = workOf(service, pairs);

  std::vector<std::function<void()>> methods;
  SightAnswer answer;
  methods.emplace_back([&] {
    for (const SamplePair& pair : pairs)
      checkOk(service.visible(pair.query, LevelMask::all(), {}, answer));
  });
  std::vector<sight_server::SampleErrors> errors(std::size(sight_server::kSamples));
  for (const Samples samples : sight_server::kSamples) {
    methods.emplace_back([&, samples] {
      errors[static_cast<std::size_t>(samples)] =
          sight_server::compareSamples(service, pairs, samples);
    });
  }
  const std::vector<double> us =
      pairMicros(options.quick ? 3 : options.repeats, pairs.size(), methods);

  const std::string name(sight_server::landscapeName(landscape));
  const double rays = static_cast<double>(work.rays) / static_cast<double>(pairs.size());
  std::printf("\n%s: %zu pairs, %.1f %% visible\n", name.c_str(), pairs.size(),
              100 * work.share_visible);
  std::printf("  %-28s %8.2f us   %.2f rays a pair, at most %llu\n", "visible()", us[0], rays,
              static_cast<unsigned long long>(work.most_rays));
  for (const Samples samples : sight_server::kSamples) {
    const auto i = static_cast<std::size_t>(samples);
    printErrors(samples, us[i + 1], errors[i], pairs);
  }
  const double corners_us = us[1 + static_cast<std::size_t>(Samples::kCorners)];
  report.figures.push_back({"pairs/" + name + "/visible", us[0], "us"});
  report.figures.push_back({"pairs/" + name + "/8 rays", corners_us, "us"});
  report.targets.push_back({name + ": visible() to 8 rays", us[0] / corners_us, 0.7, false});
  report.targets.push_back({name + ": million pairs a second", 1 / us[0], 1, true});
  report.targets.push_back({name + ": rays a pair", rays, 1.3, false});
}

}  // namespace

void measurePairs(const TickOptions& options, TickReport& report) {
  std::printf("players 8 to 64 blocks apart\n");
  for (const Landscape landscape : sight_server::kLandscapes)
    measureLandscape(options, landscape, report);
}

}  // namespace fractalray::bench
