// SPDX-License-Identifier: Apache-2.0
#include "sight_history.h"

#include "internal/sight/kept_sight.h"

namespace fractalray {

SightHistory::SightHistory() = default;
SightHistory::~SightHistory() = default;
SightHistory::SightHistory(SightHistory&& other) noexcept = default;
SightHistory& SightHistory::operator=(SightHistory&& other) noexcept = default;

void SightHistory::clear() {
  kept_.reset();
}

std::size_t SightHistory::size() const {
  return kept_ == nullptr ? 0 : kept_->size();
}

}  // namespace fractalray
