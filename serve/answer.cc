// SPDX-License-Identifier: Apache-2.0
#include "answer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/frame.h"
#include "answer_frame.h"
#include "pace.h"
#include "reply.h"
#include "slice.h"

namespace fractalray::serve {
namespace {

// When to call again after UNAVAILABLE and ABORTED: a store is asked again by then.
constexpr std::chrono::milliseconds kRetry{20};

const char* functionOf(std::uint32_t verb) {
  if (verb == wire::kClosestHits) return "frWorld_ClosestHits";
  return verb == wire::kCompactHits ? "frWorld_CompactHits" : "frWorld_OccludedMany";
}

absl::Status cancelled() {
  return absl::CancelledError("nobody waits for the answer");
}

void addStats(const frStats& part, frStats& sum) {
  using Counters = std::array<std::uint64_t, sizeof(frStats) / sizeof(std::uint64_t)>;
  Counters more{};
  Counters all{};
  std::memcpy(more.data(), &part, sizeof part);
  std::memcpy(all.data(), &sum, sizeof sum);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] += more[i];
  std::memcpy(&sum, all.data(), sizeof sum);
}

std::uint64_t stepsOf(const frStats& stats) {
  return stats.cells + stats.index_cells + stats.entities_tested + stats.skips + stats.listed +
         stats.ordered;
}

// Returns what frGetLastError() says, without the function and the number of a line.
std::string lastError(const std::string& prefix) {
  std::string_view text = frGetLastError();
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return std::string(text);
}

// Returns the time of a line of sight or a hit up to which it depends on blocks; `unknown` is where
// the line is first unknown, if the query stops there.
double decidedAt(std::uint8_t kind, double t, double unknown) {
  if (kind != FR_HIT_NONE) return t;
  return std::isnan(unknown) ? std::numeric_limits<double>::infinity() : unknown;
}

// The answer to one call: a frame whose arrays the library fills in place.
class Answering {
 public:
  Answering(Call& call, AnswerSource& source, const ServeLimits& limits)
      : call_(call), request_(call.request), source_(source), limits_(limits) {}

  absl::Status run() {
    if (call_.is_cancelled) return cancelled();
    absl::Status status = setTimes();
    if (!status.ok()) return status;
    frame_.emplace(request_, call_.reply);
    setOptions();
    status = answerSlices();
    if (!status.ok()) return status;
    if (call_.is_cancelled) return cancelled();
    call_.completed = total_.batch.completed;
    frame_->finish(total_, std::move(version_), std::move(error_), call_.number);
    return status;
  }

 private:
  using Microseconds = std::chrono::microseconds;

  // Finds out until when slices may begin.
  absl::Status setTimes() {
    const Clock::time_point now = Clock::now();
    PaceOptions options{.begin = now, .limit = now + limits_.call_time};
    options.lines = request_.lines.count;
    options.bytes_per_line = bytesPerLine(request_);
    options.most = std::min(source_.mostLines(), AnswerSource::kMostLines);
    // Each slice converts the hits of the options: if there are many, it has more lines, so that
    // this takes less time than they do.
    constexpr std::size_t kHitsPerLine = 16;
    const std::size_t hits_of_options = request_.options.after_count;
    options.first = std::min(std::max(options.first, hits_of_options / kHitsPerLine), options.most);
    if (request_.deadline_us != 0) {
      constexpr std::uint64_t kMost = 1'000'000'000'000;  // sums do not overflow
      options.deadline = call_.received + Microseconds(std::min(request_.deadline_us, kMost));
      if (*options.deadline <= now) {
        return absl::DeadlineExceededError(absl::StrCat(
            "the deadline of ", request_.deadline_us,
            " us has passed while the call was received and waited in the server's queue"));
      }
    }
    pace_.emplace(options);
    return absl::OkStatus();
  }

  void setOptions() {
    options_ = request_.options;
    options_.struct_size = sizeof options_;
    total_.batch.struct_size = sizeof(frBatchResult);
    // Handles of entities are of another index each tick, and were of another process.
    options_.after_by_id = 1;
    if (limits_.max_steps == 0) return;
    options_.max_steps = options_.max_steps == 0 ? limits_.max_steps
                                                 : std::min(options_.max_steps, limits_.max_steps);
  }

  absl::Status answerSlices() {
    const std::size_t count = request_.lines.count;
    do {
      if (call_.is_cancelled) return absl::OkStatus();
      const std::size_t done = total_.batch.completed;
      const std::optional<std::size_t> size = pace_->next(done, Clock::now());
      if (!size.has_value()) {
        total_.rest = FR_DEADLINE_EXCEEDED;
        return absl::OkStatus();
      }
      const absl::StatusOr<Progress> progress = answerSlice(done, *size);
      if (done > 0 && absl::IsUnavailable(progress.status())) {
        total_.rest = FR_UNAVAILABLE;
        return absl::OkStatus();
      }
      if (!progress.ok()) return progress.status();
      if (*progress == Progress::kOtherVersion && !restart()) return absl::OkStatus();
      if (*progress == Progress::kOutOfSteps) {
        total_.rest = FR_RESOURCE_EXHAUSTED;
        return absl::OkStatus();
      }
    } while (total_.batch.completed < count);
    return absl::OkStatus();
  }

  // The outcome of a slice.
  enum class Progress {
    kAnswered,
    kOutOfSteps,    // max_batch_steps
    kOtherVersion,  // the world has changed since the slices before
  };

  // Begins again, in the world as it is now. Returns false if that has been done too often: then
  // the answer is what there is.
  bool restart() {
    constexpr int kMostRestarts = 3;
    if (restarts_++ == kMostRestarts) {
      total_.rest = FR_UNAVAILABLE;
      return false;
    }
    total_ = {};
    total_.batch.struct_size = sizeof(frBatchResult);
    error_.clear();
    pace_->restart(Clock::now());
    return true;
  }

  absl::StatusOr<Progress> answerSlice(std::size_t first, std::size_t size) {
    frQueryOptions options = options_;
    if (options.max_batch_steps > 0) {
      const std::uint64_t steps = stepsOf(total_.batch.stats);
      if (steps >= options.max_batch_steps) return Progress::kOutOfSteps;
      options.max_batch_steps -= steps;
    }
    const bool has_options =
        request_.has_options || request_.lines.after != nullptr || limits_.max_steps > 0;
    const Question question{.verb = request_.verb,
                            .lines = slices_.of(request_.lines, first, size),
                            .levels = request_.levels,
                            .options = has_options ? &options : nullptr};
    const Freshness fresh{
        .at_least = request_.at_least, .until = pace_->end(), .is_cancelled = &call_.is_cancelled};
    absl::StatusOr<SourceView> view = source_.view(question, fresh);
    if (!view.ok()) return view.status();
    if (!takeVersion(*view, first)) return Progress::kOtherVersion;
    frBatchResult part{};
    absl::Status status = ask(view->world, question, first, part);
    if (!status.ok()) return status;
    if (!source_.isFinal(question, *view, decided(question, first), fresh)) {
      view = source_.load(question, fresh);
      if (!view.ok()) return view.status();
      if (!takeVersion(*view, first)) return Progress::kOtherVersion;
      status = ask(view->world, question, first, part);
      if (!status.ok()) return status;
    }
    add(part, first);
    return part.completed < size ? Progress::kOutOfSteps : Progress::kAnswered;
  }

  // Returns true if a view has the version of the call, which is that of the first lines.
  bool takeVersion(SourceView& view, std::size_t first) {
    if (first > 0) return view.version == version_ && view.feeds == feeds_;
    version_ = std::move(view.version);
    feeds_ = view.feeds;
    total_.tick = view.tick;
    return true;
  }

  absl::Status ask(const frWorld* world, const Question& question, std::size_t first,
                   frBatchResult& part) {
    part = {};
    part.struct_size = sizeof part;
    if (total_.batch.errors == 0) error_.clear();
    const frResult result = askWorld(world, question, first, part);
    if (result == FR_OK) {
      if (part.errors > 0 && total_.batch.errors == 0) keepError(first, question.lines.count);
      return absl::OkStatus();
    }
    return {static_cast<absl::StatusCode>(result),
            lastError(absl::StrCat(functionOf(request_.verb), ": "))};
  }

  frResult askWorld(const frWorld* world, const Question& question, std::size_t first,
                    frBatchResult& part) {
    std::byte* const answers = frame_->answers(first);
    frResult* const results = frame_->results(first);
    double* const unknown = frame_->unknown(first);
    if (request_.verb == wire::kClosestHits) {
      return frWorld_ClosestHits(world, &question.lines, question.levels, question.options,
                                 reinterpret_cast<frHit*>(answers), unknown, results, &part);
    }
    if (request_.verb == wire::kCompactHits) {
      return frWorld_CompactHits(world, &question.lines, question.levels, question.options,
                                 reinterpret_cast<frCompactHit*>(answers), unknown, results, &part);
    }
    return frWorld_OccludedMany(world, &question.lines, question.levels, question.options,
                                reinterpret_cast<std::uint8_t*>(answers), frame_->blockers(first),
                                results, &part);
  }

  // Returns the times up to which answers depend on blocks.
  std::span<const double> decided(const Question& question, std::size_t first) {
    decided_.assign(question.lines.count, std::numeric_limits<double>::infinity());
    const bool stops = question.options != nullptr && question.options->stop_at_unknown != 0;
    const double* const unknown = stops ? frame_->unknown(first) : nullptr;
    const std::byte* const answers = frame_->answers(first);
    for (std::size_t i = 0; i < decided_.size(); ++i) {
      const double from =
          unknown == nullptr ? std::numeric_limits<double>::quiet_NaN() : unknown[i];
      if (request_.verb == wire::kClosestHits) {
        const frHit& hit = reinterpret_cast<const frHit*>(answers)[i];
        decided_[i] = decidedAt(hit.kind, hit.t, from);
      } else if (request_.verb == wire::kCompactHits) {
        const frCompactHit& hit = reinterpret_cast<const frCompactHit*>(answers)[i];
        decided_[i] = decidedAt(hit.kind, hit.t, from);
      }
    }
    return decided_;
  }

  // Adds a slice to the answer.
  void add(const frBatchResult& part, std::size_t first) {
    total_.batch.blocks_version = part.blocks_version;
    total_.batch.entities_version = part.entities_version;
    total_.batch.errors += part.errors;
    total_.batch.hits += part.hits;
    total_.batch.completed = first + part.completed;
    addStats(part.stats, total_.batch.stats);
  }

  // Keeps the first error of the lines of a slice, of which there is one.
  void keepError(std::size_t first, std::size_t size) {
    std::size_t line = 0;
    while (line + 1 < size && *frame_->results(first + line) == FR_OK)
      ++line;
    total_.first_error = first + line;
    error_ = lastError(absl::StrCat(functionOf(request_.verb), ": line ", line, ": "));
  }

  Call& call_;
  CallRequest& request_;
  AnswerSource& source_;
  const ServeLimits& limits_;
  std::optional<Pace> pace_;  // from setTimes() on
  int restarts_ = 0;
  std::optional<AnswerFrame> frame_;  // the same
  frQueryOptions options_{};
  LineSlices slices_;
  std::vector<double> decided_;
  wire::AnswerHead total_;
  std::string version_;
  std::uint64_t feeds_ = 0;
  std::string error_;
};

// Returns work(), with exceptions as errors.
absl::Status guarded(absl::FunctionRef<absl::Status()> work) noexcept {
  try {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return absl::ResourceExhaustedError("the server has not enough memory for the call");
    } catch (const std::exception& error) {
      return absl::InternalError(error.what());
    }
  } catch (const std::bad_alloc&) {
    return {absl::StatusCode::kResourceExhausted, ""};  // there is no memory even for a text
  }
}

// Sets the reply of a call that has failed; none if there is no memory even for that.
void setError(Call& call, const absl::Status& error) noexcept {
  call.reply.clear();
  call.completed = 0;
  try {
    const bool may_help = absl::IsUnavailable(error) || absl::IsAborted(error);
    call.reply = errorReply(call.request.verb, call.number, error,
                            may_help ? kRetry : std::chrono::milliseconds(0));
  } catch (const std::bad_alloc&) {
    call.reply.clear();
  }
}

}  // namespace

std::uint64_t mostAnswerBytes(std::uint64_t lines) {
  CallRequest request;
  request.verb = wire::kClosestHits;
  request.wants = wire::kAllWants;
  request.lines.count = lines;
  return answerBytes(request);
}

void answerCall(Call& call, AnswerSource& source, const ServeLimits& limits) noexcept {
  const Clock::time_point begin = Clock::now();
  const absl::Status status = guarded([&] { return Answering(call, source, limits).run(); });
  call.worked = Clock::now() - begin;
  if (!status.ok()) setError(call, status);
  call.result = static_cast<std::int32_t>(status.code());
}

void answerTick(Call& call, AnswerSource& source) noexcept {
  const absl::Status status = guarded([&]() -> absl::Status {
    if (call.is_cancelled) return cancelled();
    const absl::StatusOr<EntityTick> tick = decodeTick(call.body);
    if (!tick.ok()) return tick.status();
    std::vector<std::byte> reply = emptyReply(call.request.verb, call.number);
    absl::Status fed = source.feed(*tick);
    if (fed.ok()) call.reply = std::move(reply);
    return fed;
  });
  if (!status.ok()) setError(call, status);
}

}  // namespace fractalray::serve
