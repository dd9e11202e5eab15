// SPDX-License-Identifier: Apache-2.0
// Counts the versions of a content that changes, and remembers the last one at which its frame
// moved.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fractalray::internal {

// The number of a content's version: equal numbers of one owner mean equal content, and later ones
// are greater. The counter moves with its owner; a copy counts a copy of the content. Not
// thread-safe while it changes.
class VersionCounter {
 public:
  VersionCounter() = default;
  ~VersionCounter() = default;
  VersionCounter(const VersionCounter&) = default;
  VersionCounter& operator=(const VersionCounter&) = delete;
  VersionCounter(VersionCounter&&) noexcept = default;
  // Exceeds both numbers: an owner that is assigned another content has had versions of its own.
  VersionCounter& operator=(VersionCounter&& other) noexcept {
    number_ = std::max(number_, other.number_) + 1;
    return *this;
  }

  std::uint64_t number() const { return number_; }
  void advance() { ++number_; }

 private:
  std::uint64_t number_ = 0;
};

// The version that the last move of the frame made, 0 before the first. Queries in progress compare
// it, since a move ends them. Assigning another content to an owner does not change it.
class LastMove {
 public:
  LastMove() = default;
  ~LastMove() = default;
  LastMove(const LastMove&) = default;
  LastMove& operator=(const LastMove&) = delete;
  LastMove(LastMove&&) noexcept = default;
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): assigns nothing
  LastMove& operator=(LastMove&& /*other*/) noexcept { return *this; }

  std::uint64_t version() const { return version_; }
  void set(const VersionCounter& now) { version_ = now.number(); }

 private:
  std::uint64_t version_ = 0;
};

}  // namespace fractalray::internal
