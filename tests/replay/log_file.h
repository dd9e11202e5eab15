// SPDX-License-Identifier: Apache-2.0
// Query logs as files of a test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "../../formats/replay/internal/log_records.h"
#include "../../formats/replay/query_log_reader.h"

namespace fractalray {

// Returns a path that no other test uses.
inline std::string logPath() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  return testing::TempDir() + "fractalray_" + test->test_suite_name() + "_" + test->name() + ".log";
}

inline void removeLog() {
  std::filesystem::remove(logPath());
}

inline std::string readBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeBytes(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Returns a record that is whole by its checksum, as something else than the library may write it.
inline std::string recordOf(const std::string& body) {
  std::string bytes;
  for (const std::uint32_t number :
       {static_cast<std::uint32_t>(body.size()), internal::recordChecksum(body)}) {
    for (int i = 0; i < 4; ++i)
      bytes += static_cast<char>(number >> (8 * i) & 0xff);
  }
  return bytes + body;
}

// The queries that a reader finds in a file, up to its end or its damage.
struct ReadLog {
  QueryLogHeader header;
  std::vector<LoggedQuery> queries;
  absl::Status opened;
  absl::Status end;
};

inline ReadLog readLog(const std::string& path) {
  ReadLog read;
  absl::StatusOr<QueryLogReader> log = QueryLogReader::open(path);
  read.opened = log.status();
  if (!log.ok()) return read;
  read.header = log->header();
  LoggedQuery query;
  absl::StatusOr<bool> more = log->next(query);
  for (; more.ok() && *more; more = log->next(query))
    read.queries.push_back(query);
  read.end = more.status();
  EXPECT_FALSE(log->next(query).value_or(true)) << "nothing follows the end, nor an error";
  return read;
}

}  // namespace fractalray
