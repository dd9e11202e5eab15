// SPDX-License-Identifier: Apache-2.0
// A log of edits, as level and box, with which a batch of queries finds out which of its gathered
// candidates an effect has invalidated.
#pragma once

#include <algorithm>
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

// The newest edits of a world or an index, in order, kept while this thread watches; without
// watches an edit costs one call of isWatched(). Noting is an edit, with the thread safety of any
// edit.
class EditLog {
 public:
  // Number of edits kept: testing a query against more of them costs more than gathering it again.
  static constexpr std::size_t kKept = 256;

  EditLog() = default;
  ~EditLog() = default;
  EditLog(const EditLog&) = delete;
  EditLog& operator=(const EditLog&) = delete;

  // Returns true if a Watch lives on this thread.
  static bool isWatched() { return watches_of_thread != 0; }
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
  // count(), and every count up to `before`, of the log of another content.
  void forget(std::uint64_t before = 0) noexcept {
    dropped_ = std::max(count(), before) + 1;
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

  // Makes the edits of this thread be noted for as long as it lives, by all logs: an effect that
  // swaps two worlds gives a batch another log to read. Ends on the thread on which it began.
  class Watch {
   public:
    Watch() { ++watches_of_thread; }
    ~Watch() { --watches_of_thread; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
  };

 private:
  static inline constinit thread_local int watches_of_thread = 0;

  std::vector<Edit> edits_;
  std::uint64_t dropped_ = 0;  // edits before the first of edits_
};

}  // namespace fractalray::internal
