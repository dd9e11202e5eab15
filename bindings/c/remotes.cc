// SPDX-License-Identifier: Apache-2.0
// Worlds of another process: connections to `fractalray serve`, and their batches.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/batch_lines.h"
#include "internal/c_fields.h"
#include "internal/objects.h"
#include "internal/query_results.h"
#include "internal/remote.h"

namespace fractalray::capi {
namespace {

// Returns INVALID_ARGUMENT for options that point to what is only in this process. A context alone
// is not used, and not sent.
absl::Status checkCanBeSent(const frQueryOptions& options) {
  absl::Status status;
  forEachField(
      [&](std::string_view name, const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_pointer_v<Member> && !std::is_same_v<Member, void*>) {
          if (member == nullptr || name == "ignore" || name == "after" || !status.ok()) return;
          status = absl::InvalidArgumentError(absl::StrCat(
              "options->", std::string(name),
              " is given, which cannot be sent to a server: it is of this process; leave it out, "
              "or choose by categories, channel, levels and ignore"));
        }
      },
      options);
  return status;
}

absl::Status checkOptions(const frQueryOptions* options) {
  if (options == nullptr) return absl::OkStatus();
  absl::Status status = checkStruct(options, "options");
  if (status.ok()) status = checkArray({options->ignore, "options->ignore"}, options->ignore_count);
  if (status.ok()) status = checkArray({options->after, "options->after"}, options->after_count);
  return status.ok() ? checkCanBeSent(*options) : status;
}

// Returns the error of a call's arguments, but for those of its answers.
absl::Status checkCall(const RemoteCall& call) {
  // Reads the lines as a world of this process would, to report the same errors.
  const absl::StatusOr<BatchLines> lines = BatchLines::make(call.lines, call.levels);
  if (!lines.ok()) return lines.status();
  absl::Status status = checkBatchResult(call.batch, "batch");
  if (status.ok()) status = checkOptional({call.results, "results"});
  if (status.ok()) status = checkOptional({call.unknown_from, "unknown_from"});
  if (status.ok()) status = checkOptional({call.blockers, "blockers"});
  return status.ok() ? checkOptions(call.options) : status;
}

// Answers a call whose answers go to the array `answers`.
template <class Answer>
frResult asking(const char* function, frRemote* remote, RemoteCall call, Answer* answers,
                const char* name) {
  call.answers = answers;
  return withBusy(function, remote, "remote", {}, [&](Object<frRemote>& used) {
    absl::Status status = checkCall(call);
    if (status.ok()) status = checkArray({answers, name}, call.lines->count);
    if (!status.ok()) return status;
    LineError error;
    status = used.remote->ask(call, error);
    if (status.ok() && !error.status.ok()) {
      setElementError(function, "line", error.line, error.status);
    }
    return status;
  });
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frConnect(const char* address, const frConnectOptions* options, frRemote** remote) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{address, "address"}, {remote, "remote"}});
    if (status.ok() && options != nullptr) status = checkStruct(options, "options");
    if (!status.ok()) return status;
    absl::StatusOr<std::unique_ptr<Remote>> connected =
        connectRemote(address, options == nullptr ? frConnectOptions{} : *options);
    if (!connected.ok()) return connected.status();
    NewObject<frRemote> object;
    object->remote = *std::move(connected);
    object.giveTo(remote);
    return status;
  });
}

frResult frDestroyRemote(frRemote* remote) {
  return destroy(__func__, remote, "remote");
}

frResult frRemote_SetDeadline(frRemote* remote, uint64_t deadline_us) {
  return withBusy(__func__, remote, "remote", {}, [&](Object<frRemote>& used) {
    used.remote->setDeadline(deadline_us);
    return absl::OkStatus();
  });
}

frResult frRemote_SetAtLeast(frRemote* remote, const char* version) {
  return withBusy(__func__, remote, "remote", {}, [&](Object<frRemote>& used) {
    return used.remote->setAtLeast(version == nullptr ? "" : version);
  });
}

frResult frRemote_GetInfo(const frRemote* remote, frRemoteInfo* info) {
  return with(__func__, remote, "remote", {}, [&](const Object<frRemote>& used) {
    absl::Status status = checkStruct(info, "info");
    if (!status.ok()) return status;
    *info = used.remote->info();
    info->struct_size = sizeof(frRemoteInfo);
    return status;
  });
}

frResult frRemote_GetVersion(const frRemote* remote, char* version, size_t capacity,
                             size_t* length) {
  return with(__func__, remote, "remote", {}, [&](const Object<frRemote>& used) {
    absl::Status status = checkArray({version, "version"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    return status.ok() ? copyText(used.remote->version(), version, capacity, length) : status;
  });
}

frResult frRemote_CountBlockTypes(frRemote* remote, size_t* types) {
  return withBusy(
      __func__, remote, "remote", {{types, "types"}}, [&](Object<frRemote>& used) -> absl::Status {
        const absl::StatusOr<std::span<const std::string>> names = used.remote->blockTypes();
        if (!names.ok()) return names.status();
        *types = names->size();
        return absl::OkStatus();
      });
}

frResult frRemote_GetBlockTypeName(frRemote* remote, frBlockType type, char* name, size_t capacity,
                                   size_t* length) {
  return withBusy(__func__, remote, "remote", {}, [&](Object<frRemote>& used) -> absl::Status {
    absl::Status status = checkArray({name, "name"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    if (!status.ok()) return status;
    const absl::StatusOr<std::span<const std::string>> names = used.remote->blockTypes();
    if (!names.ok()) return names.status();
    if (type >= names->size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("type is ", type, "; the server has ", names->size(), " block types"));
    }
    return copyText((*names)[type], name, capacity, length);
  });
}

frResult frRemote_FeedTick(frRemote* remote, const frEntityTick* tick) {
  return withBusy(__func__, remote, "remote", {}, [&](Object<frRemote>& used) {
    absl::Status status = checkStruct(tick, "tick");
    if (status.ok()) status = checkArray({tick->added, "tick->added"}, tick->added_count);
    if (status.ok()) status = checkArray({tick->moved, "tick->moved"}, tick->moved_count);
    if (status.ok()) status = checkArray({tick->removed, "tick->removed"}, tick->removed_count);
    return status.ok() ? used.remote->feed(*tick) : status;
  });
}

frResult frRemote_ClosestHits(frRemote* remote, const frLines* lines, frLevelMask levels,
                              const frQueryOptions* options, frHit* hits, double* unknown_from,
                              frResult* results, frBatchResult* batch) {
  RemoteCall call{RemoteVerb::kClosestHits, lines, levels, options};
  call.unknown_from = unknown_from;
  call.results = results;
  call.batch = batch;
  return asking(__func__, remote, call, hits, "hits");
}

frResult frRemote_CompactHits(frRemote* remote, const frLines* lines, frLevelMask levels,
                              const frQueryOptions* options, frCompactHit* hits,
                              double* unknown_from, frResult* results, frBatchResult* batch) {
  RemoteCall call{RemoteVerb::kCompactHits, lines, levels, options};
  call.unknown_from = unknown_from;
  call.results = results;
  call.batch = batch;
  return asking(__func__, remote, call, hits, "hits");
}

frResult frRemote_OccludedMany(frRemote* remote, const frLines* lines, frLevelMask levels,
                               const frQueryOptions* options, uint8_t* answers, frBlocker* blockers,
                               frResult* results, frBatchResult* batch) {
  RemoteCall call{RemoteVerb::kOccludedMany, lines, levels, options};
  call.blockers = blockers;
  call.results = results;
  call.batch = batch;
  return asking(__func__, remote, call, answers, "answers");
}

}  // extern "C"
