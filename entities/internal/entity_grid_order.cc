// SPDX-License-Identifier: Apache-2.0
// Puts the crowded chunks of an EntityGrid in order, some thousand entities at a time: what may
// fail first, then the chunks in parallel, then the entries of entities that have moved.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/cleanup/cleanup.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "entity_grid.h"
#include "entity_slots.h"

namespace fractalray::internal {
namespace {

// The chunks whose lists are put in order together. Usable for one set after another.
class ChunkOrder {
 public:
  ChunkOrder(PagePool& pool, EntitySlots& entries) : pool_(pool), entries_(entries) {}

  bool isEmpty() const { return jobs_.empty(); }
  bool isFull() const { return items_.size() >= kEnough; }

  // Adds a crowded list. If memory runs out it throws std::bad_alloc: the list is not added.
  void add(const PageList& list) {
    ensureCapacity(jobs_, jobs_.size() + 1);
    if (isTaskFull()) ensureCapacity(tasks_, tasks_.size() + 1);
    const std::size_t begin = items_.size();
    ensureCapacity(items_, begin + list.count);
    ensureCapacity(order_, begin + list.count);
    pool_.prepareOrder(list);
    // Nothing throws from here on.
    if (isTaskFull()) tasks_.push_back(jobs_.size());
    items_.resize(begin + list.count);
    order_.resize(begin + list.count);
    jobs_.push_back({&list, begin});
  }

  // Puts the lists in order, all of them even if a thread fails, and begins the next set.
  void run(ParallelFor parallel_for) {
    const absl::Cleanup finish = [this] {
      for (Job& job : jobs_)
        order(job);
      for (const Job& job : jobs_)
        relocate(job);
      jobs_.clear();
      tasks_.clear();
      items_.clear();
      order_.clear();
    };
    parallel_for(tasks_.size(), [this](std::size_t task) {
      const std::size_t end = task + 1 < tasks_.size() ? tasks_[task + 1] : jobs_.size();
      for (std::size_t i = tasks_[task]; i < end; ++i)
        order(jobs_[i]);
    });
  }

 private:
  // Entities of a set: their working memory, 24 bytes each, stays in the caches. A list of more is
  // a set of its own.
  static constexpr std::size_t kEnough = 32'768;
  static constexpr std::size_t kEnoughForTask = 1024;

  struct Job {
    const PageList* list;
    std::size_t begin;  // in items_ and order_
    bool is_done = false;
    bool is_sorted = false;
  };

  bool isTaskFull() const {
    return tasks_.empty() || items_.size() - jobs_[tasks_.back()].begin >= kEnoughForTask;
  }
  std::span<OrderItem> itemsOf(const Job& job) {
    return std::span(items_).subspan(job.begin, job.list->count);
  }
  std::span<std::uint64_t> orderOf(const Job& job) {
    return std::span(order_).subspan(job.begin, job.list->count);
  }

  void order(Job& job) noexcept {
    if (job.is_done) return;
    job.is_sorted = pool_.order(*job.list, itemsOf(job), orderOf(job));
    job.is_done = true;
  }

  void relocate(const Job& job) noexcept {
    if (!job.is_sorted) return;
    const std::span<const OrderItem> items = itemsOf(job);
    const std::span<const std::uint64_t> order = orderOf(job);
    constexpr std::size_t kAhead = 16;
    const auto item_at = [&](std::size_t i) -> const OrderItem& {
      return items[static_cast<std::size_t>(order[i])];
    };
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      if (i + kAhead < order.size()) entries_.prefetch(item_at(i + kAhead).slot);
      const OrderItem& item = item_at(i);
      const EntitySlot entry = pool_.entryOf(*job.list, i);
      if (entry != item.entry) entries_.relocate({item.slot, item.entry, entry});
    }
  }

  PagePool& pool_;
  EntitySlots& entries_;
  std::vector<Job> jobs_;
  std::vector<std::size_t> tasks_;  // the first job of each
  std::vector<OrderItem> items_;
  std::vector<std::uint64_t> order_;
};

}  // namespace

void EntityGrid::loosenTight(const ChunkCoord& chunk, EntitySlot entry) {
  const std::uint64_t before = pool_.disorders();
  pool_.loosen(entry);
  noteDisorder(chunk, before);
}

// NOLINTNEXTLINE(bugprone-exception-escape): adds only what it has memory for
void EntityGrid::addDisordered(const ChunkCoord& chunk) noexcept {
  if (disordered_.size() < disordered_.capacity()) return disordered_.push_back(chunk);
  // So many that finding them costs no more than what has happened since.
  knows_disorder_ = false;
  disordered_.clear();
}

void EntityGrid::findDisordered() {
  if (!knows_disorder_) {
    disordered_.clear();
    areas_.forEach([&](const Vec3i& at, const Area& area) {
      forEachSlot(area.occupied_, [&](int slot_in_area) {
        const Region& region = *area.region(slot_in_area);
        forEachSlot(region.occupied_, [&](int slot_in_region) {
          if (pool_.needsOrder(region.chunk(slot_in_region)))
            disordered_.push_back(chunkAt(at, slot_in_area, slot_in_region));
        });
      });
    });
  }
  std::sort(disordered_.begin(), disordered_.end());
  disordered_.erase(std::unique(disordered_.begin(), disordered_.end()), disordered_.end());
}

std::size_t EntityGrid::order(EntitySlots& entries, ParallelFor parallel_for) {
  if (knows_disorder_ && disordered_.empty()) return 0;
  findDisordered();
  ChunkOrder set(pool_, entries);
  std::size_t count = 0;
  for (const ChunkCoord& at : disordered_) {
    const PageList* const list = chunk(at);
    if (list == nullptr || !pool_.needsOrder(*list)) continue;
    set.add(*list);
    ++count;
    if (set.isFull()) set.run(parallel_for);
  }
  if (!set.isEmpty()) set.run(parallel_for);
  // Each change adds one chunk at most, and each 64 entities of a crowd once.
  ensureCapacity(disordered_, 2 * pool_.boxCount() + 2 * regions_made_ + 64);
  disordered_.clear();
  knows_disorder_ = true;
  return count;
}

}  // namespace fractalray::internal
