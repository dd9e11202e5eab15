// SPDX-License-Identifier: Apache-2.0
#include "shot_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/file_error.h"
#include "../../formats/json_document.h"

namespace fractalray {
namespace {

// The members of a query that a line may have.
Json jsonOf(const std::variant<Segment, Ray>& line) {
  if (const auto* const segment = std::get_if<Segment>(&line)) {
    return {{"from", segment->from.values}, {"to", segment->to.values}};
  }
  const auto& ray = std::get<Ray>(line);
  return {{"origin", ray.origin.values},
          {"direction", ray.direction.values},
          {"max_distance", std::isinf(ray.max_distance) ? Json() : Json(ray.max_distance)}};
}

absl::StatusOr<NamedShot> readShot(const Json& line, const std::string& location,
                                   const QueryId& usual_id, const ShotQuery& usual) {
  absl::Status error;
  const JsonReader reader(line, error);
  NamedShot shot;
  shot.query = readShotQuery(reader, usual);
  const std::optional<JsonReader> id = error.ok() ? reader.find("id") : std::nullopt;
  shot.id = id.has_value() ? readQueryId(*id) : usual_id;
  shot.channel_source =
      line.contains("channel") ? absl::StrCat(location, ": channel") : "--channel";
  // A line may also be a query of a scenario.
  static constexpr std::array<std::pair<std::string_view, bool>, 1> kOps = {{{"shoot", true}}};
  if (const auto op = reader.find("op")) op->choice(kOps);
  reader.refuseOthers();
  if (error.ok()) return shot;
  return absl::InvalidArgumentError(absl::StrCat(location, ": ", error.message()));
}

// Parses a line; an error has the line and column in the file.
absl::StatusOr<JsonDocument> parseLine(std::string_view line, std::size_t number,
                                       const std::string& name, const InputLimits& limits) {
  absl::StatusOr<JsonDocument> json = parseJson(line, name, limits);
  if (json.ok()) return json;
  // Parses again with the empty lines before it, so that the error has the position in the file.
  return parseJson(absl::StrCat(std::string(number - 1, '\n'), std::string(line)), name, limits);
}

// Returns the error with the line's location before its message.
absl::Status errorInLine(const std::string& location, const absl::Status& error) {
  return {error.code(), absl::StrCat(location, ": ", error.message())};
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Reads a line that is not blank. `shots` is how many were read before.
absl::StatusOr<NamedShot> readShotLine(std::string_view line, std::size_t number,
                                       std::uint64_t shots, const std::string& name,
                                       const ShotQuery& usual, const InputLimits& limits) {
  const std::string location = absl::StrCat(printablePath(name), ":", number);
  if (line.size() > limits.line_bytes) {
    return errorInLine(location, limitError("bytes", "line_bytes", limits.line_bytes));
  }
  if (shots >= limits.queries) {
    return errorInLine(location, limitError("queries", "queries", limits.queries));
  }
  const absl::StatusOr<JsonDocument> json = parseLine(line, number, name, limits);
  if (!json.ok()) return json.status();
  return readShot(json->root(), location, {.text = absl::StrCat(number), .is_number = true}, usual);
}

}  // namespace

absl::StatusOr<NamedShot> namedShot(const std::variant<Segment, Ray>& line,
                                    const ShotQuery& usual) {
  return readShot(jsonOf(line), "the shot", {.text = "shot"}, usual);
}

absl::StatusOr<std::vector<NamedShot>> readShotLines(std::string_view text, const std::string& name,
                                                     const ShotQuery& usual,
                                                     const InputLimits& limits) {
  std::vector<NamedShot> shots;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (isBlank(line)) continue;
    absl::StatusOr<NamedShot> shot = readShotLine(line, number, shots.size(), name, usual, limits);
    if (!shot.ok()) return shot.status();
    shots.push_back(*std::move(shot));
  }
  return shots;
}

void InputStream::Closer::operator()(std::FILE* file) const {
  if (file != stdin) static_cast<void>(std::fclose(file));
}

absl::StatusOr<InputStream> InputStream::open(const std::string& path) {
  if (path == "-") return InputStream("standard input", stdin);
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  const int error = errno;
  if (file == nullptr) return fileError(error, path, "cannot be read");
  return InputStream(path, file);
}

bool InputStream::isLive() const {
  struct stat found = {};
  const int descriptor = fileno(file_.get());
  if (::fstat(descriptor, &found) != 0) return false;
  return S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || ::isatty(descriptor) == 1;
}

ShotStream::ShotStream(InputStream input, ShotQuery usual, const InputLimits& limits)
    : input_(std::move(input)), usual_(std::move(usual)), limits_(limits) {}

absl::StatusOr<bool> ShotStream::readLine(std::string& line) {
  line.clear();
  ++number_;
  while (true) {
    const int byte = std::getc(input_.file());
    const int error = errno;
    if (byte == '\n') return true;
    if (byte == EOF) {
      if (std::ferror(input_.file()) != 0) return fileError(error, input_.name(), "cannot be read");
      return !line.empty();
    }
    line += static_cast<char>(byte);
    if (line.size() > limits_.line_bytes) return true;  // which is refused
  }
}

absl::StatusOr<std::optional<NamedShot>> ShotStream::next() {
  std::string line;
  while (true) {
    const absl::StatusOr<bool> has_line = readLine(line);
    if (!has_line.ok()) return has_line.status();
    if (!*has_line) return std::nullopt;
    if (isBlank(line)) continue;
    absl::StatusOr<NamedShot> shot =
        readShotLine(line, number_, shots_, input_.name(), usual_, limits_);
    if (!shot.ok()) return shot.status();
    ++shots_;
    return std::optional(*std::move(shot));
  }
}

}  // namespace fractalray
