// SPDX-License-Identifier: Apache-2.0
// Unpacks zstd and zlib data from untrusted files: never more than a limit and never past the end;
// data that is cut off or damaged is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../input_limits.h"

namespace fractalray {

using ByteSpan = std::span<const std::uint8_t>;

// Keeps its buffers from one call to the next. Not thread-safe; use one per thread.
//
// Both calls replace `content` by the content of the one stream at the beginning of `packed`, and
// return how many bytes of `packed` the stream took. Errors: DATA_LOSS for a stream that is cut off
// or damaged, or that needs more than kMaxWindow bytes of window; OUT_OF_RANGE for one with more
// content than `max_content`, of which no more has been unpacked; RESOURCE_EXHAUSTED if zstd or
// zlib runs out of memory, which says nothing about the stream. Throws std::bad_alloc if `content`
// cannot grow.
class Decompressor {
 public:
  static constexpr std::size_t kMaxWindow = std::size_t{64} << 20;

  explicit Decompressor(std::uint64_t max_content = InputLimits().mapblock_bytes);
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  // Unpacks one zstd frame, which need not say how long its content is.
  absl::StatusOr<std::size_t> unpackZstd(ByteSpan packed, std::vector<std::uint8_t>& content);
  // Unpacks one zlib stream.
  absl::StatusOr<std::size_t> unpackZlib(ByteSpan packed, std::vector<std::uint8_t>& content);

 private:
  struct Streams;

  // Makes space after the `used` bytes of content; returns false at the limit.
  bool growContent(std::vector<std::uint8_t>& content, std::size_t used) const;
  absl::Status tooLarge(std::string_view format) const;

  std::uint64_t max_content_;
  std::unique_ptr<Streams> streams_;
};

}  // namespace fractalray
