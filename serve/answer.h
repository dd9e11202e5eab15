// SPDX-License-Identifier: Apache-2.0
// Answers calls, on the threads of the server.
#pragma once

#include <cstdint>

#include "call.h"
#include "serve_limits.h"
#include "source.h"

namespace fractalray::serve {

// Returns the most bytes of the answer to any call of that many lines.
std::uint64_t mostAnswerBytes(std::uint64_t lines);

// Answers a call: sets its outcome. The clock is read between slices of at most 1,024 lines, few at
// a time if there is a deadline (Pace); the answer then has the leading lines. All lines are of one
// version: if the world changes meanwhile, the call begins again, some times. Safe to call from
// many threads. Throws nothing.
void answerCall(Call& call, AnswerSource& source, const ServeLimits& limits) noexcept;

// Applies a tick of entities, the body of a call whose verb is kFeedTick: sets its outcome. Safe to
// call from many threads. Throws nothing.
void answerTick(Call& call, AnswerSource& source) noexcept;

}  // namespace fractalray::serve
