// SPDX-License-Identifier: Apache-2.0
// Receives the answer of a call into the caller's arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

#include "frame.h"
#include "remote.h"
#include "sockets.h"

namespace fractalray::capi {

// An answer besides the arrays of its call.
struct RemoteAnswer {
  LineError first_error;
  std::string version;
  std::uint64_t tick = 0;
  std::uint64_t retry_us = 0;  // with an error, when to call again, in microseconds
  // True if the connection is at the beginning of the next answer, also after an error.
  bool is_whole = false;
};

// Receives the head of the answer to a request. DATA_LOSS for anything else.
absl::Status receiveHead(int socket, std::uint64_t number, std::uint64_t most_bytes,
                         wire::Clock::time_point until, wire::FrameHead& head);
// Receives the rest of an answer whose head has an error. Returns that error.
absl::Status receiveError(int socket, const wire::FrameHead& head, wire::Clock::time_point until,
                          RemoteAnswer& answer);
// Receives the answer of a call.
absl::Status receiveAnswer(int socket, const RemoteCall& call, std::uint64_t number,
                           wire::Clock::time_point until, RemoteAnswer& answer);
// Receives the names of block types.
absl::Status receiveTypes(int socket, std::uint64_t number, wire::Clock::time_point until,
                          RemoteAnswer& answer, std::vector<std::string>& names);
// Receives an answer without a body.
absl::Status receiveNothing(int socket, std::uint64_t number, wire::Clock::time_point until,
                            RemoteAnswer& answer);
// Receives a text of a body, with what fills it up.
absl::Status receiveText(int socket, std::uint64_t bytes, wire::Clock::time_point until,
                         std::string& text);

}  // namespace fractalray::capi
