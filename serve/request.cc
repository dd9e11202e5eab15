// SPDX-License-Identifier: Apache-2.0
#include "request.h"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/c_fields.h"
#include "../bindings/c/internal/frame.h"

namespace fractalray::serve {
namespace {

absl::Status wrongBody(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the call has ", std::string(what), "; is the client one of this version of fractalray?"));
}

// Takes arrays from the beginning of a body.
class BodyReader {
 public:
  explicit BodyReader(std::span<std::byte> body) : left_(body) {}

  // Returns an array, and moves on to the next one. If the body is too short, returns null and
  // takes nothing from then on.
  template <class T>
  T* take(std::uint64_t count) {
    if (is_short_ || count > left_.size() / sizeof(T)) {
      is_short_ = true;
      return nullptr;
    }
    const std::uint64_t bytes = wire::padded(count * sizeof(T));
    if (bytes > left_.size()) {
      is_short_ = true;
      return nullptr;
    }
    std::byte* const begin = left_.data();
    left_ = left_.subspan(bytes);
    return reinterpret_cast<T*>(begin);
  }

  absl::Status check() const {
    if (is_short_) return wrongBody("fewer bytes than its head says");
    if (!left_.empty()) return wrongBody(absl::StrCat(left_.size(), " bytes too many"));
    return absl::OkStatus();
  }

 private:
  std::span<std::byte> left_;
  bool is_short_ = false;
};

absl::Status checkHead(const wire::CallHead& head, const ServeLimits& limits) {
  if (head.count > limits.batch_lines) {
    return absl::ResourceExhaustedError(absl::StrCat("the call has ", head.count,
                                                     " lines; the server takes ",
                                                     limits.batch_lines, ": make several calls"));
  }
  if ((head.has & ~std::uint32_t{wire::kAllHas}) != 0 ||
      (head.wants & ~std::uint32_t{wire::kAllWants}) != 0) {
    return wrongBody("parts that the server does not know");
  }
  if (head.at_least_bytes > wire::kMaxTextBytes) return wrongBody("a version that is too long");
  return absl::OkStatus();
}

// Reads options and their lists.
absl::Status readOptions(BodyReader& body, CallRequest& call) {
  const auto* const options = body.take<frQueryOptions>(1);
  if (options == nullptr) return body.check();
  std::memcpy(&call.options, options, sizeof call.options);
  if (call.options.struct_size != sizeof(frQueryOptions)) {
    return wrongBody("options of another size");
  }
  bool has_pointer = false;
  forEachField(
      [&](const auto& /*name*/, const auto& member) {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(member)>>) {
          has_pointer = has_pointer || member != nullptr;
        }
      },
      call.options);
  if (has_pointer) return wrongBody("options with an address");
  call.has_options = true;
  call.options.ignore = body.take<std::uint64_t>(call.options.ignore_count);
  call.options.after = body.take<frHit>(call.options.after_count);
  return absl::OkStatus();
}

// Returns true if vectors that begin at an offset are in an array of that many bytes.
bool areInside(std::uint64_t offset, std::uint32_t stride, std::uint32_t width, std::uint64_t count,
               std::uint64_t bytes) {
  if (stride != 0 && stride != 3 * width && stride != 6 * width) return false;
  // At most 2^32 lines, so that nothing overflows.
  return offset <= bytes && (count - 1) * stride + std::uint64_t{3} * width <= bytes - offset;
}

bool isFormat(std::int32_t format) {
  return format == FR_F64 || format == FR_F32 || format == FR_UNITS;
}

// Reads starts and ends of one line or more.
absl::Status readVectors(BodyReader& body, const wire::CallHead& head, frLines& lines) {
  if (!isFormat(head.from_format) || !isFormat(head.to_format)) {
    return wrongBody("vectors of an unknown format");
  }
  const std::uint32_t from_width = wire::numberBytes(head.from_format);
  const std::uint32_t to_width = wire::numberBytes(head.to_format);
  if (!areInside(0, head.from_stride, from_width, head.count, head.vector_bytes) ||
      !areInside(head.to_offset, head.to_stride, to_width, head.count, head.vector_bytes)) {
    return wrongBody("vectors beyond their array");
  }
  const std::byte* const vectors = body.take<std::byte>(head.vector_bytes);
  if (vectors == nullptr) return body.check();
  lines.from = {vectors, head.from_stride, 0, head.from_format, 0};
  lines.to = {vectors + head.to_offset, head.to_stride, 0, head.to_format, 0};
  return absl::OkStatus();
}

absl::Status readLines(BodyReader& body, const wire::CallHead& head, frLines& lines) {
  if ((head.has & wire::kHasLines) != 0) {
    lines.lines = body.take<frLine>(head.count);
  } else if (head.count > 0) {
    absl::Status status = readVectors(body, head, lines);
    if (!status.ok()) return status;
  }
  lines.is_rays = (head.has & wire::kIsRays) != 0 ? 1 : 0;
  if ((head.has & wire::kHasDistances) != 0) lines.max_distances = body.take<double>(head.count);
  if ((head.has & wire::kHasBounds) != 0) lines.bounds = body.take<double>(6);
  if ((head.has & wire::kHasLevels) != 0) lines.levels = body.take<frLevelMask>(head.count);
  return absl::OkStatus();
}

// Checks that the parts of a list, one for each line, are all of it.
absl::Status checkEnds(const std::uint64_t* ends, std::uint64_t count, std::uint64_t total) {
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (ends[i] < begin) return wrongBody("lists of lines whose ends do not ascend");
    begin = ends[i];
  }
  return begin == total ? absl::OkStatus() : wrongBody("lists of lines that end elsewhere");
}

// Reads the lists of lines, and the version after them.
absl::Status readLists(BodyReader& body, const wire::CallHead& head, CallRequest& call) {
  if ((head.has & wire::kHasIgnoreEnds) != 0) {
    call.lines.ignore_ends = body.take<std::uint64_t>(head.count);
    call.lines.ignore = body.take<std::uint64_t>(head.ignored);
  }
  if ((head.has & wire::kHasAfterEnds) != 0) {
    call.lines.after_ends = body.take<std::uint64_t>(head.count);
    call.lines.after = body.take<frHit>(head.afters);
  }
  const char* const at_least = body.take<char>(head.at_least_bytes);
  absl::Status status = body.check();
  if (status.ok()) call.at_least = std::string_view(at_least, head.at_least_bytes);
  if (status.ok() && call.lines.ignore_ends != nullptr) {
    status = checkEnds(call.lines.ignore_ends, head.count, head.ignored);
  }
  if (status.ok() && call.lines.after_ends != nullptr) {
    status = checkEnds(call.lines.after_ends, head.count, head.afters);
  }
  return status;
}

}  // namespace

absl::StatusOr<CallRequest> decodeCall(std::uint32_t verb, std::span<std::byte> body,
                                       const ServeLimits& limits) {
  BodyReader reader(body);
  const auto* const begin = reader.take<wire::CallHead>(1);
  if (begin == nullptr) return reader.check();
  wire::CallHead head;
  std::memcpy(&head, begin, sizeof head);
  absl::Status status = checkHead(head, limits);
  if (!status.ok()) return status;
  CallRequest call;
  call.verb = verb;
  call.wants = head.wants;
  call.levels = head.levels;
  call.deadline_us = head.deadline_us;
  call.lines.struct_size = sizeof(frLines);
  call.lines.count = head.count;
  if ((head.has & wire::kHasOptions) != 0) status = readOptions(reader, call);
  if (status.ok()) status = readLines(reader, head, call.lines);
  if (status.ok()) status = readLists(reader, head, call);
  if (!status.ok()) return status;
  return call;
}

absl::StatusOr<EntityTick> decodeTick(std::span<std::byte> body) {
  BodyReader reader(body);
  const auto* const begin = reader.take<wire::TickHead>(1);
  if (begin == nullptr) return reader.check();
  wire::TickHead head;
  std::memcpy(&head, begin, sizeof head);
  const auto* const added = reader.take<frFedEntity>(head.added);
  const auto* const moved = reader.take<frFedMove>(head.moved);
  const auto* const removed = reader.take<std::uint64_t>(head.removed);
  absl::Status status = reader.check();
  if (!status.ok()) return status;
  EntityTick tick{.number = head.tick, .is_whole = head.is_whole != 0};
  tick.added = std::span(added, head.added);
  tick.moved = std::span(moved, head.moved);
  tick.removed = std::span(removed, head.removed);
  return tick;
}

}  // namespace fractalray::serve
