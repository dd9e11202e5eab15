// SPDX-License-Identifier: Apache-2.0
#include "decompress.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

#include "out_of_memory.h"

namespace fractalray {
namespace {

// A mapblock unpacks to about 16 KiB; the buffer doubles from here.
constexpr std::size_t kFirstBuffer = std::size_t{32} << 10;
constexpr int kMaxWindowLog2 = 26;
static_assert(std::size_t{1} << kMaxWindowLog2 == Decompressor::kMaxWindow);

absl::Status streamCutOff(std::string_view format) {
  return absl::DataLossError(absl::StrCat("the ", std::string(format), " data is cut off"));
}

absl::Status damaged(std::string_view format, const char* reason) {
  return absl::DataLossError(absl::StrCat("the ", std::string(format), " data is damaged: ",
                                          reason == nullptr ? "no reason given" : reason));
}

}  // namespace

struct Decompressor::Streams {
  Streams() : zstd(ZSTD_createDCtx()) {
    if (zstd != nullptr) ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, kMaxWindowLog2);
    zlib_ready = inflateInit(&zlib) == Z_OK;  // fails for want of memory alone
  }
  ~Streams() {
    ZSTD_freeDCtx(zstd);
    if (zlib_ready) inflateEnd(&zlib);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  ZSTD_DCtx* zstd;
  z_stream zlib{};
  bool zlib_ready = false;
};

Decompressor::Decompressor(std::uint64_t max_content)
    : max_content_(max_content), streams_(std::make_unique<Streams>()) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

bool Decompressor::growContent(std::vector<std::uint8_t>& content, std::size_t used) const {
  if (used < content.size()) return true;
  if (used >= max_content_) return false;
  content.resize(std::min<std::uint64_t>(std::max(2 * used, kFirstBuffer), max_content_));
  return true;
}

absl::Status Decompressor::tooLarge(std::string_view format) const {
  const absl::Status limit = limitError("bytes", "mapblock_bytes", max_content_);
  return absl::OutOfRangeError(
      absl::StrCat("the ", std::string(format), " data unpacks to ", limit.message()));
}

absl::StatusOr<std::size_t> Decompressor::unpackZstd(ByteSpan packed,
                                                     std::vector<std::uint8_t>& content) {
  if (streams_->zstd == nullptr) return internal::outOfMemory("zstd");
  ZSTD_DCtx_reset(streams_->zstd, ZSTD_reset_session_only);
  content.resize(std::min<std::uint64_t>(kFirstBuffer, max_content_));
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t used = 0;
  while (true) {
    if (!growContent(content, used)) return tooLarge("zstd");
    ZSTD_outBuffer out{content.data(), content.size(), used};
    const std::size_t left = ZSTD_decompressStream(streams_->zstd, &out, &in);
    if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
      return internal::outOfMemory("zstd");
    if (ZSTD_isError(left) != 0) return damaged("zstd", ZSTD_getErrorName(left));
    used = out.pos;
    if (left == 0) break;
    // Output that is not full has been flushed, so the rest could only come from input that is
    // missing.
    if (in.pos == in.size && used < content.size()) return streamCutOff("zstd");
  }
  content.resize(used);
  return in.pos;
}

absl::StatusOr<std::size_t> Decompressor::unpackZlib(ByteSpan packed,
                                                     std::vector<std::uint8_t>& content) {
  z_stream& zlib = streams_->zlib;
  if (!streams_->zlib_ready) return internal::outOfMemory("zlib");
  if (packed.size() > std::numeric_limits<uInt>::max()) return tooLarge("zlib");
  inflateReset(&zlib);
  content.resize(std::min<std::uint64_t>(kFirstBuffer, max_content_));
  zlib.next_in = const_cast<Bytef*>(packed.data());  // zlib's interface is not const, its use is
  zlib.avail_in = static_cast<uInt>(packed.size());
  std::size_t used = 0;
  while (true) {
    if (!growContent(content, used)) return tooLarge("zlib");
    zlib.next_out = content.data() + used;
    zlib.avail_out = static_cast<uInt>(content.size() - used);
    const int outcome = inflate(&zlib, Z_NO_FLUSH);
    used = content.size() - zlib.avail_out;
    if (outcome == Z_STREAM_END) break;
    if (outcome == Z_MEM_ERROR) return internal::outOfMemory("zlib");
    if (outcome != Z_OK && outcome != Z_BUF_ERROR) return damaged("zlib", zlib.msg);
    if (zlib.avail_in == 0 && zlib.avail_out != 0) return streamCutOff("zlib");
  }
  content.resize(used);
  return packed.size() - zlib.avail_in;
}

}  // namespace fractalray
