// SPDX-License-Identifier: Apache-2.0
// A store of a million changes: its size, and what it takes to read the changes of a chunk, to load
// a chunk with them, and to record an edit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/change_store.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "random.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::size_t kMillion = 1'000'000;
constexpr std::size_t kReads = 2000;
constexpr double kMaxMegabytes = 60;
constexpr double kMaxLoadMicros = 50;

// Changes in chunks at random positions around a deep one.
struct ChangeScene {
  std::string name;
  std::size_t chunks;
  int depth;  // steps of their paths
};

class StoreBench {
 public:
  StoreBench(const ChangeScene& scene, std::size_t changes) : scene_(scene), changes_(changes) {
    stone_ = unwrap(types_->add({.name = "stone"}));
    for (int i = 0; i < scene.depth - kSpreadSteps; ++i)
      anchor_ += i == 0 ? "7a3" : "_7a3";
    std::filesystem::remove(file_);
    open();
    fill();
  }
  ~StoreBench() {
    store_.reset();
    std::filesystem::remove(file_);
  }
  StoreBench(const StoreBench&) = delete;
  StoreBench& operator=(const StoreBench&) = delete;

  // Returns the bytes of the file once it is closed, with its log copied into it.
  double megabytes() {
    store_.reset();
    const double bytes = static_cast<double>(std::filesystem::file_size(file_));
    open();
    return bytes / 1e6;
  }

  // Return microseconds: of reading the changes of a chunk, the median; of a tick that loads a
  // chunk, with changes and without a store, medians; of edits that are recorded, all of them; and
  // of copying the log of these into the file.
  double readMicros() {
    return median(microsOf([this](const ChunkPath& path) {
      if (unwrap(store_->changesOf(path)).empty()) std::abort();
    }));
  }
  double loadMicros(bool with_changes) {
    std::vector<double> micros;
    for (std::size_t i = 0; i < kReads; ++i) {
      World world({.block_types = types_});
      EntityIndex entities(world.frame());
      Window window(world, entities, chunkOfNumber(anyChunk()));
      Uniform source(stone_, *types_);
      ChunkStreamer streamer = unwrap(ChunkStreamer::create(
          window, source, {.radii = {StreamRadii{0, 0}}}, with_changes ? store_.get() : nullptr));
      const Vec3i viewer{1 << 19, 1 << 19, 1 << 19};
      const Clock::time_point begin = Clock::now();
      checkOk(streamer.tick({&viewer, 1}));
      micros.push_back(millisSince(begin) * 1e3);
    }
    return median(std::move(micros));
  }
  std::vector<double> recordMicros() {
    BlockChange change{.chunk = {}, .block = 0, .type = stone_};
    return microsOf([&](const ChunkPath& path) {
      change.chunk = path;
      change.block = static_cast<int>(random_.between(0, kBlocksPerChunk - 1));
      checkOk(store_->record({&change, 1}));
    });
  }
  double maintainMicros() {
    const Clock::time_point begin = Clock::now();
    checkOk(store_->maintain());
    return millisSince(begin) * 1e3;
  }

 private:
  static constexpr int kSpreadSteps = 8;

  class Uniform : public ChunkSource {
   public:
    Uniform(BlockTypeId type, const BlockTypeTable& types) : type_(type), types_(types) {}
    void request(ChunkRequest request) override {
      checkOk(request.answer(Chunk::uniform(type_, types_)));
    }

   private:
    BlockTypeId type_;
    const BlockTypeTable& types_;
  };

  std::uint64_t anyChunk() {
    return static_cast<std::uint64_t>(
        random_.between(0, static_cast<std::int64_t>(scene_.chunks) - 1));
  }
  void open() { store_ = unwrap(ChangeStore::open(file_, *types_)); }
  // Returns the path of a chunk of the scene, scattered.
  ChunkPath chunkOfNumber(std::uint64_t number) const {
    Random random(number);
    constexpr std::int64_t kSpread = 1 << 20;
    const ChunkCoord at{random.between(0, kSpread), random.between(0, kSpread),
                        random.between(0, kSpread)};
    return unwrap(unwrap(ChunkPath::parse(anchor_)).inFrame(at, kSpreadSteps));
  }
  // Records the changes by the thousand, as an engine does in many ticks.
  void fill() {
    std::vector<BlockChange> batch;
    for (std::size_t i = 0; i < changes_; ++i) {
      const std::size_t of_chunk = i / scene_.chunks;  // this change of its chunk
      batch.push_back({.chunk = chunkOfNumber(i % scene_.chunks),
                       .block = static_cast<int>(of_chunk * 37 % kBlocksPerChunk),
                       .type = stone_});
      if (batch.size() < 1000 && i + 1 < changes_) continue;
      checkOk(store_->record(batch));
      batch.clear();
    }
  }
  template <class Work>
  std::vector<double> microsOf(const Work& work) {
    std::vector<double> micros;
    for (std::size_t i = 0; i < kReads; ++i) {
      const ChunkPath path = chunkOfNumber(anyChunk());
      const Clock::time_point begin = Clock::now();
      work(path);
      micros.push_back(millisSince(begin) * 1e3);
    }
    return micros;
  }

  ChangeScene scene_;
  std::size_t changes_;
  std::string file_ =
      (std::filesystem::temp_directory_path() / "fractalray_bench.changes").string();
  std::string anchor_;
  std::shared_ptr<BlockTypeTable> types_ = std::make_shared<BlockTypeTable>();
  BlockTypeId stone_{};
  std::unique_ptr<ChangeStore> store_;
  Random random_{91};
};

}  // namespace

void measureChanges(const TickOptions& options, TickReport& report) {
  const std::size_t changes = options.quick ? kMillion / 10 : kMillion;
  std::printf("\n  %-36s%8s %9s %9s %9s %9s %9s %9s\n", absl::StrCat(changes, " changes").c_str(),
              "MB", "read us", "load us", "without", "edit us", "worst", "maintain");
  for (const ChangeScene& scene : {ChangeScene{"in 1,000 chunks, 12 steps deep", 1000, 12},
                                   ChangeScene{"in 10,000 chunks, 300 steps deep", 10000, 300},
                                   ChangeScene{"a chunk each, 12 steps deep", changes, 12},
                                   ChangeScene{"a chunk each, 300 steps deep", changes, 300}}) {
    StoreBench bench(scene, changes);
    const double megabytes = bench.megabytes();
    const double read = bench.readMicros();
    const double load = bench.loadMicros(true);
    const double without = bench.loadMicros(false);
    bench.maintainMicros();
    const std::vector<double> edits = bench.recordMicros();
    const double edit = median(edits);
    const double worst = *std::max_element(edits.begin(), edits.end());
    const double maintain = bench.maintainMicros();
    std::printf("  %-36s%8.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.0f\n", scene.name.c_str(), megabytes,
                read, load, without, edit, worst, maintain);
    const std::string name = absl::StrCat("changes/", scene.name, "/");
    report.figures.push_back({name + "size", megabytes, "MB"});
    report.figures.push_back({name + "read", read, "us"});
    report.figures.push_back({name + "load", load, "us"});
    report.figures.push_back({name + "load without", without, "us"});
    report.figures.push_back({name + "edit", edit, "us"});
    report.figures.push_back({name + "worst edit", worst, "us"});
    report.figures.push_back({name + "maintain", maintain, "us"});
    report.targets.push_back(
        {absl::StrCat("MB, changes ", scene.name), megabytes, kMaxMegabytes, false});
    report.targets.push_back(
        {absl::StrCat("us to read them, ", scene.name), read, kMaxLoadMicros, false});
  }
}

}  // namespace fractalray::bench
