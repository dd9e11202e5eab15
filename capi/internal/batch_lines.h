// SPDX-License-Identifier: Apache-2.0
// The lines of a batch, as the library takes them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/ray.h"
#include "../../query/batch.h"
#include "../fractalray_c.h"
#include "vectors.h"

namespace fractalray::capi {

class BatchLines {
 public:
  // Checks lines, which must outlive this. `levels` are those of lines without a mask of their own.
  static absl::StatusOr<BatchLines> make(const frLines* lines, frLevelMask levels);

  std::size_t size() const { return lines_->count; }
  // Replaces `queries` by `count` lines, beginning with `first`. `after` is memory for the hits
  // after which they resume, and must outlive the queries. INVALID_ARGUMENT for a line whose
  // ignored entities or hits have no valid range, or whose hits are none.
  absl::Status read(std::size_t first, std::size_t count, std::vector<BatchQuery>& queries,
                    std::vector<Hit>& after) const;

 private:
  BatchLines() = default;

  BatchQuery queryAt(std::size_t i) const;
  Ray rayAt(std::size_t i) const;

  const frLines* lines_ = nullptr;
  frLevelMask levels_ = 0;
  VectorReader from_;
  VectorReader to_;
  std::optional<Bounds> bounds_;
};

}  // namespace fractalray::capi
