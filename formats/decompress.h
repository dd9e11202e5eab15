// SPDX-License-Identifier: Apache-2.0
// Unpacks zstd and zlib data from files that are not to be trusted: never more than a limit, never
// past the end, and what is cut off or damaged is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray {

using ByteSpan = std::span<const std::uint8_t>;

// Keeps its buffers from one call to the next. Not thread-safe; one a thread.
//
// Both calls put the content of the one stream at the beginning of `packed` into `content`, in
// place of what was there, and return how many bytes of `packed` the stream took. DATA_LOSS for a
// stream that is cut off or damaged, or that needs more than kMaxContent bytes of window;
// RESOURCE_EXHAUSTED for one with more content than that, of which no more has been unpacked.
class Decompressor {
 public:
  static constexpr std::size_t kMaxContent = std::size_t{64} << 20;

  Decompressor();
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  // One zstd frame; it need not say how long its content is.
  absl::StatusOr<std::size_t> unpackZstd(ByteSpan packed, std::vector<std::uint8_t>& content);
  // One zlib stream.
  absl::StatusOr<std::size_t> unpackZlib(ByteSpan packed, std::vector<std::uint8_t>& content);

 private:
  struct Streams;

  std::unique_ptr<Streams> streams_;
};

}  // namespace fractalray
