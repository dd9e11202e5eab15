// SPDX-License-Identifier: Apache-2.0
// Runs the queries of a log again and compares the answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

#include "../../query/ray_query_service.h"
#include "logged_answer.h"
#include "query_log.h"

namespace fractalray {

// Returns FAILED_PRECONDITION, naming the difference, if world and entities are not those that the
// log began with, as far as its header knows. Cost: that of the fingerprints.
absl::Status checkRecordedWorld(const QueryLogHeader& header, const World& world,
                                const EntityIndex& entities);

// The outcome of replaying a query.
struct Replayed {
  enum class Outcome : std::uint8_t {
    kEqual,
    kDifferent,
    // Not run: the world had changed, other than by moves of the frame, since the log began, or in
    // any way during the query.
    kWorldHadChanged,
    kNotReplayable,  // the log lacks what the answer depends on: see `reason`
  };
  Outcome outcome = Outcome::kEqual;
  std::string_view reason{};
  std::string answer{};  // the bytes of the new answer, if kEqual or kDifferent
};

// A world and entities on which a log is replayed, without the callbacks of the engine that wrote
// it: the hit at which a callback ended a shot ends it here, and at other hits it continues.
// Terminal rules are in the log, and are applied again.
//
// The world and the entities must be as those of the log were when it began, and be changed by
// nothing else: the replay moves their frame as the log says, and makes no other edit. Not
// thread-safe.
class QueryReplay {
 public:
  // With `ask_all`, queries of another version of the log's world run as well. Requires: both have
  // the same frame, and outlive this.
  QueryReplay(World& world, EntityIndex& entities, const QueryLogHeader& header, bool ask_all);
  QueryReplay(const QueryReplay&) = delete;
  QueryReplay& operator=(const QueryReplay&) = delete;

  // Makes the moves before a query of the log that begins with the header, and runs the query.
  // Requires: the queries of the log, all of them in order. If memory runs out, std::bad_alloc
  // passes through, and the replay is at its end.
  Replayed replay(const LoggedQuery& query);

  // Returns a hit of the log, or of an answer of this replay, in the types of the world: complete
  // enough to resume after it, but without distance, point, normal and categories. Its entity is
  // the living one of that id, its type kAir if the world has none of that name.
  Hit hitOf(const LoggedHit& logged) const;

 private:
  // Moves the frame as the log's was moved.
  void follow(const LoggedMove& move);
  // Returns why the query cannot run again, empty if it can.
  static std::string_view obstacle(const LoggedQuery& query);
  // The callback that ends a shot: the hit has cost its price if that is an effect.
  enum class StoppedBy : std::uint8_t { kEffect, kTest };
  // Runs the query with a callback that ends it at a hit.
  std::string askUntil(const LoggedHit& stop, StoppedBy stopped_by, const LoggedQuery& query,
                       bool with_level_spans);
  // Sets the rules of the query, if they differ from those of the last one.
  void setRules(const LoggedQuery& query);
  std::string ask(const LoggedQuery& query, bool with_level_spans) const;
  // Runs a query of sight, whose answer in the log is given.
  Replayed replaySight(const LoggedQuery& query, const LoggedAnswer& recorded) const;
  // Fills the result of a query of this verb. Takes `after` for a shot that is resumed.
  template <QueryVerb kVerb, class Result>
  absl::Status answer(const LoggedQuery& query, QueryOptions& options, std::vector<Hit>& after,
                      Result& result) const;

  World& world_;
  EntityIndex& entities_;
  RayQueryService service_;
  // The versions in the log that the world and the entities have here: those at its beginning, then
  // those after each move that followed directly on them.
  SceneVersion versions_;
  bool ask_all_;
  std::shared_ptr<const LoggedRules> logged_rules_;
  TerminalRules rules_;  // the same, of the world's types
};

}  // namespace fractalray
