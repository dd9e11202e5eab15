// SPDX-License-Identifier: Apache-2.0
// Rays to a few points of the box, as servers shoot them today: wrong both ways.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "fractalray/fractalray.h"

namespace sight_server {

// The points of a box to which rays are shot until one is clear.
enum class Samples : std::uint8_t {
  kCenter,
  kCorners,
  kGrid,         // 3 x 3 x 3: corners, and the middles of edges, faces and the box
  kWideCorners,  // the corners of a box that is wider by half a block on each side: the usual cure
};
inline constexpr std::array kSamples = {Samples::kCenter, Samples::kCorners, Samples::kGrid,
                                        Samples::kWideCorners};

// Returns "1 ray, to the middle" and so on.
std::string_view samplesName(Samples samples);

// Returns true if a ray from the eye to one of the points is clear of solid blocks; an end that
// only touches the box's own floor counts as clear. Thread-safe.
bool seesBySamples(const fractalray::RayQueryService& service, const fractalray::Vec3i& eye,
                   const fractalray::FixedBox& box, Samples samples);

// An eye and a box, and whether the eye sees any part of it, exactly.
struct SamplePair {
  fractalray::SightQuery query;
  bool is_visible = false;
};

// The answers of samples that are wrong.
struct SampleErrors {
  std::uint64_t missed = 0;  // visible, called hidden
  std::uint64_t leaked = 0;  // hidden, called visible
};
SampleErrors compareSamples(const fractalray::RayQueryService& service,
                            std::span<const SamplePair> pairs, Samples samples);

}  // namespace sight_server
