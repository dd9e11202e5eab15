// SPDX-License-Identifier: Apache-2.0
#include "answer_frame.h"

#include <algorithm>
#include <cstring>

#include "reply.h"

namespace fractalray::serve {
namespace {

// Both heads, and the two texts with what fills them up.
constexpr std::size_t kHeadBytes = sizeof(wire::FrameHead) + sizeof(wire::AnswerHead);
constexpr std::size_t kTextBytes = 2 * (wire::kMaxTextBytes + 8);

bool wantsUnknown(const CallRequest& request) {
  return (request.wants & wire::kWantsUnknown) != 0 && request.verb != wire::kOccludedMany;
}
bool wantsBlockers(const CallRequest& request) {
  return (request.wants & wire::kWantsBlockers) != 0 && request.verb == wire::kOccludedMany;
}

}  // namespace

std::size_t bytesPerLine(const CallRequest& request) {
  return wire::answerBytes(request.verb) + sizeof(frResult) +
         (wantsUnknown(request) ? sizeof(double) : 0) +
         (wantsBlockers(request) ? sizeof(frBlocker) : 0);
}

std::uint64_t answerBytes(const CallRequest& request) {
  // Twice the results: they are collected before it is known if they are sent.
  return request.lines.count * (bytesPerLine(request) + sizeof(frResult)) + kHeadBytes + kTextBytes;
}

AnswerFrame::AnswerFrame(const CallRequest& request, std::vector<std::byte>& frame)
    : request_(request),
      frame_(frame),
      unknown_at_(kHeadBytes + wire::padded(request.lines.count * wire::answerBytes(request.verb))),
      blockers_at_(unknown_at_ +
                   (wantsUnknown(request) ? request.lines.count * sizeof(double) : 0)),
      results_(request.lines.count) {
  const std::size_t count = request.lines.count;
  const std::size_t end = blockers_at_ + (wantsBlockers(request) ? count * sizeof(frBlocker) : 0);
  // With space for results and short texts, so that the frame is not copied to add them.
  frame_.reserve(end + wire::padded(count * sizeof(frResult)) + 256);
  frame_.resize(end);
}

std::byte* AnswerFrame::answers(std::size_t line) {
  return frame_.data() + kHeadBytes + line * wire::answerBytes(request_.verb);
}

double* AnswerFrame::unknown(std::size_t line) {
  if (!wantsUnknown(request_)) return nullptr;
  return reinterpret_cast<double*>(frame_.data() + unknown_at_) + line;
}

frBlocker* AnswerFrame::blockers(std::size_t line) {
  if (!wantsBlockers(request_)) return nullptr;
  return reinterpret_cast<frBlocker*>(frame_.data() + blockers_at_) + line;
}

// Moves the completed part of an array to the end of the frame's last part.
void AnswerFrame::keep(std::size_t from, std::size_t bytes) {
  if (from != end_ && bytes > 0) std::memmove(frame_.data() + end_, frame_.data() + from, bytes);
  std::memset(frame_.data() + end_ + bytes, 0, wire::padded(bytes) - bytes);
  end_ += wire::padded(bytes);
}

void AnswerFrame::finish(wire::AnswerHead total, std::string version, std::string error,
                         std::uint64_t number) {
  const std::size_t completed = total.batch.completed;
  end_ = kHeadBytes;
  keep(kHeadBytes, completed * wire::answerBytes(request_.verb));
  if (wantsUnknown(request_)) keep(unknown_at_, completed * sizeof(double));
  if (wantsBlockers(request_)) keep(blockers_at_, completed * sizeof(frBlocker));
  frame_.resize(end_);
  if (total.batch.errors > 0) {
    total.has_results = 1;
    appendPart(frame_, results_.data(), completed * sizeof(frResult));
  }
  version.resize(std::min(version.size(), wire::kMaxTextBytes));
  error.resize(std::min(error.size(), wire::kMaxTextBytes));
  total.version_bytes = version.size();
  total.error_bytes = error.size();
  appendPart(frame_, version.data(), version.size());
  appendPart(frame_, error.data(), error.size());
  wire::FrameHead head;
  head.verb = request_.verb;
  head.number = number;
  head.bytes = frame_.size() - sizeof head;
  std::memcpy(frame_.data(), &head, sizeof head);
  std::memcpy(frame_.data() + sizeof head, &total, sizeof total);
}

}  // namespace fractalray::serve
