// SPDX-License-Identifier: Apache-2.0
#include "fractalray/formats/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

// A mapblock unpacks to about 16 KiB; the buffer doubles from here.
constexpr std::size_t kFirstBuffer = std::size_t{32} << 10;
constexpr int kMaxWindowLog2 = 26;
static_assert(std::size_t{1} << kMaxWindowLog2 == Decompressor::kMaxContent);

absl::Status cutOff(std::string_view format) {
  return absl::DataLossError(absl::StrCat("the ", std::string(format), " data is cut off"));
}

absl::Status damaged(std::string_view format, const char* reason) {
  return absl::DataLossError(absl::StrCat("the ", std::string(format), " data is damaged: ",
                                          reason == nullptr ? "no reason given" : reason));
}

absl::Status tooLarge(std::string_view format) {
  return absl::ResourceExhaustedError(absl::StrCat("the ", std::string(format),
                                                   " data unpacks to more than ",
                                                   Decompressor::kMaxContent, " bytes"));
}

// Makes room behind the `used` bytes of content; false at the limit.
bool makeRoom(std::vector<std::uint8_t>& content, std::size_t used) {
  if (used < content.size()) return true;
  if (used == Decompressor::kMaxContent) return false;
  content.resize(std::clamp(2 * used, kFirstBuffer, Decompressor::kMaxContent));
  return true;
}

}  // namespace

struct Decompressor::Streams {
  Streams() : zstd(ZSTD_createDCtx()) {
    if (zstd != nullptr) ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, kMaxWindowLog2);
    zlib_ready = inflateInit(&zlib) == Z_OK;
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

Decompressor::Decompressor() : streams_(std::make_unique<Streams>()) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

absl::StatusOr<std::size_t> Decompressor::unpackZstd(ByteSpan packed,
                                                     std::vector<std::uint8_t>& content) {
  if (streams_->zstd == nullptr) return absl::ResourceExhaustedError("no memory for zstd");
  ZSTD_DCtx_reset(streams_->zstd, ZSTD_reset_session_only);
  content.resize(kFirstBuffer);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t used = 0;
  while (true) {
    if (!makeRoom(content, used)) return tooLarge("zstd");
    ZSTD_outBuffer out{content.data(), content.size(), used};
    const std::size_t left = ZSTD_decompressStream(streams_->zstd, &out, &in);
    if (ZSTD_isError(left) != 0) return damaged("zstd", ZSTD_getErrorName(left));
    used = out.pos;
    if (left == 0) break;
    // Output that is not full has been flushed, so the rest can only come from input that is not
    // there.
    if (in.pos == in.size && used < content.size()) return cutOff("zstd");
  }
  content.resize(used);
  return in.pos;
}

absl::StatusOr<std::size_t> Decompressor::unpackZlib(ByteSpan packed,
                                                     std::vector<std::uint8_t>& content) {
  z_stream& zlib = streams_->zlib;
  if (!streams_->zlib_ready) return absl::ResourceExhaustedError("no memory for zlib");
  if (packed.size() > std::numeric_limits<uInt>::max()) return tooLarge("zlib");
  inflateReset(&zlib);
  content.resize(kFirstBuffer);
  zlib.next_in = const_cast<Bytef*>(packed.data());  // zlib's interface is not const, its use is
  zlib.avail_in = static_cast<uInt>(packed.size());
  std::size_t used = 0;
  while (true) {
    if (!makeRoom(content, used)) return tooLarge("zlib");
    zlib.next_out = content.data() + used;
    zlib.avail_out = static_cast<uInt>(content.size() - used);
    const int outcome = inflate(&zlib, Z_NO_FLUSH);
    used = content.size() - zlib.avail_out;
    if (outcome == Z_STREAM_END) break;
    if (outcome != Z_OK && outcome != Z_BUF_ERROR) return damaged("zlib", zlib.msg);
    if (zlib.avail_in == 0 && zlib.avail_out != 0) return cutOff("zlib");
  }
  content.resize(used);
  return packed.size() - zlib.avail_in;
}

}  // namespace fractalray
