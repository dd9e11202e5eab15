// SPDX-License-Identifier: Apache-2.0
// Falls through the levels of a generated world and climbs back: docs/dive.md. The pictures are
// drawn by what `fractalray render` draws with.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../../tools/program/output.h"
#include "../../tools/program/picture_size.h"
#include "../../tools/program/progress.h"
#include "../../tools/program/temporary_file.h"
#include "dive.h"
#include "dive_pictures.h"
#include "dive_report.h"
#include "fractalray/core/thread_executor.h"

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

// Returns true if all changes were found on the way up.
absl::StatusOr<bool> runDive(const DiveArguments& arguments) {
  PictureOptions size;
  absl::Status status = readPictureSize(arguments.size, "--size", size);
  if (!status.ok()) return status;
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
  status = runTicks(dive, pictures.has_value() ? &*pictures : nullptr);
  if (status.ok()) status = writeReport(dive);
  if (status.ok() && files.has_value()) status = writePictures(*pictures, *files);
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return status;
  return dive.up().missing == 0;
}

void addOptions(CLI::App& app, DiveArguments& arguments) {
  app.add_option("--levels", arguments.levels,
                 "the levels to sink through: the descents of the window")
      ->check(CLI::Range(1, kMostLevels))
      ->capture_default_str();
  app.add_option("--seed", arguments.seed, "the number from which the world is generated")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--threads", arguments.threads,
                 "the threads that stream, look and shoot; all numbers give the same dive")
      ->check(CLI::Range(1, kMostThreads));
  app.add_option("--out", arguments.out, "the folder for the pictures; made if it is missing")
      ->capture_default_str();
  app.add_option("--size", arguments.size,
                 "the size in pixels of the animation, and of a picture in the strip")
      ->capture_default_str();
  app.add_flag("--no-pictures", arguments.no_pictures, "print only the tables");
  app.footer(
      "Writes dive.png, a strip with a picture every few levels, and dive.webp, an animation of\n"
      "the first levels. Blocks that are changed on the way down must be found so on the way up,\n"
      "or the exit status is 1.");
}

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  CLI::App app(
      "Falls from planets into bricks that are worlds, and back, through a world without an end.");
  fractalray::DiveArguments arguments;
  fractalray::addOptions(app, arguments);
  CLI11_PARSE(app, argc, argv);
  fractalray::removeTemporaryFilesOnSignals();
  const absl::StatusOr<bool> found = fractalray::runDive(arguments);
  if (found.ok()) return *found ? 0 : 1;
  std::cerr << found.status().message() << "\n";
  return 1;
}
