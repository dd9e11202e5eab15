// SPDX-License-Identifier: Apache-2.0
#include "ask_call.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../bindings/c/internal/frame.h"
#include "../reply.h"
#include "bearer.h"
#include "grpc_status.h"
#include "messages.h"

namespace fractalray::serve {
namespace {

using std::chrono::microseconds;

// gRPC cancels a call at its deadline, even if its answer is on the way: this share of the time is
// kept back for that, and no more than that time.
constexpr double kKeptShare = 0.125;
constexpr microseconds kMostKept{100'000};
constexpr const char* kRetryKey = "fractalray-retry-us";
constexpr std::string_view kAskMethod = "/fractalray.v1.Queries/Ask";
constexpr std::string_view kDescribeMethod = "/fractalray.v1.Queries/Describe";

absl::Status noMemory() {
  return absl::ResourceExhaustedError("the server has not enough memory for the call");
}

// Returns the error that a frame has. Requires: the frame is one of errorReply().
absl::Status errorOf(const std::vector<std::byte>& frame, microseconds& retry) {
  wire::FrameHead head;
  wire::ErrorHead error;
  std::memcpy(&head, frame.data(), sizeof head);
  std::memcpy(&error, frame.data() + sizeof head, sizeof error);
  retry = microseconds(static_cast<std::int64_t>(error.retry_us));
  const auto* const text = reinterpret_cast<const char*>(frame.data() + sizeof head + sizeof error);
  return {static_cast<absl::StatusCode>(head.result), absl::string_view(text, error.text_bytes)};
}

bool isError(const std::vector<std::byte>& frame) {
  wire::FrameHead head;
  std::memcpy(&head, frame.data(), sizeof head);
  return head.result != FR_OK;
}

}  // namespace

void ActiveCalls::add(AskCall* call) {
  const std::lock_guard lock(mutex_);
  calls_.insert(call);
}

void ActiveCalls::remove(AskCall* call) {
  const std::lock_guard lock(mutex_);
  calls_.erase(call);
}

std::size_t ActiveCalls::count() const {
  const std::lock_guard lock(mutex_);
  return calls_.size();
}

void ActiveCalls::cancel() {
  const std::lock_guard lock(mutex_);
  for (AskCall* const call : calls_)
    call->cancel();
}

AskCall::AskCall(CallGate& gate, ActiveCalls& active, grpc::GenericCallbackServerContext& context)
    : gate_(gate), active_(active), context_(context), limit_(context) {
  active_.add(this);
}

AskCall::~AskCall() {
  active_.remove(this);
}

void AskCall::begin(const absl::Status& error) {
  absl::Status status = error;
  if (status.ok()) status = checkCaller();
  if (!status.ok()) return fail(status);
  limit_.start(gate_.limits().frame_time);
  StartRead(&request_);
}

absl::Status AskCall::checkCaller() {
  if (context_.method() != kAskMethod && context_.method() != kDescribeMethod) {
    return absl::UnimplementedError(
        absl::StrCat("there is no method ", context_.method(), "; fractalray.proto lists them"));
  }
  absl::Status status = gate_.checkToken(tokenOf(context_));
  if (!status.ok() || active_.count() <= gate_.limits().connections) return status;
  gate_.metrics().countReason(Metrics::kTooMany);
  return absl::ResourceExhaustedError(absl::StrCat("the server has ", gate_.limits().connections,
                                                   " calls already; call again later"));
}

void AskCall::OnReadDone(bool is_read) {
  limit_.stop();
  if (!is_read) return fail(absl::InvalidArgumentError("the call has no message"));
  try {
    accept();
  } catch (const std::bad_alloc&) {
    gate_.metrics().countReason(Metrics::kMemoryFull);
    fail(noMemory());
  }
}

void AskCall::accept() {
  const std::uint64_t size = request_.Length();
  gate_.metrics().countBytes(size, 0);
  if (const std::optional<Refusal> refusal = gate_.reserve(call_->memory, size)) {
    return fail(refusal->error, refusal->retry);
  }
  if (context_.method() == kDescribeMethod) return describe();
  std::uint32_t verb = 0;
  const absl::Status status = readMessage(verb);
  if (!status.ok()) {
    gate_.metrics().countReason(Metrics::kWrongFrame);
    return fail(status);
  }
  if (verb == wire::kBlockTypes || verb == wire::kFeedTick) return answerAtOnce(verb);
  call_->received = Clock::now();
  call_->answered = [this] { finish(); };
  // Once it has been let in, the call may end at any time, and this with it.
  if (const std::optional<Refusal> refusal = gate_.accept(verb, call_, microsecondsLeft())) {
    fail(refusal->error, refusal->retry);
  }
}

void AskCall::describe() {
  std::int32_t version = 0;
  absl::Status status = readHello(request_, version);
  if (status.ok()) status = CallGate::checkVersion(version);
  if (!status.ok()) return fail(status);
  send(descriptionOf(gate_.hello(0), gate_.world()));
}

// On the thread of gRPC: ticks and requests for types are few.
void AskCall::answerAtOnce(std::uint32_t verb) {
  if (verb == wire::kFeedTick) {
    const absl::Status status = gate_.feed(call_->body, gate_.mayFeed(tokenOf(context_)));
    if (!status.ok()) return fail(status);
    call_->reply = emptyReply(verb, 0);
  } else if (const std::optional<Refusal> refusal =
                 gate_.answerTypes(0, call_->memory, call_->reply)) {
    return fail(refusal->error, refusal->retry);
  }
  sendAnswer();
}

absl::Status AskCall::readMessage(std::uint32_t& verb) {
  CallMessage message;
  absl::Status status = readCall(request_, message);
  request_.Clear();
  if (status.ok()) status = CallGate::checkVersion(message.version);
  if (status.ok()) status = gate_.checkWorld(message.world);
  if (status.ok()) status = gate_.checkTypes(message.block_types);
  if (!status.ok()) return status;
  verb = message.verb;
  if (verb < wire::kClosestHits || verb > wire::kFeedTick) {
    return absl::InvalidArgumentError(absl::StrCat("the call has the unknown verb ", verb));
  }
  const std::uint64_t most = verb == wire::kBlockTypes ? 0 : gate_.limits().frame_bytes;
  if (message.body.size() > most) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the body of the call has ", message.body.size(), " bytes; the server takes ",
                     most, ": make several calls"));
  }
  call_->body = std::move(message.body);
  return status;
}

std::uint64_t AskCall::microsecondsLeft() const {
  using System = std::chrono::system_clock;
  // Later than that is any time. The time points of gRPC wrap around soon after.
  constexpr std::int64_t kMostSeconds = 5'000'000'000;
  if (context_.raw_deadline().tv_sec > kMostSeconds) return 0;
  const auto left = std::chrono::duration_cast<microseconds>(context_.deadline() - System::now());
  const auto kept = std::chrono::duration_cast<microseconds>(kKeptShare * left);
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>((left - std::min(kept, kMostKept)).count(), 1));
}

void AskCall::finish() noexcept {
  try {
    try {
      sendAnswer();
    } catch (const std::bad_alloc&) {
      fail(noMemory());
    }
  } catch (const std::bad_alloc&) {
    Finish({grpc::StatusCode::RESOURCE_EXHAUSTED, ""});  // there is no memory even for a text
  }
}

void AskCall::sendAnswer() {
  const std::vector<std::byte>& reply = call_->reply;
  if (reply.empty()) return fail(noMemory());
  if (isError(reply)) {
    microseconds retry{};
    const absl::Status error = errorOf(reply, retry);
    return fail(error, retry);
  }
  send(answerOf(std::move(call_->reply)));
}

void AskCall::send(const grpc::ByteBuffer& answer) {
  gate_.metrics().countBytes(0, answer.Length());
  answer_ = answer;
  limit_.start(gate_.limits().answer_time);
  StartWriteAndFinish(&answer_, grpc::WriteOptions(), grpc::Status::OK);
}

void AskCall::fail(const absl::Status& error, microseconds retry) {
  if (retry.count() > 0) context_.AddTrailingMetadata(kRetryKey, std::to_string(retry.count()));
  Finish(grpcStatus(error));
}

}  // namespace fractalray::serve
