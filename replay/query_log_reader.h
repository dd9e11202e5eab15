// SPDX-License-Identifier: Apache-2.0
// Reads a query log, a query at a time, up to its end or to the first damage.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "query_log.h"

namespace fractalray {

// A log that is being read. Keeps one record in memory, and never makes room for more than the file
// has. Can be moved, not copied. Not thread-safe.
class QueryLogReader {
 public:
  // Opens a log and reads its head. Errors begin with the path: INVALID_ARGUMENT for what is no
  // query log, UNIMPLEMENTED for a version of the format that is not read, DATA_LOSS for a damaged
  // head, and those of the system.
  static absl::StatusOr<QueryLogReader> open(const std::string& path);

  const QueryLogHeader& header() const { return header_; }

  // Reads the next query into `query` and returns true, or false at the end of a whole log.
  // DATA_LOSS, with the path, the byte, the record and what is wrong, where the log is damaged or
  // cut off: also between two records, as a log that was closed says so. RESOURCE_EXHAUSTED where
  // memory runs out. Nothing follows an error.
  absl::StatusOr<bool> next(LoggedQuery& query);

  // The bytes read so far, and those of the whole file (0 where it has no size, as a pipe).
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
  // Replaces body_ by up to `size` bytes, fewer where the file ends.
  absl::Status readBody(std::size_t size);
  absl::Status readRules();
  absl::Status readEnd(std::string_view body);
  // What is wrong with the record that begins at record_at_.
  absl::Status damage(std::string_view what) const;

  std::string path_;
  File file_;
  std::string body_;
  std::uint64_t offset_ = 0;     // in the file, behind what has been read
  std::uint64_t record_at_ = 0;  // where the record that is being read begins
  std::uint64_t records_ = 0;    // read so far, the head's too
  std::uint64_t queries_ = 0;
  std::uint64_t bytes_ = 0;
  bool is_done_ = false;
  std::uint16_t version_ = 0;                 // of the format
  std::shared_ptr<const LoggedRules> rules_;  // the last that were read
  QueryLogHeader header_;
};

}  // namespace fractalray
