// SPDX-License-Identifier: Apache-2.0
#include "query_log_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/frame.h"
#include "../../core/printable.h"
#include "../file_error.h"
#include "../internal/out_of_memory.h"
#include "internal/log_fields.h"
#include "internal/log_format.h"
#include "logged_answer.h"

namespace fractalray {

using internal::RecordKind;

namespace {

// The most bytes requested of the file at once: a wrong length reserves no memory for missing
// bytes.
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

ByteReader readerOf(std::string_view bytes) {
  return ByteReader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// Reads the body of a query's record; returns the error, empty if there is none.
class QueryParser {
 public:
  // `rules` are the last before the query, null if there are none.
  QueryParser(std::string_view body, std::shared_ptr<const LoggedRules> rules)
      : body_(readerOf(body)), rules_(std::move(rules)) {}

  std::string parse(LoggedQuery& query) {
    body_.skip(1);  // the kind
    query.verb = readVerb();
    readFlags(query);
    query.levels = internal::readLevelBits(body_, error_);
    for (Vec3i* const end : {&query.segment.from, &query.segment.to}) {
      for (std::int64_t& coordinate : end->values)
        coordinate = body_.little<std::int64_t>();
    }
    if (has_end_time_) query.segment.end_time = body_.little<std::int64_t>();
    if (has_begin_) {
      query.segment.begin.axes = body_.u8();
      query.segment.begin.plane = body_.little<std::int64_t>();
    }
    internal::readFields(body_, "option", query.options, error_);
    if (!error_.empty()) return error_;  // what follows begins elsewhere
    query.versions.world = body_.little<std::uint64_t>();
    query.versions.entities = body_.little<std::uint64_t>();
    query.channel = internal::readName(body_, "channel", error_);
    readIgnored(query);
    for (auto hits = body_.little<std::uint32_t>(); hits > 0 && ok(); --hits)
      query.after.push_back(internal::readHit(body_, error_));
    if (has_rules_ && ok()) readBudgets(query);
    query.answer_hash = body_.little<std::uint64_t>();
    if (!body_.ok()) return "it is too short for a query";
    if (error_.empty()) readAnswer(query);
    return error_;
  }

 private:
  bool ok() const { return body_.ok() && error_.empty(); }

  QueryVerb readVerb() {
    const auto verb = QueryVerb{body_.u8()};
    if (queryVerbName(verb).empty())
      fail(absl::StrCat("it has a verb of ", static_cast<int>(verb)));
    return verb;
  }

  void readFlags(LoggedQuery& query) {
    const std::uint8_t flags = body_.u8();
    if ((flags & ~internal::kAllQueryFlags) != 0) fail("it has unknown flags");
    const auto has = [&](internal::QueryFlag flag) { return (flags & flag) != 0; };
    query.has_filter = has(internal::kHasFilter);
    query.world_changed_meanwhile = has(internal::kChangedMeanwhile);
    answer_left_out_ = has(internal::kAnswerLeftOut);
    has_rules_ = has(internal::kHasRules);
    has_carried_ = has(internal::kHasCarried);
    has_end_time_ = has(internal::kHasEndTime);
    has_begin_ = has(internal::kHasBegin);
  }

  void readIgnored(LoggedQuery& query) {
    const auto count = body_.little<std::uint32_t>();
    if (count > body_.rest().size() / sizeof(EntityId)) {
      return fail("it is too short for the entities that it ignores");
    }
    query.ignore.resize(count);
    for (EntityId& id : query.ignore)
      id = body_.little<EntityId>();
  }

  void readBudgets(LoggedQuery& query) {
    if (rules_ == nullptr) return fail("it has rules, and no rules are before it");
    query.rules = rules_;
    if (has_carried_) query.carried.emplace();
    const auto number = [&] { return std::bit_cast<double>(body_.little<std::uint64_t>()); };
    for (std::size_t i = 0; i < rules_->amounts.size(); ++i) {
      query.budgets[i] = number();
      if (!has_carried_) continue;
      query.carried->at_start[i] = number();
      query.carried->left[i] = number();
      query.carried->overdrawn[i] = number();
    }
  }

  void readAnswer(LoggedQuery& query) {
    const std::string_view bytes = body_.text(body_.rest().size());
    if (answer_left_out_) {
      if (!bytes.empty()) fail("it has an answer that it says is left out");
      return;
    }
    const absl::StatusOr<LoggedAnswer> answer = parseAnswer(bytes);
    if (!answer.ok()) return fail(answer.status().message());
    if (answerHash(bytes) != query.answer_hash) return fail("the answer's hash is wrong");
    query.answer = std::string(bytes);
  }

  void fail(absl::string_view what) {
    if (error_.empty()) error_ = std::string(what);
  }

  ByteReader body_;
  std::shared_ptr<const LoggedRules> rules_;
  bool answer_left_out_ = false;
  bool has_rules_ = false;
  bool has_carried_ = false;
  bool has_end_time_ = false;
  bool has_begin_ = false;
  std::string error_;
};

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
  ByteReader version_reader = readerOf(head.substr(internal::kQueryLogMagic.size()));
  const auto version = version_reader.little<std::uint16_t>();
  if (!version_reader.ok()) return damage("the log is cut off in its first bytes");
  if (version != kQueryLogVersion) {
    return absl::UnimplementedError(
        absl::StrCat(printablePath(path_), ": is a query log of format version ", version,
                     "; this program reads version ", kQueryLogVersion,
                     ": record it again, or replay it with the version that wrote it"));
  }
  status = readRecord();
  if (!status.ok()) return status;
  ByteReader body = readerOf(body_);
  const std::uint8_t kind = body.u8();
  header_.levels = body.u8();
  const std::uint8_t has_fingerprints = body.u8();
  const auto world = body.little<std::uint64_t>();
  const auto entities = body.little<std::uint64_t>();
  if (has_fingerprints == 1) header_.fingerprints = {world, entities};
  header_.versions.world = body.little<std::uint64_t>();
  header_.versions.entities = body.little<std::uint64_t>();
  if (!body.ok() || !body.rest().empty() || kind != static_cast<std::uint8_t>(RecordKind::kWorld) ||
      header_.levels < 1 || header_.levels > kMaxLevels || has_fingerprints > 1) {
    return damage("it does not describe a world, as the first record must");
  }
  return absl::OkStatus();
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
  if (body_.size() < internal::kRecordHeadBytes) return damage("the log is cut off in it");
  ByteReader head = readerOf(body_);
  const auto size = head.little<std::uint32_t>();
  const auto checksum = head.little<std::uint32_t>();
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

absl::StatusOr<bool> QueryLogReader::next(LoggedQuery& query) {
  if (is_done_) return false;
  is_done_ = true;
  return internal::catchBadAlloc(path_, [&] { return readQuery(query); });
}

absl::StatusOr<bool> QueryLogReader::readQuery(LoggedQuery& query) {
  std::vector<LoggedMove> moves;
  absl::Status status = readRecord();
  while (status.ok()) {
    const auto kind = static_cast<RecordKind>(body_.front());
    if (kind == RecordKind::kRules) {
      status = readRules();
    } else if (kind == RecordKind::kMove) {
      status = readMove(moves);
    } else {
      break;
    }
    if (status.ok()) status = readRecord();
  }
  if (!status.ok()) return status;
  const auto kind = static_cast<RecordKind>(body_.front());
  if (kind == RecordKind::kEnd) {
    status = readEnd(body_);
    if (!status.ok()) return status;
    return false;
  }
  if (kind != RecordKind::kQuery) {
    return damage(absl::StrCat("it is of kind ", static_cast<int>(kind), ", not a query's"));
  }
  query = LoggedQuery();
  const std::string error = QueryParser(body_, rules_).parse(query);
  if (!error.empty()) return damage(error);
  query.moves = std::move(moves);
  query.number = ++queries_;
  query.offset = record_at_;
  is_done_ = false;
  return true;
}

absl::Status QueryLogReader::readRules() {
  ByteReader body = readerOf(std::string_view(body_).substr(1));
  std::string error;
  LoggedRules rules = internal::readRules(body, error);
  if (!body.ok()) return damage("it is too short for its rules");
  if (error.empty() && !body.rest().empty()) error = "it has more than rules";
  if (!error.empty()) return damage(error);
  rules_ = std::make_shared<const LoggedRules>(std::move(rules));
  return absl::OkStatus();
}

absl::Status QueryLogReader::readMove(std::vector<LoggedMove>& moves) {
  ByteReader body = readerOf(std::string_view(body_).substr(1));
  const int kind = body.u8();
  LoggedMove move{.levels = kind - 1};
  for (std::int64_t& coordinate : move.chunk.values)
    coordinate = body.little<std::int64_t>();
  move.after.world = body.little<std::uint64_t>();
  move.after.entities = body.little<std::uint64_t>();
  if (!body.ok() || !body.rest().empty()) return damage("it is not as long as a move is");
  if (kind > 2) return damage(absl::StrCat("it has a move of kind ", kind));
  for (const std::int64_t step : move.chunk.values) {
    if (move.levels > 0 && (step < 0 || step >= kChunkSize)) {
      return damage(absl::StrCat("it has a climb out of block ", step, ", which no chunk has"));
    }
  }
  moves.push_back(move);
  return absl::OkStatus();
}

absl::Status QueryLogReader::readEnd(std::string_view body) {
  ByteReader end = readerOf(body.substr(1));
  const auto queries = end.little<std::uint64_t>();
  if (!end.ok() || !end.rest().empty()) return damage("it is not as long as a log's end is");
  if (queries != queries_) {
    return damage(absl::StrCat("it is the log's end after ", queries, " queries, and ", queries_,
                               " are there"));
  }
  record_at_ = offset_;
  ++records_;
  absl::Status status = readBody(1);
  if (!status.ok() || body_.empty()) return status;
  return damage("there are more bytes after the log's end");
}

absl::Status QueryLogReader::damage(std::string_view what) const {
  return absl::DataLossError(absl::StrCat(printablePath(path_), ": damaged at byte ", record_at_,
                                          ", in record ", records_, ": ", std::string(what), "; ",
                                          queries_, " queries before it are whole"));
}

}  // namespace fractalray
