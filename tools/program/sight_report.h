// SPDX-License-Identifier: Apache-2.0
// A query of sight with the reasons for its answer: the line that sees the box, the boxes that hide
// it, or the chunks that are not loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "../../core/face.h"
#include "../../core/level_mask.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/sight.h"

namespace fractalray {

// A line from the eye to the box, in finest-block widths, rounded.
struct SightLine {
  Vec3d direction{};  // of any length
  Vec3d entry{};      // the first point of the box; the eye, if that is in the box
  double distance = 0;
  Face face = Face::none();  // of the box; none if the eye is in it
};

struct TypeCount {
  BlockTypeId type = kAir;
  std::uint64_t blocks = 0;
};

// A box of a certificate, and the occluders that it consists of. Without any of them it is space
// that is not loaded.
struct HidingBox {
  FixedBox box{};
  std::vector<TypeCount> types{};  // the most frequent first
  std::vector<EntityId> entities{};
  bool is_given = false;  // true if SightOptions::occluders are part of it
  // The share of the target's points that it would hide alone, between these. Nothing if
  // options.max_steps did not suffice.
  std::optional<double> covers_from{};
  std::optional<double> covers_to{};
};

// The point at which a line leaves the loaded chunks, and the chunk there of each level of the
// mask, the finest first.
struct UnloadedStart {
  struct ChunkThere {
    int level = 0;
    ChunkCoord chunk{};
    bool is_placeholder = false;
  };

  Vec3d at{};
  double distance = 0;  // from the eye
  std::vector<ChunkThere> chunks{};
};

struct SightReport {
  SightQuery query{};
  LevelMask levels{};
  SightOptions options{};  // borrows what the caller's options borrow
  SightAnswer answer{};
  std::optional<ExposureAnswer> exposure{};  // nothing if options.max_steps did not suffice
  // For a visible box the line of the witness; for an unknown one a line that would see it if space
  // that is not loaded were air.
  std::optional<SightLine> line{};
  std::vector<HidingBox> hiding{};          // of a hidden box
  std::optional<UnloadedStart> unloaded{};  // on `line`, of an unknown box
};

// Answers a query of sight with its reasons. Errors: those of RayQueryService::visible(). Cost:
// that of visible() and exposure(), and reading all blocks of the certificate.
absl::StatusOr<SightReport> reportSight(const World& world, const EntityIndex& entities,
                                        const SightQuery& query, LevelMask levels,
                                        const SightOptions& options);

}  // namespace fractalray
