// SPDX-License-Identifier: Apache-2.0
#include "remote_request.h"

#include <array>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"

#include "c_fields.h"

namespace fractalray::capi {
namespace {

constexpr std::array<std::byte, 8> kZeros{};

std::uint64_t lastOf(const std::uint64_t* ends, std::size_t count) {
  return ends == nullptr || count == 0 ? 0 : ends[count - 1];
}

std::uint32_t verbOf(RemoteVerb verb) {
  if (verb == RemoteVerb::kClosestHits) return wire::kClosestHits;
  return verb == RemoteVerb::kCompactHits ? wire::kCompactHits : wire::kOccludedMany;
}

// Checks a number against a limit of the server.
absl::Status checkMost(const char* name, std::uint64_t number, std::uint64_t most) {
  if (number <= most) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(name, " is ", number, "; the server takes ",
                                                   most, " in a call: make several calls"));
}

// Checks the lists before their bytes are computed, which could overflow.
absl::Status checkSizes(const RemoteCall& call, const wire::HelloAnswer& server) {
  const frLines& lines = *call.lines;
  const std::uint64_t most_ids = server.frame_bytes / sizeof(std::uint64_t);
  const std::uint64_t most_hits = server.frame_bytes / sizeof(frHit);
  absl::Status status = checkMost("lines->count", lines.count, server.batch_lines);
  if (!status.ok()) return status;
  status = checkMost("the end of lines->ignore", lastOf(lines.ignore_ends, lines.count), most_ids);
  if (!status.ok()) return status;
  status = checkMost("the end of lines->after", lastOf(lines.after_ends, lines.count), most_hits);
  if (!status.ok() || call.options == nullptr) return status;
  status = checkMost("options->ignore_count", call.options->ignore_count, most_ids);
  return status.ok() ? checkMost("options->after_count", call.options->after_count, most_hits)
                     : status;
}

std::int64_t componentStride(const frVectors& vectors) {
  return vectors.component_stride == 0 ? wire::numberBytes(vectors.format)
                                       : vectors.component_stride;
}

// Returns true if starts and ends alternate without gaps, as in an array of segments.
bool areInterleaved(const frLines& lines) {
  const std::int64_t width = wire::numberBytes(lines.from.format);
  return lines.from.format == lines.to.format && componentStride(lines.from) == width &&
         componentStride(lines.to) == width && lines.from.vector_stride == 6 * width &&
         lines.to.vector_stride == 6 * width &&
         static_cast<const std::byte*>(lines.from.data) + 3 * width == lines.to.data;
}

// Copies a vector from anywhere; strides may be negative, and sums wrap around.
void copyVector(const frVectors& vectors, std::size_t number, std::byte* to) {
  const std::size_t width = wire::numberBytes(vectors.format);
  const auto step = static_cast<std::uintptr_t>(componentStride(vectors));
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(vectors.data) +
                      number * static_cast<std::uintptr_t>(vectors.vector_stride);
  for (int component = 0; component < 3; ++component) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    std::memcpy(to, reinterpret_cast<const void*>(at), width);
    to += width;
    at += step;
  }
}

}  // namespace

absl::Status RemoteRequest::make(const RemoteCall& call, std::uint64_t number,
                                 std::uint64_t deadline_us, const std::string& at_least,
                                 const wire::HelloAnswer& server) {
  absl::Status status = checkSizes(call, server);
  if (!status.ok()) return status;
  parts_.clear();
  frame_ = {};
  frame_.verb = verbOf(call.verb);
  frame_.number = number;
  head_ = {};
  head_.count = call.lines->count;
  head_.deadline_us = deadline_us;
  head_.levels = call.levels;
  head_.wants = (call.unknown_from != nullptr ? std::uint32_t{wire::kWantsUnknown} : 0U) |
                (call.blockers != nullptr ? std::uint32_t{wire::kWantsBlockers} : 0U);
  parts_.push_back({&frame_, sizeof frame_});
  add(&head_, sizeof head_);
  if (call.options != nullptr) addOptions(*call.options);
  addLines(*call.lines);
  addLists(*call.lines);
  head_.at_least_bytes = static_cast<std::uint32_t>(at_least.size());
  add(at_least.data(), at_least.size());
  return checkMost("the size of the call in bytes", frame_.bytes, server.frame_bytes);
}

void RemoteRequest::add(const void* data, std::size_t bytes) {
  if (bytes == 0) return;
  parts_.push_back({const_cast<void*>(data), bytes});
  const std::size_t gap = wire::padded(bytes) - bytes;
  if (gap > 0) parts_.push_back({const_cast<std::byte*>(kZeros.data()), gap});
  frame_.bytes += bytes + gap;
}

void RemoteRequest::addOptions(const frQueryOptions& options) {
  head_.has |= wire::kHasOptions;
  options_ = options;
  // Addresses mean nothing to the server, and are nothing for it to learn.
  forEachField(
      [](const auto& /*name*/, auto& member) {
        if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(member)>>) {
          member = nullptr;
        }
      },
      options_);
  add(&options_, sizeof options_);
  add(options.ignore, options.ignore_count * sizeof(std::uint64_t));
  add(options.after, options.after_count * sizeof(frHit));
}

void RemoteRequest::addLines(const frLines& lines) {
  if (lines.lines != nullptr) {
    head_.has |= wire::kHasLines;
    return add(lines.lines, lines.count * sizeof(frLine));
  }
  if (lines.count > 0) addVectors(lines);
  if (lines.is_rays == 0) return;
  head_.has |= wire::kIsRays;
  if (lines.max_distances != nullptr) {
    head_.has |= wire::kHasDistances;
    add(lines.max_distances, lines.count * sizeof(double));
  }
  if (lines.bounds != nullptr) {
    head_.has |= wire::kHasBounds;
    add(lines.bounds, 6 * sizeof(double));
  }
}

void RemoteRequest::addVectors(const frLines& lines) {
  head_.from_format = lines.from.format;
  head_.to_format = lines.to.format;
  const std::uint32_t width = wire::numberBytes(lines.from.format);
  const std::uint32_t two = 6 * width;  // bytes of both ends of a line
  if (areInterleaved(lines)) {
    head_.from_stride = two;
    head_.to_stride = two;
    head_.to_offset = std::uint64_t{3} * width;
    head_.vector_bytes = std::uint64_t{two} * lines.count;
    return add(lines.from.data, head_.vector_bytes);
  }
  const VectorPart from = addVectorsOf(lines.from, lines.count, from_);
  const VectorPart to = addVectorsOf(lines.to, lines.count, to_);
  head_.from_stride = from.stride;
  head_.to_stride = to.stride;
  head_.to_offset = wire::padded(from.bytes);
  head_.vector_bytes = head_.to_offset + to.bytes;
}

RemoteRequest::VectorPart RemoteRequest::addVectorsOf(const frVectors& vectors, std::size_t count,
                                                      std::vector<std::byte>& memory) {
  const std::uint32_t width = wire::numberBytes(vectors.format);
  const std::uint32_t dense = 3 * width;  // bytes of a vector
  const bool is_one = vectors.vector_stride == 0;
  const VectorPart part{.stride = is_one ? 0 : dense,
                        .bytes = std::uint64_t{dense} * (is_one ? 1 : count)};
  if (componentStride(vectors) == width &&
      (is_one || vectors.vector_stride == std::int64_t{dense})) {
    add(vectors.data, part.bytes);
    return part;
  }
  memory.resize(part.bytes);
  for (std::size_t at = 0, i = 0; at < part.bytes; at += dense, ++i)
    copyVector(vectors, i, memory.data() + at);
  add(memory.data(), part.bytes);
  return part;
}

void RemoteRequest::addLists(const frLines& lines) {
  if (lines.levels != nullptr) {
    head_.has |= wire::kHasLevels;
    add(lines.levels, lines.count * sizeof(frLevelMask));
  }
  if (lines.ignore_ends != nullptr) {
    head_.has |= wire::kHasIgnoreEnds;
    head_.ignored = lastOf(lines.ignore_ends, lines.count);
    add(lines.ignore_ends, lines.count * sizeof(std::uint64_t));
    add(lines.ignore, head_.ignored * sizeof(std::uint64_t));
  }
  if (lines.after_ends != nullptr) {
    head_.has |= wire::kHasAfterEnds;
    head_.afters = lastOf(lines.after_ends, lines.count);
    add(lines.after_ends, lines.count * sizeof(std::uint64_t));
    add(lines.after, head_.afters * sizeof(frHit));
  }
}

}  // namespace fractalray::capi
