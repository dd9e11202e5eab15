// SPDX-License-Identifier: Apache-2.0
#include "call_gate.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/frame.h"
#include "../core/printable.h"
#include "answer_frame.h"
#include "reply.h"

namespace fractalray::serve {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMemoryWait{20};  // the time in which some calls end

// Until 1.0 structs may change with the minor version.
constexpr std::int32_t kVersionPart = FR_VERSION_MAJOR > 0 ? 1'000'000 : 1'000;

Refusal busy(const char* what, milliseconds wait) {
  return {absl::ResourceExhaustedError(absl::StrCat(what, "; again in ", wait.count(), " ms")),
          wait};
}

absl::Status mayNotFeed() {
  return absl::PermissionDeniedError(
      "the token does not give the right to feed entities; the server lists those that do in the "
      "file of --feed-tokens");
}

}  // namespace

absl::Status CallGate::checkVersion(std::int32_t version) {
  if (version / kVersionPart == FR_VERSION / kVersionPart) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("the client has version ", version,
                                                    ", the server ", FR_VERSION,
                                                    "; use two of one minor version"));
}

absl::Status CallGate::checkToken(std::string_view token) {
  if (tokens_.accepts(token) || mayFeed(token)) return absl::OkStatus();
  metrics_.countReason(Metrics::kWrongToken);
  return absl::PermissionDeniedError(
      "the server does not accept the token; it lists those that it does in a file");
}

bool CallGate::mayFeed(std::string_view token) const {
  return !feeders_.empty() && feeders_.accepts(token);
}

std::string CallGate::world() const {
  const std::string version = source_.version();
  return std::string(worldOf(version));
}

absl::Status CallGate::checkWorld(std::string_view name) const {
  if (name.empty()) return absl::OkStatus();
  const std::string own = world();
  if (name == own) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("the call is for the world ", quotedText(name),
                                                    ", and the server has ", own,
                                                    "; call one that has that world"));
}

absl::Status CallGate::checkTypes(std::uint64_t fingerprint) const {
  if (fingerprint == 0 || fingerprint == source_.blockTypes()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the call is for the block types ", absl::Hex(fingerprint), ", and the server has ",
      absl::Hex(source_.blockTypes()), ", whose numbers may mean others; connect again"));
}

std::vector<std::byte> CallGate::hello(std::uint64_t number) const {
  return helloReply(number, limits_, source_.blockTypes(), source_.version());
}

absl::Status CallGate::feed(std::span<std::byte> body, bool may_feed) {
  if (!may_feed) return mayNotFeed();
  const absl::StatusOr<EntityTick> tick = decodeTick(body);
  return tick.ok() ? source_.feed(*tick) : tick.status();
}

std::optional<Refusal> CallGate::acceptTick(const std::shared_ptr<Call>& call, bool may_feed) {
  if (!may_feed) return Refusal{.error = mayNotFeed()};
  call->request.verb = wire::kFeedTick;
  const std::optional<milliseconds> wait = ticks_.push(call);
  if (!wait.has_value()) return std::nullopt;
  return busy("too many ticks", *wait);
}

std::optional<Refusal> CallGate::answerTypes(std::uint64_t number, Reservation& memory,
                                             std::vector<std::byte>& frame) {
  const std::string_view names = source_.blockTypeNames();
  if (names.empty() || names.size() > wire::kMaxTypesBytes) {
    return Refusal{.error = absl::FailedPreconditionError(
                       names.empty()
                           ? "the table of block types of the server's world may change, and is "
                             "not sent"
                           : "the names of the block types of the server's world are too long to "
                             "be sent")};
  }
  if (!memory.add(budget_, typesReplyBytes(names))) return noMemory();
  frame = typesReply(number, names);
  return std::nullopt;
}

std::optional<Refusal> CallGate::reserve(Reservation& memory, std::uint64_t bytes) {
  if (memory.add(budget_, bytes)) return std::nullopt;
  return noMemory();
}

std::optional<Refusal> CallGate::accept(std::uint32_t verb, const std::shared_ptr<Call>& call,
                                        std::uint64_t deadline_us) {
  absl::StatusOr<CallRequest> request = decodeCall(verb, call->body, limits_);
  if (!request.ok()) {
    metrics_.countReason(Metrics::kWrongFrame);
    return Refusal{.error = request.status()};
  }
  call->request = *std::move(request);
  std::uint64_t& deadline = call->request.deadline_us;
  if (deadline_us > 0) deadline = deadline == 0 ? deadline_us : std::min(deadline, deadline_us);
  if (!call->memory.add(budget_, answerBytes(call->request))) return noMemory();
  const std::optional<milliseconds> wait = queue_.push(call);
  if (!wait.has_value()) return std::nullopt;
  metrics_.countReason(Metrics::kQueueFull);
  return busy("queue full", *wait);
}

Refusal CallGate::noMemory() {
  last_shortage_ = Clock::now();
  metrics_.countReason(Metrics::kMemoryFull);
  return busy("memory for calls full", kMemoryWait);
}

}  // namespace fractalray::serve
