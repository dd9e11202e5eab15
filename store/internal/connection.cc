// SPDX-License-Identifier: Apache-2.0
#include "connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include "../../core/printable.h"

namespace fractalray {
namespace {

// The status codes of classes of errors, and of single errors, by the begin of their SQLSTATE
// (appendix A of PostgreSQL's manual).
struct ErrorCode {
  std::string_view state;
  absl::StatusCode code;
};
constexpr std::array<ErrorCode, 16> kErrorCodes = {{
    {"08", absl::StatusCode::kUnavailable},            // connection
    {"23", absl::StatusCode::kAborted},                // broken by another session
    {"25006", absl::StatusCode::kFailedPrecondition},  // read only
    {"25P03", absl::StatusCode::kUnavailable},         // a transaction was idle for too long
    {"25P04", absl::StatusCode::kUnavailable},         // a transaction took too long
    {"28", absl::StatusCode::kPermissionDenied},       // authorization
    {"3D000", absl::StatusCode::kNotFound},            // no such database
    {"3F000", absl::StatusCode::kFailedPrecondition},  // no such schema
    {"40", absl::StatusCode::kAborted},                // deadlock, serialization
    {"42501", absl::StatusCode::kPermissionDenied},    // no privilege
    {"42704", absl::StatusCode::kFailedPrecondition},  // no such object
    {"42883", absl::StatusCode::kFailedPrecondition},  // no such function
    {"42P01", absl::StatusCode::kFailedPrecondition},  // no such table
    {"53", absl::StatusCode::kUnavailable},            // too many connections, no memory
    {"55P03", absl::StatusCode::kUnavailable},         // waited too long for a lock
    {"57", absl::StatusCode::kUnavailable},            // cancelled, shutting down
}};

absl::StatusCode codeOf(std::string_view state) {
  for (const ErrorCode& each : kErrorCodes) {
    if (state.starts_with(each.state)) return each.code;
  }
  return absl::StatusCode::kInternal;
}

// Returns what libpq says, in one line.
std::string reasonOf(const char* message) {
  const std::string text(absl::StripAsciiWhitespace(message == nullptr ? "" : message));
  return printable(absl::StrReplaceAll(text, {{"\n", "; "}, {"\t", " "}}), kMaxReasonBytes);
}

struct RefusedConnection {
  std::string state;  // the SQLSTATE of the server, "" if it has not answered
  std::string message;
};

// Reads a verbose message of libpq's, "... FATAL:  28P01: password authentication failed for user
// x\nLOCATION:  auth_failed, auth.c:334": the last SQLSTATE, if several servers have been tried.
// The lines after it are about the server's source.
RefusedConnection readRefusal(std::string_view text) {
  constexpr std::string_view kBefore = ":  ";
  constexpr std::string_view kAfter = ": ";
  constexpr std::size_t kLength = 5;
  RefusedConnection refused{.state = "", .message = std::string(text)};
  for (std::size_t at = text.find(kBefore); at != std::string_view::npos;
       at = text.find(kBefore, at + 1)) {
    const std::string_view rest = text.substr(at + kBefore.size());
    const std::string_view state = rest.substr(0, kLength);
    const bool is_state = rest.substr(state.size()).starts_with(kAfter) &&
                          std::ranges::all_of(state, [](unsigned char each) {
                            return absl::ascii_isdigit(each) || absl::ascii_isupper(each);
                          });
    if (!is_state) continue;
    const std::string_view line = rest.substr(0, rest.find('\n'));
    refused.state = std::string(state);
    refused.message = absl::StrCat(std::string(text.substr(0, at + kBefore.size())),
                                   std::string(line.substr(kLength + kAfter.size())));
  }
  return refused;
}

// Returns the value of an option of a connection, "" if it is not given.
std::string optionOf(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* each = options; each->keyword != nullptr; ++each) {
    if (each->keyword == keyword) return each->val == nullptr ? "" : each->val;
  }
  return "";
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
struct FreeMemory {
  void operator()(void* memory) const { PQfreemem(memory); }
};

}  // namespace

absl::StatusOr<std::string> storeName(const std::string& url) {
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> options(
      PQconninfoParse(url.c_str(), &message));
  const std::unique_ptr<char, FreeMemory> owned(message);
  if (options == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the store's URL cannot be read: ", reasonOf(message),
                     "; give postgresql://HOST/DATABASE"));
  }
  std::string host = optionOf(options.get(), "host");
  if (host.empty()) host = optionOf(options.get(), "hostaddr");
  const std::string port = optionOf(options.get(), "port");
  return printable(absl::StrCat("postgresql://", host, port.empty() ? "" : ":", port, "/",
                                optionOf(options.get(), "dbname")));
}

void Connection::Close::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

Connection::Connection(const std::string& url, std::string name)
    : name_(std::move(name)), connection_(PQconnectStart(url.c_str())) {
  if (connection_ == nullptr) throw std::bad_alloc();
  // While it connects, libpq gives the SQLSTATE of an error in its text alone.
  PQsetErrorVerbosity(connection_.get(), PQERRORS_VERBOSE);
  // libpq would print what the server says by itself.
  PQsetNoticeProcessor(
      connection_.get(), [](void* /*unused*/, const char* /*message*/) {}, nullptr);
}

absl::Status Connection::begin(const std::string& statements) {
  is_asking_ = true;
  return PQsendQuery(connection_.get(), statements.c_str()) == 1 ? absl::OkStatus() : lost();
}

absl::Status Connection::begin(const std::string& statement,
                               std::span<const std::string> parameters) {
  std::vector<const char*> values;
  values.reserve(parameters.size());
  for (const std::string& each : parameters)
    values.push_back(each.c_str());
  is_asking_ = true;
  const int sent =
      PQsendQueryParams(connection_.get(), statement.c_str(), static_cast<int>(values.size()),
                        nullptr, values.data(), nullptr, nullptr, /*resultFormat=*/1);
  return sent == 1 ? absl::OkStatus() : lost();
}

absl::Status Connection::wait(StoreTime deadline) {
  if (is_connecting_) return connect(deadline);
  return is_asking_ ? finishQuery(deadline) : absl::OkStatus();
}

std::vector<Rows> Connection::take() {
  return std::exchange(answers_, {});
}

absl::StatusOr<bool> Connection::hear() {
  if (PQconsumeInput(connection_.get()) == 0) return lost();
  bool heard = false;
  while (true) {
    const std::unique_ptr<PGnotify, FreeMemory> notice(PQnotifies(connection_.get()));
    if (notice == nullptr) return heard;
    heard = true;
  }
}

absl::Status Connection::connect(StoreTime deadline) {
  while (true) {
    if (PQstatus(connection_.get()) == CONNECTION_BAD) return refused();
    absl::Status status = awaitSocket(next_event_, deadline);
    if (!status.ok()) return status;
    switch (PQconnectPoll(connection_.get())) {
      case PGRES_POLLING_READING:
        next_event_ = POLLIN;
        break;
      case PGRES_POLLING_WRITING:
        next_event_ = POLLOUT;
        break;
      case PGRES_POLLING_OK:
        is_connecting_ = false;
        PQsetErrorVerbosity(connection_.get(), PQERRORS_DEFAULT);
        return PQsetnonblocking(connection_.get(), 1) == 0 ? absl::OkStatus() : lost();
      default:
        return refused();
    }
  }
}

absl::Status Connection::finishQuery(StoreTime deadline) {
  while (true) {
    const int unsent = PQflush(connection_.get());
    if (unsent < 0 || PQconsumeInput(connection_.get()) == 0) return lost();
    while (PQisBusy(connection_.get()) == 0) {
      pg_result* const result = PQgetResult(connection_.get());
      if (result == nullptr) {
        is_asking_ = false;
        return std::exchange(error_, absl::OkStatus());
      }
      Rows answer(result);
      const ExecStatusType outcome = PQresultStatus(result);
      if (outcome == PGRES_COMMAND_OK || outcome == PGRES_TUPLES_OK) {
        answers_.push_back(std::move(answer));
        continue;
      }
      const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
      const char* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
      error_.Update(absl::Status(
          codeOf(state == nullptr ? "08" : state),
          absl::StrCat(name_, ": ",
                       reasonOf(message == nullptr ? PQresultErrorMessage(result) : message))));
    }
    absl::Status status =
        awaitSocket(static_cast<short>(unsent > 0 ? POLLIN | POLLOUT : POLLIN), deadline);
    if (!status.ok()) return status;
  }
}

absl::Status Connection::awaitSocket(short events, StoreTime deadline) {
  pollfd socket{.fd = PQsocket(connection_.get()), .events = events, .revents = 0};
  if (socket.fd < 0) return lost();
  while (true) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::ceil<milliseconds>(deadline - StoreClock::now()).count();
    const auto wait = std::clamp<milliseconds::rep>(left, 0, INT_MAX);
    const int ready = ::poll(&socket, 1, static_cast<int>(wait));
    if (ready > 0) return absl::OkStatus();
    if (ready == 0) return absl::DeadlineExceededError(absl::StrCat(name_, ": no answer yet"));
    if (errno != EINTR) {
      return absl::UnavailableError(absl::StrCat(name_, ": ", std::strerror(errno)));
    }
  }
}

absl::Status Connection::lost() const {
  return absl::UnavailableError(
      absl::StrCat(name_, ": ", reasonOf(PQerrorMessage(connection_.get()))));
}

absl::Status Connection::refused() const {
  const RefusedConnection refusal = readRefusal(PQerrorMessage(connection_.get()));
  // Other errors, such as those of a server that starts, may pass.
  const bool is_denied = PQconnectionNeedsPassword(connection_.get()) != 0 ||
                         codeOf(refusal.state) == absl::StatusCode::kPermissionDenied;
  return {is_denied ? absl::StatusCode::kPermissionDenied : absl::StatusCode::kUnavailable,
          absl::StrCat(name_, ": ", reasonOf(refusal.message.c_str()))};
}

}  // namespace fractalray
