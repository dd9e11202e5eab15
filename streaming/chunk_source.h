// SPDX-License-Identifier: Apache-2.0
// Chunk sources: the engine's side of loading on demand. A disk, a network or a generator answers
// requests for chunks.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/vec.h"
#include "../levels/chunk.h"
#include "../levels/chunk_path.h"

namespace fractalray {

namespace internal {
class PendingChunk;
}

// A request for one chunk. The source answers it once, at once or later, from any thread; to answer
// later, it moves the request to wherever it keeps its work. A request that is destroyed without an
// answer counts as failed. It may outlive the streamer. Not thread-safe itself: one thread at a
// time.
class ChunkRequest {
 public:
  explicit ChunkRequest(std::shared_ptr<internal::PendingChunk> pending);
  ~ChunkRequest();
  ChunkRequest(ChunkRequest&& other) noexcept;
  ChunkRequest& operator=(ChunkRequest&& other) noexcept;

  // Returns the path of the chunk from the root: no move of the window changes it. Requires:
  // neither answered nor moved from. Cost: a copy of the path.
  ChunkPath path() const;
  // Returns false once an answer would be dropped: the chunk is out of reach, the request has timed
  // out, or the streamer is gone. A source with a queue skips such requests.
  bool isWanted() const;

  // Answers with
  // - the chunk, which a later tick loads. Its ids must be in the table of block types of the
  //   streamer's world. Ids that it borrows must stay at their address from this call on, until
  //   ChunkSource::unloading or dropped() says otherwise, or this call returns an error;
  // - NOT_FOUND: there is no such chunk and never will be. It is not requested again as long as it
  //   is in reach;
  // - any other error: the chunk stays proto, and is requested again after growing delays.
  // FAILED_PRECONDITION, and no effect, for a second answer. CANCELLED, and no effect, if the
  // request is no longer wanted. Does not block, and allocates only the message of such an error.
  absl::Status answer(absl::StatusOr<Chunk> content);

 private:
  // Answers a request that is about to be dropped.
  void abandon() noexcept;

  std::shared_ptr<internal::PendingChunk> pending_;  // null once answered or moved from
};

// Supplies chunks to a ChunkStreamer, which it must outlive.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  // Answers a request now, or keeps it to answer it later. Called by ChunkStreamer::tick() on the
  // threads of its ParallelFor, several at once, while nothing changes the world: it may read the
  // world and the block types, and must not edit them. An exception counts as a failure of this
  // request.
  virtual void request(ChunkRequest request) = 0;

  // Called before a chunk that the streamer has loaded is unloaded: by ChunkStreamer::tick(), and
  // by the window before a move that drops it, in no particular order, each on the thread that
  // makes that call. An exception passes through the tick or the move. Then, and also if memory
  // runs out, the chunk stays loaded, and unloading() is called again before the chunk is unloaded
  // later. So borrowed ids may be freed as soon as the tick or the move has ended without an
  // exception. A tick that ends with one has unloaded exactly the chunks of
  // ChunkStreamer::unloaded(), whose ids may be freed too. Must not edit the world. Does nothing by
  // default.
  virtual void unloading(int level, const ChunkCoord& at, const Chunk& chunk);

  // Called once for each chunk that ChunkRequest::answer has accepted (it has returned OK) and that
  // will not be loaded: it is out of reach by now, does not fit, could not be loaded, came just too
  // late, or the streamer is destroyed. Its borrowed ids may be freed at once. Called by
  // ChunkStreamer::tick() and by the streamer's destructor, on the thread that makes that call, in
  // no particular order, and before the same chunk is requested again. An exception passes through
  // the tick, and the call is not repeated; the destructor ignores it. If memory runs out in the
  // destructor, calls may be missing: from then on nothing reads ids of chunks that were not
  // loaded. Must not edit the world. Does nothing by default.
  virtual void dropped(const ChunkPath& path);
};

}  // namespace fractalray
