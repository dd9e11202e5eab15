// SPDX-License-Identifier: Apache-2.0
// Working memory for queries, kept from one query to the next.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "../../../query/batch.h"
#include "../../../query/blast.h"
#include "../../../query/shot_result.h"

namespace fractalray::capi {

struct Scratch {
  ShotResult shot;
  std::vector<Hit> after;  // the hits after which a query resumes
  std::vector<BatchQuery> queries;
  ClosestBatch closest;
  CompactBatch compact;
  OcclusionBatch occlusion;
  std::vector<BlastRay> rays;
  Blast blast;
};

// Memory for as many queries as run at once, on several threads and nested in callbacks. It belongs
// to a world and not to threads, since the memory of a thread would keep an unloaded library
// mapped. Safe to use from any thread.
class ScratchPool {
 private:
  struct alignas(64) Slot {
    std::atomic<bool> is_taken = false;
    std::unique_ptr<Scratch> scratch;
  };

 public:
  // Borrows memory of the pool; if all of it is in use, has memory of its own.
  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : slot_(pool.take()) {
      std::unique_ptr<Scratch>& scratch = slot_ != nullptr ? slot_->scratch : own_;
      if (scratch == nullptr) [[unlikely]]
        make(scratch);
      scratch_ = scratch.get();
    }
    ~Lease() { giveBack(); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Scratch& operator*() const { return *scratch_; }
    Scratch* operator->() const { return scratch_; }

   private:
    void make(std::unique_ptr<Scratch>& scratch);
    void giveBack() noexcept {
      if (slot_ != nullptr) slot_->is_taken.store(false, std::memory_order_release);
    }

    Slot* slot_;
    std::unique_ptr<Scratch> own_;
    Scratch* scratch_ = nullptr;
  };

 private:
  static constexpr std::size_t kSlots = 16;

  // Returns a free slot, taken from now on; null if there is none.
  Slot* take();

  std::array<Slot, kSlots> slots_;
};

}  // namespace fractalray::capi
