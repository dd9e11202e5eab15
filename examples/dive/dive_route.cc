// SPDX-License-Identifier: Apache-2.0
#include "dive_route.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"

#include "fractalray/core/units.h"

namespace fractalray {
namespace {

using Kind = FractalChunk::Kind;

// Steps after a stage's own that decide where in a block its target is: below a unit.
constexpr int kStepsBeyond = 5;
// The slope of the camera's line to the target; the height above the target of the middle of the
// picture. Both by the distance seen from above.
constexpr double kSlope = 0.40;
constexpr double kLookAbove = 0.10;

constexpr Sky kSpaceSky{
    .zenith = {0.010, 0.012, 0.030}, .horizon = {0.02, 0.02, 0.05}, .brightness = 0.35, .stars = 1};
constexpr std::array<Sky, FractalTypes::kSoils> kLandSkies = {{
    {},
    {.zenith = {0.36, 0.52, 0.74}, .horizon = {0.93, 0.86, 0.72}},
    {.zenith = {0.40, 0.54, 0.74}, .horizon = {0.90, 0.93, 0.97}},
    {.zenith = {0.50, 0.36, 0.40}, .horizon = {0.93, 0.72, 0.56}},
}};
constexpr std::array<const char*, FractalTypes::kSoils> kSoilNames = {"grass", "sand", "snow",
                                                                      "red soil"};

Sky skyOf(const FractalStop& stop) {
  const Sky& land = kLandSkies[static_cast<std::size_t>(stop.soil)];
  if (stop.kind == Kind::kSpace) return kSpaceSky;
  return stop.kind == Kind::kLand ? land : mix(kSpaceSky, land, 0.2);
}

}  // namespace

DiveRoute::DiveRoute(std::uint64_t seed, const FractalTypes& types, int stages)
    : stages_(stages),
      stops_(fractalWay(
          seed, types, static_cast<std::size_t>(stages) + static_cast<std::size_t>(kStepsBeyond))) {
}

std::string DiveRoute::nameOf(int stage) const {
  const FractalStop& here = at(stage);
  const char* const soil = kSoilNames[static_cast<std::size_t>(here.soil)];
  switch (here.kind) {
    case Kind::kSpace:
      return stage == 0 ? "space" : "space in a brick";
    case Kind::kPlanet:
      return absl::StrCat("planet of ", soil);
    case Kind::kLand:
      return absl::StrCat("land of ", soil);
    case Kind::kCave:
      break;
  }
  return "cave";
}

int DiveRoute::anchorSteps(const Frame& frame, int stage) {
  return std::max(0, stage - (frame.levels() - 1));
}

BlockCoord DiveRoute::block(const Frame& frame, int stage) const {
  BlockCoord block{};
  for (int depth = anchorSteps(frame, stage); depth <= stage; ++depth) {
    const FractalChunk::Step& step = target(depth);
    block = block * kChunkSize + BlockCoord{step[0], step[1], step[2]};
  }
  return block;
}

double DiveRoute::blockWidth(const Frame& frame, int stage) {
  return toBlocks(frame.blockWidth(stage - anchorSteps(frame, stage)));
}

Camera DiveRoute::camera(const Frame& frame, int stage, int tick) const {
  const int anchor = anchorSteps(frame, stage);
  // The target, in blocks of the finest level.
  Vec3d target;
  double width = toBlocks(frame.blockWidth(0));
  for (int depth = anchor; depth < stage + kStepsBeyond; ++depth) {
    for (int axis = 0; axis < 3; ++axis)
      target[axis] += width * at(depth).target[axis];
    width /= 16;
  }
  const double step = 1 / std::sqrt(std::sqrt(std::sqrt(2.0)));  // 16^(-1/32)
  double distance = kDistance * blockWidth(frame, stage);
  for (int i = 0; i < tick; ++i)
    distance *= step;
  const FractalStop& here = at(stage);
  const FractalStop& next = at(stage + 1);
  const double part = static_cast<double>(tick) / kTicks;
  Vec3d towards{here.towards_x * (1 - part) + next.towards_x * part, 0,
                here.towards_z * (1 - part) + next.towards_z * part};
  towards /= length(towards);
  return {.position = target + Vec3d{towards[0], kSlope, towards[2]} * distance,
          .target = target + Vec3d{0, kLookAbove * distance, 0}};
}

Sky DiveRoute::sky(int stage, int tick) const {
  return mix(skyOf(at(stage)), skyOf(at(stage + 1)), static_cast<double>(tick) / kTicks);
}

}  // namespace fractalray
