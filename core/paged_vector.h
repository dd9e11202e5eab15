// SPDX-License-Identifier: Apache-2.0
// A vector that grows without moving what it holds, and without holding twice what it needs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace fractalray {

// Values by number, in pages of 2^kPageLog2. Elements keep their address as long as they live. Not
// thread-safe while it grows.
template <class T, int kPageLog2>
class PagedVector {
 public:
  std::size_t size() const { return size_; }

  // Requires: number < size().
  T& operator[](std::size_t number) { return (*pages_[number >> kPageLog2])[number & kMask]; }
  const T& operator[](std::size_t number) const {
    return (*pages_[number >> kPageLog2])[number & kMask];
  }

  // Adds a default value at the end.
  T& add() {
    if (size_ == pages_.size() << kPageLog2) pages_.push_back(std::make_unique<Page>());
    return (*this)[size_++];
  }

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << kPageLog2) - 1;
  using Page = std::array<T, kMask + 1>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::size_t size_ = 0;
};

}  // namespace fractalray
