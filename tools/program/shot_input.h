// SPDX-License-Identifier: Apache-2.0
// The shots that a command answers: one by its options, or many by JSON lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

#include "../../formats/input_limits.h"
#include "../../formats/query_json.h"

namespace fractalray {

// A shot with the name that its answer has, and the source of its channel (an option, or a member
// with file and line), for errors.
struct NamedShot {
  QueryId id;
  std::string channel_source;
  ShotQuery query;
};

// Returns the shot along a line with these levels and options, named "shot".
absl::StatusOr<NamedShot> namedShot(const std::variant<Segment, Ray>& line, const ShotQuery& usual);

// Reads JSON lines, each a shot as a scenario has it, whose levels and options may be left out for
// those of `usual`; blank lines are skipped. `name` is that of their file. INVALID_ARGUMENT with
// file, line and member; OUT_OF_RANGE past a limit.
absl::StatusOr<std::vector<NamedShot>> readShotLines(std::string_view text, const std::string& name,
                                                     const ShotQuery& usual,
                                                     const InputLimits& limits);

// A file that is open for reading, or standard input.
class InputStream {
 public:
  // Opens the file at a path; "-" stands for standard input.
  static absl::StatusOr<InputStream> open(const std::string& path);

  std::FILE* file() const { return file_.get(); }
  // Returns the name for errors.
  const std::string& name() const { return name_; }
  // Returns true for a pipe, a socket or a terminal, whose writer may wait for answers.
  bool isLive() const;

 private:
  struct Closer {
    void operator()(std::FILE* file) const;
  };

  InputStream(std::string name, std::FILE* file) : name_(std::move(name)), file_(file) {}

  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Reads JSON lines, as readShotLines() does, one by one.
class ShotStream {
 public:
  ShotStream(InputStream input, ShotQuery usual, const InputLimits& limits);

  // Waits for the next shot; returns nothing at the end.
  absl::StatusOr<std::optional<NamedShot>> next();

 private:
  // Reads a line without its newline; returns false at the end.
  absl::StatusOr<bool> readLine(std::string& line);

  InputStream input_;
  ShotQuery usual_;
  InputLimits limits_;
  std::size_t number_ = 0;  // of the last line
  std::uint64_t shots_ = 0;
};

}  // namespace fractalray
