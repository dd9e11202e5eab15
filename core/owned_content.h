// SPDX-License-Identifier: Apache-2.0
// The content of an owner that can be moved and swapped, a World or an EntityIndex, and the numbers
// of its versions, which grow as long as the owner lives, whatever content it is given.
// For the library's own use: not part of the interface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace fractalray::internal {

// The number of a content's version: equal numbers of one owner mean equal content, and later ones
// are greater. A copy counts a copy of the content. Not thread-safe while it changes.
class VersionCounter {
 public:
  std::uint64_t number() const { return number_; }
  void advance() { ++number_; }
  // Exceeds the numbers of both: the owner had the content of `before`.
  void follow(const VersionCounter& before) { number_ = std::max(number_, before.number_) + 1; }

 private:
  std::uint64_t number_ = 0;
};

// The version that the last move of the frame made, 0 before the first. Queries in progress compare
// it, since a move ends them. Another content of the same owner does not change it.
class LastMove {
 public:
  std::uint64_t version() const { return version_; }
  void set(const VersionCounter& now) { version_ = now.number(); }

 private:
  std::uint64_t version_ = 0;
};

// The numbers of a content that its owner's next content has to follow.
struct ContentNumbers {
  VersionCounter version{};
  LastMove last_move{};
  std::uint64_t edits = 0;  // the count of its EditLog
};

// Holds a content, or none if it was moved from. Content has `numbers()` and `follow(numbers)`,
// which makes its own follow those of the content before. An owner that was moved from remembers
// the numbers of what it had: so each owner has a new version after std::swap. Queries reach the
// content through its owner, and keep no reference to it while effects run.
template <class Content>
class OwnedContent {
 public:
  explicit OwnedContent(std::unique_ptr<Content> content) : content_(std::move(content)) {}
  ~OwnedContent() = default;
  OwnedContent(OwnedContent&& other) noexcept : content_(other.release()) {}
  OwnedContent& operator=(OwnedContent&& other) noexcept {
    std::unique_ptr<Content> content = other.release();
    release();
    content_ = std::move(content);
    // std::swap of an owner with itself assigns none.
    if (content_ != nullptr) content_->follow(left_);
    return *this;
  }

  Content& operator*() const { return *content_; }
  Content* operator->() const { return content_.get(); }

 private:
  std::unique_ptr<Content> release() noexcept {
    if (content_ != nullptr) left_ = content_->numbers();
    return std::move(content_);
  }

  std::unique_ptr<Content> content_;
  ContentNumbers left_;  // those of the last content that has left
};

}  // namespace fractalray::internal
