// SPDX-License-Identifier: Apache-2.0
// A store of changes in a file: what has been set in a world without end outlives the window, the
// process and its crashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../levels/block_type.h"
#include "../streaming/chunk_changes.h"

namespace fractalray {

struct ChangeStoreOptions {
  // True if record() returns only once the changes are on the disk, which takes milliseconds: then
  // they survive a power failure too. If false, a power failure may lose the last calls of
  // record(), the latest first, each of them whole.
  bool sync = false;
};

// An SQLite file with the changes of a world, for a ChunkStreamer:
//
//   auto store = ChangeStore::open("world.changes", world.blockTypes());
//   auto streamer = ChunkStreamer::create(window, source, options, store->get());
//   status.Update(streamer->setBlock(2, block, kAir));           // in the world and in the file
//
// Each call of record() is one transaction: once it has returned OK, its changes outlive the
// process, however that ends; if it has not, the file has all of them or none. A damaged
// file gives no wrong answer: rows have checksums, by which a look-up proves what it finds, and
// that there is nothing where it finds nothing. Errors begin with the file's path and change
// nothing, neither in the file nor here; the store may be used further. Not thread-safe. The errors
// and the file: docs/changes.md.
class ChangeStore final : public ChunkChanges {
 public:
  // Opens a store, which is locked until it is destroyed, or makes a new one if there is no such
  // file or it is empty. SQLite keeps two more files next to it while it is open, and after a
  // crash: they belong to it. `types` must outlive the store; types may be added. Further errors:
  // INVALID_ARGUMENT for a file that is no store; FAILED_PRECONDITION for one of another version.
  static absl::StatusOr<std::unique_ptr<ChangeStore>> open(const std::string& path,
                                                           const BlockTypeTable& types,
                                                           const ChangeStoreOptions& options = {});
  ~ChangeStore() override;
  ChangeStore(const ChangeStore&) = delete;
  ChangeStore& operator=(const ChangeStore&) = delete;

  // FAILED_PRECONDITION for a change to a type whose name is not in the table (any more). Cost: a
  // look-up, two if the chunk has no changes, and one more for every 16 steps by which the path
  // differs from that of the last call.
  absl::StatusOr<std::vector<ChangedBlock>> changesOf(const ChunkPath& chunk) override;
  // Cost: that of writing what is kept of each chunk concerned, 4 bytes a change and 12 for one
  // that reverts. Waits for the disk only as options.sync and maintain() say.
  absl::Status record(std::span<const BlockChange> changes) override;
  // Returns the changes chunk by chunk. The chunk whose earliest time to revert comes first is
  // first. Returns fewer than `limit` once their paths take 16 MiB together. Leaves out chunks that
  // are damaged in the file: DATA_LOSS only if there is nothing else to return.
  absl::StatusOr<std::vector<BlockChange>> due(std::int64_t now, std::size_t limit) override;

  // Copies the log into the file, and waits for the disk: it takes milliseconds, the more the more
  // has been recorded since the last call. Call it now and then where a pause does no harm, such as
  // once a second between two ticks: record() appends to the log without waiting, unless it has
  // grown to kMaxLogBytes since the last call; then record() copies it. After OK all changes
  // recorded before survive a power failure. Does nothing if there are none. The calls after an
  // error lose nothing: the log stays.
  absl::Status maintain();
  static constexpr std::size_t kMaxLogBytes = std::size_t{16} << 20;

 private:
  class Impl;
  explicit ChangeStore(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fractalray
