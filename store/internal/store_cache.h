// SPDX-License-Identifier: Apache-2.0
// The world of a cache, kept at a version of its store.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../formats/luanti_mapblock.h"
#include "../../levels/world.h"
#include "../cached_world.h"
#include "../version.h"
#include "cached_chunks.h"
#include "change_reader.h"
#include "coarse_chunks.h"
#include "load_limit.h"
#include "mapblock_reader.h"
#include "store_link.h"

namespace fractalray {

// All that is known of chunks is known at one version, that of the last snapshot: what has changed
// since is forgotten before anything is read from a later one. Errors are those of CachedWorld. Not
// thread-safe.
class StoreCache {
 public:
  using Clock = StoreClock;

  // `name`: storeName() of the URL.
  StoreCache(const CachedWorldOptions& options, std::string name)
      : options_(options),
        link_(options.url, std::move(name), options.timeout),
        world_({.levels = kLuantiLevels, .block_types = options.block_types}) {}

  absl::Status open();

  // Does `work` at a version that is new enough, and returns the version; again if the connection
  // was lost meanwhile. The snapshot that it opens is closed in the end. Waits as long as the
  // options say, or the query if that is less; what the query asks is up to `work`.
  absl::StatusOr<StoreVersion> run(const CachedQuery& query,
                                   absl::FunctionRef<absl::Status()> work);
  // Asks the store for its version, and takes over what has changed.
  absl::StatusOr<StoreVersion> refresh(const std::optional<StoreVersion>& at_least);

  // Opens a snapshot, unless one is open, and takes over what has changed until then. Returns true
  // if anything that was known is now forgotten. To be called by the work of run(), as the next.
  absl::StatusOr<bool> openSnapshot();
  // Makes these chunks known, and sorts them. Errors: those of LoadLimit, too. Requires: a snapshot
  // is open.
  absl::Status learn(std::vector<NeededChunk>& missing);
  void shrink() { chunks_.shrink(options_.memory_bytes); }

  const StoreVersion& version() const { return *version_; }
  World& world() { return world_; }
  const World& world() const { return world_; }
  const CachedChunks& chunks() const { return chunks_; }
  const CachedWorldOptions& options() const { return options_; }
  const std::string& name() const { return link_.name(); }
  CachedWorldStats stats() const;

 private:
  // Makes the version new enough, without asking the store if it is so already.
  absl::Status freshen(const std::optional<StoreVersion>& at_least);
  absl::Status askNow(const std::optional<StoreVersion>& at_least);
  // Asks if no call has for a while, and waits a little; if the store does not answer, what is
  // known is new enough.
  absl::Status askIfIdle();
  absl::Status checkWorld(const std::optional<StoreVersion>& at_least) const;
  // Returns true if anything that was known is now forgotten.
  bool apply(const StoreChanges& changes);
  bool forgetMapblock(const ChunkCoord& at);
  absl::Status learnMapblocks(std::span<const ChunkCoord> mapblocks);
  // Returns the time since the version was the newest.
  std::chrono::milliseconds age() const {
    return std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - confirmed_at_);
  }

  CachedWorldOptions options_;
  StoreLink link_;
  ChangeReader changes_{link_};
  World world_;
  CachedChunks chunks_{world_};
  std::optional<MapblockDecoder> decoder_;  // this and the next two from open() on
  std::optional<MapblockReader> reader_;
  std::optional<CoarseChunks> coarse_;
  std::optional<StoreVersion> version_;
  std::chrono::milliseconds wait_ = options_.timeout;  // the most that the present call waits
  bool awaits_version_ = true;                         // as the present call says; so is the next
  LoadLimit limit_;
  StoreTime confirmed_at_{};
  StoreTime last_pause_{};  // when it was last asked after a pause
  std::uint64_t changed_ = 0;
  std::uint64_t restarts_ = 0;
};

}  // namespace fractalray
