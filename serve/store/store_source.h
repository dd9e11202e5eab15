// SPDX-License-Identifier: Apache-2.0
// Answers from a store: a worker without a state of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../entities/entity_index.h"
#include "../../store/cached_world.h"
#include "../source.h"

namespace fractalray::serve {

// A CachedWorld that the threads of a server share: the threads answer on snapshots of it, and one
// at a time loads what answers lack, in turns with those that look something up. Block types have
// the numbers that the store lists, so that all servers of a store agree. Entities are those of a
// feed. docs/serve.md.
class StoreSource : public AnswerSource {
 public:
  // Opens the cache; listed_types of the options is true, whatever it says. waiting_calls: the most
  // calls that wait for a version at once, each on a thread of the server; others are ABORTED at
  // once. Errors: those of CachedWorld::open().
  static absl::StatusOr<std::unique_ptr<StoreSource>> open(CachedWorldOptions options,
                                                           int waiting_calls = 1);

  absl::StatusOr<SourceView> view(const Question& question, const Freshness& fresh) override;
  bool isFinal(const Question& question, const SourceView& view, std::span<const double> until,
               const Freshness& fresh) override;
  absl::StatusOr<SourceView> load(const Question& question, const Freshness& fresh) override;
  // Loads for few lines at a time, since their chunks are in memory together.
  std::size_t mostLines() const override { return 256; }
  std::string version() const override;
  // Has the age of the version, and what the cache counts, both as they were at the last call.
  std::vector<SourceMetric> metrics() const override;
  std::uint64_t blockTypes() const override { return block_types_; }
  absl::Status feed(const EntityTick& tick) override { return feed_.apply(tick); }
  std::string_view blockTypeNames() const override { return type_names_; }

 private:
  using Lock = std::unique_lock<std::timed_mutex>;

  StoreSource(std::unique_ptr<CachedWorld> cache, const CachedWorldOptions& options,
              int waiting_calls);

  // Waits for the cache, which another thread may use to load.
  absl::StatusOr<Lock> lock(const Freshness& fresh);
  // Returns a view that is new enough, ABORTED if the store does not have its version yet.
  absl::StatusOr<SourceView> viewNow(const Freshness& fresh);
  // Loads what a question needs, DEADLINE_EXCEEDED if there is more of it then. Requires: the lock;
  // the lines are those of the question.
  absl::StatusOr<StoreVersion> loadUntil(std::chrono::steady_clock::time_point until,
                                         const Question& question,
                                         const std::vector<BatchQuery>& lines,
                                         const Freshness& fresh);
  // Returns what the cache is to do for a call, but for the query. Requires: the lock.
  absl::StatusOr<CachedQuery> queryFor(const Freshness& fresh) const;
  // Returns a view of what the cache has now. Requires: the lock.
  absl::StatusOr<SourceView> publish(const absl::StatusOr<StoreVersion>& version);

  EntityFeed feed_;
  const std::chrono::milliseconds timeout_;
  const std::size_t memory_bytes_;
  const int most_waiting_;
  std::atomic<int> waiting_ = 0;
  const std::uint64_t block_types_;
  const std::string type_names_;
  std::timed_mutex mutex_;  // of these
  std::unique_ptr<CachedWorld> cache_;
  std::shared_ptr<frWorld> world_;  // shows the cache and the entities as they were at the next two
  std::optional<std::uint64_t> content_;
  EntityFeed::State entities_;
  // When the store has last not answered in time; empty once it has answered since.
  std::optional<std::chrono::steady_clock::time_point> failed_at_;
  mutable std::mutex version_mutex_;
  std::string version_;  // the newest; below, the counts at that time
  CachedWorldStats stats_;
  std::chrono::steady_clock::time_point counted_{};
};

}  // namespace fractalray::serve
