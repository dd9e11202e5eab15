// SPDX-License-Identifier: Apache-2.0
// Writes a query log. Engines use QueryRecorder.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../query/query_observer.h"
#include "query_log.h"

namespace fractalray {

namespace internal {
enum class RecordKind : std::uint8_t;
}

// A log that is being written, through a buffer, which reaches the file when it is full, at flush()
// and at close(). Whenever the program ends, the file is good up to its last whole record.
//
// An error of the file, or memory that runs out, ends the log and nothing else: status() returns it
// from then on, and later queries are dropped. If memory runs out, the queries before are written.
// Can be moved, not copied. Not thread-safe.
class QueryLogWriter {
 public:
  // Begins a log, and replaces the file if it exists. Errors of the system, with the path.
  static absl::StatusOr<QueryLogWriter> open(const std::string& path, const QueryLogHeader& header);
  // Closes the log; errors of closing are lost.
  ~QueryLogWriter() { static_cast<void>(close()); }
  QueryLogWriter(QueryLogWriter&&) noexcept = default;
  QueryLogWriter& operator=(QueryLogWriter&&) = delete;

  // Appends a query with its answer, preceded by its rules if they differ from those of the last
  // query that had any. `types` are those of the queried world. Cost: a record of about 135
  // bytes, and 49 and the type's name for each block hit, 81 for each entity hit
  // (docs/query-log.md); and a comparison of the rules. No allocation, unless a record is longer
  // than any before and than the buffer.
  void append(const ObservedQuery& asked, const ObservedAnswer& answer,
              const BlockTypeTable& types);
  // The same for a query of sight: about 130 bytes for a box and an eye, else those of the arrays.
  void append(const ObservedSight& asked, const ObservedAnswer& answer,
              const BlockTypeTable& types);

  // Appends a move of the frame, which has made these versions. Cost: a record of 50 bytes.
  void append(const FrameMove& move, const SceneVersion& after);

  // Hands the buffered records to the system. Returns status().
  absl::Status flush();
  // Writes the log's end and closes the file. Returns status(); later queries are dropped.
  absl::Status close();
  // Returns the first error, with the path.
  const absl::Status& status() const { return status_; }
  std::uint64_t queries() const { return queries_; }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

  struct CloseFile {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  using File = std::unique_ptr<std::FILE, CloseFile>;

  QueryLogWriter(std::string path, File file);

  // Appends a record, which consists of the bytes that `describe` appends to the buffer. Returns
  // false, and appends nothing, if they are too many.
  template <class Describe>
  bool appendRecord(internal::RecordKind kind, const Describe& describe);
  // Calls `append_records`; if memory runs out in it, ends the log before the record that is begun.
  template <class AppendRecords>
  void appendOrEnd(const AppendRecords& append_records);
  // Appends a query; if it is too long for a record, without its answer, then without its lists and
  // rules too.
  void appendQuery(const ObservedQuery& asked, const ObservedAnswer& answer,
                   const BlockTypeTable& types);
  void appendSight(const ObservedSight& asked, const ObservedAnswer& answer,
                   const BlockTypeTable& types);
  // Writes the rules of a query, if they differ from those written last; returns false if they are
  // more than a record holds.
  bool appendRules(const TerminalRules& rules, const BlockTypeTable& types);
  void fail(const char* what);

  std::string path_;
  File file_;                    // null once closed
  std::string buffer_;           // whole records, but for the one being appended
  std::size_t whole_bytes_ = 0;  // of buffer_, without that one
  std::uint64_t queries_ = 0;
  std::optional<std::string> rules_;  // the bytes of the rules written last
  std::string new_rules_;             // the bytes of those to be written
  std::string answer_;                // the bytes of the answer to be written
  absl::Status status_;
};

}  // namespace fractalray
