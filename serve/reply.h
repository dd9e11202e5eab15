// SPDX-License-Identifier: Apache-2.0
// Frames that answer without arrays.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

#include "serve_limits.h"

namespace fractalray::serve {

// Returns the frame of an error. `retry` is when to call again; 0 if that would not help.
std::vector<std::byte> errorReply(std::uint32_t verb, std::uint64_t number,
                                  const absl::Status& error, std::chrono::microseconds retry = {});
// Returns the answer to a hello; `block_types` is AnswerSource::blockTypes(). Requires: the version
// is as SourceView has it.
std::vector<std::byte> helloReply(std::uint64_t number, const ServeLimits& limits,
                                  std::uint64_t block_types, std::string_view version);

// Returns the answer to a request for block types, whose names are as AnswerSource has them; and
// its bytes.
std::vector<std::byte> typesReply(std::uint64_t number, std::string_view names);
std::uint64_t typesReplyBytes(std::string_view names);

// Returns an answer that has nothing but its head.
std::vector<std::byte> emptyReply(std::uint32_t verb, std::uint64_t number);

// Appends bytes to a frame, and zeros up to a multiple of 8.
void appendPart(std::vector<std::byte>& frame, const void* part, std::size_t bytes);

}  // namespace fractalray::serve
