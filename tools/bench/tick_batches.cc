// SPDX-License-Identifier: Apache-2.0
// Batches against the same queries one by one, on one thread and on several: closest hits,
// occlusion, all hits with and without callbacks, and callbacks that edit.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"
#include "grid_world.h"
#include "rays.h"
#include "scene.h"
#include "tick_report.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

// The effect edits for one in this many queries.
constexpr int kEditing = 100;

// Folds the parts of an outcome, so that two outcomes can be compared.
class Fold {
 public:
  void add(std::uint64_t value) { sum_ = (sum_ ^ value) * 0x9e3779b97f4a7c15U + (sum_ >> 29); }
  void add(const Hit& hit) {
    const auto& block = hit;
    for (int axis = 0; axis < 3; ++axis)
      add(static_cast<std::uint64_t>(block.block[axis]));
    add(static_cast<std::uint64_t>(block.type));
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

// A world, its queries, and their answers.
class Range {
 public:
  Range(const Scene& scene, std::size_t count)
      : world_(makeGridWorld(scene.grid)),
        entities_(world_->frame()),
        service_(*world_, entities_) {
    const Rays rays = randomRays(scene.grid, count, {.min = 400, .max = 400});
    for (const FixedSegment& segment : rays.units)
      queries_.push_back({.line = segment, .levels = world_->allLevels()});
  }

  std::size_t size() const { return queries_.size(); }

  // Registers an effect that only counts.
  void countHits() {
    service_.onBlockHit([this](const BlockHit&) {
      ++calls_;
      return HitResponse::kContinue;
    });
  }
  // Registers an effect that takes away the first block that one in kEditing queries
  // hits, as a bullet would.
  void digHits() {
    service_.onBlockHit([this](const BlockHit& hit) {
      if (++calls_ % kEditing == 0) {
        dug_.emplace_back(hit.block, hit.type);
        checkOk(world_->setBlock(0, hit.block, kAir));
      }
      return HitResponse::kStop;
    });
  }
  // Restores the removed blocks, so that the next run starts from the same world.
  void restore() {
    for (auto dug = dug_.rbegin(); dug != dug_.rend(); ++dug)
      checkOk(world_->setBlock(0, dug->first, dug->second));
    dug_.clear();
    calls_ = 0;
  }

  void closestOneByOne() {
    closests_.answers.clear();
    for (const BatchQuery& query : queries_) {
      checkOk(service_.closestHit(segmentOf(query), query.levels, {}, closest_));
      closests_.answers.push_back(closest_.hit.value_or(Hit()));
    }
  }
  void closestBatch(ParallelFor parallel_for) {
    checkOk(service_.closestHit(queries_, {}, closests_, parallel_for));
  }
  std::uint64_t closestSum() const {
    Fold fold;
    for (const Hit& hit : closests_.answers)
      if (hit.kind != Hit::Kind::kNone) fold.add(hit);
    return fold.sum();
  }

  void occludedOneByOne() {
    occlusions_.answers.clear();
    for (const BatchQuery& query : queries_) {
      occlusions_.answers.push_back(unwrap(service_.occluded(segmentOf(query), query.levels)));
    }
  }
  void occluded(ParallelFor parallel_for) {
    checkOk(service_.occluded(queries_, {}, occlusions_, parallel_for));
  }
  std::uint64_t occludedSum() const {
    Fold fold;
    for (const Occlusion answer : occlusions_.answers)
      fold.add(static_cast<std::uint64_t>(answer));
    return fold.sum();
  }

  void shootOneByOne() {
    shots_.hits.clear();
    for (const BatchQuery& query : queries_) {
      checkOk(service_.shootSegment(segmentOf(query), query.levels, {}, result_));
      shots_.hits.insert(shots_.hits.end(), result_.hits.begin(), result_.hits.end());
    }
  }
  void shootBatch(ParallelFor parallel_for) {
    checkOk(service_.shootSegment(queries_, {}, shots_, parallel_for));
  }
  std::uint64_t shootSum() const {
    Fold fold;
    for (const Hit& hit : shots_.hits)
      fold.add(hit);
    return fold.sum();
  }
  std::size_t reruns() const { return shots_.reruns; }

 private:
  static const FixedSegment& segmentOf(const BatchQuery& query) {
    return std::get<FixedSegment>(query.line);
  }

  std::shared_ptr<World> world_;
  EntityIndex entities_;
  RayQueryService service_;
  std::vector<BatchQuery> queries_;
  ShotResult result_;
  ClosestHit closest_;
  ClosestBatch closests_;
  OcclusionBatch occlusions_;
  ShotBatch shots_;
  int calls_ = 0;
  std::vector<std::pair<BlockCoord, BlockTypeId>> dug_;
};

// A kind of query: functions that run it one by one and as a batch, and that fold its answers.
struct Question {
  void (Range::*one_by_one)();
  void (Range::*batch)(ParallelFor);
  std::uint64_t (Range::*sum)() const;
};
constexpr Question kFirstHit{&Range::closestOneByOne, &Range::closestBatch, &Range::closestSum};
constexpr Question kOccluded{&Range::occludedOneByOne, &Range::occluded, &Range::occludedSum};
constexpr Question kShoot{&Range::shootOneByOne, &Range::shootBatch, &Range::shootSum};

// Batches on several threads compared with one thread, or with the same queries one by one.
struct Speedup {
  double to_one_thread = 0;
  double to_one_by_one = 0;
  double processor = 0;  // processor time of all threads, in that of the batch on one thread
  double serial = 0;     // wall-clock time outside parallel tasks, in that of the whole batch
};

// Runs batches with an executor, and collects the processor time of all threads and the wall-clock
// time outside parallel tasks.
class BatchRuns {
 public:
  BatchRuns(Range& range, const Question& question, ParallelFor executor)
      : range_(range), question_(question), executor_(executor) {}

  void run() {
    double inside = 0;
    const auto timed = [&](std::size_t count, absl::FunctionRef<void(std::size_t)> task) {
      const Clock::time_point begin = Clock::now();
      executor_(count, task);
      inside += millisSince(begin);
    };
    const double processor = processMillis();
    const Clock::time_point begin = Clock::now();
    (range_.*question_.batch)(timed);
    const double all = millisSince(begin);
    processor_.push_back(processMillis() - processor);
    serial_.push_back(1 - inside / all);
  }
  double processorMillis() const { return median(processor_); }
  double serialPart() const { return median(serial_); }

 private:
  Range& range_;
  const Question& question_;
  ParallelFor executor_;
  std::vector<double> processor_;
  std::vector<double> serial_;
};

Speedup measure(const TickOptions& options, const std::string& work, const Question& question,
                Range& range, TickReport& report) {
  const ThreadExecutor one(1);
  const ThreadExecutor many(options.threads);
  std::uint64_t expected = 0;
  bool is_same = true;
  const auto run_one_by_one = [&] { (range.*question.one_by_one)(); };
  const auto expect = [&] {
    expected = (range.*question.sum)();
    range.restore();
  };
  BatchRuns on_one(range, question, one);
  BatchRuns on_many(range, question, many);
  const auto run_one = [&] { on_one.run(); };
  const auto run_many = [&] { on_many.run(); };
  const auto check = [&] {
    is_same = is_same && (range.*question.sum)() == expected;
    range.restore();
  };
  const std::vector<TickWork> works = {
      {run_one_by_one, expect}, {run_one, check}, {run_many, check}};
  std::vector<double> ns = wallMedians(options.repeats, works);
  for (double& value : ns)
    value /= static_cast<double>(range.size());
  const Speedup speedup{ns[1] / ns[2], ns[0] / ns[2],
                        on_many.processorMillis() / on_one.processorMillis(), on_many.serialPart()};
  std::printf("  %-26s %9.0f %9.0f %9.0f %10.2f %10.2f %9.2f %9.2f%% %9.2f%%  %s\n", work.c_str(),
              ns[0], ns[1], ns[2], speedup.to_one_thread, speedup.to_one_by_one, speedup.processor,
              100 * speedup.serial,
              100 * static_cast<double>(range.reruns()) / static_cast<double>(range.size()),
              is_same ? "same" : "DIFFERENT");
  std::fflush(stdout);
  const std::string name = absl::StrCat("batch/", work, "/");
  report.figures.push_back({absl::StrCat(name, "one by one"), ns[0], "ns"});
  report.figures.push_back({absl::StrCat(name, "one thread"), ns[1], "ns"});
  report.figures.push_back({absl::StrCat(name, options.threads, " threads"), ns[2], "ns"});
  report.figures.push_back({absl::StrCat(name, "processor time"), speedup.processor, "ratio"});
  report.figures.push_back({absl::StrCat(name, "serial part"), speedup.serial, "ratio"});
  report.is_wrong = report.is_wrong || !is_same;
  return speedup;
}

}  // namespace

void measureBatches(const TickOptions& options, TickReport& report) {
  const std::size_t count = options.quick ? 50'000 : 200'000;
  std::printf("\nBatches of %zu queries, segments of 400 blocks, ns a query\n", count);
  std::printf("  %-26s %9s %9s %9s %10s %10s %9s %10s %10s\n", "", "one by", "batch,", "batch,",
              "faster than", "than one", "processor", "serial", "rerun");
  std::printf("  %-26s %9s %9s %7d t. %10s %10s %9s %10s %10s\n", "", "one", "1 thread",
              options.threads, "1 thread", "by one", "to 1 t.", "part", "serially");
  Range terrain(makeTerrain(), count);
  const Speedup closest = measure(options, "first hit", kFirstHit, terrain, report);
  const Speedup occluded = measure(options, "occluded", kOccluded, terrain, report);
  Range plants(makePlants(), count);
  const Speedup all_hits = measure(options, "all hits", kShoot, plants, report);
  plants.countHits();
  measure(options, "all hits, with callbacks", kShoot, plants, report);
  terrain.digHits();
  const Speedup digging = measure(options, "first hit, 1 % editing", kShoot, terrain, report);
  const std::string threads = absl::StrCat(options.threads, " threads to one, ");
  report.targets.push_back({absl::StrCat(threads, "first hit"), closest.to_one_thread, 1.8});
  report.targets.push_back({absl::StrCat(threads, "occluded"), occluded.to_one_thread, 1.8});
  report.targets.push_back({absl::StrCat(threads, "all hits"), all_hits.to_one_thread, 1.8});
  report.targets.push_back({absl::StrCat(options.threads, " threads to one by one, 1 % editing"),
                            digging.to_one_by_one, 1.5});
  report.targets.push_back({.what = absl::StrCat(threads, "first hit, processor time"),
                            .value = closest.processor,
                            .must = 1.05,
                            .at_least = false});
  report.targets.push_back({.what = absl::StrCat(threads, "first hit, serial part in %"),
                            .value = 100 * closest.serial,
                            .must = 2,
                            .at_least = false});
}

}  // namespace fractalray::bench
