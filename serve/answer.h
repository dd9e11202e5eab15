// SPDX-License-Identifier: Apache-2.0
// Answers calls, on the threads of the server.
#pragma once

#include <cstdint>

#include "call.h"
#include "serve_limits.h"
#include "source.h"

namespace fractalray::serve {

// Returns the most bytes of the answer to a call, and to any call of that many lines.
std::uint64_t answerBytes(const CallRequest& request);
std::uint64_t mostAnswerBytes(std::uint64_t lines);

// Answers a call: sets its outcome. The clock is read between slices: of 1,024 lines, and of 16,
// 32 ... 1,024 if there is a deadline, so that few lines are begun too late; the answer ends at 0.8
// of the time that was left, and has the leading lines. Bounds in steps would be wrong by whatever
// a step takes on this machine. Safe to call from many threads. Throws nothing.
void answerCall(Call& call, AnswerSource& source, const ServeLimits& limits) noexcept;

}  // namespace fractalray::serve
