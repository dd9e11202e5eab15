// SPDX-License-Identifier: Apache-2.0
#include "chunk_streamer.h"

#include <utility>

#include "internal/streamer_state.h"

namespace fractalray {

using internal::StreamerState;

absl::StatusOr<ChunkStreamer> ChunkStreamer::create(Window& window, ChunkSource& source,
                                                    const StreamOptions& options,
                                                    ChunkChanges* changes) {
  absl::Status status = checkStreamOptions(options, window.world().frame());
  if (!status.ok()) return status;
  return ChunkStreamer(std::make_unique<StreamerState>(window, source, options, changes));
}

ChunkStreamer::ChunkStreamer(std::unique_ptr<StreamerState> state) : state_(std::move(state)) {}
ChunkStreamer::~ChunkStreamer() = default;
ChunkStreamer::ChunkStreamer(ChunkStreamer&&) noexcept = default;
ChunkStreamer& ChunkStreamer::operator=(ChunkStreamer&&) noexcept = default;

const StreamOptions& ChunkStreamer::options() const {
  return state_->options();
}

absl::Status ChunkStreamer::setOptions(const StreamOptions& options) {
  absl::Status status = checkStreamOptions(options, state_->frame());
  if (status.ok()) state_->setOptions(options);
  return status;
}

absl::Status ChunkStreamer::tick(std::span<const Vec3i> viewers, ParallelFor parallel_for) {
  return state_->tick(viewers, parallel_for);
}

absl::StatusOr<std::vector<ChunkOfLevel>> ChunkStreamer::wantOnLine(const FixedSegment& segment,
                                                                    LevelMask levels,
                                                                    std::size_t limit) {
  return state_->want(segment, levels, limit);
}

absl::StatusOr<std::size_t> ChunkStreamer::want(std::span<const ChunkOfLevel> chunks) {
  return state_->want(chunks);
}

absl::Status ChunkStreamer::setBlocks(std::span<const BlockChange> changes) {
  return state_->setBlocks(changes);
}

absl::Status ChunkStreamer::setBlock(int level, const BlockCoord& block,
                                     std::optional<BlockTypeId> type,
                                     std::optional<std::int64_t> reverts_at) {
  const absl::StatusOr<BlockChange> change = changeOf(level, block, type, reverts_at);
  return change.ok() ? setBlocks({&*change, 1}) : change.status();
}

absl::StatusOr<BlockChange> ChunkStreamer::changeOf(int level, const BlockCoord& block,
                                                    std::optional<BlockTypeId> type,
                                                    std::optional<std::int64_t> reverts_at) const {
  return state_->changeOf(level, block, type, reverts_at);
}

absl::StatusOr<std::size_t> ChunkStreamer::revertChanges(std::int64_t now, std::size_t limit) {
  return state_->revertChanges(now, limit);
}

absl::Status ChunkStreamer::error(int level, const ChunkCoord& chunk) const {
  return state_->error(level, chunk);
}

std::span<const ChunkOfLevel> ChunkStreamer::loaded() const {
  return state_->loaded();
}

std::span<const ChunkOfLevel> ChunkStreamer::unloaded() const {
  return state_->unloaded();
}

StreamStats ChunkStreamer::stats() const {
  return state_->stats();
}

}  // namespace fractalray
