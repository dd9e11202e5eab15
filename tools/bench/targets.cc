// SPDX-License-Identifier: Apache-2.0
// The performance targets of the project.
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string_view>

#include "results.h"

namespace fractalray::bench {
namespace {

struct RowKey {
  std::string_view scene;
  std::string_view rays;
  std::string_view work;
  std::string_view system;
  std::size_t count = 0;  // of entities
};

// Stands for the fastest peer, of those that take one segment at a time.
constexpr std::string_view kBestPeer = "best peer";

// Compares ours with another, both in ns; without another, with one ns or one byte an entity.
struct Target {
  std::string_view what;
  RowKey ours;
  RowKey other;
  double must;  // at most
  bool is_bytes = false;
};

constexpr auto kTargets = std::to_array<Target>({
    {"first hit, terrain, to OpenVDB",
     {"terrain", "random", "first_hit", "fractalray"},
     {"terrain", "random", "first_hit", "openvdb"},
     0.45},
    {"first hit, sparse, to OpenVDB",
     {"sparse", "random", "first_hit", "fractalray"},
     {"sparse", "random", "first_hit", "openvdb"},
     0.16},
    {"first hit, caves, to OpenVDB",
     {"caves", "random", "first_hit", "fractalray"},
     {"caves", "random", "first_hit", "openvdb"},
     0.5},
    {"first hit, luanti, to OpenVDB",
     {"luanti", "random", "first_hit", "fractalray"},
     {"luanti", "random", "first_hit", "openvdb"},
     0.8},
    {"first hit, terrain, to textbook-double",
     {"terrain", "random", "first_hit", "fractalray"},
     {"terrain", "random", "first_hit", "textbook-double"},
     0.17},
    {"first hit, sparse, to textbook-double",
     {"sparse", "random", "first_hit", "fractalray"},
     {"sparse", "random", "first_hit", "textbook-double"},
     0.15},
    {"first hit, caves, to textbook-double",
     {"caves", "random", "first_hit", "fractalray"},
     {"caves", "random", "first_hit", "textbook-double"},
     0.5},
    {"first hit, terrain, to the best single-ray peer",
     {"terrain", "random", "first_hit", "fractalray"},
     {"terrain", "random", "first_hit", kBestPeer},
     0.6},
    {"first hit, sparse, to the best single-ray peer",
     {"sparse", "random", "first_hit", "fractalray"},
     {"sparse", "random", "first_hit", kBestPeer},
     0.8},
    {"first hit, caves, to the best single-ray peer",
     {"caves", "random", "first_hit", "fractalray"},
     {"caves", "random", "first_hit", kBestPeer},
     0.6},
    {"first hit, luanti, to the best single-ray peer",
     {"luanti", "random", "first_hit", "fractalray"},
     {"luanti", "random", "first_hit", kBestPeer},
     0.6},
    {"first hit, empty world, to OpenVDB",
     {"empty", "random", "first_hit", "fractalray"},
     {"empty", "random", "first_hit", "openvdb"},
     1.2},
    {"camera batch, terrain, to Embree's 16-packets",
     {"terrain", "camera", "camera_batch", "fractalray"},
     {"terrain", "camera", "camera_batch", "embree16"},
     0.9},
    {"camera batch, sparse, to Embree's 16-packets",
     {"sparse", "camera", "camera_batch", "fractalray"},
     {"sparse", "camera", "camera_batch", "embree16"},
     0.9},
    {"shootSegment, terrain, to closestHit",
     {"terrain", "random", "shoot", "fractalray"},
     {"terrain", "random", "shoot", "fractalray-single"},
     1.15},
    {"shootSegment, sparse, to closestHit",
     {"sparse", "random", "shoot", "fractalray"},
     {"sparse", "random", "shoot", "fractalray-single"},
     1.15},
    {"occluded, clear rays, to closestHit",
     {"terrain", "clear", "occluded", "fractalray"},
     {"terrain", "clear", "first_hit", "fractalray"},
     1},
    {"closestHit(Ray), 6 blocks, to textbook-double",
     {"terrain", "reach-6", "first_hit", "fractalray-ray"},
     {"terrain", "reach-6", "first_hit", "textbook-double"},
     0.9},
    {"closestHit(Ray), 40 blocks, to textbook-double",
     {"terrain", "reach-40", "first_hit", "fractalray-ray"},
     {"terrain", "reach-40", "first_hit", "textbook-double"},
     0.45},
    {"raycast.h, 6 blocks, to textbook-double",
     {"terrain", "reach-6", "first_hit", "fractalray-raycast"},
     {"terrain", "reach-6", "first_hit", "textbook-double"},
     1},
    {"raycast.h, 40 blocks, to textbook-double",
     {"terrain", "reach-40", "first_hit", "fractalray-raycast"},
     {"terrain", "reach-40", "first_hit", "textbook-double"},
     1},
    {"all hits by callbacks, plants, to our first hit on plants",
     {"plants", "random", "all_hits", "fractalray"},
     {"plants", "random", "first_hit", "fractalray"},
     1.5},
    {"first hit, slabs, to the same world of cubes",
     {"slabs", "random", "first_hit", "fractalray"},
     {"slabs", "random", "first_hit", "fractalray-cubes"},
     1.3},
    {"first hit, village, to the same world of cubes",
     {"village", "random", "first_hit", "fractalray"},
     {"village", "random", "first_hit", "fractalray-cubes"},
     1.1},
    {"five levels, to one level",
     {"fractal", "random", "five_levels", "fractalray"},
     {"fractal", "random", "one_level", "fractalray"},
     1.2},
    {"first of 4,096 blocks, to the closest hit",
     {"water-row", "stop", "first_of_4096", "fractalray"},
     {"water-row", "closest", "first_of_4096", "fractalray"},
     2},
    {"first of 4,096 borrowed blocks, to the closest hit",
     {"borrowed-row", "stop", "first_of_4096", "fractalray"},
     {"borrowed-row", "closest", "first_of_4096", "fractalray"},
     2},
    {"first of 4,096 entities, to the closest hit",
     {"entity-row", "stop", "first_of_4096", "fractalray"},
     {"entity-row", "closest", "first_of_4096", "fractalray"},
     2},
    {"4,096 blocks one by one, to one shot",
     {"water-row", "pull", "pull_4096", "fractalray"},
     {"water-row", "max_hits", "all_of_4096", "fractalray"},
     2},
    {"4,096 entities one by one, to one shot",
     {"entity-row", "pull", "pull_4096", "fractalray"},
     {"entity-row", "max_hits", "all_of_4096", "fractalray"},
     2},
    {"entity moves, 100,000, to Bullet",
     {"entities-uniform", "little", "entity_move", "fractalray", 100'000},
     {"entities-uniform", "little", "entity_move", "bullet", 100'000},
     0.5},
    {"entity queries, 100,000, to Embree refitted",
     {"entities-uniform", "random", "entity_query", "fractalray", 100'000},
     {"entities-uniform", "random", "entity_query", "embree-refit", 100'000},
     0.6},
    {"entity queries, 100,000 uniform, optimized, to Embree rebuilt",
     {"entities-uniform", "random", "entity_query", "fractalray-optimized", 100'000},
     {"entities-uniform", "random", "entity_query", "embree-rebuilt", 100'000},
     0.8},
    {"entity queries, 100,000 clustered, optimized, to Embree rebuilt",
     {"entities-clustered", "random", "entity_query", "fractalray-optimized", 100'000},
     {"entities-clustered", "random", "entity_query", "embree-rebuilt", 100'000},
     0.9},
    {"entity queries, 1,000,000 uniform, optimized, to Embree rebuilt",
     {"entities-uniform", "random", "entity_query", "fractalray-optimized", 1'000'000},
     {"entities-uniform", "random", "entity_query", "embree-rebuilt", 1'000'000},
     0.8},
    {"entity queries, 1,000,000 clustered, optimized, to Embree rebuilt",
     {"entities-clustered", "random", "entity_query", "fractalray-optimized", 1'000'000},
     {"entities-clustered", "random", "entity_query", "embree-rebuilt", 1'000'000},
     0.9},
    {"tick, 100,000 uniform and as many queries, to Embree rebuilt",
     {"entities-uniform", "little", "entity_tick", "fractalray-optimized", 100'000},
     {"entities-uniform", "little", "entity_tick", "embree-rebuilt", 100'000},
     0.5},
    {"tick, 100,000 clustered and as many queries, to Embree rebuilt",
     {"entities-clustered", "little", "entity_tick", "fractalray-optimized", 100'000},
     {"entities-clustered", "little", "entity_tick", "embree-rebuilt", 100'000},
     0.5},
    {"bytes an entity, 1,000,000 uniform",
     {"entities-uniform", "little", "entity_move", "fractalray", 1'000'000},
     {},
     160,
     true},
    {"bytes an entity, 1,000,000 clustered",
     {"entities-clustered", "little", "entity_move", "fractalray", 1'000'000},
     {},
     160,
     true},
});

bool isSinglePeer(const std::string& system) {
  return !system.starts_with("fractalray") && system != "embree16";
}

// Returns the fastest row with that key; null if there is none.
const Result* find(const Results& results, const RowKey& key) {
  const Result* found = nullptr;
  for (const Result& row : results.rows) {
    const bool matches =
        row.scene == key.scene && row.rays == key.rays && row.work == key.work &&
        row.count == key.count &&
        (key.system == kBestPeer ? isSinglePeer(row.system) : row.system == key.system);
    if (matches && (found == nullptr || row.ns < found->ns)) found = &row;
  }
  return found;
}

std::optional<double> valueOf(const Target& target, const Results& results) {
  const Result* const ours = find(results, target.ours);
  if (ours == nullptr) return std::nullopt;
  if (target.other.system.empty()) return target.is_bytes ? bytesEach(*ours) : ours->ns;
  const Result* const other = find(results, target.other);
  if (other == nullptr) return std::nullopt;
  return ours->ns / other->ns;
}

void printTarget(std::string_view what, std::optional<double> value, double must) {
  std::printf("  %-58.*s", static_cast<int>(what.size()), what.data());
  if (!value.has_value()) {
    std::printf("%9s\n", "-");
    return;
  }
  std::printf("%9.2f %8.4g  %s\n", *value, must, *value <= must ? "reached" : "MISSED");
}

// Prints the costs that a missed target compares.
void printCosts(const Target& target, const Results& results) {
  for (const RowKey* const key : {&target.ours, &target.other}) {
    const Result* const row = find(results, *key);
    if (row == nullptr) continue;
    std::printf("    %-18s %12.1f ns ", row->system.c_str(), row->ns);
    if (row->instructions > 0) {
      std::printf("%12.0f instructions\n", row->instructions);
    } else {
      std::printf("%12s instructions (not counted: ./dev bench --instructions)\n", "-");
    }
  }
}

}  // namespace

std::size_t countOurWrong(const Results& results) {
  std::size_t wrong = 0;
  for (const Result& row : results.rows)
    wrong += row.system.starts_with("fractalray") ? row.wrong : 0;
  return wrong;
}

void printTargets(const Results& results) {
  std::printf("\n  %-58s%9s %8s\n", "targets (- is not measured)", "is", "must");
  for (const Target& target : kTargets) {
    const std::optional<double> value = valueOf(target, results);
    printTarget(target.what, value, target.must);
    if (value.has_value() && *value > target.must && !target.is_bytes) printCosts(target, results);
  }
  std::optional<double> wrong;
  if (!results.rows.empty()) wrong = static_cast<double>(countOurWrong(results));
  printTarget("wrong answers, all sets", wrong, 0);
}

}  // namespace fractalray::bench
