// SPDX-License-Identifier: Apache-2.0
#include "cached_world.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../formats/internal/out_of_memory.h"
#include "../query/line_chunks.h"
#include "../query/ray_query_service.h"
#include "internal/line_needs.h"
#include "internal/map_chunks.h"
#include "internal/store_cache.h"

namespace fractalray {
namespace {

using std::chrono::milliseconds;

// Lines that are answered together while chunks are loaded for them.
constexpr std::size_t kLinesAtOnce = 256;
// The most chunks of a box.
constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 20;

absl::Status checkOptions(const CachedWorldOptions& options) {
  const auto refused = [](std::string_view name, std::int64_t value, std::string_view range) {
    return absl::InvalidArgumentError(
        absl::StrCat(std::string(name), " is ", value, "; it must be ", std::string(range)));
  };
  if (options.max_age.count() < 0) return refused("max_age", options.max_age.count(), "0 or more");
  constexpr milliseconds kMostTimeout = std::chrono::hours(1);
  if (options.timeout < milliseconds(1) || options.timeout > kMostTimeout)
    return refused("timeout", options.timeout.count(), "1 ms to an hour");
  constexpr int kMostFill = 65'536;
  if (options.fill_chunks < 1 || options.fill_chunks > kMostFill)
    return refused("fill_chunks", options.fill_chunks, "1 to 65536");
  if (options.load_ahead < 1 || options.load_ahead > kMostFill)
    return refused("load_ahead", options.load_ahead, "1 to 65536");
  return absl::OkStatus();
}

}  // namespace

class CachedWorld::Impl {
 public:
  Impl(const CachedWorldOptions& options, std::string name) : cache_(options, std::move(name)) {}

  absl::StatusOr<StoreVersion> closestHits(const BatchQueries& queries, const CachedQuery& options,
                                           ClosestBatch& batch, ParallelFor parallel_for);
  absl::StatusOr<StoreVersion> loadToHits(const BatchQueries& queries, const CachedQuery& options);
  bool hasAllTo(const BatchQueries& queries, std::span<const double> until) const;
  absl::StatusOr<StoreVersion> load(const BatchQueries& lines,
                                    const std::optional<StoreVersion>& at_least);
  absl::StatusOr<StoreVersion> load(int level, const ChunkBox& box,
                                    const std::optional<StoreVersion>& at_least);

  StoreCache& cache() { return cache_; }
  EntityIndex& entities() { return entities_; }

 private:
  // Answers queries; memory is not limited meanwhile if `keeps`.
  absl::Status answer(const BatchQueries& queries, const QueryOptions& options, ClosestBatch& batch,
                      ParallelFor parallel_for, bool keeps);
  // Returns the queries whose answers are not final.
  std::vector<std::size_t> findOpen(const BatchQueries& queries, const QueryOptions& options,
                                    const ClosestBatch& batch, ParallelFor parallel_for) const;
  // Loads what some queries need, nearest first, until their answers are final.
  absl::Status answerOpen(const BatchQueries& queries, const QueryOptions& options,
                          std::vector<std::size_t> open, ClosestBatch& batch,
                          ParallelFor parallel_for);
  // Loads all that `find_missing` appends.
  absl::Status loadMissing(absl::FunctionRef<void(std::vector<NeededChunk>&)> find_missing);

  StoreCache cache_;
  EntityIndex entities_{cache_.world().frame()};
  RayQueryService service_{cache_.world(), entities_};
  std::vector<BatchQuery> part_;  // of a batch; below, its answers
  ClosestBatch part_batch_;
  ClosestBatch unwanted_;  // the answers of loadToHits()
};

absl::StatusOr<StoreVersion> CachedWorld::Impl::closestHits(const BatchQueries& queries,
                                                            const CachedQuery& options,
                                                            ClosestBatch& batch,
                                                            ParallelFor parallel_for) {
  QueryOptions query = options.query;
  query.max_batch_steps = QueryOptions().max_batch_steps;
  absl::StatusOr<StoreVersion> version =
      cache_.run(options, [&] { return answer(queries, query, batch, parallel_for, false); });
  if (!version.ok()) {
    batch.answers.clear();
    batch.unknown_from.clear();
    batch.errors.clear();
    batch.completed = 0;
  }
  return version;
}

absl::StatusOr<StoreVersion> CachedWorld::Impl::loadToHits(const BatchQueries& queries,
                                                           const CachedQuery& options) {
  QueryOptions query = options.query;
  query.filter.entities = false;  // they end lines before blocks do
  // Bounds on steps are for the answer: steps depend on what is loaded.
  query.max_steps = QueryOptions().max_steps;
  query.max_batch_steps = QueryOptions().max_batch_steps;
  return cache_.run(options, [&] { return answer(queries, query, unwanted_, runSerially, true); });
}

bool CachedWorld::Impl::hasAllTo(const BatchQueries& queries, std::span<const double> until) const {
  FRACTALRAY_DCHECK(until.size() == queries.size(), until.size(), queries.size());
  std::vector<NeededChunk> missing;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (appendMissing(cache_.world().frame(), cache_.chunks(), queryAt(queries, i), until[i], 1,
                      missing)) {
      return false;
    }
  }
  return true;
}

absl::Status CachedWorld::Impl::answer(const BatchQueries& queries, const QueryOptions& options,
                                       ClosestBatch& batch, ParallelFor parallel_for, bool keeps) {
  std::vector<std::size_t> open;
  while (true) {
    absl::Status status = service_.closestHit(queries, options, batch, parallel_for);
    if (!status.ok()) return status;
    open = findOpen(queries, options, batch, parallel_for);
    if (open.empty()) return status;
    const absl::StatusOr<bool> changed = cache_.openSnapshot();
    if (!changed.ok()) return changed.status();
    if (!*changed) break;  // else final answers may be no longer right
  }
  std::erase_if(batch.errors, [&open](const BatchError& error) {
    return std::binary_search(open.begin(), open.end(), error.query);
  });
  for (std::size_t begin = 0; begin < open.size(); begin += kLinesAtOnce) {
    const std::size_t end = std::min(begin + kLinesAtOnce, open.size());
    const auto at = [&](std::size_t i) { return open.begin() + static_cast<std::ptrdiff_t>(i); };
    absl::Status status = answerOpen(queries, options, {at(begin), at(end)}, batch, parallel_for);
    if (!status.ok()) return status;
    if (!keeps) cache_.shrink();
  }
  std::sort(batch.errors.begin(), batch.errors.end(),
            [](const BatchError& a, const BatchError& b) { return a.query < b.query; });
  batch.version = service_.version();
  return absl::OkStatus();
}

std::vector<std::size_t> CachedWorld::Impl::findOpen(const BatchQueries& queries,
                                                     const QueryOptions& options,
                                                     const ClosestBatch& batch,
                                                     ParallelFor parallel_for) const {
  const std::size_t tasks = (queries.size() + kLinesAtOnce - 1) / kLinesAtOnce;
  std::vector<std::vector<std::size_t>> of_tasks(tasks);
  parallel_for(tasks, [&](std::size_t task) {
    const std::size_t end = std::min((task + 1) * kLinesAtOnce, queries.size());
    auto error = std::lower_bound(
        batch.errors.begin(), batch.errors.end(), task * kLinesAtOnce,
        [](const BatchError& each, std::size_t query) { return each.query < query; });
    std::vector<NeededChunk> missing;
    for (std::size_t i = task * kLinesAtOnce; i < end; ++i) {
      const bool has_error = error != batch.errors.end() && error->query == i;
      // Steps depend on what is loaded: a line that has run out of them may hit what is missing.
      const bool is_final = has_error && !absl::IsResourceExhausted(error->status);
      if (has_error) ++error;
      if (is_final) continue;
      missing.clear();
      if (appendMissing(cache_.world().frame(), cache_.chunks(), queryAt(queries, i),
                        decidedAt(batch, options, i), 1, missing)) {
        of_tasks[task].push_back(i);
      }
    }
  });
  std::vector<std::size_t> open;
  for (const std::vector<std::size_t>& of_task : of_tasks)
    open.insert(open.end(), of_task.begin(), of_task.end());
  return open;
}

absl::Status CachedWorld::Impl::answerOpen(const BatchQueries& queries, const QueryOptions& options,
                                           std::vector<std::size_t> open, ClosestBatch& batch,
                                           ParallelFor parallel_for) {
  std::vector<NeededChunk> missing;
  // The farther a line gets, the more is read for it at once.
  for (int ahead = cache_.options().load_ahead; !open.empty();
       ahead = std::min(2 * ahead, cache_.options().fill_chunks)) {
    missing.clear();
    part_.clear();
    for (const std::size_t i : open) {
      part_.push_back(queryAt(queries, i));
      appendMissing(cache_.world().frame(), cache_.chunks(), part_.back(),
                    decidedAt(batch, options, i), static_cast<std::size_t>(ahead), missing);
    }
    absl::Status status = cache_.learn(missing);
    if (status.ok()) status = service_.closestHit(part_, options, part_batch_, parallel_for);
    if (!status.ok()) return status;
    batch.stats += part_batch_.stats;
    for (std::size_t i = 0; i < open.size(); ++i) {
      batch.answers[open[i]] = part_batch_.answers[i];
      if (!batch.unknown_from.empty()) batch.unknown_from[open[i]] = part_batch_.unknown_from[i];
    }
    const std::vector<std::size_t> still = findOpen(part_, options, part_batch_, parallel_for);
    for (const BatchError& error : part_batch_.errors) {
      if (!std::binary_search(still.begin(), still.end(), error.query))
        batch.errors.push_back({.query = open[error.query], .status = error.status});
    }
    for (std::size_t i = 0; i < still.size(); ++i)
      open[i] = open[still[i]];
    open.resize(still.size());
  }
  return absl::OkStatus();
}

absl::Status CachedWorld::Impl::loadMissing(
    absl::FunctionRef<void(std::vector<NeededChunk>&)> find_missing) {
  while (true) {
    std::vector<NeededChunk> missing;
    find_missing(missing);
    if (missing.empty()) return absl::OkStatus();
    const absl::StatusOr<bool> changed = cache_.openSnapshot();
    if (!changed.ok()) return changed.status();
    if (!*changed) return cache_.learn(missing);
  }
}

absl::StatusOr<StoreVersion> CachedWorld::Impl::load(const BatchQueries& lines,
                                                     const std::optional<StoreVersion>& at_least) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const BatchQuery query = queryAt(lines, i);
    const absl::Status status = std::visit(
        [&](const auto& line) { return chunksOn(cache_.world(), line, query.levels).status(); },
        query.line);
    if (!status.ok())
      return absl::Status(status.code(), absl::StrCat("line ", i, ": ", status.message()));
  }
  return cache_.run({.at_least = at_least}, [&] {
    return loadMissing([&](std::vector<NeededChunk>& missing) {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        appendMissing(cache_.world().frame(), cache_.chunks(), queryAt(lines, i),
                      std::numeric_limits<double>::infinity(),
                      std::numeric_limits<std::size_t>::max(), missing);
      }
    });
  });
}

absl::StatusOr<StoreVersion> CachedWorld::Impl::load(int level, const ChunkBox& box,
                                                     const std::optional<StoreVersion>& at_least) {
  if (!cache_.world().frame().isActive(level)) {
    return absl::InvalidArgumentError(
        absl::StrCat("level ", level, " is not one of a map's levels, 0 to ", kMapblockLevel));
  }
  const ChunkBox map = mapBox(level);
  ChunkBox inside;
  std::uint64_t chunks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] > box.max[axis]) {
      return absl::InvalidArgumentError(absl::StrCat("the box ends at ", box.max[axis], " on axis ",
                                                     axis, ", before its begin at ",
                                                     box.min[axis]));
    }
    inside.min[axis] = std::max(box.min[axis], map.min[axis]);
    inside.max[axis] = std::min(box.max[axis], map.max[axis]);
    const std::int64_t width = std::max<std::int64_t>(inside.max[axis] - inside.min[axis] + 1, 0);
    chunks *= static_cast<std::uint64_t>(width);
  }
  if (chunks > kMostChunks) {
    return absl::InvalidArgumentError(absl::StrCat("the box has ", chunks, " chunks; at most ",
                                                   kMostChunks, " can be loaded at once"));
  }
  return cache_.run({.at_least = at_least}, [&] {
    return loadMissing([&](std::vector<NeededChunk>& missing) {
      ChunkCoord at;
      for (at.x() = inside.min.x(); at.x() <= inside.max.x(); ++at.x()) {
        for (at.y() = inside.min.y(); at.y() <= inside.max.y(); ++at.y()) {
          for (at.z() = inside.min.z(); at.z() <= inside.max.z(); ++at.z()) {
            const NeededChunk needed{.at = {.level = level, .chunk = at}};
            if (!cache_.chunks().has(needed)) missing.push_back(needed);
          }
        }
      }
    });
  });
}

CachedWorld::CachedWorld(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CachedWorld::~CachedWorld() = default;

absl::StatusOr<std::unique_ptr<CachedWorld>> CachedWorld::open(const CachedWorldOptions& options) {
  absl::Status status = checkOptions(options);
  if (!status.ok()) return status;
  absl::StatusOr<std::string> name = storeName(options.url);
  if (!name.ok()) return name.status();
  return internal::catchBadAlloc(*name, [&]() -> absl::StatusOr<std::unique_ptr<CachedWorld>> {
    auto impl = std::make_unique<Impl>(options, *name);
    absl::Status opened = impl->cache().open();
    if (!opened.ok()) return opened;
    return std::unique_ptr<CachedWorld>(new CachedWorld(std::move(impl)));
  });
}

absl::StatusOr<StoreVersion> CachedWorld::closestHits(const BatchQueries& queries,
                                                      const CachedQuery& options,
                                                      ClosestBatch& batch,
                                                      ParallelFor parallel_for) {
  return impl_->closestHits(queries, options, batch, parallel_for);
}

absl::StatusOr<StoreVersion> CachedWorld::loadToHits(const BatchQueries& queries,
                                                     const CachedQuery& options) {
  return impl_->loadToHits(queries, options);
}

bool CachedWorld::hasAllTo(const BatchQueries& queries, std::span<const double> until) const {
  return impl_->hasAllTo(queries, until);
}

absl::StatusOr<StoreVersion> CachedWorld::load(const BatchQueries& lines,
                                               const std::optional<StoreVersion>& at_least) {
  return impl_->load(lines, at_least);
}

absl::StatusOr<StoreVersion> CachedWorld::load(int level, const ChunkBox& box,
                                               const std::optional<StoreVersion>& at_least) {
  return impl_->load(level, box, at_least);
}

absl::StatusOr<StoreVersion> CachedWorld::follow(const CachedQuery& options) {
  return impl_->cache().run(options, [] { return absl::OkStatus(); });
}

absl::StatusOr<StoreVersion> CachedWorld::refresh(const std::optional<StoreVersion>& at_least) {
  return impl_->cache().refresh(at_least);
}

const StoreVersion& CachedWorld::version() const {
  return impl_->cache().version();
}

const World& CachedWorld::world() const {
  return impl_->cache().world();
}

std::shared_ptr<const World> CachedWorld::snapshot() {
  return impl_->cache().world().snapshot();
}

EntityIndex& CachedWorld::entities() {
  return impl_->entities();
}

CachedWorldStats CachedWorld::stats() const {
  return impl_->cache().stats();
}

}  // namespace fractalray
