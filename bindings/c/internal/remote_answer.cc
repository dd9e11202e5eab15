// SPDX-License-Identifier: Apache-2.0
#include "remote_answer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../../query/compact_hit.h"
#include "../../../query/hit.h"
#include "convert.h"

namespace fractalray::capi {
namespace {

absl::Status notOurs(std::string_view what) {
  return absl::DataLossError(absl::StrCat("the server's answer has ", std::string(what),
                                          "; is it `fractalray serve` of this version?"));
}

absl::Status errorOf(std::int32_t result, const std::string& text) {
  return {static_cast<absl::StatusCode>(result), text};
}

template <class T>
absl::Status receive(int socket, T& to, wire::Clock::time_point until) {
  iovec part{&to, sizeof to};
  return wire::receiveAll(socket, {&part, 1}, until);
}

// The arrays that follow the head of an answer.
class Arrays {
 public:
  void add(void* to, std::uint64_t bytes) {
    if (bytes == 0) return;
    parts_[count_++] = {to, static_cast<std::size_t>(bytes)};
    const std::uint64_t gap = wire::padded(bytes) - bytes;
    if (gap > 0) parts_[count_++] = {fill_.data(), static_cast<std::size_t>(gap)};
    bytes_ += bytes + gap;
  }
  std::uint64_t bytes() const { return bytes_; }
  absl::Status receive(int socket, wire::Clock::time_point until) {
    return wire::receiveAll(socket, {parts_.data(), count_}, until);
  }

 private:
  std::array<iovec, 8> parts_{};
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::array<std::byte, 8> fill_{};
};

std::size_t answerSize(RemoteVerb verb) {
  if (verb == RemoteVerb::kClosestHits) return sizeof(frHit);
  return verb == RemoteVerb::kCompactHits ? sizeof(frCompactHit) : sizeof(std::uint8_t);
}

// Sets the answer of a line that is not completed, as a batch of this process does.
void clearAnswer(RemoteVerb verb, void* answers, std::size_t line) {
  switch (verb) {
    case RemoteVerb::kClosestHits:
      return write(Hit(), static_cast<frHit*>(answers)[line]);
    case RemoteVerb::kCompactHits:
      return write(CompactHit(), static_cast<frCompactHit*>(answers)[line]);
    case RemoteVerb::kOccludedMany:
      static_cast<std::uint8_t*>(answers)[line] = FR_UNKNOWN;
  }
}

void clearRest(const RemoteCall& call, const wire::AnswerHead& head) {
  for (std::size_t line = head.batch.completed; line < call.lines->count; ++line) {
    clearAnswer(call.verb, call.answers, line);
    if (call.unknown_from != nullptr)
      call.unknown_from[line] = std::numeric_limits<double>::quiet_NaN();
    if (call.blockers != nullptr) call.blockers[line] = {};
    if (call.results != nullptr) call.results[line] = head.rest;
  }
}

// Returns what lines were left out for, if the caller has asked for nothing that says so: their
// answers look like misses. A limit of steps is one that the caller has set.
absl::Status checkNoneIsMissed(const RemoteCall& call, const wire::AnswerHead& head) {
  const std::uint64_t left = call.lines->count - head.batch.completed;
  const bool is_reported = call.results != nullptr || call.batch != nullptr;
  if (left == 0 || is_reported || head.rest == FR_RESOURCE_EXHAUSTED) return absl::OkStatus();
  return errorOf(head.rest, absl::StrCat(left, " of ", call.lines->count,
                                         " lines were not answered in time; pass results or batch "
                                         "to use the answers of the others"));
}

// Receives the arrays of an answer whose body has that many bytes left.
absl::Status receiveArrays(int socket, const RemoteCall& call, const wire::AnswerHead& head,
                           std::uint64_t bytes, wire::Clock::time_point until) {
  const std::uint64_t completed = head.batch.completed;
  std::vector<frResult> unwanted_results;
  Arrays arrays;
  arrays.add(call.answers, completed * answerSize(call.verb));
  if (call.unknown_from != nullptr) arrays.add(call.unknown_from, completed * sizeof(double));
  if (call.blockers != nullptr) arrays.add(call.blockers, completed * sizeof(frBlocker));
  frResult* results = call.results;
  if (head.has_results != 0) {
    if (results == nullptr) {
      unwanted_results.resize(static_cast<std::size_t>(completed));
      results = unwanted_results.data();
    }
    arrays.add(results, completed * sizeof(frResult));
  } else if (results != nullptr) {
    std::fill_n(results, completed, FR_OK);
  }
  if (arrays.bytes() != bytes) {
    return notOurs(absl::StrCat(bytes, " bytes of arrays in place of ", arrays.bytes()));
  }
  return arrays.receive(socket, until);
}

absl::Status checkAnswer(const wire::AnswerHead& head, const RemoteCall& call) {
  if (head.batch.struct_size != sizeof(frBatchResult)) return notOurs("another frBatchResult");
  if (head.batch.completed > call.lines->count) return notOurs("more answers than lines");
  if (head.version_bytes > wire::kMaxTextBytes || head.error_bytes > wire::kMaxTextBytes) {
    return notOurs("a text that is too long");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status receiveHead(int socket, std::uint64_t number, std::uint64_t most_bytes,
                         wire::Clock::time_point until, wire::FrameHead& head) {
  absl::Status status = receive(socket, head, until);
  if (!status.ok()) return status;
  if (head.magic != wire::kMagic) return notOurs("another magic");
  if (head.number != number) return notOurs("the number of another request");
  if (head.bytes > most_bytes || head.bytes % 8 != 0) {
    return notOurs(absl::StrCat("a body of ", head.bytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status receiveText(int socket, std::uint64_t bytes, wire::Clock::time_point until,
                         std::string& text) {
  text.resize(static_cast<std::size_t>(wire::padded(bytes)));
  iovec part{text.data(), text.size()};
  absl::Status status = wire::receiveAll(socket, {&part, 1}, until);
  text.resize(static_cast<std::size_t>(bytes));
  return status;
}

absl::Status receiveError(int socket, const wire::FrameHead& head, wire::Clock::time_point until,
                          RemoteAnswer& answer) {
  wire::ErrorHead error;
  absl::Status status = receive(socket, error, until);
  if (!status.ok()) return status;
  if (error.text_bytes > wire::kMaxTextBytes ||
      head.bytes != sizeof error + wire::padded(error.text_bytes)) {
    return notOurs("an error of another size");
  }
  std::string text;
  status = receiveText(socket, error.text_bytes, until, text);
  if (!status.ok()) return status;
  answer.retry_us = error.retry_us;
  answer.is_whole = true;
  return errorOf(head.result, text);
}

absl::Status receiveTypes(int socket, std::uint64_t number, wire::Clock::time_point until,
                          RemoteAnswer& answer, std::vector<std::string>& names) {
  wire::FrameHead frame;
  wire::TypesAnswer head;
  constexpr std::uint64_t kMost = sizeof head + wire::kMaxTypesBytes;
  absl::Status status = receiveHead(socket, number, kMost, until, frame);
  if (!status.ok()) return status;
  if (frame.result != FR_OK) return receiveError(socket, frame, until, answer);
  status = receive(socket, head, until);
  if (!status.ok()) return status;
  if (head.text_bytes > wire::kMaxTypesBytes ||
      frame.bytes != sizeof head + wire::padded(head.text_bytes)) {
    return notOurs("names of another size");
  }
  std::string text;
  status = receiveText(socket, head.text_bytes, until, text);
  if (!status.ok()) return status;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (names.size() != head.names) return notOurs("another number of names");
  answer.is_whole = true;
  return status;
}

absl::Status receiveNothing(int socket, std::uint64_t number, wire::Clock::time_point until,
                            RemoteAnswer& answer) {
  wire::FrameHead frame;
  constexpr std::uint64_t kMost = sizeof(wire::ErrorHead) + wire::kMaxTextBytes;
  absl::Status status = receiveHead(socket, number, kMost, until, frame);
  if (!status.ok()) return status;
  if (frame.result != FR_OK) return receiveError(socket, frame, until, answer);
  if (frame.bytes != 0) return notOurs("a body where there is none");
  answer.is_whole = true;
  return status;
}

absl::Status receiveAnswer(int socket, const RemoteCall& call, std::uint64_t number,
                           wire::Clock::time_point until, RemoteAnswer& answer) {
  wire::FrameHead frame;
  // The exact size is checked below, before anything is received into the caller's arrays.
  absl::Status status =
      receiveHead(socket, number, std::numeric_limits<std::int64_t>::max(), until, frame);
  if (!status.ok()) return status;
  if (frame.result != FR_OK) return receiveError(socket, frame, until, answer);
  wire::AnswerHead head;
  status = receive(socket, head, until);
  if (status.ok()) status = checkAnswer(head, call);
  if (!status.ok()) return status;
  const std::uint64_t texts = wire::padded(head.version_bytes) + wire::padded(head.error_bytes);
  if (frame.bytes < sizeof head + texts) return notOurs("a body that is too short");
  status = receiveArrays(socket, call, head, frame.bytes - sizeof head - texts, until);
  if (status.ok()) status = receiveText(socket, head.version_bytes, until, answer.version);
  std::string text;
  if (status.ok()) status = receiveText(socket, head.error_bytes, until, text);
  if (!status.ok()) return status;
  clearRest(call, head);
  if (call.batch != nullptr) *call.batch = head.batch;
  if (head.batch.errors > 0) {
    answer.first_error = {static_cast<std::size_t>(head.first_error),
                          absl::InvalidArgumentError(text)};
  }
  answer.tick = head.tick;
  answer.is_whole = true;
  return checkNoneIsMissed(call, head);
}

}  // namespace fractalray::capi
