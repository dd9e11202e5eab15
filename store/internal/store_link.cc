// SPDX-License-Identifier: Apache-2.0
#include "store_link.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

// The first version with xid8 and pg_snapshot.
constexpr std::uint64_t kOldestServer = 130'000;

}  // namespace

StoreLink::StoreLink(std::string url, std::string name, std::chrono::milliseconds timeout)
    : url_(std::move(url)), name_(std::move(name)), timeout_(timeout) {}

absl::Status StoreLink::named(const absl::Status& error) const {
  return {error.code(), absl::StrCat(name_, ": ", error.message())};
}

absl::Status StoreLink::ready(StoreTime until) {
  while (true) {
    absl::Status status = tryReady(until);
    if (!absl::IsUnavailable(status)) return status;
  }
}

absl::Status StoreLink::tryReady(StoreTime until) {
  if (!connection_.has_value()) {
    if (retry_at_ > std::max(until, StoreClock::now())) {
      return absl::DeadlineExceededError(failure_.message());
    }
    std::this_thread::sleep_until(retry_at_);
    connection_.emplace(url_, name_);
    stage_ = Stage::kConnecting;
    expires_ = StoreClock::now() + timeout_;
  }
  while (true) {
    absl::Status status = connection_->wait(std::min(until, expires_));
    if (absl::IsDeadlineExceeded(status)) {
      if (StoreClock::now() < expires_) return status;
      status = late();
    }
    if (status.ok()) status = advance();
    if (!status.ok()) drop(status);
    if (!status.ok() || stage_ == Stage::kIdle) return status;
  }
}

absl::Status StoreLink::connect() {
  absl::Status status = tryReady(StoreClock::now() + timeout_);
  return absl::IsDeadlineExceeded(status) ? absl::UnavailableError(status.message()) : status;
}

absl::Status StoreLink::advance() {
  switch (stage_) {
    case Stage::kConnecting:
      stage_ = Stage::kSettingUp;
      expires_ = StoreClock::now() + timeout_;
      // The server, too, ends what takes too long: its locks are freed even if this process is not
      // heard of again. A standby refuses to listen, with less to say than checkServer().
      return connection_->begin(absl::StrCat(
          "SET statement_timeout = ", timeout_.count(),
          "; SET client_min_messages = error"
          "; DO $$ BEGIN IF NOT pg_is_in_recovery() THEN LISTEN fr_blocks; END IF; "
          "END $$; SELECT pg_is_in_recovery()::int, current_setting('server_version_num')"));
    case Stage::kSettingUp: {
      absl::Status status = checkServer(connection_->take());
      if (!status.ok()) return status;
      ++connections_;
      heard_ = true;  // something may have changed meanwhile
      break;
    }
    case Stage::kAsking:
      answer_ = connection_->take();
      delay_ = kFirstDelay;
      break;
    case Stage::kIdle:
      break;
  }
  stage_ = Stage::kIdle;
  return absl::OkStatus();
}

absl::Status StoreLink::checkServer(const std::vector<Rows>& answers) const {
  const Rows& server = answers.back();
  if (server.number(0, 1) < kOldestServer) {
    return absl::FailedPreconditionError(
        absl::StrCat(name_, ": the server is older than PostgreSQL 13, and has no pg_snapshot"));
  }
  if (server.number(0, 0) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(name_,
                     ": a standby does not say which transactions run, so that no answer "
                     "could have a version; give the primary server"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Rows>> StoreLink::run(const std::string& statements) {
  if (!connection_.has_value()) return failure_;
  return finish(connection_->begin(statements));
}

absl::StatusOr<Rows> StoreLink::run(const std::string& statement,
                                    std::span<const std::string> parameters) {
  if (!connection_.has_value()) return failure_;
  absl::StatusOr<std::vector<Rows>> answers = finish(connection_->begin(statement, parameters));
  if (!answers.ok()) return answers.status();
  return std::move(answers->front());
}

absl::StatusOr<std::vector<Rows>> StoreLink::finish(absl::Status begun) {
  if (begun.ok()) begun = connection_->wait(StoreClock::now() + timeout_);
  if (absl::IsDeadlineExceeded(begun)) begun = late();
  if (!begun.ok()) {
    drop(begun);
    return begun;
  }
  delay_ = kFirstDelay;
  return connection_->take();
}

void StoreLink::start(const std::string& statements) {
  answer_.reset();
  if (!connection_.has_value()) return;
  const absl::Status begun = connection_->begin(statements);
  if (!begun.ok()) return drop(begun);
  stage_ = Stage::kAsking;
  expires_ = StoreClock::now() + timeout_;
}

std::optional<std::vector<Rows>> StoreLink::takeAnswer() {
  return std::exchange(answer_, std::nullopt);
}

bool StoreLink::hear() {
  if (!connection_.has_value()) return false;
  const absl::StatusOr<bool> heard = connection_->hear();
  if (!heard.ok()) drop(heard.status());
  return std::exchange(heard_, false) || (heard.ok() && *heard);
}

void StoreLink::drop(const absl::Status& failure) {
  connection_.reset();
  answer_.reset();
  failure_ = failure;
  retry_at_ = StoreClock::now() + delay_;
  delay_ = std::min(2 * delay_, kLastDelay);
}

absl::Status StoreLink::late() const {
  return absl::UnavailableError(
      absl::StrCat(name_, ": no answer within ", timeout_.count(), " ms"));
}

}  // namespace fractalray
