// SPDX-License-Identifier: Apache-2.0
#include "sight_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"

#include "../oracle/exact.h"
#include "../oracle/witness_oracle.h"

namespace fractalray::sight_test {
namespace {

bool overlap(const FixedBox& a, const FixedBox& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.max[axis] <= b.min[axis] || b.max[axis] <= a.min[axis]) return false;
  }
  return true;
}

// Returns true if the eye is in the interior of an occluder, which then does not count.
bool isLeftOut(const SightCase& of, const oracle::Occluder& occluder) {
  return of.options.filter.skip_start_inside && oracle::isAround(occluder, of.query.eye);
}

std::optional<std::string> faultOfWitness(const SightCase& of, const SightWitness& witness) {
  const std::vector<oracle::Occluder> occluders = of.occludersOfAll();
  const oracle::WitnessCase check{
      .world = *of.world,
      .levels = of.levels,
      .occluders = occluders,
      .eye = of.query.eye,
      .box = of.query.box,
      .through = of.options.through,
      .skip_start_inside = of.options.filter.skip_start_inside,
      .passes_unloaded = of.options.unloaded == UnloadedSpace::kTransparent,
      .delta = directionOf(witness),
      .unit = witness.unit};
  return oracle::faultOfWitness(check);
}

// Returns what is left of boxes that do not overlap, without a box.
std::vector<FixedBox> without(const FixedBox& cover, const std::vector<FixedBox>& parts) {
  std::vector<FixedBox> rest;
  for (FixedBox part : parts) {
    if (!overlap(part, cover)) {
      rest.push_back(part);
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) {
      FixedBox below = part;
      below.max[axis] = cover.min[axis];
      if (below.min[axis] < below.max[axis]) rest.push_back(below);
      FixedBox above = part;
      above.min[axis] = cover.max[axis];
      if (above.min[axis] < above.max[axis]) rest.push_back(above);
      part.min[axis] = std::max(part.min[axis], cover.min[axis]);
      part.max[axis] = std::min(part.max[axis], cover.max[axis]);
    }
  }
  return rest;
}

// Returns true if no level of the query has a loaded chunk in a box.
bool isUnloaded(const SightCase& of, const FixedBox& box) {
  bool is_unloaded = true;
  for (int level = 0; level < of.world->frame().levels(); ++level) {
    if (!of.levels.contains(level)) continue;
    const std::int64_t width = of.world->frame().chunkWidth(level);
    of.world->forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& /*chunk*/) {
      const Vec3i min{at[0] * width, at[1] * width, at[2] * width};
      is_unloaded = is_unloaded && !overlap(box, {min, min + Vec3i{width, width, width}});
    });
  }
  return is_unloaded;
}

// Each box of the certificate is solid.
std::optional<std::string> faultOfSolids(const SightCase& of, const SightAnswer& answer) {
  std::vector<oracle::Occluder> occluders = of.occludersOfAll();
  std::erase_if(occluders, [&](const oracle::Occluder& each) { return isLeftOut(of, each); });
  for (const FixedBox& box : answer.certificate) {
    std::vector<FixedBox> rest{box};
    for (const oracle::Occluder& occluder : occluders) {
      for (const FixedBox& cover : occluder)
        rest = without(cover, rest);
    }
    for (const FixedBox& part : rest) {
      if (of.options.unloaded != UnloadedSpace::kOpaque || !isUnloaded(of, part))
        return absl::StrCat("not solid: ", textOf(part), " of ", textOf(box));
    }
  }
  return std::nullopt;
}

// The certificate alone hides the box, and it is solid.
std::optional<std::string> faultOfCertificate(const SightCase& of, const SightAnswer& answer) {
  const absl::StatusOr<bool> is_hidden = hides(answer.certificate, of.query);
  if (!is_hidden.ok() || !*is_hidden) return "hides() denies the certificate";
  oracle::SightScene alone;
  for (const FixedBox& box : answer.certificate)
    alone.occluders.push_back({box});
  if (oracle::exactSight(of.query, alone).sight != Sight::kHidden)
    return "the certificate does not hide the box";
  return faultOfSolids(of, answer);
}

// Returns a share as a fraction, without rounding it.
oracle::Rational exactly(double share) {
  return oracle::Rational(share);
}

}  // namespace

std::optional<std::string> faultOf(const SightCase& of, const SightAnswer& answer,
                                   const oracle::ExactSight& exact) {
  if (answer.sight != exact.sight) {
    return absl::StrCat("the answer is ", static_cast<int>(answer.sight), ", not ",
                        static_cast<int>(exact.sight));
  }
  if (answer.witness.has_value() != (answer.sight == Sight::kVisible))
    return "there is a witness if and only if the box is visible";
  if (answer.witness.has_value()) return faultOfWitness(of, *answer.witness);
  const bool proves = answer.sight == Sight::kHidden && of.options.report_certificate;
  if (!proves && !answer.certificate.empty()) return "there is a certificate";
  if (!proves) return std::nullopt;
  return of.options.through == 0 ? faultOfCertificate(of, answer) : faultOfSolids(of, answer);
}

std::array<oracle::Integer, 3> directionOf(const SightWitness& witness) {
  std::array<oracle::Integer, 3> direction;
  for (std::size_t i = 0; i < 3; ++i) {
    direction[i] = (oracle::Integer(absl::Int128High64(witness.delta[i])) << 64) +
                   oracle::Integer(absl::Int128Low64(witness.delta[i]));
  }
  return direction;
}

bool isThick(const SightQuery& query) {
  std::int64_t distance = 0;
  for (int axis = 0; axis < 3; ++axis) {
    distance = std::max(
        {distance, query.box.min[axis] - query.eye[axis], query.eye[axis] - query.box.max[axis]});
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t thickness = query.box.max[axis] - query.box.min[axis];
    if (thickness != 0 && thickness < (distance + 1023) / 1024) return false;
  }
  return true;
}

std::optional<std::string> faultOf(const SightCase& of, const ExposureAnswer& answer,
                                   const oracle::ExactSight& exact) {
  const auto fault = [&](const char* what) {
    return absl::StrCat("the exposure is ", answer.from, " to ", answer.to, ", not ",
                        oracle::toDouble(exact.seen_from), " to ", oracle::toDouble(exact.seen_to),
                        ": ", what);
  };
  for (const double end : {answer.from, answer.to}) {
    if (end * 0x1p30 != std::floor(end * 0x1p30)) return fault("no multiple of 2^-30");
  }
  const oracle::Rational from = exactly(answer.from);
  const oracle::Rational to = exactly(answer.to);
  if (from > exact.seen_from || to < exact.seen_to) return fault("it does not contain the share");
  if (from < 0 || to > 1) return fault("it is no share");
  if (exact.seen_from == 1 && from != 1) return fault("all is seen");
  if (exact.seen_to == 0 && to != 0) return fault("nothing is seen");
  if (!isThick(of.query)) return std::nullopt;
  const oracle::Rational width = exactly(kShareWidth);
  if (exact.seen_from - from > width || to - exact.seen_to > width) return fault("too wide");
  return std::nullopt;
}

}  // namespace fractalray::sight_test
