// SPDX-License-Identifier: Apache-2.0
// The hits of a line one by one, when the caller requests them.
#pragma once

#include <memory>

#include "absl/status/statusor.h"

#include "hit.h"
#include "shot_result.h"

namespace fractalray {

namespace internal {
class HitCursorState;
}

// A shot that waits for its caller between two hits; RayQueryService::hitsAlong() makes one:
//
//   while (true) {
//     const absl::StatusOr<const Hit*> hit = cursor->next();
//     if (!hit.ok()) return hit.status();
//     if (*hit == nullptr || !flyThrough(**hit)) break;  // the world may change here
//   }
//
// The hits are those of shootSegment() with the same options; no effect is called. After a change
// the cursor continues after its last hit in the world as it is. Not thread-safe; movable. The
// service, its world and index, and what the options refer to must outlive it.
// docs/queries/hits-along.md.
class HitCursor {
 public:
  HitCursor(HitCursor&& other) noexcept;
  HitCursor& operator=(HitCursor&& other) noexcept;
  ~HitCursor();

  // Returns the next hit, in shot().hits, valid until the next call; null after the last one.
  // Errors: RESOURCE_EXHAUSTED past options.max_steps, which limits all calls together; the cursor
  // is then unchanged. Exceptions of filters and terminal tests pass through; after one, next()
  // returns FAILED_PRECONDITION.
  absl::StatusOr<const Hit*> next();

  // Returns the shot up to its last hit. The cursor may search ahead of that hit, so `unknown_from`
  // may be set before a hit beyond it has been requested. Once next() has returned null,
  // `unknown_from` is final until the world changes. `version` is that of the last world read.
  const ShotResult& shot() const;

 private:
  friend class RayQueryService;

  explicit HitCursor(std::unique_ptr<internal::HitCursorState> state);

  std::unique_ptr<internal::HitCursorState> state_;
};

}  // namespace fractalray
