// SPDX-License-Identifier: Apache-2.0
// The program: runs the arena without a window, or in one, and reports.
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"

#include "arena.h"
#include "camera.h"
#include "picture.h"
#include "tick_times.h"
#ifdef ARENA_WITH_WINDOW
#include "window.h"
#endif

namespace {

using namespace arena;

struct Options {
  std::uint64_t seed = 1;
  int ticks = 600;
  int threads = ThreadExecutor::threadsOfMachine();
  bool hashes = false;
  bool paced = false;
  std::string strip;
  int samples = 2;
  bool window = false;
  std::string screenshot;
};

void addOptions(CLI::App& app, Options& options) {
  app.add_option("--seed", options.seed, "of the world and all that happens in it");
  app.add_option("--ticks", options.ticks, "number of ticks")->check(CLI::Range(1, 1'000'000));
  app.add_option("--threads", options.threads, "threads for queries")->check(CLI::Range(1, 256));
  app.add_flag("--hashes", options.hashes, "print a line for each tick instead of the times");
  app.add_flag("--paced", options.paced, "start 60 ticks a second, as a server does");
  app.add_option("--strip", options.strip, "write pictures of the run to this PNG file");
  app.add_option("--samples", options.samples, "samples across each pixel of these pictures")
      ->check(CLI::Range(1, 8));
#ifdef ARENA_WITH_WINDOW
  app.add_flag("--window", options.window, "show the run in a window");
  app.add_option("--screenshot", options.screenshot,
                 "write the last picture of the window to this PNG file");
#endif
}

void print(const TickReport& report) {
  std::cout << "tick " << std::setw(3) << report.tick << ": " << report.bullets << " bullets, "
            << report.hits << " hits, " << report.bounces << " bounces, " << report.explosions
            << " explosions, " << report.blocks_written << " blocks, " << report.in_sight
            << " in sight, hash " << std::hex << std::setfill('0') << std::setw(16) << report.hash
            << std::dec << std::setfill(' ') << "\n";
}

// Pictures of a run at regular intervals: the fortress from a hill, and a map of the land near it.
class Strip {
 public:
  Strip(const Arena& arena, const Options& options)
      : painter_(arena, 480, 270, options.samples), ticks_(options.ticks) {}

  void follow(std::uint64_t tick) {
    painter_.follow();
    if (tick * kPictures / static_cast<std::uint64_t>(ticks_) == views_.size()) return;
    views_.push_back(painter_.paint(Camera::perspective({150, 66, 372}, {262, 17, 262}, 1.2)));
    maps_.push_back(painter_.paint(Camera::map({236, 60, 300}, 230)));
  }
  void save(const std::string& path) const {
    std::vector<Image> all = views_;
    all.insert(all.end(), maps_.begin(), maps_.end());
    arena::save(strip(all, static_cast<int>(views_.size())), path);
  }

 private:
  static constexpr std::uint64_t kPictures = 3;

  Painter painter_;
  int ticks_;
  std::vector<Image> views_;
  std::vector<Image> maps_;
};

void run(const Options& options) {
  Arena arena(options.seed, options.threads);
  TickTimes times;
  Strip strip(arena, options);
  auto next = std::chrono::steady_clock::now();
  for (int i = 0; i < options.ticks; ++i) {
    const TickReport report = arena.tick(times);
    if (options.hashes) print(report);
    if (!options.strip.empty()) strip.follow(report.tick);
    next += kTick;
    if (options.paced) std::this_thread::sleep_until(next);
  }
  if (!options.hashes) times.print(std::cout);
  if (!options.strip.empty()) strip.save(options.strip);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"A game server in small, on fractalray"};
  Options options;
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
#ifdef ARENA_WITH_WINDOW
  if (options.window) {
    Arena arena(options.seed, options.threads);
    return runWindow(arena, options.ticks, options.screenshot);
  }
#endif
  run(options);
}
