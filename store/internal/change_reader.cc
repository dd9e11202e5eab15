// SPDX-License-Identifier: Apache-2.0
#include "change_reader.h"

#include <charconv>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "schema.h"

namespace fractalray {
namespace {

// The answers to the statements of changesQuery(), by position.
constexpr std::size_t kState = 2;
constexpr std::size_t kLog = 3;

// Returns statements that open a snapshot, name it, and find the mapblocks that were changed by
// transactions that `since` does not see; some repeatedly, as DISTINCT would read the whole log
// before LIMIT ends it. Those are the transactions that had not begun and those that were running:
// the index on xid finds both, and no entry that was seen is read, however long others run.
//
// The tables are locked before the snapshot is taken: a TRUNCATE that was committed between it and
// the first look at a table would empty that for the snapshot, too. Triggers and store init lock
// them in the same order.
std::string changesQuery(const std::optional<StoreVersion>& since) {
  std::string query = absl::StrCat(
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
      "LOCK TABLE blocks, fr_log IN ACCESS SHARE MODE;",
      kStoreStateQuery);
  if (since.has_value()) {
    constexpr const char* kEntries = "SELECT posx, posy, posz FROM fr_log WHERE xid";
    absl::StrAppend(&query, "; ", kEntries, " >= '", since->blocks.next(), "'");
    if (!since->blocks.running().empty()) {
      absl::StrAppend(&query, " UNION ALL ", kEntries, " = ANY ('{",
                      absl::StrJoin(since->blocks.running(), ","), "}'::xid8[])");
    }
    absl::StrAppend(&query, " LIMIT ", ChangeReader::kMostChanges + 1);
  }
  return query;
}

// Returns the mapblock of a row of three numbers, as text.
ChunkCoord mapblockOf(const Rows& rows, int row) {
  ChunkCoord at;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view digits = rows.text(row, axis);
    std::from_chars(digits.data(), digits.data() + digits.size(), at[axis]);
  }
  return at;
}

}  // namespace

absl::Status ChangeReader::check() {
  if (checked_connection_ == link_.connections()) return absl::OkStatus();
  absl::Status status = checkTables(link_);
  if (status.ok()) checked_connection_ = link_.connections();
  return status;
}

absl::StatusOr<std::optional<StoreChanges>> ChangeReader::poll(
    const std::optional<StoreVersion>& since) {
  absl::Status status = link_.ready(StoreTime());
  if (absl::IsDeadlineExceeded(status)) return std::nullopt;
  if (!status.ok()) return status;
  std::optional<StoreChanges> changes;
  if (std::exchange(is_asking_, false)) {
    const std::optional<std::vector<Rows>> answer = link_.takeAnswer();
    // An answer about another version is of no use: it was asked for before begin().
    if (answer.has_value() && asked_since_ == since) {
      absl::StatusOr<StoreChanges> answered = read(*answer, since, *asked_at_);
      if (!answered.ok()) return answered.status();
      changes = *std::move(answered);
    }
  }
  const StoreTime now = StoreClock::now();
  const bool is_time = !asked_at_.has_value() || now - *asked_at_ >= kPollInterval;
  if (!link_.hear() && !is_time) return changes;
  status = check();
  if (absl::IsUnavailable(status)) return changes;
  if (!status.ok()) return status;
  is_asking_ = true;
  asked_at_ = now;
  asked_since_ = changes.has_value() ? changes->version : since;
  link_.start(absl::StrCat(changesQuery(asked_since_), "; COMMIT"));
  return changes;
}

absl::StatusOr<StoreChanges> ChangeReader::begin(const std::optional<StoreVersion>& since,
                                                 StoreTime until) {
  end();
  while (true) {
    absl::Status status = link_.ready(until);
    if (absl::IsDeadlineExceeded(status)) return absl::UnavailableError(status.message());
    if (!status.ok()) return status;
    is_asking_ = false;
    link_.hear();  // this answers it
    asked_at_ = StoreClock::now();
    status = check();
    absl::StatusOr<std::vector<Rows>> answers;
    if (status.ok()) {
      answers = link_.run(changesQuery(since));
      status = answers.status();
    }
    if (status.ok()) {
      is_open_ = true;
      absl::StatusOr<StoreChanges> changes = read(*answers, since, *asked_at_);
      if (!changes.ok()) end();
      return changes;
    }
    if (!absl::IsUnavailable(status) || StoreClock::now() >= until) return status;
  }
}

void ChangeReader::end() noexcept {
  if (!std::exchange(is_open_, false)) return;
  try {
    link_.start("COMMIT");
  } catch (const std::bad_alloc&) {
    link_.drop(absl::UnavailableError(""));  // without a text no memory is taken
  }
}

absl::StatusOr<StoreChanges> ChangeReader::read(const std::vector<Rows>& answers,
                                                const std::optional<StoreVersion>& since,
                                                StoreTime asked_at) {
  absl::StatusOr<StoreState> state = readStoreState(link_.name(), answers[kState]);
  if (!state.ok()) return state.status();
  StoreChanges changes{.version = std::move(state->version), .asked_at = asked_at};
  const bool has_same_triggers = triggers_at_ == since && triggers_ == state->triggers;
  triggers_at_.reset();
  triggers_ = std::move(state->triggers);
  triggers_at_ = changes.version;
  if (!since.has_value()) {
    changes.all = true;
    return changes;
  }
  const Rows& log = answers[kLog];
  changes.all =
      since->world != changes.version.world || !changes.version.blocks.includes(since->blocks) ||
      !state->hasAllSince(since->blocks) || !has_same_triggers || log.size() > kMostChanges;
  if (changes.all) return changes;
  changes.mapblocks.reserve(static_cast<std::size_t>(log.size()));
  for (int row = 0; row < log.size(); ++row)
    changes.mapblocks.push_back(mapblockOf(log, row));
  return changes;
}

}  // namespace fractalray
