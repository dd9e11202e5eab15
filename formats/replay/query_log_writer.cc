// SPDX-License-Identifier: Apache-2.0
#include "query_log_writer.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../query/internal/verb.h"
#include "../file_error.h"
#include "../internal/little_endian.h"
#include "../internal/out_of_memory.h"
#include "internal/log_fields.h"
#include "internal/log_format.h"

namespace fractalray {

using internal::RecordKind;

namespace {

// Returns true for a query that obeys rules; queries for the first hit ignore them.
bool hasRules(const ObservedQuery& asked) {
  return asked.options.rules != nullptr && internal::shoots(asked.verb);
}

std::uint8_t flagsOf(const ObservedQuery& asked) {
  const QueryFilter& filter = asked.options.filter;
  unsigned flags = 0;
  const auto set = [&](bool condition, internal::QueryFlag flag) {
    if (condition) flags |= flag;
  };
  set(static_cast<bool>(filter.block_filter) || static_cast<bool>(filter.entity_filter),
      internal::kHasFilter);
  set(asked.has_edited, internal::kChangedMeanwhile);
  set(hasRules(asked), internal::kHasRules);
  set(hasRules(asked) && asked.carried.has_value(), internal::kHasCarried);
  set(asked.query.segment.end_time != kWholeLine, internal::kHasEndTime);
  set(asked.query.segment.begin.axes != 0, internal::kHasBegin);
  return static_cast<std::uint8_t>(flags);
}

// The position of a query's flags in its record, after the kind and the verb.
constexpr std::size_t kFlagsAt = internal::kRecordHeadBytes + 2;

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
    writer.appendWorld(header);
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
}

std::size_t QueryLogWriter::beginRecord(RecordKind kind) {
  const std::size_t begin = buffer_.size();
  buffer_.append(internal::kRecordHeadBytes, '\0');
  appendLittle(buffer_, static_cast<std::uint8_t>(kind));
  return begin;
}

void QueryLogWriter::endRecord(std::size_t begin) {
  const std::string_view body =
      std::string_view(buffer_).substr(begin + internal::kRecordHeadBytes);
  const std::uint32_t checksum = internal::recordChecksum(body);
  putLittle(buffer_, begin, static_cast<std::uint32_t>(body.size()));
  putLittle(buffer_, begin + 4, checksum);
  whole_bytes_ = buffer_.size();
  if (buffer_.size() >= kBufferBytes) static_cast<void>(flush());
}

void QueryLogWriter::appendWorld(const QueryLogHeader& header) {
  const std::size_t begin = beginRecord(RecordKind::kWorld);
  appendLittle(buffer_, static_cast<std::uint8_t>(header.levels));
  appendLittle(buffer_, static_cast<std::uint8_t>(header.fingerprints.has_value() ? 1 : 0));
  const QueryLogHeader::Fingerprints prints =
      header.fingerprints.value_or(QueryLogHeader::Fingerprints{});
  appendLittle(buffer_, prints.world);
  appendLittle(buffer_, prints.entities);
  appendLittle(buffer_, header.versions.world);
  appendLittle(buffer_, header.versions.entities);
  endRecord(begin);
}

void QueryLogWriter::appendQuestion(const ObservedQuery& asked, const BlockTypeTable& types) {
  const QueryOptions& options = asked.options;
  const FixedSegment& line = asked.query.segment;
  appendLittle(buffer_, static_cast<std::uint8_t>(asked.verb));
  appendLittle(buffer_, flagsOf(asked));
  appendLittle(buffer_, asked.query.levels.bits());
  for (const Vec3i& end : {line.from, line.to}) {
    for (const std::int64_t coordinate : end.values)
      appendLittle(buffer_, coordinate);
  }
  if (line.end_time != kWholeLine) appendLittle(buffer_, line.end_time);
  if (line.begin.axes != 0) {
    appendLittle(buffer_, line.begin.axes);
    appendLittle(buffer_, line.begin.plane);
  }
  internal::appendFields(buffer_, options);
  appendLittle(buffer_, asked.version.world);
  appendLittle(buffer_, asked.version.entities);
  const bool is_known = static_cast<std::size_t>(options.filter.channel) < types.channels();
  const std::string_view channel =
      is_known ? std::string_view(types.channelName(options.filter.channel)) : std::string_view();
  appendLittle(buffer_, static_cast<std::uint32_t>(channel.size()));
  buffer_ += channel;
  appendIgnored(asked);
  appendAfter(asked, types);
  if (hasRules(asked)) appendBudgets(asked);
}

// Appends the amount of each budget at the shot's start; and for a resumed shot the carried one.
void QueryLogWriter::appendBudgets(const ObservedQuery& asked) {
  const TerminalRules& rules = *asked.options.rules;
  const Budgets* own = asked.query.budgets != nullptr ? asked.query.budgets : asked.options.budgets;
  const Budgets& start = own != nullptr ? *own : rules.amounts();
  for (std::size_t i = 0; i < rules.budgets(); ++i) {
    appendLittle(buffer_, start[i]);
    if (!asked.carried.has_value()) continue;
    appendLittle(buffer_, asked.carried->at_start[i]);
    appendLittle(buffer_, asked.carried->left[i]);
    appendLittle(buffer_, asked.carried->overdrawn[i]);
  }
}

bool QueryLogWriter::appendRules(const TerminalRules& rules, const BlockTypeTable& types) {
  new_rules_.clear();
  internal::appendRules(new_rules_, rules, types);
  if (new_rules_.size() >= kMaxRecordBytes) return false;
  if (rules_ == new_rules_) return true;
  const std::size_t begin = beginRecord(RecordKind::kRules);
  buffer_ += new_rules_;
  endRecord(begin);
  rules_ = new_rules_;
  return true;
}

void QueryLogWriter::appendIgnored(const ObservedQuery& asked) {
  const std::size_t count_at = buffer_.size();
  appendLittle(buffer_, std::uint32_t{0});
  const std::span<const EntityId> of_options = asked.options.filter.ignore;
  for (const std::span<const EntityId> ids : {of_options, asked.query.ignore}) {
    for (const EntityId id : ids)
      appendLittle(buffer_, id);
  }
  // A resumed shot has hits of its own; of the hits in the options only the entities matter.
  if (asked.verb == QueryVerb::kResume) {
    for (const Hit& hit : asked.options.after) {
      if (hit.isEntity()) appendLittle(buffer_, hit.id);
    }
  }
  const std::size_t bytes = buffer_.size() - count_at - sizeof(std::uint32_t);
  putLittle(buffer_, count_at, static_cast<std::uint32_t>(bytes / sizeof(EntityId)));
}

void QueryLogWriter::appendAfter(const ObservedQuery& asked, const BlockTypeTable& types) {
  const std::span<const Hit> of_options =
      asked.verb == QueryVerb::kResume ? std::span<const Hit>() : asked.options.after;
  appendLittle(buffer_, static_cast<std::uint32_t>(of_options.size() + asked.query.after.size()));
  for (const std::span<const Hit> hits : {of_options, asked.query.after}) {
    for (const Hit& hit : hits)
      internal::appendHit(buffer_, hit, types, asked.options.filter.channel);
  }
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
  appendOrEnd([&] {
    const std::size_t begin = beginRecord(RecordKind::kMove);
    appendLittle(buffer_, static_cast<std::uint8_t>(move.levels() + 1));
    for (const std::int64_t coordinate : move.chunk().values)
      appendLittle(buffer_, coordinate);
    appendLittle(buffer_, after.world);
    appendLittle(buffer_, after.entities);
    endRecord(begin);
  });
}

void QueryLogWriter::appendQuery(const ObservedQuery& asked, const ObservedAnswer& answer,
                                 const BlockTypeTable& types) {
  const bool has_its_rules = !hasRules(asked) || appendRules(*asked.options.rules, types);
  if (has_its_rules && appendRecord(asked, answer, types, Keep::kAll)) return;
  QueryOptions options = asked.options;
  options.filter.ignore = {};
  options.after = {};
  options.rules = nullptr;
  const ObservedQuery brief{.query = {.segment = asked.query.segment, .levels = asked.query.levels},
                            .verb = asked.verb,
                            .options = options,
                            .version = asked.version,
                            .has_edited = asked.has_edited};
  static_cast<void>(appendRecord(brief, answer, types, Keep::kHash));
}

bool QueryLogWriter::appendRecord(const ObservedQuery& asked, const ObservedAnswer& answer,
                                  const BlockTypeTable& types, Keep keep) {
  const std::size_t begin = beginRecord(RecordKind::kQuery);
  appendQuestion(asked, types);
  const std::size_t hash_at = buffer_.size();
  const std::size_t answer_at = hash_at + sizeof(std::uint64_t);
  if (answer_at - begin > kMaxRecordBytes) {
    buffer_.resize(begin);
    return false;
  }
  appendLittle(buffer_, std::uint64_t{0});
  appendAnswer(buffer_, answer, types, asked.options.filter.channel);
  putLittle(buffer_, hash_at, answerHash(std::string_view(buffer_).substr(answer_at)));
  if (keep == Keep::kHash || buffer_.size() - begin > kMaxRecordBytes) {
    buffer_.resize(answer_at);
    putLittle(buffer_, begin + kFlagsAt,
              static_cast<std::uint8_t>(flagsOf(asked) | internal::kAnswerLeftOut));
  }
  ++queries_;
  endRecord(begin);
  return true;
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
  const std::size_t begin = beginRecord(RecordKind::kEnd);
  appendLittle(buffer_, queries_);
  endRecord(begin);
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
