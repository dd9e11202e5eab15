// SPDX-License-Identifier: Apache-2.0
#include "query_log_writer.h"

#include <cerrno>
#include <span>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../query/internal/verb.h"
#include "../file_error.h"
#include "../internal/out_of_memory.h"
#include "internal/log_records.h"

namespace fractalray {

using internal::LogWriter;
using internal::RecordKind;

namespace {

// The ids of all entities that a query ignores. A resumed shot has hits of its own; of the hits in
// the options only the entities matter.
struct IgnoredIds {
  template <class Visit>
  void forEach(const Visit& visit) const {
    if (query == nullptr) return;
    const std::span<const EntityId> of_options = query->options.filter.ignore;
    for (const std::span<const EntityId> ids : {of_options, query->query.ignore}) {
      for (const EntityId id : ids)
        visit(id);
    }
    if (query->verb != QueryVerb::kResume) return;
    for (const Hit& hit : query->options.after) {
      if (hit.isEntity()) visit(hit.id);
    }
  }

  const ObservedQuery* query = nullptr;
};

// The hits after which a query resumes.
struct HitsAfter {
  template <class Visit>
  void forEach(const Visit& visit) const {
    if (query == nullptr) return;
    if (query->verb != QueryVerb::kResume) {
      for (const Hit& hit : query->options.after)
        visit(hit);
    }
    for (const Hit& hit : query->query.after)
      visit(hit);
  }

  const ObservedQuery* query = nullptr;
};

// Returns the rules that a query obeys; queries for the first hit ignore them.
const TerminalRules* rulesOf(const ObservedQuery& asked) {
  return internal::shoots(asked.verb) ? asked.options.rules : nullptr;
}

// Returns the amounts of the budgets with which a query starts.
const Budgets& budgetsOf(const ObservedQuery& asked, const TerminalRules& rules) {
  if (asked.query.budgets != nullptr) return *asked.query.budgets;
  return asked.options.budgets != nullptr ? *asked.options.budgets : rules.amounts();
}

// The members of LoggedQuery, by reference, of a query that is written.
struct QueryView : PlainQuery {
  const QueryOptions& options;
  const TerminalRules* rules;
  ChannelId channel;
  IgnoredIds ignore;
  HitsAfter after;
  std::optional<std::string_view> answer;
};

QueryView viewOf(const ObservedQuery& asked, std::string_view answer) {
  const QueryFilter& filter = asked.options.filter;
  QueryView query{{.verb = asked.verb,
                   .segment = asked.query.segment,
                   .levels = asked.query.levels,
                   .has_filter = filter.block_filter || filter.entity_filter,
                   .versions = asked.version,
                   .world_changed_meanwhile = asked.has_edited,
                   .answer_hash = answerHash(answer)},
                  asked.options,
                  rulesOf(asked),
                  filter.channel,
                  {&asked},
                  {&asked},
                  answer};
  if (query.rules == nullptr) return query;
  query.budgets = budgetsOf(asked, *query.rules);
  query.carried = asked.carried;
  return query;
}

// The members of LoggedQuery, and those of LoggedSight, by reference, of a query of sight.
struct SightQueryView : PlainQuery {
  ChannelId channel;
  IgnoreList ignore;
  std::optional<std::string_view> answer;
};
struct SightView {
  const SightCall& question;
  const SightOptions& options;
  std::span<const FixedBox> occluders;
};

SightQueryView viewOf(const ObservedSight& asked, std::string_view answer) {
  const QueryFilter& filter = internal::sightOf(asked.call).filter;
  return {{.levels = asked.levels,
           .has_filter = internal::hasFunction(asked.call),
           .versions = asked.version,
           .answer_hash = answerHash(answer)},
          filter.channel,
          filter.ignore,
          answer};
}

}  // namespace

absl::StatusOr<QueryLogWriter> QueryLogWriter::open(const std::string& path,
                                                    const QueryLogHeader& header) {
  File file(std::fopen(path.c_str(), "wb"));
  const int error = errno;
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<QueryLogWriter> {
    if (file == nullptr) {
      return fileError(error, path, "cannot be opened for writing");
    }
    QueryLogWriter writer(path, std::move(file));
    writer.buffer_ += internal::kQueryLogMagic;
    appendLittle(writer.buffer_, kQueryLogVersion);
    writer.appendRecord(RecordKind::kWorld, [&] {
      LogWriter record(writer.buffer_);
      describeWorld(record, header);
    });
    // Flushes at once, so that a file that cannot be written is an error before the first query.
    absl::Status status = writer.flush();
    if (!status.ok()) return status;
    return writer;
  });
}

QueryLogWriter::QueryLogWriter(std::string path, File file)
    : path_(std::move(path)), file_(std::move(file)) {
  // The log has its own buffer, which is written only in whole records.
  static_cast<void>(std::setvbuf(file_.get(), nullptr, _IONBF, 0));
  buffer_.reserve(2 * kBufferBytes);
  answer_.reserve(kBufferBytes);
}

template <class Describe>
bool QueryLogWriter::appendRecord(RecordKind kind, const Describe& describe) {
  const std::size_t begin = buffer_.size();
  buffer_.append(internal::kRecordHeadBytes, '\0');
  appendLittle(buffer_, static_cast<std::uint8_t>(kind));
  describe();
  const std::string_view body =
      std::string_view(buffer_).substr(begin + internal::kRecordHeadBytes);
  if (body.size() > kMaxRecordBytes) {
    buffer_.resize(begin);
    return false;
  }
  putLittle(buffer_, begin, static_cast<std::uint32_t>(body.size()));
  putLittle(buffer_, begin + 4, internal::recordChecksum(body));
  whole_bytes_ = buffer_.size();
  if (buffer_.size() >= kBufferBytes) static_cast<void>(flush());
  return true;
}

bool QueryLogWriter::appendRules(const TerminalRules& rules, const BlockTypeTable& types) {
  new_rules_.clear();
  internal::appendRules(new_rules_, rules, types);
  if (rules_ == new_rules_) return true;
  if (!appendRecord(RecordKind::kRules, [&] { buffer_ += new_rules_; })) return false;
  rules_ = new_rules_;
  return true;
}

template <class AppendRecords>
void QueryLogWriter::appendOrEnd(const AppendRecords& append_records) {
  if (file_ == nullptr || !status_.ok()) return;
  try {
    append_records();
  } catch (const std::bad_alloc&) {
    buffer_.resize(whole_bytes_);
    if (flush().ok()) status_ = internal::outOfMemory(path_);
  }
}

void QueryLogWriter::append(const ObservedQuery& asked, const ObservedAnswer& answer,
                            const BlockTypeTable& types) {
  appendOrEnd([&] { appendQuery(asked, answer, types); });
}

void QueryLogWriter::append(const FrameMove& move, const SceneVersion& after) {
  const LoggedMove logged{.levels = move.levels(), .chunk = move.chunk(), .after = after};
  appendOrEnd([&] {
    appendRecord(RecordKind::kMove, [&] {
      LogWriter record(buffer_);
      describeMove(record, logged);
    });
  });
}

void QueryLogWriter::appendQuery(const ObservedQuery& asked, const ObservedAnswer& answer,
                                 const BlockTypeTable& types) {
  const ChannelId channel = asked.options.filter.channel;
  answer_.clear();
  appendAnswer(answer_, answer, types, channel);
  QueryView query = viewOf(asked, answer_);
  LogWriter record(buffer_, types, channel);
  const auto append_view = [&] {
    return appendRecord(RecordKind::kQuery, [&] { describeQuery(record, query); });
  };
  const bool has_its_rules = query.rules == nullptr || appendRules(*query.rules, types);
  bool is_written = has_its_rules && append_view();
  query.answer.reset();
  is_written = is_written || (has_its_rules && append_view());
  query.rules = nullptr;
  query.carried.reset();
  query.ignore = {};
  query.after = {};
  if (!is_written) append_view();
  ++queries_;
}

void QueryLogWriter::append(const ObservedSight& asked, const ObservedAnswer& answer,
                            const BlockTypeTable& types) {
  appendOrEnd([&] { appendSight(asked, answer, types); });
}

void QueryLogWriter::appendSight(const ObservedSight& asked, const ObservedAnswer& answer,
                                 const BlockTypeTable& types) {
  const SightOptions& options = internal::sightOf(asked.call);
  const ChannelId channel = options.filter.channel;
  answer_.clear();
  appendAnswer(answer_, answer, types, channel);
  SightQueryView query = viewOf(asked, answer_);
  const SightView sight{asked.call, options, options.occluders};
  LogWriter record(buffer_, types, channel);
  const auto append_view = [&] {
    return appendRecord(RecordKind::kSight, [&] { describeSight(record, query, sight); });
  };
  bool is_written = append_view();
  query.answer.reset();
  is_written = is_written || append_view();
  record.leaveOutLists();
  if (!is_written) append_view();
  ++queries_;
}

absl::Status QueryLogWriter::flush() {
  if (file_ == nullptr || !status_.ok()) return status_;
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
    fail("cannot be written");
  }
  buffer_.clear();
  whole_bytes_ = 0;
  return status_;
}

absl::Status QueryLogWriter::close() {
  if (file_ == nullptr) return status_;
  appendRecord(RecordKind::kEnd, [&] { appendLittle(buffer_, queries_); });
  static_cast<void>(flush());
  // Some file systems report only here that the disk is full.
  if (std::fclose(file_.release()) != 0 && status_.ok()) fail("cannot be closed");
  return status_;
}

void QueryLogWriter::fail(const char* what) {
  const int error = errno;
  status_ = fileError(error, path_,
                      absl::StrCat("the query log ", what,
                                   ", it ends after what is in the file; the queries continue"));
}

}  // namespace fractalray
