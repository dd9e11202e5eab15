// SPDX-License-Identifier: Apache-2.0
// A part of a structure that several versions of it hold, copied before one of them changes it.
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

  // Whether more than one version holds it. Where this says no, whoever held it too has finished
  // reading it, on whatever thread that was.
  bool isShared() const { return holders_.load(std::memory_order_acquire) > 1; }

 private:
  template <class Part>
  friend class CowPtr;

  // Where the part is not changed meanwhile, its holders may come and go on any thread.
  mutable std::atomic<std::uint32_t> holders_ = 0;
};

// Holds a part, or none. Copies hold the same part. What holders see never changes unless they hold
// it alone: edit() sees to that. Several threads may use holders of the same part at once, each a
// holder of its own; boost::intrusive_ptr would do but for its counter, which thread sanitizers
// cannot follow.
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

  // Holds a new part.
  template <class... Arguments>
  static CowPtr make(Arguments&&... arguments) {
    CowPtr fresh;
    fresh.part_ = std::make_unique<Part>(std::forward<Arguments>(arguments)...).release();
    fresh.part_->holders_.store(1, std::memory_order_relaxed);
    return fresh;
  }

  const Part* get() const { return part_; }
  const Part& operator*() const { return *part_; }
  const Part* operator->() const { return part_; }
  explicit operator bool() const { return part_ != nullptr; }

  // The part, to be changed: of one that is shared a copy, which is held instead; where there is no
  // memory for it, the same part as before, and std::bad_alloc. Requires: holds one.
  Part& edit() {
    FRACTALRAY_DCHECK(part_ != nullptr);
    if (part_->isShared()) *this = make(std::as_const(*part_));
    return *part_;
  }

 private:
  void release() {
    if (part_ != nullptr && part_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete part_;
    }
  }

  Part* part_ = nullptr;
};

}  // namespace fractalray::internal
