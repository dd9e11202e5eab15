// SPDX-License-Identifier: Apache-2.0
#include "streamer_state.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "../../core/units.h"
#include "../../query/internal/query_scope.h"

namespace fractalray::internal {
namespace {

bool isNeededMore(const StreamRecord* a, const StreamRecord* b) {
  return a->need < b->need;
}

std::string nameOf(const Need& need) {
  return absl::StrCat("chunk [", need.chunk[0], ", ", need.chunk[1], ", ", need.chunk[2],
                      "] of level ", need.level);
}

}  // namespace

StreamerState::StreamerState(Window& window, ChunkSource& source, const StreamOptions& options)
    : window_(window),
      source_(source),
      options_(options),
      anchor_(window),
      reach_(window.world().frame(), options) {}

StreamerState::~StreamerState() {
  records_.forEach([](StreamRecord& record) {
    if (record.pending != nullptr) record.pending->cancel();
  });
}

void StreamerState::setOptions(const StreamOptions& options) {
  StreamOptions copy = options;
  ChunkReach reach(frame(), copy);
  reach.setViewers(reach_.viewers());
  options_ = std::move(copy);
  reach_ = std::move(reach);
  is_settled_ = false;
}

absl::Status StreamerState::checkTick(std::span<const Vec3i> viewers) const {
  if (queryDepth() > 0) {
    return absl::FailedPreconditionError(
        "tick was called in a callback of a query; call it between queries");
  }
  if (is_ticking_) {
    return absl::FailedPreconditionError("tick was called by the source, within another tick");
  }
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t at = viewers[i][axis];
      if (at >= -kMaxCoordinate && at <= kMaxCoordinate) continue;
      return absl::OutOfRangeError(
          absl::StrCat("viewer ", i, " is at ", at, " units on axis ", axis,
                       ", outside of the frame's 2^61 units; has the window moved?"));
    }
  }
  return absl::OkStatus();
}

absl::Status StreamerState::tick(std::span<const Vec3i> viewers, ParallelFor parallel_for) {
  if (absl::Status status = checkTick(viewers); !status.ok()) return status;
  followWindow();
  const bool is_idle = isIdle(viewers);
  reach_.setViewers(viewers);
  loaded_.clear();
  unloaded_.clear();
  ++now_;
  if (is_idle) return absl::OkStatus();
  is_settled_ = false;
  is_sorted_ = false;
  is_ticking_ = true;
  const absl::Cleanup end = [this] { is_ticking_ = false; };
  const std::uint64_t version = window_.world().version();
  review();
  unloadOutOfReach();
  evictDownTo(options_.max_bytes);
  plan();
  ask(parallel_for);
  settle();
  putProtos();
  settled_version_ = window_.world().version();
  is_settled_ = plan_.empty() && settled_version_ == version;
  return absl::OkStatus();
}

bool StreamerState::isIdle(std::span<const Vec3i> viewers) const {
  return is_settled_ && now_ >= named_until_ && countOf(StreamProgress::kNamed) == 0 &&
         countOf(StreamProgress::kPending) == 0 && countOf(StreamProgress::kFailed) == 0 &&
         window_.world().version() == settled_version_ &&
         std::equal(viewers.begin(), viewers.end(), reach_.viewers().begin(),
                    reach_.viewers().end());
}

void StreamerState::followWindow() {
  if (!anchor_.hasMoved(window_)) return;
  AnchorFollower anchor(window_);
  // Chunks that move out of the frame have left the world with the move.
  records_.follow(anchor_.shift(window_), [this](StreamRecord& record) {
    if (record.pending != nullptr) {
      record.pending->cancel();
      ++totals_.cancelled;
    }
    if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
    --countOf(record.progress);
  });
  anchor_ = std::move(anchor);
  is_settled_ = false;
}

void StreamerState::setProgress(StreamRecord& record, StreamProgress progress) noexcept {
  --countOf(record.progress);
  ++countOf(progress);
  record.progress = progress;
}

bool StreamerState::isVoid(const StreamRecord& record) const {
  const ChunkState state = window_.world().chunkState(record.need.level, record.need.chunk);
  if ((state == ChunkState::kLoaded) != (record.progress == StreamProgress::kLoaded)) return true;
  // A named chunk that nobody has named lately, or whose level is no longer streamed.
  return record.progress == StreamProgress::kNamed &&
         (!record.isNamed() || !reach_.isStreamed(record.need.level));
}

bool StreamerState::isOutOfReach(const StreamRecord& record) const {
  return !record.isNamed() && !reach_.isKept(record.need.level, record.need.distance);
}

void StreamerState::review() {
  leaving_.clear();
  open_.clear();
  by_need_.clear();
  const World& world = window_.world();
  records_.forEach([&](StreamRecord& record) {
    if (record.isNamed() && now_ > record.wanted_until) record.need.order = Need::kNotNamed;
    record.need.distance = reach_.distance(record.need.level, record.need.chunk);
    if (isVoid(record) || isOutOfReach(record)) {
      leaving_.push_back(&record);
      return;
    }
    if (record.progress == StreamProgress::kLoaded) {
      by_need_.push_back(&record);
      const std::size_t bytes = world.chunk(record.need.level, record.need.chunk)->bytes();
      bytes_ += bytes - record.bytes;
      record.bytes = bytes;
    }
    if (record.progress == StreamProgress::kPending || record.progress == StreamProgress::kFailed) {
      open_.push_back(&record);
    }
  });
  for (StreamRecord* const record : open_) {
    if (record->progress != StreamProgress::kPending || record->pending->isAnswered()) continue;
    if (now_ < record->due) continue;
    ++totals_.timed_out;
    fail(*record, absl::DeadlineExceededError("the source has not answered in time"));
  }
}

void StreamerState::unloadOutOfReach() {
  // Void records and those without a chunk first; then the chunks that are needed least.
  const auto loaded = std::partition(leaving_.begin(), leaving_.end(), [&](StreamRecord* record) {
    return record->progress != StreamProgress::kLoaded || isVoid(*record);
  });
  std::for_each(leaving_.begin(), loaded, [this](StreamRecord* record) { forget(*record); });
  std::sort(loaded, leaving_.end(), [](auto* a, auto* b) { return isNeededMore(b, a); });
  const auto count = std::min<std::size_t>(options_.chunks_per_tick,
                                           static_cast<std::size_t>(leaving_.end() - loaded));
  for (auto it = loaded; it != loaded + static_cast<std::ptrdiff_t>(count); ++it) {
    unload(**it);
    ++totals_.unloaded;
  }
  // Those that have to wait for a later tick may be evicted.
  by_need_.insert(by_need_.end(), loaded + static_cast<std::ptrdiff_t>(count), leaving_.end());
}

void StreamerState::eraseRecord(StreamRecord& record) noexcept {
  if (record.pending != nullptr) record.pending->cancel();
  --countOf(record.progress);
  if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
  records_.erase(record);
}

void StreamerState::forget(StreamRecord& record) {
  World& world = window_.world();
  if (record.pending != nullptr) ++totals_.cancelled;
  if (world.chunkState(record.need.level, record.need.chunk) == ChunkState::kProto &&
      record.progress != StreamProgress::kLoaded) {
    world.unloadChunk(record.need.level, record.need.chunk).IgnoreError();  // it is there
  }
  eraseRecord(record);
}

void StreamerState::unload(StreamRecord& record) {
  World& world = window_.world();
  const auto [level, chunk] = ChunkOfLevel{record.need.level, record.need.chunk};
  ensureCapacity(unloaded_, unloaded_.size() + 1);
  source_.unloading(level, chunk, *world.chunk(level, chunk));
  world.unloadChunk(level, chunk).IgnoreError();  // it is there
  unloaded_.push_back({level, chunk});
  eraseRecord(record);
}

void StreamerState::sortLoaded() {
  if (is_sorted_) return;
  std::sort(by_need_.begin(), by_need_.end(), isNeededMore);
  is_sorted_ = true;
}

void StreamerState::evictDownTo(std::size_t bytes) {
  if (bytes_ <= bytes) return;
  sortLoaded();
  while (bytes_ > bytes && !by_need_.empty()) {
    unload(*by_need_.back());
    by_need_.pop_back();
    ++totals_.evicted;
  }
}

bool StreamerState::makeSpace(std::size_t bytes, const Need& need) {
  if (bytes_ + bytes <= options_.max_bytes) return true;
  sortLoaded();
  std::size_t freed = 0;
  for (auto it = by_need_.rbegin(); it != by_need_.rend() && (*it)->need > need; ++it) {
    freed += (*it)->bytes;
    if (bytes_ + bytes > options_.max_bytes + freed) continue;
    evictDownTo(options_.max_bytes - bytes);
    return true;
  }
  return false;
}

void StreamerState::plan() {
  plan_.clear();
  const std::size_t pending = countOf(StreamProgress::kPending);
  const std::size_t most = std::min(options_.chunks_per_tick,
                                    options_.max_pending - std::min(options_.max_pending, pending));
  const auto is_due = [this](const StreamRecord& record) {
    return record.progress == StreamProgress::kNamed ||
           (record.progress == StreamProgress::kFailed && record.due <= now_);
  };
  records_.forEach([&](const StreamRecord& record) {
    if (record.isNamed() && is_due(record)) plan_.push_back(record.need);
  });
  missing().aroundViewers([&](int level, const ChunkCoord& chunk, std::int64_t distance) {
    const StreamRecord* const record = records_.find(level, chunk);
    if (record != nullptr && (record->isNamed() || !is_due(*record))) return;
    plan_.push_back({.distance = distance, .level = level, .chunk = chunk});
  });
  const auto end = plan_.begin() + static_cast<std::ptrdiff_t>(std::min(most, plan_.size()));
  std::nth_element(plan_.begin(), end, plan_.end());
  plan_.erase(end, plan_.end());
  std::sort(plan_.begin(), plan_.end());
  leaveOutWhatDoesNotFit();
}

void StreamerState::leaveOutWhatDoesNotFit() {
  // Counts on each chunk to be as large as the largest so far.
  const std::size_t reserved = bytes_ + countOf(StreamProgress::kPending) * largest_bytes_;
  if (reserved + plan_.size() * largest_bytes_ <= options_.max_bytes) return;
  sortLoaded();
  std::size_t limit = options_.max_bytes;
  std::size_t used = reserved;
  auto spare = by_need_.rbegin();
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    used += largest_bytes_;
    for (; used > limit && spare != by_need_.rend() && (*spare)->need > plan_[i]; ++spare)
      limit += (*spare)->bytes;
    if (used > limit) return plan_.resize(i);
  }
}

void StreamerState::ask(ParallelFor parallel_for) {
  asked_.clear();
  const absl::Cleanup clear = [this] { asked_.clear(); };  // abandons what the source has not got
  asked_.reserve(plan_.size());
  open_.reserve(open_.size() + plan_.size());
  for (const Need& need : plan_) {
    StreamRecord* record = records_.find(need.level, need.chunk);
    auto pending = std::make_shared<PendingChunk>(anchor_.anchor(), need.level, need.chunk);
    if (record == nullptr) {
      records_.reserve(need.level);
      auto made = std::make_unique<StreamRecord>();
      made->need = need;
      record = &records_.insert(std::move(made));
      ++countOf(StreamProgress::kNamed);
    }
    if (record->progress == StreamProgress::kNamed) open_.push_back(record);
    record->pending = pending;
    record->due = now_ + (options_.answer_ticks << std::min(record->failures, 20));
    setProgress(*record, StreamProgress::kPending);
    ++totals_.requested;
    asked_.push_back({record, ChunkRequest(std::move(pending))});
  }
  if (asked_.empty()) return;
  parallel_for(asked_.size(), [this](std::size_t i) {
    Asked& asked = asked_[i];
    try {
      source_.request(std::move(asked.request));
    } catch (const std::bad_alloc&) {
      asked.thrown = absl::ResourceExhaustedError("the source has run out of memory");
    } catch (const std::exception& thrown) {
      asked.thrown = absl::UnknownError(absl::StrCat("the source has thrown: ", thrown.what()));
    } catch (...) {
      asked.thrown = absl::UnknownError("the source has thrown");
    }
  });
  for (Asked& asked : asked_) {
    if (!asked.thrown.ok()) fail(*asked.record, asked.thrown);
  }
}

// The chunks and bytes that a tick may still load. Once a chunk does not fit, none is loaded: later
// ones are needed less.
class StreamerState::LoadBudget {
 public:
  explicit LoadBudget(const StreamOptions& options)
      : chunks_(options.chunks_per_tick), bytes_(options.bytes_per_tick) {}

  bool take(std::size_t bytes) {
    is_closed_ = is_closed_ || chunks_ == 0 || (!is_first_ && bytes > bytes_);
    if (is_closed_) return false;
    is_first_ = false;
    --chunks_;
    bytes_ -= std::min(bytes, bytes_);
    return true;
  }

 private:
  std::size_t chunks_;
  std::size_t bytes_;
  bool is_first_ = true;
  bool is_closed_ = false;
};

void StreamerState::settle() {
  std::sort(open_.begin(), open_.end(), isNeededMore);
  LoadBudget budget(options_);
  for (StreamRecord* const record : open_) {
    if (record->progress == StreamProgress::kPending && record->pending->isAnswered()) {
      take(*record, budget);
    }
  }
}

void StreamerState::take(StreamRecord& record, LoadBudget& budget) {
  absl::StatusOr<Chunk>& answer = record.pending->content();
  if (absl::IsNotFound(answer.status())) {
    record.error = answer.status();
    record.pending = nullptr;
    setProgress(record, StreamProgress::kNonexistent);
    ++totals_.nonexistent;
  } else if (!answer.ok()) {
    fail(record, answer.status().message().empty() && absl::IsUnavailable(answer.status())
                     ? absl::UnavailableError("the source has dropped the request unanswered")
                     : answer.status());
  } else if (budget.take(answer->bytes())) {
    load(record, *answer);
  }
}

void StreamerState::load(StreamRecord& record, const Chunk& chunk) {
  const auto [level, at] = ChunkOfLevel{record.need.level, record.need.chunk};
  const std::size_t bytes = chunk.bytes();
  largest_bytes_ = std::max(largest_bytes_, bytes);
  if (!makeSpace(bytes, record.need)) {
    return fail(record, absl::ResourceExhaustedError(absl::StrCat(
                            "it has ", bytes, " bytes, for which there is no space: max_bytes is ",
                            options_.max_bytes, ", and all loaded chunks are needed more")));
  }
  ensureCapacity(loaded_, loaded_.size() + 1);
  // A copy shares the ids: the answer stays whole if memory runs out.
  const absl::Status status = window_.world().loadChunk(level, at, Chunk(chunk));
  if (!status.ok()) return fail(record, status);
  loaded_.push_back({level, at});
  record.bytes = bytes;
  bytes_ += bytes;
  record.pending = nullptr;
  record.failures = 0;
  record.error = absl::OkStatus();
  setProgress(record, StreamProgress::kLoaded);
  ++totals_.loaded;
}

std::uint64_t StreamerState::retryDelay(int failures) const {
  std::uint64_t delay = options_.retry_ticks;
  for (int i = 1; i < failures && delay < options_.max_retry_ticks; ++i)
    delay *= 2;
  return std::min(delay, options_.max_retry_ticks);
}

void StreamerState::fail(StreamRecord& record, const absl::Status& error) {
  const std::string message =
      absl::StrCat(nameOf(record.need), " could not be loaded (failure ", record.failures + 1,
                   "): ", std::string(error.message()));
  record.error = absl::Status(error.code(), message);
  if (record.pending != nullptr) record.pending->cancel();
  record.pending = nullptr;
  ++record.failures;
  record.due = now_ + retryDelay(record.failures);
  setProgress(record, StreamProgress::kFailed);
  ++totals_.failed;
}

void StreamerState::putProtos() {
  World& world = window_.world();
  for (const StreamRecord* const record : open_) {
    const auto [level, at] = ChunkOfLevel{record->need.level, record->need.chunk};
    const ChunkState state = world.chunkState(level, at);
    if (record->progress == StreamProgress::kNonexistent) {
      if (state == ChunkState::kProto) world.unloadChunk(level, at).IgnoreError();
    } else if (record->progress != StreamProgress::kLoaded && state == ChunkState::kAbsent) {
      world.placeProtoChunk(level, at).IgnoreError();  // it is in the frame, and not loaded
    }
  }
}

bool StreamerState::name(const ChunkOfLevel& chunk) {
  StreamRecord* record = records_.find(chunk.level, chunk.chunk);
  if (record == nullptr) {
    records_.reserve(chunk.level);
    auto made = std::make_unique<StreamRecord>();
    made->need.level = chunk.level;
    made->need.chunk = chunk.chunk;
    record = &records_.insert(std::move(made));
    ++countOf(StreamProgress::kNamed);
  } else if (record->progress == StreamProgress::kNonexistent) {
    return false;
  }
  if (!record->isNamed()) record->need.order = next_order_++;
  record->wanted_until = now_ + options_.want_ticks;
  named_until_ = std::max(named_until_, record->wanted_until);
  return true;
}

absl::StatusOr<std::vector<ChunkOfLevel>> StreamerState::want(const FixedSegment& segment,
                                                              LevelMask levels, std::size_t limit) {
  if (limit == 0) {
    return absl::InvalidArgumentError("the limit is 0; it must be at least 1 chunk");
  }
  followWindow();
  auto chunks = missing().onLine(segment, levels, limit, [this](const ChunkOfLevel& chunk) {
    const StreamRecord* const record = records_.find(chunk.level, chunk.chunk);
    return record != nullptr && record->progress == StreamProgress::kNonexistent;
  });
  if (!chunks.ok()) return chunks.status();
  for (const ChunkOfLevel& chunk : *chunks)
    name(chunk);
  return chunks;
}

absl::StatusOr<std::size_t> StreamerState::want(std::span<const ChunkOfLevel> chunks) {
  for (const ChunkOfLevel& chunk : chunks) {
    if (frame().isActive(chunk.level)) continue;
    return absl::InvalidArgumentError(absl::StrCat("level ", chunk.level,
                                                   " is not active; this world has levels 0 to ",
                                                   frame().levels() - 1));
  }
  followWindow();
  std::size_t named = 0;
  for (const ChunkOfLevel& chunk : chunks) {
    const auto missing_chunk = missing().coarsest(chunk);
    if (missing_chunk.has_value() && name(*missing_chunk)) ++named;
  }
  return named;
}

absl::Status StreamerState::error(int level, const ChunkCoord& chunk) {
  followWindow();
  const StreamRecord* const record =
      frame().isActive(level) ? records_.find(level, chunk) : nullptr;
  return record == nullptr ? absl::OkStatus() : record->error;
}

StreamStats StreamerState::stats() const {
  StreamStats stats = totals_;
  stats.ticks = now_;
  stats.pending = countOf(StreamProgress::kPending);
  stats.failing = countOf(StreamProgress::kFailed);
  stats.chunks = countOf(StreamProgress::kLoaded);
  stats.bytes = bytes_;
  return stats;
}

}  // namespace fractalray::internal
