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

// A shot that waits for its caller between two hits; RayQueryService::hitsAlong() makes one.
//
//   absl::StatusOr<HitCursor> cursor = service.hitsAlong(Ray{.origin = eye, .direction = look});
//   if (!cursor.ok()) return cursor.status();
//   while (true) {
//     const absl::StatusOr<const Hit*> hit = cursor->next();
//     if (!hit.ok()) return hit.status();
//     if (*hit == nullptr || !flyThrough(**hit)) break;  // the world may change here
//   }
//
// The hits are those of shootSegment() with the same options: filters, terminal tests, rules,
// max_hits and the unknown apply as they do there. No effect is called, nor options.on_hit: the
// caller of next() acts in their place, and ends the shot by not calling next() any more.
//
// The world and the index may change between two calls, and so may the blocks and entities already
// hit. The cursor then resumes exactly after its last hit in the world as it is, as
// RayQueryService::resume() does: no entity is hit twice, however it moves. If the block that ended
// the shot is gone, is no longer solid, or defers to a finer chunk, the shot continues. A move of
// the frame (Window) ends the cursor: FAILED_PRECONDITION from then on; the hits so far stay, and
// are those of the frame before.
//
// Cost: the first hit, and the first after a change, cost as much as a query for the closest hit;
// all n hits one by one cost about as much as one shot that returns them. Allocates when it is
// created, and later only if it needs more memory than ever before.
//
// Observers of the service see a cursor when it is destroyed, as the shot up to its last hit
// (QueryObserver::onQuery).
//
// Not thread-safe; movable. The service, its world and index, and what the options refer to must
// outlive it.
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
