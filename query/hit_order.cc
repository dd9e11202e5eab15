// SPDX-License-Identifier: Apache-2.0
#include "hit_order.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

#include "../core/internal/geometry/line.h"
#include "internal/search/candidate.h"
#include "internal/search/query_checks.h"
#include "internal/shot/resume_point.h"

namespace fractalray {
namespace {

using internal::Candidate;
using internal::HitLine;

// Returns an error about a hit, with its name before the message.
absl::Status errorAt(const std::string& name, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", message));
}

// The index of a hit in the lists of a merge.
struct HitIndex {
  std::size_t list = 0;
  std::size_t hit = 0;
};

std::string nameOf(const HitIndex& at) {
  return absl::StrCat("list ", at.list, ", hit ", at.hit);
}

// Returns true if two hits of equal rank are the same in all that worlds have to agree on.
bool agree(const Hit& a, const Hit& b) {
  if (a.terminal != b.terminal) return false;
  return a.isBlock() ? a.type == b.type : a.shape == b.shape && a.position == b.position;
}

// A merge, for a single use.
class HitMerge {
 public:
  // The arguments must outlive this.
  HitMerge(std::span<const std::span<const Hit>> lists, const HitLine& line)
      : lists_(lists), line_(line), heads_(lists.size()) {}

  absl::StatusOr<std::vector<Hit>> run() {
    const auto comes_later = [this](std::size_t a, std::size_t b) { return comesLater(a, b); };
    // A heap of the lists with hits left, the one with the earliest hit on top.
    std::vector<std::size_t> open;
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      if (lists_[list].empty()) continue;
      if (absl::Status status = readHead(list); !status.ok()) return status;
      open.push_back(list);
    }
    std::make_heap(open.begin(), open.end(), comes_later);
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), comes_later);
      const std::size_t list = open.back();
      if (absl::Status status = take(list); !status.ok()) return status;
      if (++heads_[list].index == lists_[list].size()) {
        open.pop_back();
        continue;
      }
      if (absl::Status status = readHead(list); !status.ok()) return status;
      std::push_heap(open.begin(), open.end(), comes_later);
    }
    return std::move(merged_);
  }

 private:
  // The next hit of a list.
  struct Head {
    std::size_t index = 0;
    Candidate rank{};
  };

  const Hit& hitAt(const HitIndex& at) const { return lists_[at.list][at.hit]; }

  // Returns true if the next hit of list `a` is later than that of list `b`; of equal ones that of
  // the later list is.
  bool comesLater(std::size_t a, std::size_t b) const {
    if (comesBefore(heads_[b].rank, heads_[a].rank)) return true;
    return a > b && !comesBefore(heads_[a].rank, heads_[b].rank);
  }

  // Ranks the next hit of a list. Its head still has the rank of the hit before.
  absl::Status readHead(std::size_t list) {
    Head& head = heads_[list];
    const HitIndex at{list, head.index};
    const absl::StatusOr<Candidate> rank = candidateFromHit(hitAt(at), line_);
    if (!rank.ok()) return errorAt(nameOf(at), rank.status().message());
    if (head.index > 0 && !comesBefore(head.rank, *rank)) {
      return errorAt(nameOf(at),
                     absl::StrCat(internal::nameOf(hitAt(at)),
                                  " does not come after the hit before it; give each list in the "
                                  "order in which its query returned it"));
    }
    head.rank = *rank;
    return absl::OkStatus();
  }

  // Appends the next hit of a list, unless it has been merged or the shot has ended.
  absl::Status take(std::size_t list) {
    const Head& head = heads_[list];
    const HitIndex at{list, head.index};
    const Hit& hit = hitAt(at);
    if (!merged_.empty() && !comesBefore(last_, head.rank)) {
      return agree(merged_.back(), hit) ? absl::OkStatus() : disagreement(at, last_index_);
    }
    if (!merged_.empty() && merged_.back().terminal) return absl::OkStatus();
    if (hit.isEntity()) {
      const HitIndex first = entities_.try_emplace(hit.id, at).first->second;
      if (first.list != list) return disagreement(at, first);
    }
    merged_.push_back(hit);
    last_ = head.rank;
    last_index_ = at;
    return absl::OkStatus();
  }

  absl::Status disagreement(const HitIndex& at, const HitIndex& other) const {
    return errorAt(
        nameOf(at),
        absl::StrCat(internal::nameOf(hitAt(at)), " is hit differently in list ", other.list,
                     ", hit ", other.hit,
                     "; worlds that are merged number block types alike, and have each block and "
                     "each entity as of one moment"));
  }

  std::span<const std::span<const Hit>> lists_;
  const HitLine& line_;
  std::vector<Head> heads_;
  std::vector<Hit> merged_;
  // The last hit that was merged.
  Candidate last_{};
  HitIndex last_index_{};
  absl::flat_hash_map<EntityId, HitIndex> entities_;  // where each was merged from
};

}  // namespace

absl::StatusOr<std::strong_ordering> compareHits(const FixedSegment& line, const Hit& a,
                                                 const Hit& b, const Frame& frame,
                                                 CornerPolicy corner) {
  if (absl::Status status = internal::checkSegment(line); !status.ok()) return status;
  const Line exact(line);
  const HitLine of{.line = exact, .frame = frame, .corner = corner};
  const absl::StatusOr<Candidate> first = candidateFromHit(a, of);
  if (!first.ok()) return errorAt("hit a", first.status().message());
  const absl::StatusOr<Candidate> second = candidateFromHit(b, of);
  if (!second.ok()) return errorAt("hit b", second.status().message());
  if (comesBefore(*first, *second)) return std::strong_ordering::less;
  return comesBefore(*second, *first) ? std::strong_ordering::greater : std::strong_ordering::equal;
}

absl::StatusOr<std::vector<Hit>> mergeHits(const FixedSegment& line,
                                           std::span<const std::span<const Hit>> lists,
                                           const Frame& frame, CornerPolicy corner) {
  if (absl::Status status = internal::checkSegment(line); !status.ok()) return status;
  const Line exact(line);
  const HitLine of{.line = exact, .frame = frame, .corner = corner};
  return HitMerge(lists, of).run();
}

}  // namespace fractalray
