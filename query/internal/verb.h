// SPDX-License-Identifier: Apache-2.0
// The verbs of queries along a line, and all that differs between them: calls, batches, observers
// and logs take the rest of their path in common. A verb without a Verb does not compile, and one
// that withVerb() misses is a warning of the compiler.
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"

#include "../occlusion.h"
#include "../query.h"
#include "../query_observer.h"
#include "../query_options.h"
#include "../shot_result.h"
#include "search/query_context.h"
#include "service_state.h"
#include "shot/resume_point.h"

namespace fractalray::internal {

// All that is known of a verb:
//   kName          as texts and logs name it
//   kMode          the hits that it wants; kAll if it calls effects and obeys rules
//   Result         what it fills
//   run()          checks and answers a query, without observers. Its `after` is not in `result`
//   hitsIn()       returns the hits of a result, after which a query that fills it may resume
//   observed()     returns the answer as observers receive it
template <QueryVerb>
struct Verb;

template <>
struct Verb<QueryVerb::kShoot> {
  static constexpr std::string_view kName = "shoot";
  static constexpr HitMode kMode = HitMode::kAll;
  using Result = ShotResult;

  static absl::Status run(const ServiceState& state, const Query& query,
                          const QueryOptions& options, ShotResult& result);
  static std::span<const Hit> hitsIn(const ShotResult& result) { return result.hits; }
  static ObservedAnswer observed(const absl::Status& status, const ShotResult& result) {
    return fractalray::observed(status, result);
  }
};

template <>
struct Verb<QueryVerb::kClosestHit> {
  static constexpr std::string_view kName = "closestHit";
  static constexpr HitMode kMode = HitMode::kClosest;
  using Result = ClosestHit;

  static absl::Status run(const ServiceState& state, const Query& query,
                          const QueryOptions& options, ClosestHit& result);
  static std::span<const Hit> hitsIn(const ClosestHit& result) { return spanOf(result.hit); }
  static ObservedAnswer observed(const absl::Status& status, const ClosestHit& result) {
    return fractalray::observed(status, result);
  }

  // Returns an optional hit as a range.
  static std::span<const Hit> spanOf(const std::optional<Hit>& hit) {
    return hit.has_value() ? std::span<const Hit>(&*hit, 1) : std::span<const Hit>();
  }
};

template <>
struct Verb<QueryVerb::kOccluded> {
  static constexpr std::string_view kName = "occluded";
  static constexpr HitMode kMode = HitMode::kAny;
  using Result = OcclusionResult;

  static absl::Status run(const ServiceState& state, const Query& query,
                          const QueryOptions& options, OcclusionResult& result);
  static std::span<const Hit> hitsIn(const OcclusionResult& result) {
    return Verb<QueryVerb::kClosestHit>::spanOf(result.blocker);
  }
  static ObservedAnswer observed(const absl::Status& status, const OcclusionResult& result) {
    return fractalray::observed(status, result.occlusion);
  }
};

// A shot that continues its own result, so it has a function of its own: RayQueryService::resume().
template <>
struct Verb<QueryVerb::kResume> : Verb<QueryVerb::kShoot> {
  static constexpr std::string_view kName = "resume";
};

// Calls visit(Verb<verb>()), and returns what it returns; for a number that no verb has, calls
// nothing, and returns an empty value.
template <class Visit>
constexpr auto withVerb(QueryVerb verb, const Visit& visit) {
  switch (verb) {
    case QueryVerb::kShoot:
      return visit(Verb<QueryVerb::kShoot>());
    case QueryVerb::kClosestHit:
      return visit(Verb<QueryVerb::kClosestHit>());
    case QueryVerb::kOccluded:
      return visit(Verb<QueryVerb::kOccluded>());
    case QueryVerb::kResume:
      return visit(Verb<QueryVerb::kResume>());
  }
  return decltype(visit(Verb<QueryVerb::kShoot>()))();
}

// Returns true if a verb shoots: calls effects, and obeys rules.
inline bool shoots(QueryVerb verb) {
  return withVerb(verb, [](auto of_verb) { return of_verb.kMode == HitMode::kAll; });
}

// Asks a query that an observer sees. Like the function after it, a function of its own, since it
// would slow down the usual path of ask().
template <QueryVerb kVerb, class Result>
[[gnu::noinline]] absl::Status askObserved(const ServiceState& state, const Query& query,
                                           const QueryOptions& options, Result& result) {
  const SceneVersion before = state.version();
  absl::Status status = Verb<kVerb>::run(state, query, options, result);
  // An effect may have removed the observer.
  if (state.observer != nullptr) {
    state.observe(kVerb, query, options, before, Verb<kVerb>::observed(status, result));
  }
  return status;
}

template <QueryVerb kVerb, class Result>
absl::Status ask(const ServiceState& state, const Query& query, const QueryOptions& options,
                 Result& result);

// Asks a query that resumes after hits in its own result, which it replaces: after a copy of them.
template <QueryVerb kVerb, class Result>
[[gnu::noinline]] absl::Status askAfterOwn(const ServiceState& state, const Query& query,
                                           const QueryOptions& options, Result& result) {
  const boost::container::small_vector<Hit, 1> own(options.after.begin(), options.after.end());
  QueryOptions resuming = options;
  resuming.after = {own.data(), own.size()};
  return ask<kVerb>(state, query, resuming, result);
}

// Answers a query of any verb but kResume, with all that a call of the service does.
template <QueryVerb kVerb, class Result>
absl::Status ask(const ServiceState& state, const Query& query, const QueryOptions& options,
                 Result& result) {
  if (liesIn(options.after, Verb<kVerb>::hitsIn(result))) [[unlikely]] {
    return askAfterOwn<kVerb>(state, query, options, result);
  }
  if (state.observer == nullptr) return Verb<kVerb>::run(state, query, options, result);
  return askObserved<kVerb>(state, query, options, result);
}

}  // namespace fractalray::internal
