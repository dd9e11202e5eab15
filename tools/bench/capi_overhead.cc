// SPDX-License-Identifier: Apache-2.0
// The cost of a call of the C interface over the same call in C++. Prints the least nanoseconds per
// call of several runs, the two interfaces alternating; under callgrind (--instr-atstart=no) the
// instructions of each row are dumped apart.
//
//   fractalray_c_overhead [RUNS]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../query/ray_query_service.h"
#include "../../tests/oracle/rng.h"
#include "instruction_count.h"

namespace fractalray::bench {
namespace {

constexpr int kLines = 2000;
constexpr int kBlocks = 400;

// Returns a struct of zeros with its size.
template <class T>
T sized() {
  T made{};
  made.struct_size = sizeof made;
  return made;
}

// The same chunk of random blocks for both interfaces, and lines through it.
struct Scene {
  Scene() : entities(world.frame()), service(world, entities) {
    auto def = sized<frWorldDef>();
    def.version = FR_VERSION;
    require(frCreateWorld(&def, &c_world));
    auto stone = sized<frBlockTypeDef>();
    stone.name = "stone";
    frBlockType type = 0;
    require(frWorld_AddBlockType(c_world, &stone, &type));
    const auto chunk = sized<frChunkDef>();
    require(frWorld_LoadChunks(c_world, 0, &chunk, 1));
    const BlockTypeId id = world.blockTypes().add({.name = "stone"}).value();
    FRACTALRAY_CHECK_OK(world.loadChunk(0, {0, 0, 0}, Chunk()));
    oracle::Rng rng("capi overhead");
    for (int i = 0; i < kBlocks; ++i) {
      const std::array<std::int64_t, 3> at{rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
      FRACTALRAY_CHECK_OK(world.setBlock(0, {at[0], at[1], at[2]}, id));
      require(frWorld_SetBlock(c_world, 0, at.data(), type));
    }
    for (int i = 0; i < kLines; ++i) {
      Segment line;
      for (int axis = 0; axis < 3; ++axis) {
        line.from[axis] = static_cast<double>(rng.in(0, 1600)) / 100;
        line.to[axis] = static_cast<double>(rng.in(0, 1600)) / 100;
      }
      lines.push_back(line);
    }
  }
  ~Scene() { require(frDestroyWorld(c_world)); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  static void require(frResult result) { FRACTALRAY_CHECK(result == FR_OK, frGetLastError()); }

  World world;
  EntityIndex entities;
  RayQueryService service;
  frWorld* c_world = nullptr;
  std::vector<Segment> lines;
};

// Runs a call for each line; returns the nanoseconds per call.
template <class Call>
double timed(const Scene& scene, const std::string& label, const Call& call) {
  startCounting();
  const auto begin = std::chrono::steady_clock::now();
  for (const Segment& line : scene.lines)
    call(line);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  stopCounting(label);
  return time.count() / kLines;
}

// Prints a row; `count` keeps the answers, which must be the same.
template <class Cpp, class C>
void compare(const Scene& scene, const char* name, int runs, const Cpp& cpp, const C& c) {
  double least_cpp = std::numeric_limits<double>::infinity();
  double least_c = least_cpp;
  std::uint64_t cpp_hits = 0;
  std::uint64_t c_hits = 0;
  for (int run = 0; run < runs; ++run) {
    least_cpp = std::min(least_cpp, timed(scene, std::string(name) + " C++",
                                          [&](const Segment& line) { cpp_hits += cpp(line); }));
    least_c = std::min(least_c, timed(scene, std::string(name) + " C",
                                      [&](const Segment& line) { c_hits += c(line); }));
  }
  FRACTALRAY_CHECK(cpp_hits == c_hits, cpp_hits, c_hits);
  std::printf("%-12s %8.1f %8.1f %8.1f\n", name, least_cpp, least_c, least_c - least_cpp);
}

frLine lineOf(const Segment& segment) {
  frLine line;
  Scene::require(frMakeSegment(segment.from.values.data(), segment.to.values.data(), &line));
  return line;
}

void run(int runs) {
  const Scene scene;
  std::printf("%-12s %8s %8s %8s   ns per call\n", "", "C++", "C", "more");
  ClosestHit closest;
  compare(
      scene, "closestHit", runs,
      [&](const Segment& line) -> std::uint64_t {
        FRACTALRAY_CHECK_OK(scene.service.closestHit(line, LevelMask::all(), {}, closest));
        return closest.hit.has_value() ? 1 : 0;
      },
      [&](const Segment& segment) -> std::uint64_t {
        const frLine line = lineOf(segment);
        frHit hit;
        Scene::require(
            frWorld_ClosestHit(scene.c_world, &line, FR_ALL_LEVELS, nullptr, &hit, nullptr));
        return hit.kind == FR_HIT_NONE ? 0 : 1;
      });
  OcclusionResult sight;
  compare(
      scene, "occluded", runs,
      [&](const Segment& line) -> std::uint64_t {
        FRACTALRAY_CHECK_OK(scene.service.occluded(line, LevelMask::all(), {}, sight));
        return sight.occlusion == Occlusion::kBlocked ? 1 : 0;
      },
      [&](const Segment& segment) -> std::uint64_t {
        const frLine line = lineOf(segment);
        std::int32_t occlusion = 0;
        Scene::require(frWorld_Occluded(scene.c_world, &line, FR_ALL_LEVELS, nullptr, &occlusion,
                                        nullptr, nullptr));
        return occlusion == FR_BLOCKED ? 1 : 0;
      });
  ShotResult shot;
  std::vector<frHit> hits(16);
  auto result = sized<frQueryResult>();
  compare(
      scene, "shoot", runs,
      [&](const Segment& line) -> std::uint64_t {
        FRACTALRAY_CHECK_OK(scene.service.shootSegment(line, LevelMask::all(), {}, shot));
        return shot.hits.size();
      },
      [&](const Segment& segment) -> std::uint64_t {
        const frLine line = lineOf(segment);
        Scene::require(frWorld_Shoot(scene.c_world, &line, FR_ALL_LEVELS, nullptr, hits.data(),
                                     hits.size(), &result));
        return result.hit_count;
      });
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
  if (runs < 1) {
    std::fprintf(stderr, "RUNS is %s; give a number from 1 on\n", argv[1]);
    return 2;
  }
  fractalray::bench::run(runs);
  return 0;
}
