// SPDX-License-Identifier: Apache-2.0
// The interface between the server and the world from which it answers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../bindings/c/fractalray_c.h"
#include "../levels/block_type.h"
#include "entity_feed.h"

namespace fractalray::serve {

// Lines that are answered together: a part of a call.
struct Question {
  std::uint32_t verb = 0;  // wire::Verb, but no hello
  frLines lines{};         // have passed no check but that of their sizes
  frLevelMask levels = 0;
  const frQueryOptions* options = nullptr;  // null for the defaults
};

// How new the world is to be.
struct Freshness {
  // A version, that of a writer or of another answer, which the answer's is to include; or empty.
  std::string_view at_least{};
  // The latest time until which to wait for it, and for what a question needs.
  std::chrono::steady_clock::time_point until{};
  // True once nobody waits for the answer any more: then not even that long. Null for never.
  const std::atomic<bool>* is_cancelled = nullptr;

  bool isCancelled() const { return is_cancelled != nullptr && *is_cancelled; }
};

// A world in which lines can be answered now.
struct SourceView {
  const frWorld* world = nullptr;
  // The name of the blocks: WORLD@..., equal for equal ones; at most kMaxVersionBytes. WORLD alone
  // names the world, whatever its edits.
  std::string version{};
  // The number of the tick that the entities are of; 0 if nobody feeds them.
  std::uint64_t tick = 0;
  // EntityFeed::State::feeds of the entities: whole ticks may repeat a number.
  std::uint64_t feeds = 0;
  // Keeps the world as it is; empty if it is never changed.
  std::shared_ptr<const void> hold{};
};

// A number of a source for its server's metrics.
struct SourceMetric {
  std::string_view name;  // without the prefix of all metrics
  std::string_view type;  // "counter" or "gauge"
  std::string_view help;
  std::uint64_t value = 0;
};

// Has the answers. Another kind of world is another class. Functions are called by several threads
// at once. Errors of view() and load(): UNAVAILABLE if what is needed cannot be had in time,
// ABORTED if the version does not include `at_least` in time, where it may help to call again;
// FAILED_PRECONDITION, with both names, if `at_least` is of another world; INVALID_ARGUMENT if it
// is no version; CANCELLED if nobody waits any more.
class AnswerSource {
 public:
  static constexpr std::size_t kMaxVersionBytes = 1024;
  static constexpr std::size_t kMostLines = 1024;

  AnswerSource() = default;
  virtual ~AnswerSource() = default;
  AnswerSource(const AnswerSource&) = delete;
  AnswerSource& operator=(const AnswerSource&) = delete;

  // Returns a world that is new enough, which may lack what the question needs. Called before each
  // question.
  virtual absl::StatusOr<SourceView> view(const Question& question, const Freshness& fresh) = 0;
  // Returns true if a view has all on which its answers to a question depend. Those to first hits
  // depend on blocks up to the times `until`, one for each line, infinity for a line without a hit.
  // Lines of sight depend on all that is solid, and have infinity.
  virtual bool isFinal(const Question& /*question*/, const SourceView& /*view*/,
                       std::span<const double> /*until*/, const Freshness& /*fresh*/) {
    return true;
  }
  // Returns a view that has all that the question needs; called if another view did not.
  virtual absl::StatusOr<SourceView> load(const Question& question, const Freshness& fresh) {
    return view(question, fresh);
  }
  // Returns the most lines of a question, at most kMostLines.
  virtual std::size_t mostLines() const { return kMostLines; }

  // Takes the entities of a tick over, of which later views are. Errors: EntityFeed::apply(), and
  // FAILED_PRECONDITION for a source that takes none.
  virtual absl::Status feed(const EntityTick& /*tick*/) {
    return absl::FailedPreconditionError("the server's world takes no entities of a feed");
  }

  // Returns the version for clients that connect.
  virtual std::string version() const = 0;
  // Returns what it counts. Names and helps are literals.
  virtual std::vector<SourceMetric> metrics() const { return {}; }
  // Returns blockTypesFingerprint() of the table of types, which stays as it is; 0 if it does not.
  virtual std::uint64_t blockTypes() const { return 0; }
  // Returns the names of that table, in the order of their numbers, a zero byte after each; "" if
  // it may change. Lives as long as the source.
  virtual std::string_view blockTypeNames() const { return {}; }
};

// Returns the part of a version that names the world: what is before the last '@'.
std::string_view worldOf(std::string_view version);
// Returns the names of a table, as blockTypeNames() does.
std::string namesOf(const BlockTypeTable& types);
// Checks `at_least` for a world that nobody changes: FAILED_PRECONDITION unless it is empty or the
// version.
absl::Status checkUnchanging(std::string_view version, std::string_view at_least);

}  // namespace fractalray::serve
