// SPDX-License-Identifier: Apache-2.0
// The lines of a batch, as the library takes them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../core/ray.h"
#include "../../../query/batch.h"
#include "../fractalray_c.h"
#include "vectors.h"

namespace fractalray::capi {

class BatchLines {
 public:
  // Checks lines, which must outlive this. `levels` are those of lines without a mask of their own.
  // INVALID_ARGUMENT also for a line whose ignored entities or hits have no valid range, or whose
  // hits are none.
  static absl::StatusOr<BatchLines> make(const frLines* lines, frLevelMask levels);

  std::size_t size() const { return lines_->count; }
  // Replaces `queries` by `count` lines, beginning with `first`. This must outlive the queries.
  void read(std::size_t first, std::size_t count, std::vector<BatchQuery>& queries) const;

 private:
  BatchLines() = default;

  BatchQuery queryAt(std::size_t i) const;
  Ray rayAt(std::size_t i) const;

  const frLines* lines_ = nullptr;
  frLevelMask levels_ = 0;
  VectorReader from_;
  VectorReader to_;
  std::optional<Bounds> bounds_;
  // The hits after which lines resume. Converted before any answer is written, perhaps over them.
  std::vector<Hit> after_;
};

}  // namespace fractalray::capi
