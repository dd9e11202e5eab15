// SPDX-License-Identifier: Apache-2.0
// `fractalray dive`: falls through the levels of a generated world and climbs back.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../../core/thread_executor.h"
#include "command.h"
#include "command_line.h"
#include "dive.h"
#include "dive_pictures.h"
#include "dive_report.h"
#include "output.h"
#include "picture_size.h"
#include "progress.h"
#include "temporary_file.h"

namespace fractalray {
namespace {

constexpr int kMostLevels = 1000;
constexpr int kMostThreads = 256;

struct DiveArguments {
  int levels = 100;
  std::uint64_t seed = 1;
  int threads = std::min(ThreadExecutor::threadsOfMachine(), kMostThreads);
  std::string out = "out";
  std::string size = "320x180";
  bool no_pictures = false;
};

absl::Status checkRange(const char* option, int value, int most) {
  if (value >= 1 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(option, ": ", value, " is out of range; write a number from 1 to ", most));
}

absl::Status checkArguments(const DiveArguments& arguments, PictureOptions& size) {
  absl::Status status = checkRange("--levels", arguments.levels, kMostLevels);
  if (status.ok()) status = checkRange("--threads", arguments.threads, kMostThreads);
  if (status.ok()) status = readPictureSize(arguments.size, "--size", size);
  return status;
}

// The files that a dive writes, opened before it.
struct DiveFiles {
  std::string strip_path;
  std::string animation_path;
  OutputFile strip;
  OutputFile animation;
};

absl::StatusOr<DiveFiles> openFiles(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
  }
  const std::string strip_path = (std::filesystem::path(folder) / "dive.png").string();
  const std::string animation_path = (std::filesystem::path(folder) / "dive.webp").string();
  absl::StatusOr<OutputFile> strip = OutputFile::open(strip_path);
  if (!strip.ok()) return strip.status();
  absl::StatusOr<OutputFile> animation = OutputFile::open(animation_path);
  if (!animation.ok()) return animation.status();
  return DiveFiles{strip_path, animation_path, *std::move(strip), *std::move(animation)};
}

absl::Status runTicks(Dive& dive, DivePictures* pictures) {
  Progress progress("diving", dive.ticks());
  return dive.run([&](const DiveMoment& moment) {
    progress.update(dive.costs().size());
    return pictures == nullptr ? absl::OkStatus() : pictures->take(moment);
  });
}

absl::Status writePictures(DivePictures& pictures, DiveFiles& files) {
  const absl::StatusOr<std::string> strip = pictures.strip();
  if (!strip.ok()) return strip.status();
  const absl::StatusOr<std::string> animation = pictures.animation();
  if (!animation.ok()) return animation.status();
  absl::Status status = files.strip.write(*strip);
  if (status.ok()) status = files.animation.write(*animation);
  if (!status.ok()) return status;
  return writeStdout(absl::StrCat("\n", files.strip_path, ": ", pictures.count(),
                                  " pictures, one every few levels\n", files.animation_path,
                                  ": an animation of the first levels\n"));
}

absl::Status writeReport(const Dive& dive) {
  const int levels = static_cast<int>(dive.deepest().steps().size());
  return writeStdout(
      absl::StrCat("Sank through ", levels, levels == 1 ? " level" : " levels",
                   ", from planets into bricks that are worlds, and back. The deepest anchor:\n",
                   dive.deepest().text(), "\n\n", formatCounts(dive.down(), dive.up()), "\n",
                   formatCosts(dive.costs())));
}

// A file that is removed at the end, with the log that SQLite keeps next to it: the store of the
// changed blocks.
class TemporaryStore {
 public:
  static absl::StatusOr<TemporaryStore> create() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error) return absl::UnavailableError("no folder for temporary files; set TMPDIR to one");
    std::string name = (folder / "fractalray-dive-XXXXXX").string();
    const int descriptor = makeTemporaryFile(name);
    if (descriptor < 0) {
      return absl::UnavailableError(absl::StrCat("cannot make the temporary file ", name, ": ",
                                                 std::strerror(errno),
                                                 "; set TMPDIR to a folder that can be written"));
    }
    ::close(descriptor);
    keepTemporaryFile(logOf(name));
    return TemporaryStore(std::move(name));
  }
  TemporaryStore(TemporaryStore&& other) noexcept : name_(std::exchange(other.name_, "")) {}
  TemporaryStore& operator=(TemporaryStore&&) = delete;
  ~TemporaryStore() {
    if (name_.empty()) return;
    removeTemporaryFile(name_);
    removeTemporaryFile(logOf(name_));
  }

  const std::string& name() const { return name_; }

 private:
  explicit TemporaryStore(std::string name) : name_(std::move(name)) {}

  static std::string logOf(const std::string& name) { return name + "-wal"; }

  std::string name_;
};

// Returns the exit status: that of an answer "no" if a change is missing on the way up.
absl::StatusOr<ExitStatus> runDive(const DiveArguments& arguments, const PictureOptions& size) {
  std::optional<DiveFiles> files;
  if (!arguments.no_pictures) {
    absl::StatusOr<DiveFiles> opened = openFiles(arguments.out);
    if (!opened.ok()) return opened.status();
    files = *std::move(opened);
  }
  const ThreadExecutor threads(arguments.threads);
  const absl::StatusOr<TemporaryStore> store = TemporaryStore::create();
  if (!store.ok()) return store.status();
  const absl::StatusOr<std::unique_ptr<Dive>> made_dive = Dive::create(
      {.seed = arguments.seed, .levels = arguments.levels, .changes = store->name()}, threads);
  if (!made_dive.ok()) return made_dive.status();
  Dive& dive = **made_dive;
  std::optional<DivePictures> pictures;
  if (files.has_value()) {
    absl::StatusOr<DivePictures> made = DivePictures::create(dive, size, threads);
    if (!made.ok()) return made.status();
    pictures.emplace(*std::move(made));
  }
  absl::Status status = runTicks(dive, pictures.has_value() ? &*pictures : nullptr);
  if (status.ok()) status = writeReport(dive);
  if (status.ok() && files.has_value()) status = writePictures(*pictures, *files);
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return status;
  return dive.up().missing == 0 ? kExitOk : kExitFailed;
}

int diveCommand(const DiveArguments& arguments) {
  PictureOptions size;
  const absl::Status status = checkArguments(arguments, size);
  if (!status.ok()) return reportError("dive", status, kExitUsage);
  const absl::StatusOr<ExitStatus> exit_status = runDive(arguments, size);
  if (exit_status.ok()) return *exit_status;
  const bool is_usage = absl::IsInvalidArgument(exit_status.status());
  return reportError("dive", exit_status.status(), is_usage ? kExitUsage : kExitFailed);
}

}  // namespace

Command addDiveCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("dive",
                                               "Fall from planets into bricks that are worlds, and "
                                               "back, through a world without an end");
  auto arguments = std::make_shared<DiveArguments>();
  command
      ->add_option("--levels", arguments->levels,
                   "The levels to sink through: the descents of the window")
      ->type_name("N")
      ->transform(wholeNumber())
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "The number from which the world is generated")
      ->type_name("N")
      ->transform(wholeNumber())
      ->capture_default_str();
  command
      ->add_option("--threads", arguments->threads,
                   "The threads that stream, look and shoot; all numbers give the same dive "
                   "(default: as many as the machine runs at once)")
      ->type_name("N")
      ->transform(wholeNumber());
  command->add_option("--out", arguments->out, "The folder for the pictures; made if it is missing")
      ->type_name("FOLDER")
      ->capture_default_str();
  command
      ->add_option("--size", arguments->size,
                   "The size in pixels of the animation, and of a picture in the strip")
      ->type_name("WxH")
      ->capture_default_str();
  command->add_flag("--no-pictures", arguments->no_pictures, "Print only the tables");
  command->footer(
      "Examples:\n"
      "  fractalray dive --levels 2 --size 128x72\n"
      "  fractalray dive --levels 4 --no-pictures\n"
      "Writes dive.png, a strip with a picture every few levels, and dive.webp, an animation of\n"
      "the first levels. Blocks that are changed on the way down must be found so on the way up,\n"
      "or the exit status is 1.");
  return {command, [arguments] { return diveCommand(*arguments); }};
}

}  // namespace fractalray
