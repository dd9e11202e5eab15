// SPDX-License-Identifier: Apache-2.0
#include "store_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/internal/out_of_memory.h"
#include "map_chunks.h"
#include "schema.h"

namespace fractalray {
namespace {

// The wait between two questions for a version that the store does not have yet.
constexpr std::chrono::milliseconds kRetry{2};

}  // namespace

absl::Status StoreCache::open() {
  const absl::StatusOr<StoreChanges> first =
      changes_.begin(std::nullopt, Clock::now() + options_.timeout);
  if (!first.ok()) return first.status();
  const absl::Cleanup end = [this] { changes_.end(); };
  absl::StatusOr<std::vector<std::string>> names = std::vector<std::string>();
  if (options_.listed_types) names = listedTypes(link_);
  if (!names.ok()) return names.status();
  if (options_.listed_types && names->empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(link_.name(), ": fr_types lists no block types; run fractalray store init"));
  }
  const bool has_definitions = options_.definitions != nullptr && options_.definitions->size() > 0;
  const NodeDefinitions* const definitions = has_definitions ? options_.definitions : nullptr;
  absl::StatusOr<MapblockDecoder> decoder =
      MapblockDecoder::make(world_.blockTypes(), {.node_kinds = options_.node_kinds,
                                                  .definitions = definitions,
                                                  .block_type_names = *names,
                                                  .max_bytes = options_.limits.mapblock_bytes});
  if (!decoder.ok()) return link_.named(decoder.status());
  // A type that is not listed is an error of its mapblock alone.
  if (options_.listed_types)
    world_.blockTypes().close("run fractalray store init, and start again what uses the store");
  decoder_.emplace(*std::move(decoder));
  reader_.emplace(link_, *decoder_, world_.blockTypes(), definitions,
                  static_cast<std::size_t>(options_.fill_chunks), options_.limits.mapblock_bytes);
  coarse_.emplace(world_, chunks_, *reader_, limit_);
  apply(*first);
  return absl::OkStatus();
}

absl::StatusOr<StoreVersion> StoreCache::run(const CachedQuery& query,
                                             absl::FunctionRef<absl::Status()> work) {
  wait_ = std::min(query.timeout.value_or(options_.timeout), options_.timeout);
  awaits_version_ = query.awaits_version;
  limit_ = {.until = query.until, .is_cancelled = query.is_cancelled};
  return internal::catchBadAlloc(link_.name(), [&]() -> absl::StatusOr<StoreVersion> {
    const StoreTime last_try = Clock::now() + wait_;
    const absl::Cleanup end = [this] { changes_.end(); };
    chunks_.shrink(options_.memory_bytes);
    while (true) {
      absl::Status status = freshen(query.at_least);
      if (status.ok()) status = work();
      if (status.ok()) return *version_;
      if (!absl::IsUnavailable(status) || Clock::now() >= last_try) return status;
      changes_.end();
    }
  });
}

absl::StatusOr<StoreVersion> StoreCache::refresh(const std::optional<StoreVersion>& at_least) {
  wait_ = options_.timeout;
  awaits_version_ = true;
  return internal::catchBadAlloc(link_.name(), [&]() -> absl::StatusOr<StoreVersion> {
    const absl::Cleanup end = [this] { changes_.end(); };
    absl::Status status = askNow(at_least);
    if (!status.ok()) return status;
    return *version_;
  });
}

absl::Status StoreCache::checkWorld(const std::optional<StoreVersion>& at_least) const {
  if (!at_least.has_value() || at_least->world == version_->world) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      link_.name(), ": at_least is a version of the world ", quotedText(at_least->world),
      ", and the store has the world ", quotedText(version_->world)));
}

absl::Status StoreCache::freshen(const std::optional<StoreVersion>& at_least) {
  const absl::StatusOr<std::optional<StoreChanges>> heard = changes_.poll(version_);
  if (!heard.ok()) return heard.status();
  if (heard->has_value()) apply(**heard);
  const bool is_enough = !at_least.has_value() ||
                         (checkWorld(at_least).ok() && version_->blocks.includes(at_least->blocks));
  if (is_enough && age() <= options_.max_age && options_.max_age.count() > 0) return askIfIdle();
  return askNow(at_least);
}

absl::Status StoreCache::askIfIdle() {
  // Calls ask without waiting, each for the calls after it. After a pause there was none.
  constexpr std::chrono::milliseconds kPause = 2 * ChangeReader::kPollInterval;
  constexpr std::chrono::milliseconds kMostWait{50};
  const StoreTime now = Clock::now();
  if (age() <= kPause || now - last_pause_ <= kPause) return absl::OkStatus();
  last_pause_ = now;
  const std::chrono::milliseconds wait = std::exchange(wait_, std::min(wait_, kMostWait));
  const absl::Status status = askNow(std::nullopt);
  wait_ = wait;
  return absl::IsUnavailable(status) ? absl::OkStatus() : status;
}

absl::Status StoreCache::askNow(const std::optional<StoreVersion>& at_least) {
  const StoreTime until = Clock::now() + wait_;
  bool has_answered = false;
  const auto too_old = [&] {
    return absl::AbortedError(absl::StrCat(
        link_.name(), ": the version ", version_->text(), " does not include ", at_least->text(),
        awaits_version_ ? absl::StrCat(" after ", wait_.count(), " ms") : " yet", "; try again"));
  };
  while (true) {
    const absl::StatusOr<StoreChanges> changes = changes_.begin(version_, until);
    if (absl::IsUnavailable(changes.status())) {
      // The last question of many may have had too little time.
      if (has_answered) return too_old();
      return absl::UnavailableError(absl::StrCat(changes.status().message(),
                                                 "; the version here was the newest ",
                                                 age().count(), " ms ago"));
    }
    if (!changes.ok()) return changes.status();
    has_answered = true;
    apply(*changes);
    absl::Status status = checkWorld(at_least);
    if (!status.ok()) return status;
    if (!at_least.has_value() || version_->blocks.includes(at_least->blocks)) return status;
    if (!awaits_version_ || Clock::now() >= until) return too_old();
    std::this_thread::sleep_for(kRetry);
  }
}

absl::StatusOr<bool> StoreCache::openSnapshot() {
  if (changes_.isOpen()) return false;
  const absl::StatusOr<StoreChanges> changes = changes_.begin(version_, Clock::now() + wait_);
  if (!changes.ok()) return changes.status();
  return apply(*changes);
}

bool StoreCache::apply(const StoreChanges& changes) {
  // Copied first, as memory may run out. Chunks forgotten by then are forgotten again, since the
  // version stays.
  StoreVersion version = changes.version;
  bool was_known = false;
  if (changes.all) {
    was_known = version_.has_value();
    chunks_.forgetAll();
    coarse_->forgetAll();
    if (was_known) ++restarts_;
  }
  for (const ChunkCoord& at : changes.mapblocks)
    was_known |= forgetMapblock(at);
  version_ = std::move(version);
  confirmed_at_ = changes.asked_at;
  return was_known;
}

bool StoreCache::forgetMapblock(const ChunkCoord& at) {
  bool was_known = false;
  const auto forget = [&](const ChunkCoord& mapblock) {
    if (chunks_.forget(kMapblockLevel, mapblock)) was_known = true, ++changed_;
    if (coarse_->forgetAround(mapblock)) was_known = true;
  };
  forget(at);
  if (!reader_->readsNeighbours()) return was_known;
  for (int axis = 0; axis < 3; ++axis) {
    for (const std::int64_t step : {-1, 1}) {
      ChunkCoord next = at;
      next[axis] += step;
      forget(next);
    }
  }
  return was_known;
}

absl::Status StoreCache::learn(std::vector<NeededChunk>& missing) {
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  std::vector<ChunkCoord> mapblocks;
  for (const NeededChunk& each : missing) {
    if (each.at.level == kMapblockLevel) {
      mapblocks.push_back(each.at.chunk);
      continue;
    }
    absl::Status status = limit_.check();
    if (status.ok()) status = coarse_->learn(each);
    if (!status.ok()) return status;
  }
  return learnMapblocks(mapblocks);
}

absl::Status StoreCache::learnMapblocks(std::span<const ChunkCoord> mapblocks) {
  const auto take = [this](const ChunkCoord& at, std::optional<Chunk> chunk) {
    if (chunk.has_value()) return chunks_.load(kMapblockLevel, at, *std::move(chunk));
    chunks_.setAbsent(kMapblockLevel, at);
    return absl::OkStatus();
  };
  while (!mapblocks.empty()) {
    const std::size_t count =
        std::min(static_cast<std::size_t>(options_.fill_chunks), mapblocks.size());
    absl::Status status = limit_.check();
    if (status.ok()) status = reader_->read(mapblocks.first(count), take);
    if (!status.ok()) return status;
    mapblocks = mapblocks.subspan(count);
  }
  return absl::OkStatus();
}

CachedWorldStats StoreCache::stats() const {
  const MapblockCounts& counts = reader_->counts();
  return {.loaded = counts.loaded,
          .not_stored = counts.not_stored,
          .not_generated = counts.not_generated,
          .unsupported = counts.unsupported,
          .damaged = counts.damaged,
          .changed = changed_,
          .dropped = chunks_.dropped(),
          .restarts = restarts_,
          .connections = link_.connections(),
          .memory_bytes = chunks_.bytes(),
          .age = age()};
}

}  // namespace fractalray
