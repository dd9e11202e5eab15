// SPDX-License-Identifier: Apache-2.0
// A log of edits, as level and box: what a batch of queries looks into to know which of its
// gatherings an effect has made untrue.
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

// Something that a query of masks with that level may meet has come, gone or changed, all of it
// within the closed box, in units.
struct Edit {
  int level = 0;
  Vec3i min{};
  Vec3i max{};
};

// The newest edits of a world or an index, in their order, kept while anyone watches; until then an
// edit costs a look at isWatched(). Watching is const and may be done from many threads at once;
// noting is an edit, and as little shared as any.
class EditLog {
 public:
  // Edits that are kept: to compare a query with more of them costs more than to gather it again.
  static constexpr std::size_t kKept = 256;

  EditLog() = default;
  ~EditLog() = default;
  EditLog(const EditLog&) = delete;
  EditLog& operator=(const EditLog&) = delete;
  // What is logged stays with the old owner, and so does who watches; one that is given another
  // content has lost all that its watchers knew.
  EditLog(EditLog&&) noexcept {}  // NOLINT(modernize-use-equals-default)
  EditLog& operator=(EditLog&&) noexcept {
    forget();
    return *this;
  }

  bool isWatched() const { return watchers_.load(std::memory_order_relaxed) != 0; }
  // Announces an edit, before it changes anything: queries in progress on this thread read what
  // they need of the content as it is, and note() does not throw afterwards. Throws std::bad_alloc,
  // and has changed nothing.
  void beginEdit() {
    LazyReader::readAllOfThread();
    if (isWatched()) edits_.reserve(kKept);
  }
  // Requires: isWatched(), to be asked before the edit's box is computed.
  void note(const Edit& edit) {
    FRACTALRAY_DCHECK(isWatched());
    if (edits_.size() == kKept) {
      edits_.erase(edits_.begin(), edits_.begin() + kKept / 2);
      dropped_ += kKept / 2;
    }
    edits_.push_back(edit);
  }

  // Notes an edit that has changed everything: none before it is kept.
  void forget() noexcept {
    dropped_ = count() + 1;
    edits_.clear();
  }

  // The number of edits noted so far.
  std::uint64_t count() const { return dropped_ + edits_.size(); }
  // The edits noted since count() was `count`; nothing where some of them are not kept any more.
  // Valid until the next edit.
  std::optional<std::span<const Edit>> since(std::uint64_t count) const {
    if (count < dropped_) return std::nullopt;
    return std::span<const Edit>(edits_).subspan(static_cast<std::size_t>(count - dropped_));
  }

  // Edits are noted as long as any of these lives.
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
