// SPDX-License-Identifier: Apache-2.0
// Decodes the body of a call. Whatever the bytes are, arrays are inside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"

#include "../bindings/c/fractalray_c.h"
#include "entity_feed.h"
#include "serve_limits.h"

namespace fractalray::serve {

// A call whose arrays are in the body from which it was decoded.
struct CallRequest {
  std::uint32_t verb = 0;  // wire::Verb, but no hello
  std::uint32_t wants = 0;
  frLines lines{};
  frLevelMask levels = 0;
  std::uint64_t deadline_us = 0;  // 0 for none
  bool has_options = false;
  frQueryOptions options{};
  std::string_view at_least;  // a version, or empty
};

// Decodes a body, which is then part of the call. Errors: INVALID_ARGUMENT for a body that is not
// as CallHead says, options that are those of another version, and pointers in them;
// RESOURCE_EXHAUSTED for more lines than limits.batch_lines. Values of lines, options and hits are
// not checked. Requires: `verb` is one of a call; the body begins at a multiple of 8 bytes.
absl::StatusOr<CallRequest> decodeCall(std::uint32_t verb, std::span<std::byte> body,
                                       const ServeLimits& limits);

// Decodes a tick, which is then part of the body. INVALID_ARGUMENT for a body that is not as
// TickHead says. Requires: as above.
absl::StatusOr<EntityTick> decodeTick(std::span<std::byte> body);

}  // namespace fractalray::serve
