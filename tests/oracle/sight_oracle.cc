// SPDX-License-Identifier: Apache-2.0
#include "sight_oracle.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fractalray::oracle {
namespace {

// A direction w, or the normal n of a half-space n.w >= 0.
using Vector = std::array<Rational, 3>;
using HalfSpaces = std::vector<Vector>;

Rational dotOf(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

FixedBox relativeTo(const Vec3i& eye, const FixedBox& box) {
  return {.min = box.min - eye, .max = box.max - eye};
}

// Returns the half-spaces whose common interior is the cone of directions w with t > 0 and
// min < t w < max for some t. With s = 1 / t that is min_i s < w_i < max_i s and s > 0, which is
// linear in w and s; s is eliminated (Fourier, Motzkin): every lower bound of it lies below every
// upper bound.
HalfSpaces coneOf(const FixedBox& box) {
  HalfSpaces cone;
  HalfSpaces lower = {{0, 0, 0}};  // s > lower.w
  HalfSpaces upper;                // s < upper.w
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    // w_i - min_i s > 0 and max_i s - w_i > 0.
    for (const int sign : {1, -1}) {
      const std::int64_t plane = sign > 0 ? box.min[axis] : box.max[axis];
      Vector bound{};
      if (plane == 0) {
        bound[i] = sign;
        cone.push_back(bound);
        continue;
      }
      bound[i] = Rational(1) / plane;
      ((plane > 0) == (sign > 0) ? upper : lower).push_back(bound);
    }
  }
  for (const Vector& low : lower) {
    for (const Vector& high : upper)
      cone.push_back({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  }
  return cone;
}

// A convex cone by its corners on a plane, in order.
struct Piece {
  std::vector<Vector> corners;
  std::vector<std::size_t> passed;  // the occluders that its directions pass
};

// Returns twice the area on the plane of an axis.
Rational twiceAreaOf(const std::vector<Vector>& corners, int axis) {
  const auto j = static_cast<std::size_t>((axis + 1) % 3);
  const auto k = static_cast<std::size_t>((axis + 2) % 3);
  Rational sum = 0;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vector& o = corners[0];
    const Vector& a = corners[i - 1];
    const Vector& b = corners[i];
    sum += (a[j] - o[j]) * (b[k] - o[k]) - (a[k] - o[k]) * (b[j] - o[j]);
  }
  return sum < 0 ? Rational(-sum) : sum;
}

// Returns the part of a polygon with n.w >= 0.
std::vector<Vector> cutBy(const std::vector<Vector>& corners, const Vector& n) {
  std::vector<Vector> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector& a = corners[i];
    const Vector& b = corners[(i + 1) % corners.size()];
    const Rational of_a = dotOf(n, a);
    const Rational of_b = dotOf(n, b);
    if (of_a >= 0) kept.push_back(a);
    if ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)) {
      const Rational part = of_a / (of_a - of_b);
      kept.push_back(
          {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])});
    }
  }
  return kept;
}

// The parts of an occluder before the box, both relative to the eye: short of a near face of the
// box on some axis.
std::vector<FixedBox> partsBefore(const FixedBox& box, const FixedBox& occluder) {
  std::vector<FixedBox> parts;
  for (int axis = 0; axis < 3; ++axis) {
    FixedBox part = occluder;
    if (box.min[axis] > 0) {
      part.max[axis] = std::min(part.max[axis], box.min[axis]);
    } else if (box.max[axis] < 0) {
      part.min[axis] = std::max(part.min[axis], box.max[axis]);
    } else {
      continue;
    }
    if (part.min[axis] < part.max[axis]) parts.push_back(part);
  }
  return parts;
}

class ConeSearch {
 public:
  explicit ConeSearch(const SightQuery& query)
      : eye_(query.eye), box_(relativeTo(query.eye, {query.box.min, query.box.max})) {
    for (int axis = 0; axis < 3; ++axis) {
      if (box_.min[axis] > 0 || box_.max[axis] < 0) axis_ = axis;
    }
    Piece whole{.corners = largeSquare(), .passed = {}};
    for (const Vector& side : coneOf(box_))
      whole.corners = cutBy(whole.corners, side);
    keep(pieces_, std::move(whole));
  }

  // Cuts an occluder out; `number` identifies it.
  void cut(const Occluder& occluder, std::size_t number, std::uint64_t through) {
    for (const FixedBox& box : occluder) {
      for (const FixedBox& part : partsBefore(box_, relativeTo(eye_, box)))
        cutCone(coneOf(part), number, through);
    }
  }
  bool seesAny() const { return !pieces_.empty(); }

  Rational share() const {
    Rational seen = 0;
    for (const Piece& piece : pieces_)
      seen += measureOf(piece.corners);
    Rational whole = 1;
    for (int axis = 0; axis < 3; ++axis) {
      if (box_.min[axis] != box_.max[axis]) whole *= Rational(box_.max[axis]) - box_.min[axis];
    }
    return seen / whole;
  }

 private:
  // Returns a square of the plane at distance 1 that contains all directions into the box.
  std::vector<Vector> largeSquare() const {
    Rational most = 1;
    for (int axis = 0; axis < 3; ++axis)
      most = std::max({most, abs(Rational(box_.min[axis])), abs(Rational(box_.max[axis]))});
    const auto a = static_cast<std::size_t>(axis_);
    std::vector<Vector> corners;
    for (const auto& [j, k] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      Vector corner;
      corner[a] = box_.min[axis_] > 0 ? 1 : -1;
      corner[(a + 1) % 3] = most * j;
      corner[(a + 2) % 3] = most * k;
      corners.push_back(corner);
    }
    return corners;
  }

  void keep(std::vector<Piece>& pieces, Piece piece) const {
    if (twiceAreaOf(piece.corners, axis_) != 0) pieces.push_back(std::move(piece));
  }

  void cutCone(const HalfSpaces& cone, std::size_t number, std::uint64_t through) {
    std::vector<Piece> next;
    for (Piece& piece : pieces_) {
      const bool has_passed =
          std::find(piece.passed.begin(), piece.passed.end(), number) != piece.passed.end();
      Piece inside = piece;
      for (const Vector& side : cone) {
        inside.corners = cutBy(inside.corners, side);
        if (inside.corners.size() < 3) break;
      }
      if (has_passed || twiceAreaOf(inside.corners, axis_) == 0) {
        next.push_back(std::move(piece));
        continue;
      }
      Piece rest = piece;
      for (const Vector& side : cone) {
        keep(next, {cutBy(rest.corners, {-side[0], -side[1], -side[2]}), rest.passed});
        rest.corners = cutBy(rest.corners, side);
      }
      inside.passed.push_back(number);
      if (inside.passed.size() <= through) next.push_back(std::move(inside));
    }
    pieces_ = std::move(next);
  }

  // Returns the volume of the part of the box in a cone, or its area if it is flat: the pyramids to
  // the faces through which directions leave, without those to the faces through which they enter.
  Rational measureOf(const std::vector<Vector>& corners) const {
    Rational sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_flat = box_.min[axis] == box_.max[axis];
      if (is_flat) return areaOnPlane(corners, axis, box_.min[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (const std::int64_t plane : {box_.min[axis], box_.max[axis]}) {
        if (plane == 0) continue;
        const Rational area = areaOnPlane(corners, axis, plane);
        const Rational volume = area * abs(Rational(plane)) / 3;
        const bool is_far = plane > 0 ? plane == box_.max[axis] : plane == box_.min[axis];
        sum += is_far ? volume : Rational(-volume);
      }
    }
    return sum;
  }
  // Returns the area of the face, or the part of it, that lies in a cone: on the plane x_axis =
  // plane.
  Rational areaOnPlane(std::vector<Vector> corners, int axis, std::int64_t plane) const {
    const auto a = static_cast<std::size_t>(axis);
    const Rational sign = plane > 0 ? 1 : -1;
    corners = cutBy(corners, unitVector(axis, sign));
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      // min <= w_other |plane| / |w_axis| <= max.
      Vector low = unitVector(other, abs(Rational(plane)));
      low[a] -= sign * box_.min[other];
      Vector high = unitVector(other, -abs(Rational(plane)));
      high[a] += sign * box_.max[other];
      corners = cutBy(cutBy(corners, low), high);
    }
    if (twiceAreaOf(corners, axis_) == 0) return 0;
    for (Vector& corner : corners) {
      const Rational factor = Rational(plane) / corner[a];
      for (Rational& component : corner)
        component *= factor;
    }
    return twiceAreaOf(corners, axis) / 2;
  }
  static Vector unitVector(int axis, const Rational& length) {
    Vector vector{};
    vector[static_cast<std::size_t>(axis)] = length;
    return vector;
  }

  Vec3i eye_;
  FixedBox box_;  // relative to the eye
  int axis_ = 0;  // the box lies on one side of the eye along it
  std::vector<Piece> pieces_;
};

// Returns what is left after all occluders, and unloaded space if it is opaque.
ConeSearch searchOf(const SightQuery& query, const SightScene& scene, bool is_opaque) {
  ConeSearch search(query);
  for (std::size_t i = 0; i < scene.occluders.size(); ++i) {
    const Occluder& occluder = scene.occluders[i];
    if (!scene.skip_start_inside || !isAround(occluder, query.eye))
      search.cut(occluder, i, scene.through);
  }
  for (const FixedBox& cube : scene.unloaded) {
    if (is_opaque) search.cut({cube}, scene.occluders.size(), 0);
  }
  return search;
}

}  // namespace

std::vector<FixedBox> unloadedSpace(const World& world, LevelMask levels, const SightQuery& query) {
  const Frame& frame = world.frame();
  int finest = 0;
  int coarsest = frame.levels() - 1;
  for (int level = 0; level < frame.levels(); ++level) {
    if (!levels.contains(level)) continue;
    finest = std::max(finest, level);
    coarsest = std::min(coarsest, level);
  }
  const std::int64_t width = frame.chunkWidth(finest);
  ChunkCoord first = frame.chunkAt(query.eye, finest);
  ChunkCoord last = first;
  for (const Vec3i& corner : {query.box.min, query.box.max}) {
    const ChunkCoord at = frame.chunkAt(corner, finest);
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = std::min(first[axis], at[axis]);
      last[axis] = std::max(last[axis], at[axis]);
    }
  }
  std::vector<FixedBox> cubes;
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        const Vec3i min{x * width, y * width, z * width};
        bool is_loaded = false;
        for (int level = coarsest; level <= finest; ++level) {
          is_loaded = is_loaded || (levels.contains(level) &&
                                    world.chunk(level, frame.chunkAt(min, level)) != nullptr);
        }
        if (!is_loaded) cubes.push_back({min, min + Vec3i{width, width, width}});
      }
    }
  }
  return cubes;
}

bool isAround(const Occluder& occluder, const Vec3i& eye) {
  for (int corner = 0; corner < 8; ++corner) {
    const auto holds = [&](const FixedBox& box) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t near = 2 * eye[axis] + (((corner >> axis) & 1) != 0 ? 1 : -1);
        if (near < 2 * box.min[axis] || near > 2 * box.max[axis]) return false;
      }
      return true;
    };
    if (std::none_of(occluder.begin(), occluder.end(), holds)) return false;
  }
  return true;
}

ExactSight exactSight(const SightQuery& query, const SightScene& scene, bool with_share) {
  const FixedBox box{query.box.min, query.box.max};
  bool contains = true;
  for (int axis = 0; axis < 3; ++axis) {
    contains = contains && query.eye[axis] >= box.min[axis] && query.eye[axis] <= box.max[axis];
  }
  if (contains) return {Sight::kVisible, 1, 1};
  const bool reports = scene.unloaded_space == UnloadedSpace::kReport;
  const ConeSearch first =
      searchOf(query, scene, scene.unloaded_space != UnloadedSpace::kTransparent);
  ExactSight answer;
  answer.sight = first.seesAny() ? Sight::kVisible : Sight::kHidden;
  if (with_share) answer.seen_from = answer.seen_to = first.share();
  if (!reports || scene.unloaded.empty()) return answer;
  const ConeSearch second = searchOf(query, scene, false);
  if (!first.seesAny() && second.seesAny()) answer.sight = Sight::kUnknown;
  if (with_share) answer.seen_to = second.share();
  return answer;
}

}  // namespace fractalray::oracle
