// SPDX-License-Identifier: Apache-2.0
// Pictures of the cells on a segment: the grid seen along an axis, cells numbered and shaded by
// their outcome, and marks and shapes on the segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/segment.h"
#include "../../core/vec.h"

namespace fractalray {

// The look of a cell. If a view shows several cells at one position, the last look in this order
// wins.
enum class CellLook : std::uint8_t {
  kAfterEnd,  // not visited: after the end
  kNotLoaded,
  kPlaceholder,
  kPlain,  // empty, or just a cell of a walk
  kDefers,
  kSkipped,
  kPermeable,
  kSolid,
};

struct PictureCell {
  Vec3i cell{};
  std::uint64_t number = 0;  // 0 for none
  CellLook look = CellLook::kPlain;
};

// A mark at a time of the segment.
struct PictureMark {
  enum class Kind : std::uint8_t { kCorner, kHit, kUnknown };

  Kind kind = Kind::kCorner;
  double t = 0;
  std::string text{};  // of a hit: its number
};

// A sphere or a box.
struct PictureShape {
  bool is_sphere = false;
  Vec3i center{};
  Vec3i half_extents{};
  std::string text{};
  bool is_hit = false;
};

// One grid with a segment.
struct CellPicture {
  std::string title;
  std::string caption{};
  int dimensions = 3;
  Vec3i widths{1, 1, 1};  // of a cell, in units
  FixedSegment segment{};
  std::vector<PictureCell> cells{};
  std::vector<PictureMark> marks{};
  std::vector<PictureShape> shapes{};
  double clip = 1;  // from here on the segment is dashed
  // Every `heavy` cells the grid has a heavier line; 0 for none.
  std::int64_t heavy = 0;
};

// The most cells that a picture shows on each axis.
inline constexpr std::int64_t kMaxDrawnCells = 64;

// Returns RESOURCE_EXHAUSTED if an axis has more cells than that.
absl::Status checkDrawnCells(std::int64_t cells);

// Returns an SVG with the pictures below each other, a legend of the looks that occur, and lines of
// text. Pictures in 3 dimensions are seen along the axis with the fewest cells, and once more along
// another one if that is needed to distinguish the cells. RESOURCE_EXHAUSTED if a picture has more
// than kMaxDrawnCells on an axis. The same bytes on every machine.
absl::StatusOr<std::string> drawCellPictures(const std::string& title,
                                             const std::vector<CellPicture>& pictures,
                                             const std::vector<std::string>& lines = {});

}  // namespace fractalray
