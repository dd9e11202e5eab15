// SPDX-License-Identifier: Apache-2.0
// Measures fields of view on tile maps: the sweep of core/field_of_view.h, a line per tile, and the
// textbook's recursive shadowcasting, in doubles, with the tiles in which it differs.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

#include "../../core/field_of_view.h"
#include "../../core/tile_grid.h"
#include "measurement.h"
#include "random.h"
#include "results.h"

namespace fractalray::bench {
namespace {

constexpr std::int64_t kWidth = 256;  // of a map, in tiles

// A square map, as a game holds it: a byte a tile, solid outside.
class TileMap {
 public:
  explicit TileMap(const std::function<bool(std::int64_t, std::int64_t)>& is_wall) {
    for (std::int64_t y = 0; y < kWidth; ++y) {
      for (std::int64_t x = 0; x < kWidth; ++x)
        walls_[indexOf(x, y)] = is_wall(x, y) ? 1 : 0;
    }
  }
  bool isSolid(std::int64_t x, std::int64_t y) const {
    return x < 0 || y < 0 || x >= kWidth || y >= kWidth || walls_[indexOf(x, y)] != 0;
  }

 private:
  static std::size_t indexOf(std::int64_t x, std::int64_t y) {
    return static_cast<std::size_t>(y * kWidth + x);
  }
  std::vector<char> walls_ = std::vector<char>(kWidth * kWidth);
};

struct Scene {
  const char* name = "";
  TileMap map;
};

std::vector<Scene> makeScenes() {
  const auto one_in = [](std::uint64_t n) {
    return [n](std::int64_t x, std::int64_t y) { return hashCell(7, x, y, 0) % n == 0; };
  };
  const auto doors = [](std::int64_t x, std::int64_t y) {
    const bool is_wall = x % 12 == 0 || y % 9 == 0;
    const bool is_door = x % 12 == 5 || y % 9 == 4;
    return is_wall && !is_door;
  };
  return {{"field, 1 % pillars", TileMap(one_in(100))},
          {"forest, 10 % trees", TileMap(one_in(10))},
          {"rubble, 33 % stones", TileMap(one_in(3))},
          {"walls with doors", TileMap(doors)}};
}

// Marks of the tiles up to a radius from an eye.
class SeenTiles {
 public:
  SeenTiles(const Vec2i& eye, std::int64_t radius) : eye_(eye), radius_(radius) {
    const auto width = static_cast<std::size_t>(2 * radius + 1);
    marks_.assign(width * width, 0);
  }
  void mark(std::int64_t x, std::int64_t y) {
    const std::int64_t row = y - eye_[1] + radius_;
    marks_[static_cast<std::size_t>(row * (2 * radius_ + 1) + x - eye_[0] + radius_)] = 1;
  }
  // Returns the number of tiles in which two fields differ. Requires: of the same radius.
  std::size_t differences(const SeenTiles& other) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < marks_.size(); ++i)
      count += marks_[i] != other.marks_[i] ? 1U : 0U;
    return count;
  }
  std::size_t count() const {
    std::size_t count = 0;
    for (const char mark : marks_)
      count += mark != 0 ? 1U : 0U;
    return count;
  }

 private:
  Vec2i eye_;
  std::int64_t radius_;
  std::vector<char> marks_;
};

void markBySweep(const TileMap& map, const Vec2i& eye, std::int64_t radius, TilePart part,
                 SeenTiles& seen) {
  const auto solid_at = [&](std::int64_t x, std::int64_t y) { return map.isSolid(x, y); };
  const auto mark = [&](std::int64_t x, std::int64_t y) { seen.mark(x, y); };
  if (!fieldOfView(eye, radius, solid_at, mark, part).ok()) std::abort();
}

void markByLines(const TileMap& map, const Vec2i& eye, std::int64_t radius, SeenTiles& seen) {
  static const TileGrid grid = *TileGrid::create({});
  const auto middle = [](std::int64_t tile) { return static_cast<double>(tile) + 0.5; };
  const auto solid_at = [&](std::int64_t x, std::int64_t y) {
    return map.isSolid(x, y) && Vec2i{x, y} != eye;
  };
  const Vec2d from{middle(eye[0]), middle(eye[1])};
  for (std::int64_t y = eye[1] - radius; y <= eye[1] + radius; ++y) {
    for (std::int64_t x = eye[0] - radius; x <= eye[0] + radius; ++x) {
      const auto end = grid.firstSolid({.from = from, .to = {middle(x), middle(y)}}, solid_at);
      if (!end->is_solid || end->tile == Vec2i{x, y}) seen.mark(x, y);
    }
  }
}

// Recursive shadowcasting, as roguelikes have it (Björn Bergström): a tile is seen if any part of
// it is.
class Shadowcasting {
 public:
  Shadowcasting(const TileMap& map, const Vec2i& eye, std::int64_t radius, SeenTiles& seen)
      : map_(map), eye_(eye), radius_(radius), seen_(seen) {
    seen_.mark(eye[0], eye[1]);
    for (unsigned octant = 0; octant < 8; ++octant)
      cast(octant, 1, 0, 1);
  }

 private:
  Vec2i tileAt(unsigned octant, std::int64_t x, std::int64_t y) const {
    Vec2i away = (octant & 1U) != 0 ? Vec2i{y, x} : Vec2i{x, y};
    if ((octant & 2U) != 0) away[0] = -away[0];
    if ((octant & 4U) != 0) away[1] = -away[1];
    return eye_ + away;
  }
  void cast(unsigned octant, std::int64_t first, double from, double to) {
    bool was_wall = false;
    for (std::int64_t x = first; x <= radius_ && !was_wall; ++x) {
      const auto column = static_cast<double>(x);
      for (std::int64_t y = 0; y <= x; ++y) {
        const auto row = static_cast<double>(y);
        const double top = (row + 0.5) / (column - 0.5);
        if (top < from) continue;
        const double bottom = (row - 0.5) / (column + 0.5);
        if (bottom > to) break;
        const Vec2i tile = tileAt(octant, x, y);
        seen_.mark(tile[0], tile[1]);
        const bool is_wall = map_.isSolid(tile[0], tile[1]);
        if (is_wall && !was_wall && from < bottom) cast(octant, x + 1, from, bottom);
        if (is_wall) from = top;
        was_wall = is_wall;
      }
      if (from >= to) return;
    }
  }

  const TileMap& map_;
  Vec2i eye_;
  std::int64_t radius_;
  SeenTiles& seen_;
};

// Figures of one scene and radius: nanoseconds a field, and sums over all fields.
struct Figures {
  double center_ns = 0;
  double any_ns = 0;
  double lines_ns = 0;
  double shadows_ns = 0;
  std::size_t seen = 0;
  std::size_t wrong = 0;           // of the sweep, compared with lines
  std::size_t shadows_differ = 0;  // of shadowcasting, whose rule is another one, from any part
};

using Method = std::function<void(const Vec2i& eye, SeenTiles& seen)>;

// Returns the time of a field by each method, medians of `repeats` rounds over all eyes. The
// methods run by turns, so that a slow moment of the machine is shared.
std::vector<double> fieldNs(int repeats, const std::vector<Vec2i>& eyes, std::int64_t radius,
                            const std::vector<Method>& methods) {
  std::vector<std::vector<double>> ns(methods.size());
  std::vector<SeenTiles> seen;
  for (const Vec2i& eye : eyes)
    seen.emplace_back(eye, radius);
  for (int repeat = -1; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const double begin = threadMillis();
      for (std::size_t k = 0; k < eyes.size(); ++k)
        methods[i](eyes[k], seen[k]);
      const double end = threadMillis();
      if (repeat >= 0) ns[i].push_back((end - begin) * 1e6 / static_cast<double>(eyes.size()));
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& method_ns : ns)
    medians.push_back(median(method_ns));
  return medians;
}

Figures measure(const TileMap& map, std::int64_t radius, int repeats, std::size_t fields) {
  Random random(static_cast<std::uint64_t>(radius));
  std::vector<Vec2i> eyes;
  while (eyes.size() < fields) {
    const Vec2i eye{random.between(0, kWidth - 1), random.between(0, kWidth - 1)};
    if (!map.isSolid(eye[0], eye[1])) eyes.push_back(eye);
  }
  Figures figures;
  for (const Vec2i& eye : eyes) {
    std::array<SeenTiles, 4> seen{SeenTiles(eye, radius), SeenTiles(eye, radius),
                                  SeenTiles(eye, radius), SeenTiles(eye, radius)};
    markBySweep(map, eye, radius, TilePart::kCenter, seen[0]);
    markByLines(map, eye, radius, seen[1]);
    markBySweep(map, eye, radius, TilePart::kAny, seen[2]);
    const Shadowcasting shadows(map, eye, radius, seen[3]);
    figures.seen += seen[0].count();
    figures.wrong += seen[0].differences(seen[1]);
    figures.shadows_differ += seen[2].differences(seen[3]);
  }
  const auto sweep = [&](TilePart part) -> Method {
    return [&map, radius, part](const Vec2i& eye, SeenTiles& seen) {
      markBySweep(map, eye, radius, part, seen);
    };
  };
  const Method lines = [&](const Vec2i& eye, SeenTiles& seen) {
    markByLines(map, eye, radius, seen);
  };
  const Method shadows = [&](const Vec2i& eye, SeenTiles& seen) {
    const Shadowcasting cast(map, eye, radius, seen);
  };
  const std::vector<double> ns = fieldNs(
      repeats, eyes, radius, {sweep(TilePart::kCenter), sweep(TilePart::kAny), lines, shadows});
  figures.center_ns = ns[0];
  figures.any_ns = ns[1];
  figures.lines_ns = ns[2];
  figures.shadows_ns = ns[3];
  return figures;
}

int run(bool quick) {
  std::printf("%s\n", describeMachine().c_str());
  std::printf("%-20s %6s %8s %10s %10s %12s %12s %8s %8s\n", "map", "radius", "seen", "sweep us",
              "any us", "lines us", "shadows us", "wrong", "differ");
  std::size_t wrong = 0;
  for (const Scene& scene : makeScenes()) {
    for (const std::int64_t radius : {10, 30, 100}) {
      const std::size_t fields = quick ? 20 : 200;
      const Figures figures = measure(scene.map, radius, quick ? 3 : 9, fields);
      std::printf("%-20s %6d %8.0f %10.2f %10.2f %12.2f %12.2f %8zu %8zu\n", scene.name,
                  static_cast<int>(radius),
                  static_cast<double>(figures.seen) / static_cast<double>(fields),
                  figures.center_ns / 1e3, figures.any_ns / 1e3, figures.lines_ns / 1e3,
                  figures.shadows_ns / 1e3, figures.wrong, figures.shadows_differ);
      wrong += figures.wrong;
    }
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fractalray::bench

int main(int argc, char** argv) {
  bool quick = false;
  CLI::App app(
      "Fields of view on tile maps, in microseconds of processor time a field: the sweep for\n"
      "middles and for any part of a tile, a line per tile, recursive shadowcasting in doubles.\n"
      "wrong: tiles in which the sweep differs from lines; then the exit status is 1. differ:\n"
      "tiles in which shadowcasting, which counts those that light touches at a corner, differs\n"
      "from the sweep for any part.",
      "fractalray_fields_of_view");
  app.add_flag("--quick", quick, "fewer fields: some seconds");
  CLI11_PARSE(app, argc, argv);
  return fractalray::bench::run(quick);
}
