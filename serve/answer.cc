// SPDX-License-Identifier: Apache-2.0
#include "answer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/frame.h"
#include "reply.h"
#include "slice.h"

namespace fractalray::serve {
namespace {

constexpr std::size_t kFirstSlice = 16;  // lines
constexpr std::size_t kLargestSlice = 1024;
constexpr double kUsedShare = 0.8;  // of the time left: the rest is for the way back
// Both heads, and the two texts with what fills them up.
constexpr std::size_t kHeadBytes = sizeof(wire::FrameHead) + sizeof(wire::AnswerHead);
constexpr std::size_t kTextBytes = 2 * (wire::kMaxTextBytes + 8);

bool wantsUnknown(const CallRequest& request) {
  return (request.wants & wire::kWantsUnknown) != 0 && request.verb != wire::kOccludedMany;
}
bool wantsBlockers(const CallRequest& request) {
  return (request.wants & wire::kWantsBlockers) != 0 && request.verb == wire::kOccludedMany;
}

const char* functionOf(std::uint32_t verb) {
  if (verb == wire::kClosestHits) return "frWorld_ClosestHits";
  return verb == wire::kCompactHits ? "frWorld_CompactHits" : "frWorld_OccludedMany";
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

void findEntities(const frWorld* world, std::span<frHit> hits) {
  for (frHit& hit : hits) {
    if (hit.kind != FR_HIT_ENTITY) continue;
    frEntity entity = 0;
    hit.entity = frWorld_FindEntity(world, hit.id, &entity) == FR_OK ? entity : 0;
  }
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
    layOut();
    status = answerSlices();
    if (!status.ok()) return status;
    if (call_.is_cancelled) return cancelled();
    finish();
    return status;
  }

 private:
  using Microseconds = std::chrono::microseconds;

  static absl::Status cancelled() { return absl::CancelledError("nobody waits for the answer"); }

  // Finds out until when slices may begin.
  absl::Status setTimes() {
    const Clock::time_point now = Clock::now();
    begin_ = now;
    end_ = now + limits_.call_time;
    if (request_.deadline_us == 0) return absl::OkStatus();
    constexpr std::uint64_t kMost = 1'000'000'000'000;  // sums do not overflow
    const Clock::time_point deadline =
        call_.received + Microseconds(std::min(request_.deadline_us, kMost));
    if (deadline <= now) {
      return absl::DeadlineExceededError(absl::StrCat(
          "the deadline of ", request_.deadline_us,
          " us has passed while the call was received and waited in the server's queue"));
    }
    const auto used = std::chrono::duration_cast<Clock::duration>(kUsedShare * (deadline - now));
    end_ = std::min(end_, now + used);
    slice_ = kFirstSlice;
    return absl::OkStatus();
  }

  void layOut() {
    const std::size_t count = request_.lines.count;
    unknown_at_ = kHeadBytes + wire::padded(count * wire::answerBytes(request_.verb));
    blockers_at_ = unknown_at_ + (wantsUnknown(request_) ? count * sizeof(double) : 0);
    const std::size_t end =
        blockers_at_ + (wantsBlockers(request_) ? count * sizeof(frBlocker) : 0);
    // With space for results and short texts, so that the frame is not copied to add them.
    call_.reply.reserve(end + wire::padded(count * sizeof(frResult)) + 256);
    call_.reply.resize(end);
    results_.resize(count);
    options_ = request_.options;
    if (limits_.max_steps > 0) {
      options_.max_steps = options_.max_steps == 0
                               ? limits_.max_steps
                               : std::min(options_.max_steps, limits_.max_steps);
    }
    total_.batch.struct_size = sizeof(frBatchResult);
  }

  absl::Status answerSlices() {
    const std::size_t count = request_.lines.count;
    std::size_t done = 0;
    do {
      if (call_.is_cancelled) return absl::OkStatus();
      const Clock::time_point now = Clock::now();
      if (done > 0 && now >= end_) {
        total_.rest = FR_DEADLINE_EXCEEDED;
        return absl::OkStatus();
      }
      absl::StatusOr<SourceView> view = source_.view(request_.lines, request_.levels);
      if (!view.ok()) return view.status();
      if (done > 0 && view->version != version_) {
        total_.rest = FR_UNAVAILABLE;
        return absl::OkStatus();
      }
      if (done == 0) {
        version_ = std::move(view->version);
        findEntities(view->world, request_.option_hits);
        findEntities(view->world, request_.line_hits);
      }
      // A slice is not interrupted: a large one that begins in time may end too late.
      const std::size_t size = std::min(
          count - done,
          done == 0 ? slice_ : linesInTime(done, now - begin_, end_ - now, kFirstSlice, slice_));
      absl::StatusOr<std::size_t> completed = answerSlice(view->world, done, size);
      if (!completed.ok()) return completed.status();
      done += *completed;
      total_.batch.completed = done;
      if (*completed < size) {
        total_.rest = FR_RESOURCE_EXHAUSTED;  // max_batch_steps
        return absl::OkStatus();
      }
      slice_ = std::min(2 * slice_, kLargestSlice);
    } while (done < count);
    return absl::OkStatus();
  }

  // Answers lines; returns how many are done.
  absl::StatusOr<std::size_t> answerSlice(const frWorld* world, std::size_t first,
                                          std::size_t size) {
    const frLines lines = slices_.of(request_.lines, first, size);
    frQueryOptions options = options_;
    if (options.max_batch_steps > 0) {
      const std::uint64_t steps = stepsOf(total_.batch.stats);
      if (steps >= options.max_batch_steps) return std::size_t{0};
      options.max_batch_steps -= steps;
    }
    frBatchResult part{};
    part.struct_size = sizeof part;
    const bool has_options = request_.has_options || limits_.max_steps > 0;
    options.struct_size = sizeof options;
    const frResult result = ask(world, lines, has_options ? &options : nullptr, first, part);
    const std::string function = functionOf(request_.verb);
    if (result != FR_OK) {
      return absl::Status(static_cast<absl::StatusCode>(result), lastError(function + ": "));
    }
    if (part.errors > 0 && total_.batch.errors == 0) keepError(function, first, size);
    total_.batch.blocks_version = part.blocks_version;
    total_.batch.entities_version = part.entities_version;
    total_.batch.errors += part.errors;
    total_.batch.hits += part.hits;
    addStats(part.stats, total_.batch.stats);
    return static_cast<std::size_t>(part.completed);
  }

  frResult ask(const frWorld* world, const frLines& lines, const frQueryOptions* options,
               std::size_t first, frBatchResult& part) {
    std::byte* const frame = call_.reply.data();
    std::byte* const answers = frame + kHeadBytes + first * wire::answerBytes(request_.verb);
    frResult* const results = results_.data() + first;
    double* const unknown =
        wantsUnknown(request_) ? reinterpret_cast<double*>(frame + unknown_at_) + first : nullptr;
    if (request_.verb == wire::kClosestHits) {
      return frWorld_ClosestHits(world, &lines, request_.levels, options,
                                 reinterpret_cast<frHit*>(answers), unknown, results, &part);
    }
    if (request_.verb == wire::kCompactHits) {
      return frWorld_CompactHits(world, &lines, request_.levels, options,
                                 reinterpret_cast<frCompactHit*>(answers), unknown, results, &part);
    }
    frBlocker* const blockers = wantsBlockers(request_)
                                    ? reinterpret_cast<frBlocker*>(frame + blockers_at_) + first
                                    : nullptr;
    return frWorld_OccludedMany(world, &lines, request_.levels, options,
                                reinterpret_cast<std::uint8_t*>(answers), blockers, results, &part);
  }

  // Keeps the first error of the lines of a slice, of which there is one.
  void keepError(const std::string& function, std::size_t first, std::size_t size) {
    std::size_t line = 0;
    while (line + 1 < size && results_[first + line] == FR_OK)
      ++line;
    total_.first_error = first + line;
    error_ = lastError(absl::StrCat(function, ": line ", line, ": "));
  }

  // Moves the completed part of an array to the end of the frame's last part.
  void keep(std::size_t from, std::size_t element) {
    const std::size_t bytes = total_.batch.completed * element;
    std::byte* const frame = call_.reply.data();
    if (from != end_of_frame_ && bytes > 0)
      std::memmove(frame + end_of_frame_, frame + from, bytes);
    std::memset(frame + end_of_frame_ + bytes, 0, wire::padded(bytes) - bytes);
    end_of_frame_ += wire::padded(bytes);
  }

  // Completes the frame.
  void finish() {
    end_of_frame_ = kHeadBytes;
    keep(kHeadBytes, wire::answerBytes(request_.verb));
    if (wantsUnknown(request_)) keep(unknown_at_, sizeof(double));
    if (wantsBlockers(request_)) keep(blockers_at_, sizeof(frBlocker));
    std::vector<std::byte>& frame = call_.reply;
    frame.resize(end_of_frame_);
    if (total_.batch.errors > 0) {
      total_.has_results = 1;
      appendPart(frame, results_.data(), total_.batch.completed * sizeof(frResult));
    }
    version_.resize(std::min(version_.size(), wire::kMaxTextBytes));
    error_.resize(std::min(error_.size(), wire::kMaxTextBytes));
    total_.version_bytes = version_.size();
    total_.error_bytes = error_.size();
    appendPart(frame, version_.data(), version_.size());
    appendPart(frame, error_.data(), error_.size());
    wire::FrameHead head;
    head.verb = request_.verb;
    head.number = call_.number;
    head.bytes = frame.size() - sizeof head;
    std::memcpy(frame.data(), &head, sizeof head);
    std::memcpy(frame.data() + sizeof head, &total_, sizeof total_);
    call_.completed = total_.batch.completed;
  }

  Call& call_;
  CallRequest& request_;
  AnswerSource& source_;
  const ServeLimits& limits_;
  Clock::time_point begin_{};
  Clock::time_point end_{};  // no slice begins then
  std::size_t slice_ = kLargestSlice;
  std::size_t unknown_at_ = 0;
  std::size_t blockers_at_ = 0;
  std::size_t end_of_frame_ = 0;
  std::vector<frResult> results_;
  frQueryOptions options_{};
  LineSlices slices_;
  wire::AnswerHead total_;
  std::string version_;
  std::string error_;
};

// Answers a call, with exceptions as errors.
absl::Status answerGuarded(Call& call, AnswerSource& source, const ServeLimits& limits) {
  try {
    return Answering(call, source, limits).run();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("the server has not enough memory for the call");
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  }
}

// Sets the reply of a call that has failed; none if there is no memory even for that.
void setError(Call& call, const absl::Status& error) noexcept {
  call.reply.clear();
  call.completed = 0;
  try {
    call.reply = errorReply(call.request.verb, call.number, error);
  } catch (const std::bad_alloc&) {
    call.reply.clear();
  }
}

}  // namespace

std::uint64_t answerBytes(const CallRequest& request) {
  const std::uint64_t arrays = wire::answerBytes(request.verb) + sizeof(frResult) +
                               (wantsUnknown(request) ? sizeof(double) : 0) +
                               (wantsBlockers(request) ? sizeof(frBlocker) : 0);
  // Twice the results: they are collected before it is known if they are sent.
  return request.lines.count * (arrays + sizeof(frResult)) + kHeadBytes + kTextBytes;
}

std::uint64_t mostAnswerBytes(std::uint64_t lines) {
  CallRequest request;
  request.verb = wire::kClosestHits;
  request.wants = wire::kAllWants;
  request.lines.count = lines;
  return answerBytes(request);
}

void answerCall(Call& call, AnswerSource& source, const ServeLimits& limits) noexcept {
  const Clock::time_point begin = Clock::now();
  const absl::Status status = answerGuarded(call, source, limits);
  call.worked = Clock::now() - begin;
  if (!status.ok()) setError(call, status);
  call.result = static_cast<std::int32_t>(status.code());
}

}  // namespace fractalray::serve
