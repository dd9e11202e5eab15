// SPDX-License-Identifier: Apache-2.0
#include "chunk_source.h"

#include <utility>

#include "../core/check.h"
#include "internal/pending_chunk.h"

namespace fractalray {

ChunkRequest::ChunkRequest(std::shared_ptr<internal::PendingChunk> pending)
    : pending_(std::move(pending)) {}

ChunkRequest::~ChunkRequest() {
  abandon();
}

ChunkRequest::ChunkRequest(ChunkRequest&& other) noexcept = default;

ChunkRequest& ChunkRequest::operator=(ChunkRequest&& other) noexcept {
  if (this == &other) return *this;
  abandon();
  pending_ = std::move(other.pending_);
  return *this;
}

ChunkPath ChunkRequest::path() const {
  FRACTALRAY_CHECK(pending_ != nullptr);
  return pending_->path();
}

bool ChunkRequest::isWanted() const {
  return pending_ != nullptr && pending_->isWanted();
}

absl::Status ChunkRequest::answer(absl::StatusOr<Chunk> content) {
  if (pending_ == nullptr) {
    return absl::FailedPreconditionError("this request has been answered; answer each once");
  }
  const std::shared_ptr<internal::PendingChunk> pending = std::move(pending_);
  pending_ = nullptr;
  if (pending->answer(std::move(content))) return absl::OkStatus();
  return absl::CancelledError(
      "the chunk is no longer wanted: it is out of reach, or the answer is too late; see "
      "ChunkRequest::isWanted");
}

void ChunkRequest::abandon() noexcept {
  // The streamer gives it a message: one here would allocate.
  if (pending_ != nullptr) pending_->answer(absl::Status(absl::StatusCode::kUnavailable, ""));
  pending_ = nullptr;
}

void ChunkSource::unloading(int /*level*/, const ChunkCoord& /*at*/, const Chunk& /*chunk*/) {}

void ChunkSource::dropped(const ChunkPath& /*path*/) {}

}  // namespace fractalray
