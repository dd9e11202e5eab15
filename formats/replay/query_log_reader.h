// SPDX-License-Identifier: Apache-2.0
// Reads a query log, a query at a time, up to its end or to the first damage.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "query_log.h"

namespace fractalray {

namespace internal {
enum class RecordKind : std::uint8_t;
}

// A log that is being read. Keeps one record in memory, and the query that it becomes, whose hits
// take several times the bytes that they have in the file. A length in the file that is wrong
// reserves no memory. Can be moved, not copied. Not thread-safe.
class QueryLogReader {
 public:
  // Opens a log and reads its head. Errors begin with the path: INVALID_ARGUMENT for a file that is
  // no query log, UNIMPLEMENTED for a version of the format that is not supported, DATA_LOSS for a
  // damaged head, and those of the system.
  static absl::StatusOr<QueryLogReader> open(const std::string& path);

  const QueryLogHeader& header() const { return header_; }

  // Reads the next query into `query`, with the moves before it, and returns true, or false at the
  // end of a whole log. Errors:
  // DATA_LOSS, with the path, the byte, the record and the reason, if the log is damaged or cut
  // off, even between two records, since a log that was closed ends with an end record;
  // RESOURCE_EXHAUSTED if memory runs out. Nothing follows an error.
  absl::StatusOr<bool> next(LoggedQuery& query);

  // Return the bytes read so far, and those of the whole file (0 if it has no size, as a pipe).
  std::uint64_t bytesRead() const { return offset_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  using File = std::unique_ptr<std::FILE, CloseFile>;

  QueryLogReader(std::string path, File file);

  absl::Status readHead();
  absl::StatusOr<bool> readQuery(LoggedQuery& query);
  // Reads the next record into body_.
  absl::Status readRecord();
  // Replaces body_ by up to `size` bytes, fewer if the file ends.
  absl::Status readBody(std::size_t size);
  // Parse the record in body_. `describe` reads it; its length is that which `what` has.
  template <class Describe>
  absl::Status parse(std::string_view what, const Describe& describe) const;
  absl::Status parseQuery(LoggedQuery& query);
  absl::Status parseRules();
  absl::Status parseEnd();
  internal::RecordKind kind() const { return internal::RecordKind(body_.front()); }
  // Returns the error for the record that begins at record_at_.
  absl::Status damage(absl::string_view what) const;

  std::string path_;
  File file_;
  std::string body_;
  std::uint64_t offset_ = 0;     // in the file, after the bytes read so far
  std::uint64_t record_at_ = 0;  // the start of the record that is being read
  std::uint64_t records_ = 0;    // read so far, the head's too
  std::uint64_t queries_ = 0;
  std::uint64_t bytes_ = 0;
  bool is_done_ = false;
  std::shared_ptr<const LoggedRules> rules_;  // the last rules read
  QueryLogHeader header_;
};

}  // namespace fractalray
