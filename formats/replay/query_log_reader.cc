// SPDX-License-Identifier: Apache-2.0
#include "query_log_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../file_error.h"
#include "../internal/out_of_memory.h"
#include "internal/log_records.h"

namespace fractalray {

using internal::LogReader;
using internal::RecordKind;

namespace {

// The most bytes requested of the file at once: a wrong length reserves no memory for missing
// bytes.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

// Returns what is wrong with an answer as one of its query; "" if nothing is.
std::string_view faultOf(const LoggedQuery& query, const LoggedAnswer& answer) {
  if (answer.status != absl::StatusCode::kOk) return "";
  const std::size_t of_line = query.verb == QueryVerb::kOccluded ? 1 : 0;
  const std::size_t form = query.sight.has_value() ? query.sight->question.index() + 2 : of_line;
  if (internal::formOf(answer) != form) return "its answer is one of another verb";
  if (!answer.sights.has_value()) return "";
  const auto& asked = std::get<LoggedVisibleBoxes>(query.sight->question);
  const bool is_whole = answer.sights->size() == asked.viewers.size() * asked.boxes.size();
  return is_whole ? "" : "its answer has another number of pairs";
}

}  // namespace

QueryLogReader::QueryLogReader(std::string path, File file)
    : path_(std::move(path)), file_(std::move(file)) {
  struct stat present = {};
  if (::fstat(fileno(file_.get()), &present) == 0 && S_ISREG(present.st_mode)) {
    bytes_ = static_cast<std::uint64_t>(present.st_size);
  }
}

absl::StatusOr<QueryLogReader> QueryLogReader::open(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"));
  const int error = errno;
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<QueryLogReader> {
    if (file == nullptr) return fileError(error, path, "cannot be opened");
    QueryLogReader reader(path, std::move(file));
    absl::Status status = reader.readHead();
    if (!status.ok()) return status;
    return reader;
  });
}

absl::Status QueryLogReader::readBody(std::size_t size) {
  body_.clear();
  while (body_.size() < size) {
    const std::size_t begin = body_.size();
    const std::size_t piece = std::min(size - begin, kPieceBytes);
    body_.resize(begin + piece);
    const std::size_t count = std::fread(body_.data() + begin, 1, piece, file_.get());
    body_.resize(begin + count);
    offset_ += count;
    if (count == piece) continue;
    if (std::ferror(file_.get()) != 0) {
      return fileError(errno, path_, "cannot be read");
    }
    break;
  }
  return absl::OkStatus();
}

absl::Status QueryLogReader::readHead() {
  absl::Status status = readBody(internal::kQueryLogMagic.size() + sizeof(kQueryLogVersion));
  if (!status.ok()) return status;
  const std::string_view head = body_;
  if (!head.starts_with(internal::kQueryLogMagic)) {
    return absl::InvalidArgumentError(
        absl::StrCat(printablePath(path_),
                     ": not a query log; give a file that an engine or --record has written"));
  }
  LogReader version_reader(head.substr(internal::kQueryLogMagic.size()), "it");
  std::uint16_t version = 0;
  version_reader.value(version);
  if (!version_reader.finish("").ok()) return damage("the log is cut off in its first bytes");
  if (version != kQueryLogVersion) {
    return absl::UnimplementedError(
        absl::StrCat(printablePath(path_), ": is a query log of format version ", version,
                     "; this program reads version ", kQueryLogVersion,
                     ": record it again, or replay it with the version that wrote it"));
  }
  status = readRecord();
  if (!status.ok()) return status;
  const bool is_world = kind() == RecordKind::kWorld;
  if (is_world && parse("a world is", [&](auto& body) { describeWorld(body, header_); }).ok()) {
    return absl::OkStatus();
  }
  return damage("it does not describe a world, as the first record must");
}

absl::Status QueryLogReader::readRecord() {
  record_at_ = offset_;
  ++records_;
  absl::Status status = readBody(internal::kRecordHeadBytes);
  if (!status.ok()) return status;
  if (body_.empty()) {
    return damage(
        "the log ends without its last record: it is cut off, or was not closed by the program "
        "that wrote it");
  }
  LogReader head(body_, "it");
  std::uint32_t size = 0;
  std::uint32_t checksum = 0;
  head.value(size);
  head.value(checksum);
  if (!head.finish("").ok()) return damage("the log is cut off in it");
  if (size == 0 || size > kMaxRecordBytes) {
    return damage(absl::StrCat("its length would be ", size));
  }
  status = readBody(size);
  if (!status.ok()) return status;
  if (body_.size() < size) {
    return damage(absl::StrCat("the log is cut off in it, or its length is wrong: it would be ",
                               size, " bytes and ", body_.size(), " are left"));
  }
  if (internal::recordChecksum(body_) != checksum) return damage("its checksum is wrong");
  return absl::OkStatus();
}

template <class Describe>
absl::Status QueryLogReader::parse(std::string_view what, const Describe& describe) const {
  LogReader reader(std::string_view(body_).substr(1), "it");
  describe(reader);
  const absl::Status status = reader.finish(what);
  return status.ok() ? status : damage(status.message());
}

absl::StatusOr<bool> QueryLogReader::next(LoggedQuery& query) {
  if (is_done_) return false;
  is_done_ = true;
  return internal::catchBadAlloc(path_, [&] { return readQuery(query); });
}

absl::StatusOr<bool> QueryLogReader::readQuery(LoggedQuery& query) {
  std::vector<LoggedMove> moves;
  absl::Status status = readRecord();
  for (; status.ok(); status.Update(readRecord())) {
    switch (kind()) {
      case RecordKind::kRules:
        status = parseRules();
        break;
      case RecordKind::kMove:
        status = parse("a move is", [&](auto& body) { describeMove(body, moves.emplace_back()); });
        break;
      case RecordKind::kQuery:
      case RecordKind::kSight:
        status = parseQuery(query);
        if (!status.ok()) return status;
        query.moves = std::move(moves);
        is_done_ = false;
        return true;
      case RecordKind::kEnd:
        status = parseEnd();
        if (!status.ok()) return status;
        return false;
      default:
        return damage(absl::StrCat("it is of kind ", int{static_cast<std::uint8_t>(body_.front())},
                                   ", not a query's"));
    }
  }
  return status;
}

absl::Status QueryLogReader::parseQuery(LoggedQuery& query) {
  query = LoggedQuery();
  query.rules = rules_;
  absl::Status status = parse("a query is", [&](auto& body) {
    if (kind() == RecordKind::kSight) return describeSight(body, query, query.sight.emplace());
    describeQuery(body, query);
  });
  if (!status.ok()) return status;
  if (query.answer.has_value()) {
    const absl::StatusOr<LoggedAnswer> answer = parseAnswer(*query.answer);
    if (!answer.ok()) return damage(answer.status().message());
    if (answerHash(*query.answer) != query.answer_hash) return damage("the answer's hash is wrong");
    const std::string_view fault = faultOf(query, *answer);
    if (!fault.empty()) return damage(absl::string_view(fault.data(), fault.size()));
  }
  query.number = ++queries_;
  query.offset = record_at_;
  return absl::OkStatus();
}

absl::Status QueryLogReader::parseRules() {
  absl::StatusOr<LoggedRules> rules = internal::parseRules(std::string_view(body_).substr(1));
  if (!rules.ok()) return damage(rules.status().message());
  rules_ = std::make_shared<const LoggedRules>(*std::move(rules));
  return absl::OkStatus();
}

absl::Status QueryLogReader::parseEnd() {
  std::uint64_t queries = 0;
  absl::Status status = parse("a log's end is", [&](auto& body) { body.value(queries); });
  if (!status.ok()) return status;
  if (queries != queries_) {
    return damage(absl::StrCat("it is the log's end after ", queries, " queries, and ", queries_,
                               " are there"));
  }
  record_at_ = offset_;
  ++records_;
  status = readBody(1);
  if (!status.ok() || body_.empty()) return status;
  return damage("there are more bytes after the log's end");
}

absl::Status QueryLogReader::damage(absl::string_view what) const {
  return absl::DataLossError(absl::StrCat(printablePath(path_), ": damaged at byte ", record_at_,
                                          ", in record ", records_, ": ", what, "; ", queries_,
                                          " queries before it are whole"));
}

}  // namespace fractalray
