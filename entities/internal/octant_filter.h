// SPDX-License-Identifier: Apache-2.0
// Finds the octants of a crowded chunk that hold entities near a line: all eight at a time, in the
// projections in which the entities of a page are filtered (entity_page.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "chunk_pages.h"
#include "entity_page.h"

namespace fractalray::internal {

// A line, prepared for the octants of an index level. Seen along the line, an octant of half the
// width h is h + h * slope to each side, and its entities reach as much farther as their radii do.
class OctantFilter {
 public:
  explicit OctantFilter(const PageLineFilter& line);

  // Returns the octants, as bits, with entities that the line may hit: at least all whose entities
  // it hits in the chunk. `offsets` is the line from the centre that they have in common, and
  // `depth` how often the chunk has been halved around it. Equal on all machines.
  std::uint32_t near(const Octants& octants, const PageOffsets& offsets, int depth) const {
    Vector radius;
    static_assert(sizeof(radius) == sizeof(octants.radius));
    std::copy(octants.radius.begin(), octants.radius.end(), reinterpret_cast<std::int16_t*>(&radius));
    return lanesOf((apart(0, offsets, depth) <= reach(0, radius, depth)) &
                   (apart(1, offsets, depth) <= reach(1, radius, depth)));
  }
  // Returns the line from the centre of one of these octants.
  PageOffsets inOctant(const PageOffsets& offsets, std::size_t octant, int depth) const {
    return offsets - (centers_[octant] >> depth);
  }

 private:
  using Vector = Projection::Vector;
  // In page units. No octant that is farther away from the line holds an entity near it.
  static constexpr std::int32_t kFarthest = 16000;
  // The most that rounding may add to the distance of an octant, beyond what the radii of pages
  // have for that: 1 each for its centre, its half width, their halves, the offset, and the widening of
  // radii.
  static constexpr std::int16_t kPad = 6;

  struct Side {
    Vector center;         // of the octants of a chunk, as seen, in page units
    std::int16_t half;     // of their width, as seen
    std::int16_t slack;    // of the projection, and kPad
    std::int16_t spread;   // the widening of a sphere beyond its radius as seen, in 1/256
  };

  Vector apart(std::size_t number, const PageOffsets& offsets, int depth) const {
    const auto offset = static_cast<std::int16_t>(
        std::clamp(offsets[static_cast<int>(number)] >> 8, -kFarthest, kFarthest));
    const Vector apart = (sides_[number].center >> depth) - offset;
    return apart < 0 ? -apart : apart;
  }
  Vector reach(std::size_t number, const Vector& radius, int depth) const {
    const Side& side = sides_[number];
    // Radii are at most sqrt(3) * 2^13, so that the products fit.
    const Vector widening = (((radius >> 6) + 1) * side.spread) >> 2;
    return radius + widening + static_cast<std::int16_t>((side.half >> depth) + side.slack);
  }
  // Returns the lanes that are -1, as bits; the others are 0.
  static std::uint32_t lanesOf(const Vector& lanes) {
#if defined(FRACTALRAY_SSE2)
    const auto bytes = _mm_packs_epi16(reinterpret_cast<__m128i>(lanes), _mm_setzero_si128());
    return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
#elif defined(FRACTALRAY_NEON)
    return NeonLanes::bitsOf(reinterpret_cast<uint16x8_t>(lanes));
#else
    std::uint32_t bits = 0;
    for (int i = 0; i < 8; ++i)
      bits |= lanes[i] != 0 ? 1U << i : 0U;
    return bits;
#endif
  }

  std::array<PageOffsets, Octants::kCount> centers_;  // as seen in both projections, as offsets are
  std::array<Side, 2> sides_;
};

}  // namespace fractalray::internal
