// SPDX-License-Identifier: Apache-2.0
#include "change_store.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"

#include "internal/change_codec.h"
#include "internal/change_database.h"
#include "internal/change_keys.h"
#include "internal/change_regions.h"
#include "internal/change_rows.h"
#include "internal/change_types.h"
#include "internal/due_changes.h"
#include "internal/out_of_memory.h"
#include "internal/sqlite_database.h"

namespace fractalray {
class ChangeStore::Impl {
 public:
  static absl::StatusOr<std::unique_ptr<Impl>> open(const std::string& path,
                                                    const BlockTypeTable& types,
                                                    const ChangeStoreOptions& options);

  const std::string& path() const { return path_; }
  absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& path);
  absl::Status record(std::span<const BlockChange> changes);
  absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit);
  absl::Status maintain();

 private:
  using Changes = std::vector<StoredChange>;

  Impl(std::string path, const BlockTypeTable& types, SqliteDatabase database)
      : path_(std::move(path)), types_(types), database_(std::move(database)) {}
  absl::Status prepare();

  // Returns what the file has of a chunk, in the order of blocks.
  absl::StatusOr<Changes> read(const ChunkKey& key) const;
  // Writes what the file is to have of a chunk, which has changes that revert at `time` first.
  absl::Status write(const ChunkKey& key, const Changes& changes,
                     std::optional<std::int64_t> time) const;
  // Records the changes of one chunk.
  absl::Status recordChunk(std::span<const BlockChange* const> changes);
  absl::Status apply(const BlockChange& change, Changes& changes);
  // Appends the reversals of the changes of a chunk that are due.
  absl::Status appendDue(std::string_view key, DueChanges& due);

  std::string path_;
  const BlockTypeTable& types_;
  SqliteDatabase database_;
  std::optional<ChangeRows> rows_;
  std::optional<ChangeTypes> numbers_;
  std::optional<ChangeRegions> regions_;
  bool has_log_ = true;  // something may have been recorded since the last call of maintain()
};

absl::StatusOr<std::unique_ptr<ChangeStore::Impl>> ChangeStore::Impl::open(
    const std::string& path, const BlockTypeTable& types, const ChangeStoreOptions& options) {
  absl::StatusOr<SqliteDatabase> database = openChangeDatabase(path, options.sync, kMaxLogBytes);
  if (!database.ok()) return database.status();
  std::unique_ptr<Impl> impl(new Impl(path, types, *std::move(database)));
  absl::Status status = impl->prepare();
  if (!status.ok()) return status;
  return impl;
}

absl::Status ChangeStore::Impl::prepare() {
  absl::StatusOr<ChangeRows> rows = ChangeRows::load(database_);
  if (!rows.ok()) return rows.status();
  rows_.emplace(*std::move(rows));
  absl::StatusOr<ChangeTypes> numbers = ChangeTypes::load(*rows_, types_);
  if (!numbers.ok()) return numbers.status();
  numbers_.emplace(*std::move(numbers));
  regions_.emplace(*rows_);
  return absl::OkStatus();
}

absl::StatusOr<ChangeStore::Impl::Changes> ChangeStore::Impl::read(const ChunkKey& key) const {
  const absl::StatusOr<std::optional<std::string>> bytes = rows_->find(rowKey(key));
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return Changes();
  std::optional<Changes> changes = decodeChanges(**bytes);
  if (!changes.has_value()) return rows_->damage();
  return *std::move(changes);
}

absl::Status ChangeStore::Impl::write(const ChunkKey& key, const Changes& changes,
                                      std::optional<std::int64_t> time) const {
  const std::optional<std::int64_t> new_time = firstTime(changes);
  absl::Status status;
  if (time != new_time) {
    if (time.has_value()) status = rows_->erase(rowKey(DueKey{*time, key}));
    if (status.ok() && new_time.has_value())
      status = rows_->put(rowKey(DueKey{*new_time, key}), "");
  }
  if (!status.ok()) return status;
  return changes.empty() ? rows_->erase(rowKey(key))
                         : rows_->put(rowKey(key), encodeChanges(changes));
}

absl::StatusOr<std::vector<ChangedBlock>> ChangeStore::Impl::changesOf(const ChunkPath& path) {
  const absl::StatusOr<std::optional<ChunkKey>> key = regions_->find(path);
  if (!key.ok()) return key.status();
  std::vector<ChangedBlock> changed;
  if (!key->has_value()) return changed;
  const absl::StatusOr<Changes> changes = read(**key);
  if (!changes.ok()) return changes.status();
  changed.reserve(changes->size());
  for (const StoredChange& change : *changes) {
    const absl::StatusOr<BlockTypeId> type = numbers_->typeOf(change.type);
    if (!type.ok()) return type.status();
    changed.push_back({change.block, *type, change.reverts_at});
  }
  return changed;
}

absl::Status ChangeStore::Impl::apply(const BlockChange& change, Changes& changes) {
  const auto at = std::lower_bound(changes.begin(), changes.end(), change.block,
                                   [](const StoredChange& a, int b) { return a.block < b; });
  const bool is_there = at != changes.end() && at->block == change.block;
  if (!change.type.has_value()) {
    if (is_there) changes.erase(at);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::uint16_t> type = numbers_->numberOf(*change.type);
  if (!type.ok()) return type.status();
  const StoredChange stored{change.block, *type, change.reverts_at};
  if (is_there) {
    *at = stored;
  } else {
    changes.insert(at, stored);
  }
  return absl::OkStatus();
}

absl::Status ChangeStore::Impl::recordChunk(std::span<const BlockChange* const> changes) {
  const bool only_removes =
      std::none_of(changes.begin(), changes.end(),
                   [](const BlockChange* change) { return change->type.has_value(); });
  const ChunkPath& path = changes.front()->chunk;
  std::optional<ChunkKey> key;
  if (only_removes) {
    absl::StatusOr<std::optional<ChunkKey>> found = regions_->find(path);
    if (!found.ok() || !found->has_value()) return found.status();
    key = **std::move(found);
  } else {
    absl::StatusOr<ChunkKey> added = regions_->add(path);
    if (!added.ok()) return added.status();
    key = *std::move(added);
  }
  absl::StatusOr<Changes> stored = read(*key);
  if (!stored.ok()) return stored.status();
  const bool was_empty = stored->empty();
  const std::optional<std::int64_t> time = firstTime(*stored);
  for (const BlockChange* const change : changes) {
    absl::Status status = apply(*change, *stored);
    if (!status.ok()) return status;
  }
  // The file has no row for a chunk without changes.
  if (was_empty && stored->empty()) return absl::OkStatus();
  return write(*key, *stored, time);
}

absl::Status ChangeStore::Impl::record(std::span<const BlockChange> changes) {
  std::vector<const BlockChange*> by_chunk;
  by_chunk.reserve(changes.size());
  for (const BlockChange& change : changes) {
    absl::Status status = checkBlockChange(change, types_);
    if (!status.ok()) return database_.error(status.code(), std::string(status.message()));
    by_chunk.push_back(&change);
  }
  std::stable_sort(by_chunk.begin(), by_chunk.end(),
                   [](const BlockChange* a, const BlockChange* b) { return a->chunk < b->chunk; });
  has_log_ = true;
  const std::size_t types = numbers_->size();
  bool is_recorded = false;
  const absl::Cleanup forget = [&] {
    if (is_recorded) return;
    numbers_->keep(types);
    regions_->forget();
  };
  absl::Status status = database_.transact([&] {
    for (auto begin = by_chunk.begin(); begin != by_chunk.end();) {
      const auto end = std::find_if(begin, by_chunk.end(), [&](const BlockChange* change) {
        return change->chunk != (*begin)->chunk;
      });
      absl::Status recorded = recordChunk({begin, end});
      if (!recorded.ok()) return recorded;
      begin = end;
    }
    return absl::OkStatus();
  });
  is_recorded = status.ok();
  return status;
}

absl::Status ChangeStore::Impl::appendDue(std::string_view row_key, DueChanges& due) {
  const std::optional<DueKey> row = parseDueKey(row_key);
  if (!row.has_value()) return rows_->damage();
  const ChunkKey& key = row->chunk;
  const absl::StatusOr<Changes> changes = read(key);
  if (!changes.ok()) return changes.status();
  if (firstTime(*changes) != row->time) return rows_->damage();
  std::string steps;
  if (!appendSteps(steps, key.steps))
    return rows_->damage();  // before the path is read, which takes long
  if (due.region != key.region) {
    absl::StatusOr<std::string> text = regions_->pathOf(key.region);
    if (!text.ok()) return text.status();
    due.region_path = *std::move(text);
    due.region = key.region;
  }
  std::string text = due.region_path;
  appendSteps(text, key.steps);
  const absl::StatusOr<ChunkPath> path = ChunkPath::parse(text);
  if (!path.ok()) return rows_->damage();
  // The caller records it by its path next: a chunk that is not found by it would stop all others.
  const absl::StatusOr<std::optional<ChunkKey>> found = regions_->find(*path);
  if (!found.ok()) return found.status();
  if (*found != key) return rows_->damage();
  for (const StoredChange& change : *changes) {
    if (due.isFull()) break;
    if (!change.reverts_at.has_value() || *change.reverts_at > due.now) continue;
    due.add(*path, change.block);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<BlockChange>> ChangeStore::Impl::due(std::int64_t now,
                                                                std::size_t limit) {
  DueChanges due{.now = now, .limit = limit};
  absl::Status damage;
  const auto visit = [&](std::string_view key, std::string_view /*nothing*/) {
    // An error that ends the visit.
    if (due.isFull()) return absl::CancelledError("");
    absl::Status appended = appendDue(key, due);
    if (!absl::IsDataLoss(appended)) return appended;
    damage.Update(appended);
    return absl::OkStatus();
  };
  absl::Status status = rows_->forEachAfter(kDueRows, endOfDue(now), visit);
  if (!status.ok() && !absl::IsCancelled(status) && !absl::IsDataLoss(status)) return status;
  // A damaged row does not keep the others from being reverted.
  if (absl::IsDataLoss(status)) damage.Update(status);
  if (!damage.ok() && due.changes.empty()) return damage;
  return std::move(due.changes);
}

absl::Status ChangeStore::Impl::maintain() {
  if (!has_log_) return absl::OkStatus();
  absl::Status status = database_.run("PRAGMA wal_checkpoint(PASSIVE)");
  // The log starts again with the next write, which waits for the disk once more: with this one.
  if (status.ok()) status = writeChangeVersion(database_);
  if (status.ok()) has_log_ = false;
  return status;
}

ChangeStore::ChangeStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChangeStore::~ChangeStore() = default;

absl::StatusOr<std::unique_ptr<ChangeStore>> ChangeStore::open(const std::string& path,
                                                               const BlockTypeTable& types,
                                                               const ChangeStoreOptions& options) {
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<std::unique_ptr<ChangeStore>> {
    absl::StatusOr<std::unique_ptr<Impl>> impl = Impl::open(path, types, options);
    if (!impl.ok()) return impl.status();
    return std::unique_ptr<ChangeStore>(new ChangeStore(*std::move(impl)));
  });
}

absl::StatusOr<std::vector<ChangedBlock>> ChangeStore::changesOf(const ChunkPath& chunk) {
  return internal::catchBadAlloc(impl_->path(), [&] { return impl_->changesOf(chunk); });
}

absl::Status ChangeStore::record(std::span<const BlockChange> changes) {
  return internal::catchBadAlloc(impl_->path(), [&] { return impl_->record(changes); });
}

absl::StatusOr<std::vector<BlockChange>> ChangeStore::due(std::int64_t now, std::size_t limit) {
  return internal::catchBadAlloc(impl_->path(), [&] { return impl_->due(now, limit); });
}

absl::Status ChangeStore::maintain() {
  return internal::catchBadAlloc(impl_->path(), [&] { return impl_->maintain(); });
}

}  // namespace fractalray
