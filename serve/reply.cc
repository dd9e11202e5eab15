// SPDX-License-Identifier: Apache-2.0
#include "reply.h"

#include <algorithm>
#include <cstring>

#include "../bindings/c/internal/errors.h"
#include "../bindings/c/internal/frame.h"

namespace fractalray::serve {
namespace {

// Returns a frame with these two parts.
std::vector<std::byte> frameOf(wire::FrameHead head, const void* begin, std::size_t size,
                               std::string_view text) {
  head.bytes = wire::padded(size) + wire::padded(text.size());
  std::vector<std::byte> frame;
  frame.reserve(sizeof head + head.bytes);
  appendPart(frame, &head, sizeof head);
  appendPart(frame, begin, size);
  appendPart(frame, text.data(), text.size());
  return frame;
}

}  // namespace

void appendPart(std::vector<std::byte>& frame, const void* part, std::size_t bytes) {
  const std::size_t begin = frame.size();
  frame.resize(begin + wire::padded(bytes));
  if (bytes > 0) std::memcpy(frame.data() + begin, part, bytes);
}

std::vector<std::byte> errorReply(std::uint32_t verb, std::uint64_t number,
                                  const absl::Status& error, std::chrono::microseconds retry) {
  wire::FrameHead head;
  head.verb = verb;
  head.number = number;
  head.result = capi::resultOf(error);
  const absl::string_view message = error.message();
  const std::string_view text(message.data(), std::min(message.size(), wire::kMaxTextBytes));
  const wire::ErrorHead body{.retry_us = static_cast<std::uint64_t>(retry.count()),
                             .text_bytes = text.size()};
  return frameOf(head, &body, sizeof body, text);
}

std::vector<std::byte> helloReply(std::uint64_t number, const ServeLimits& limits,
                                  std::uint64_t block_types, std::string_view version) {
  wire::FrameHead head;
  head.verb = wire::kHello;
  head.number = number;
  const wire::HelloAnswer body{.batch_lines = limits.batch_lines,
                               .frame_bytes = limits.frame_bytes,
                               .block_types = block_types,
                               .version_bytes = version.size()};
  return frameOf(head, &body, sizeof body, version);
}

std::vector<std::byte> emptyReply(std::uint32_t verb, std::uint64_t number) {
  wire::FrameHead head;
  head.verb = verb;
  head.number = number;
  return frameOf(head, nullptr, 0, {});
}

std::vector<std::byte> typesReply(std::uint64_t number, std::string_view names) {
  wire::FrameHead head;
  head.verb = wire::kBlockTypes;
  head.number = number;
  const wire::TypesAnswer body{
      .names = static_cast<std::uint64_t>(std::count(names.begin(), names.end(), '\0')),
      .text_bytes = names.size()};
  return frameOf(head, &body, sizeof body, names);
}

std::uint64_t typesReplyBytes(std::string_view names) {
  return sizeof(wire::FrameHead) + sizeof(wire::TypesAnswer) + wire::padded(names.size());
}

}  // namespace fractalray::serve
