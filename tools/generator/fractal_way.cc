// SPDX-License-Identifier: Apache-2.0
#include "fractal_way.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"

namespace fractalray {
namespace {

using Step = FractalChunk::Step;

// The cosine and the sine of 16.26 degrees.
constexpr double kTurnCos = 0.96;
constexpr double kTurnSin = 0.28;

// Returns the highest solid block of a chunk; of several, one that expands into a land with a tower
// as high as any, so that no other tower hides it, else the farthest in a direction.
std::optional<Step> highestBlock(const FractalChunk& chunk, const FractalTypes& types,
                                 double towards_x, double towards_z) {
  std::optional<Step> best;
  std::pair<int, double> best_rank;
  for (int y = 15; y >= 0 && !best.has_value(); --y) {
    for (int column = 0; column < 256; ++column) {
      const Step at{column & 15, y, column >> 4};
      const BlockTypeId type = chunk.block(at, types);
      if (type == kAir || type == types.space || type == types.crystal) continue;
      const std::pair rank(chunk.child(at, types).highestTower(),
                           towards_x * at[0] + towards_z * at[2]);
      if (best.has_value() && rank <= best_rank) continue;
      best = at;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace

std::vector<FractalStop> fractalWay(std::uint64_t seed, const FractalTypes& types,
                                    std::size_t stops) {
  std::vector<FractalStop> way;
  way.reserve(stops);
  FractalChunk chunk(seed);
  double x = -0.6;
  double z = -0.8;
  while (way.size() < stops) {
    // Every chunk on the way has a solid block: a planet, its ground, or rock.
    const Step target = highestBlock(chunk, types, x, z).value_or(Step{8, 8, 8});
    way.push_back({chunk.kind(), chunk.soil(), target, x, z});
    chunk = chunk.child(target, types);
    const double turned = kTurnCos * x - kTurnSin * z;
    z = kTurnSin * x + kTurnCos * z;
    x = turned;
  }
  return way;
}

ChunkPath pathOfTargets(std::span<const FractalStop> before) {
  std::string text;
  for (const FractalStop& stop : before) {
    absl::StrAppendFormat(&text, "%s%x%x%x", text.empty() ? "" : "_", stop.target[0],
                          stop.target[1], stop.target[2]);
  }
  return ChunkPath::parse(text).value();
}

}  // namespace fractalray
