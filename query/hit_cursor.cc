// SPDX-License-Identifier: Apache-2.0
#include "hit_cursor.h"

#include <utility>

#include "internal/hit_cursor_state.h"

namespace fractalray {

HitCursor::HitCursor(std::unique_ptr<internal::HitCursorState> state) : state_(std::move(state)) {}
HitCursor::HitCursor(HitCursor&& other) noexcept = default;
HitCursor& HitCursor::operator=(HitCursor&& other) noexcept = default;
HitCursor::~HitCursor() = default;

absl::StatusOr<const Hit*> HitCursor::next() {
  return state_->next();
}

const ShotResult& HitCursor::shot() const {
  return state_->shot();
}

}  // namespace fractalray
