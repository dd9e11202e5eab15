// SPDX-License-Identifier: Apache-2.0
// A log of edits, as level and box, with which a batch of queries finds out which of its gathered
// candidates an effect has invalidated.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../check.h"
#include "../vec.h"
#include "lazy_reader.h"

namespace fractalray::internal {

// An addition, removal or change of something that a query whose mask has that level may hit, all
// of it within the closed box, in units.
struct Edit {
  int level = 0;
  Vec3i min{};
  Vec3i max{};
};

// The newest edits of a world or an index, in order, kept while anyone watches; without watchers an
// edit costs one call of isWatched(). Watching is const and may be done from many threads at once;
// noting is an edit, with the thread safety of any edit.
class EditLog {
 public:
  // Number of edits kept: testing a query against more of them costs more than gathering it again.
  static constexpr std::size_t kKept = 256;

  EditLog() = default;
  ~EditLog() = default;
  EditLog(const EditLog&) = delete;
  EditLog& operator=(const EditLog&) = delete;
  // Moving transfers neither entries nor watchers. Assigning invalidates every earlier count(): the
  // content that it described is gone.
  EditLog(EditLog&&) noexcept {}  // NOLINT(modernize-use-equals-default)
  EditLog& operator=(EditLog&&) noexcept {
    forget();
    return *this;
  }

  bool isWatched() const { return watchers_.load(std::memory_order_relaxed) != 0; }
  // Announces an edit before it changes anything: queries in progress on this thread read all that
  // they need of the present content, and note() does not throw afterwards. If it throws
  // std::bad_alloc, it has changed nothing.
  void beginEdit() {
    LazyReader::readAllOfThread();
    if (isWatched()) edits_.reserve(kKept);
  }
  // Logs an edit. Requires: isWatched(), which the caller checks before it computes the edit's box.
  void note(const Edit& edit) {
    FRACTALRAY_DCHECK(isWatched());
    if (edits_.size() == kKept) {
      edits_.erase(edits_.begin(), edits_.begin() + kKept / 2);
      dropped_ += kKept / 2;
    }
    edits_.push_back(edit);
  }

  // Notes an edit that changed everything: discards all edits, and invalidates every earlier
  // count().
  void forget() noexcept {
    dropped_ = count() + 1;
    edits_.clear();
  }

  // The number of edits noted so far.
  std::uint64_t count() const { return dropped_ + edits_.size(); }
  // Returns the edits noted since count() was `count`; nothing if some of them are no longer kept.
  // Valid until the next edit.
  std::optional<std::span<const Edit>> since(std::uint64_t count) const {
    if (count < dropped_) return std::nullopt;
    return std::span<const Edit>(edits_).subspan(static_cast<std::size_t>(count - dropped_));
  }

  // Keeps edits being noted for as long as it lives.
  class Watch {
   public:
    explicit Watch(const EditLog& log) : log_(log) {
      log_.watchers_.fetch_add(1, std::memory_order_relaxed);
    }
    ~Watch() { log_.watchers_.fetch_sub(1, std::memory_order_relaxed); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    const EditLog& log_;
  };

 private:
  mutable std::atomic<int> watchers_ = 0;
  std::vector<Edit> edits_;
  std::uint64_t dropped_ = 0;  // edits before the first of edits_
};

}  // namespace fractalray::internal
