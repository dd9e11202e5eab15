// SPDX-License-Identifier: Apache-2.0
// The calls that ask what an eye sees, and what a blast breaks.
#include <array>

#include "fuzzer.h"

namespace fractalray::testing {

frSightQuery Fuzzer::sightQuery() {
  frSightQuery query{};
  check(frMakeSightQuery(v_.point(), v_.point(), v_.point(), v_.to(query)));
  // Most boxes are small, so that most calls succeed.
  for (int axis = 0; axis < 3 && !v_.wrong(); ++axis)
    query.box.max[axis] = query.box.min[axis] + v_.rng.in(0, std::int64_t{2} * FR_UNITS_PER_BLOCK);
  if (v_.wrong()) query.eye[0] = v_.coordinate();
  return query;
}

frSightOptions* Fuzzer::sightOptions() {
  static constexpr std::array<frFixedBox, 2> kBoxes = {
      {{{-70000, -70000, -70000}, {70000, 70000, -60000}}, {{0, 0, 0}, {65536, 65536, 65536}}}};
  sight_options_ = v_.sized<frSightOptions>();
  sight_options_.unloaded = v_.choice(3);
  sight_options_.ignore = ignored_.data();
  sight_options_.ignore_count = v_.count(2);
  sight_options_.occluders = kBoxes.data();
  sight_options_.occluder_count = v_.count(2);
  if (v_.rng.oneIn(6)) sight_options_.block_filter = filter;
  if (v_.rng.oneIn(6)) sight_options_.entity_filter = filter;
  sight_options_.filter_context = this;
  // Sight of a large box in random blocks may take long.
  sight_options_.max_steps = 1 + v_.count(3000);
  sight_options_.through = v_.rng.oneIn(4) ? v_.count(3) : 0;
  sight_options_.channel = static_cast<frChannel>(v_.choice(1));
  sight_options_.no_blocks = v_.flag();
  sight_options_.skip_start_inside = v_.flag();
  sight_options_.boxes_block = v_.flag();
  return &sight_options_;
}

void Fuzzer::queryManySights() {
  std::array<frSightQuery, 3> queries{};
  std::array<std::uint8_t, 3> answers{};
  std::array<double, 3> from{};
  std::array<double, 3> to{};
  std::array<frResult, 3> results{};
  frVectors vectors{};
  vectors.data = coordinates_.data();
  vectors.format = v_.choice(3);
  if (v_.rng.oneIn(4)) {
    return check(frMakeSightQueries(v_.to(vectors), v_.to(vectors), v_.to(vectors), v_.count(3),
                                    v_.to(queries[0])));
  }
  if (v_.rng.oneIn(3)) return querySightTable(vectors);
  for (frSightQuery& query : queries)
    query = sightQuery();
  const std::size_t count = v_.count(3);
  if (v_.rng.oneIn(2)) {
    return check(frWorld_VisibleMany(world(), v_.to(queries[0]), count, v_.levels(), sightOptions(),
                                     v_.to(answers[0]), v_.to(results[0])));
  }
  return check(frWorld_Exposures(world(), v_.to(queries[0]), count, v_.levels(), sightOptions(),
                                 v_.to(from[0]), v_.to(to[0]), v_.to(results[0])));
}

// Asks for viewers and boxes with points in `vectors`.
void Fuzzer::querySightTable(const frVectors& vectors) {
  std::array<std::uint8_t, 9> answers{};
  std::array<std::uint8_t, 9> left_out{};
  const std::array<std::uint32_t, 3> eye_counts = {1, 0, 1};
  frSightTableStats stats{};
  frSightTableOptions options = v_.sized<frSightTableOptions>();
  options.each = sightOptions();
  options.if_undecided = v_.choice(3);
  options.left_out = v_.rng.oneIn(2) ? left_out.data() : nullptr;
  if (v_.rng.oneIn(2)) options.max_distance = v_.coordinate();
  if (v_.rng.oneIn(20)) {
    check(frDestroySightHistory(given(history_)));
    history_ = nullptr;
    check(frCreateSightHistory(v_.to(history_)));
  }
  if (v_.rng.oneIn(2)) options.history = given(history_);
  left_out[1] = 1;
  // Corners in units are those of a box, mostly.
  const frFixedBox box = sightQuery().box;
  frVectors mins{};
  frVectors maxs{};
  mins.format = maxs.format = FR_UNITS;
  mins.data = box.min;
  maxs.data = box.max;
  check(frWorld_VisibleBoxes(world(), v_.to(vectors), v_.rng.oneIn(2) ? eye_counts.data() : nullptr,
                             v_.count(3), v_.to(mins), v_.to(maxs), v_.count(3), v_.levels(),
                             v_.to(options), v_.to(answers[0]), v_.to(stats)));
}

void Fuzzer::querySight() {
  const frSightQuery query = sightQuery();
  std::array<frFixedBox, 3> boxes{};
  std::array<frFoundBlock, 3> blocks{};
  std::array<frBlockType, 2> types = {1, 2};
  std::size_t count = 0;
  std::int32_t answer = 0;
  frSightAnswer full = v_.sized<frSightAnswer>();
  frSightStats stats{};
  double from = 0;
  double to = 0;
  switch (v_.rng.below(6)) {
    case 0:
      return check(frWorld_Visible(world(), &query, v_.levels(), sightOptions(), v_.to(answer),
                                   v_.to(full)));
    case 1:
      return check(frWorld_FindCertificate(world(), &query, v_.levels(), sightOptions(),
                                           boxes.data(), v_.count(3), v_.to(count)));
    case 2: {
      for (frFixedBox& box : boxes)
        box = sightQuery().box;
      if (v_.flag()) return check(frHides(v_.to(boxes[0]), v_.count(3), &query, v_.to(answer)));
      return check(frHidesWithin(v_.to(boxes[0]), v_.count(3), &query, v_.rng.in(-1, 1 << 20),
                                 v_.to(answer)));
    }
    case 3:
      return check(frWorld_Exposure(world(), &query, v_.levels(), sightOptions(), v_.to(from),
                                    v_.to(to), v_.to(stats)));
    case 4:
      return check(frWorld_VisibleBlocks(world(), v_.point(), v_.rng.below(5), v_.levels(),
                                         v_.to(types[0]), v_.count(2), options(), sightOptions(),
                                         blocks.data(), v_.count(3), v_.to(count)));
    default:
      return queryManySights();
  }
}

void Fuzzer::queryBlast() {
  std::array<frBlastRay, 8> rays{};
  std::array<std::int64_t, 3> resistances{};
  std::array<frBrokenBlock, 4> blocks{};
  std::array<frExposedEntity, 2> entities{};
  std::size_t count = 0;
  if (v_.rng.oneIn(4)) {
    return check(frMakeCubeFan(v_.choice(4), v_.number(), v_.coordinate(), v_.to(rays[0]),
                               v_.count(8), v_.to(count)));
  }
  for (frBlastRay& ray : rays) {
    // A short step takes many samples.
    for (std::int64_t& component : ray.step)
      component = v_.wrong() ? v_.coordinate() : v_.rng.in(-18, 18) * 8192 + 4096;
    ray.power = v_.rng.oneIn(20) ? v_.coordinate() : v_.rng.in(-10, 180);
  }
  for (std::int64_t& resistance : resistances)
    resistance = v_.rng.in(v_.wrong() ? -2 : 0, 40);
  frBlastQuery query = v_.sized<frBlastQuery>();
  for (double& coordinate : query.center)
    coordinate = v_.number();
  query.radius = v_.rng.oneIn(20) ? v_.number() : v_.rng.below(9);
  query.rays = v_.to(rays[0]);
  query.ray_count = v_.wrong() ? kNoCount : v_.count(8);
  query.resistances = v_.to(resistances[0]);
  query.resistance_count = v_.wrong() ? kNoCount : v_.count(3);
  query.falloff = v_.rng.oneIn(20) ? v_.coordinate() : v_.rng.in(0, 5);
  query.max_samples = 1000;
  frBlastResult result = v_.sized<frBlastResult>();
  return check(frWorld_Blast(world(), v_.to(query), v_.levels(), options(), sightOptions(),
                             v_.to(blocks[0]), v_.count(4), v_.to(entities[0]), v_.count(2),
                             v_.to(result)));
}

}  // namespace fractalray::testing
