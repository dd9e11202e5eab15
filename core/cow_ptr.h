// SPDX-License-Identifier: Apache-2.0
// A copy-on-write pointer: several versions of a structure hold the same part, which is copied
// before one of them changes it.
// For the library's own use: not part of the interface.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "check.h"

namespace fractalray::internal {

// Counts the versions that hold a part. The part's type derives from it; a copy begins with none.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted& /*other*/) {}
  RefCounted& operator=(const RefCounted& /*other*/) { return *this; }

  // Returns true if more than one version holds the part. After false, every former holder has
  // finished reading it, on whichever thread that was.
  bool isShared() const { return holders_.load(std::memory_order_acquire) > 1; }

 private:
  template <class Part>
  friend class CowPtr;

  // Holders may be made and destroyed on any thread while none of them changes the part.
  mutable std::atomic<std::uint32_t> holders_ = 0;
};

// Holds a part, or none. Copies hold the same part. edit() ensures that a part never changes while
// another holder sees it. Several threads may use holders of the same part at once, each a holder
// of its own. boost::intrusive_ptr would do except for its counter, which thread sanitizers cannot
// follow.
template <class Part>
class CowPtr {
 public:
  CowPtr() = default;
  ~CowPtr() { release(); }
  CowPtr(const CowPtr& other) : part_(other.part_) {
    if (part_ != nullptr) part_->holders_.fetch_add(1, std::memory_order_relaxed);
  }
  CowPtr(CowPtr&& other) noexcept : part_(std::exchange(other.part_, nullptr)) {}
  CowPtr& operator=(CowPtr other) noexcept {
    std::swap(part_, other.part_);
    return *this;
  }

  // Makes a new part and holds it. The part may be of a class that derives from Part: Part then has
  // a virtual destructor, and a virtual clone() that returns a CowPtr with a copy.
  template <class Derived = Part, class... Arguments>
  static CowPtr make(Arguments&&... arguments) {
    CowPtr fresh;
    fresh.part_ = std::make_unique<Derived>(std::forward<Arguments>(arguments)...).release();
    fresh.part_->holders_.store(1, std::memory_order_relaxed);
    return fresh;
  }

  const Part* get() const { return part_; }
  const Part& operator*() const { return *part_; }
  const Part* operator->() const { return part_; }
  explicit operator bool() const { return part_ != nullptr; }

  // Returns the part, to be changed. A shared part is first replaced by a copy; if there is no
  // memory for the copy, this throws std::bad_alloc and holds the same part as before. Requires:
  // holds a part.
  Part& edit() {
    FRACTALRAY_DCHECK(part_ != nullptr);
    if (part_->isShared()) {
      if constexpr (requires(const Part& part) { part.clone(); }) {
        *this = std::as_const(*part_).clone();
      } else {
        *this = make(std::as_const(*part_));
      }
    }
    return *part_;
  }

 private:
  void release() {
    if (part_ != nullptr && part_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      // The analyzer does not follow the count of holders.
      delete part_;  // NOLINT(clang-analyzer-cplusplus.NewDelete)
    }
  }

  Part* part_ = nullptr;
};

}  // namespace fractalray::internal
