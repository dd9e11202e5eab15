// SPDX-License-Identifier: Apache-2.0
#include "sight_table.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "internal/batch/answer_batch.h"
#include "internal/service_state.h"
#include "internal/sight/kept_sight.h"
#include "internal/sight/observe_sight.h"
#include "internal/sight/sight_checks.h"
#include "internal/sight/table_run.h"
#include "ray_query_service.h"

namespace fractalray {
namespace internal {

// Fills a table.
class TableMemory {
 public:
  explicit TableMemory(SightTable& table) : table_(table) {}

  bool isInUse() const { return table_.is_in_use_; }
  void setInUse(bool is_in_use) { table_.is_in_use_ = is_in_use; }

  void clear(const SceneVersion& version) {
    table_.version = version;
    table_.answers.clear();
    table_.stats = {};
    table_.viewers_ = table_.boxes_ = 0;
  }
  // Returns RESOURCE_EXHAUSTED for more answers than memory can have.
  absl::Status resize(std::size_t viewers, std::size_t boxes) {
    if (boxes > 0 && viewers > table_.answers.max_size() / boxes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("there is no memory for the answers of ", viewers, " viewers for ", boxes,
                       " boxes, a byte each; ask for fewer at once"));
    }
    table_.answers.resize(viewers * boxes);
    table_.viewers_ = viewers;
    table_.boxes_ = boxes;
    return absl::OkStatus();
  }

  // Answers all pairs, many at once. Requires: the table has been resized.
  void answer(const TableQuery& query, ParallelFor parallel_for) {
    constexpr std::size_t kBoxes = KeptSight::kBoxesInRun;
    const std::size_t boxes = query.boxes.size();
    if (table_.answers.empty()) return;
    // A task is one run, or as many short ones as make up a long one.
    const std::size_t columns = (boxes + kBoxes - 1) / kBoxes;
    const std::size_t runs = query.viewers.size() * columns;
    const std::size_t in_task = std::max<std::size_t>(1, kPairsInTask / std::min(boxes, kBoxes));
    std::vector<TableTask>& tasks = table_.tasks_;
    tasks.resize((runs + in_task - 1) / in_task);
    answerAll(
        runs, parallel_for,
        [&](std::size_t begin, std::size_t end, bool /*in_order*/) {
          SightTableStats& stats = tasks[begin / in_task].stats;
          stats = {};
          TableRun run(query, stats);
          for (std::size_t i = begin; i < end; ++i) {
            const std::size_t viewer = i / columns;
            const std::size_t column = i % columns;
            const std::size_t first = column * kBoxes;
            run.answer(viewer, column,
                       std::span(table_.answers)
                           .subspan(viewer * boxes + first, std::min(kBoxes, boxes - first)));
          }
        },
        in_task);
    for (const TableTask& task : tasks)
      table_.stats += task.stats;
  }

 private:
  // The pairs of a task: some 100 us, so that handing it to a thread costs little.
  static constexpr std::size_t kPairsInTask = 128;

  SightTable& table_;
};

}  // namespace internal

namespace {

using internal::KeptSight;
using internal::TableMemory;

absl::Status checkNotInUse(bool is_table_in_use, const SightTableOptions& options) {
  if (is_table_in_use) {
    return absl::FailedPreconditionError(
        "this SightTable is being filled by a call in progress; give a nested call one of its own");
  }
  if (options.history != nullptr && KeptSight::isInUse(*options.history)) {
    return absl::FailedPreconditionError(
        "this SightHistory is used by a call in progress; give a nested call one of its own");
  }
  return absl::OkStatus();
}

// Fills a table that is not in use, nor is the history.
absl::Status fillTable(const internal::ServiceState& state, const VisibleBoxesCall& call,
                       LevelMask levels, TableMemory& filled, ParallelFor parallel_for) {
  const auto& [viewers, boxes, options] = call;
  const SceneVersion version = state.version();
  filled.clear(version);
  absl::Status status = internal::checkSightTable(state, viewers, boxes, levels, options);
  if (!status.ok()) return status;
  // Also if a function of the options throws, or memory runs out.
  absl::Cleanup clear = [&] { filled.clear(version); };
  status = filled.resize(viewers.size(), boxes.size());
  if (!status.ok()) return status;

  internal::TableQuery query{
      .state = state, .viewers = viewers, .boxes = boxes, .levels = levels, .options = options};
  if (options.history != nullptr) {
    query.kept = &KeptSight::of(*options.history);
    const internal::KeptScene& last = query.kept->last.scene;
    query.kept->next.set(state, viewers, boxes, levels, options.each);
    const internal::KeptScene& scene = query.kept->next.scene;
    query.is_same = scene.isSame(last);
    query.has_same_blocks = scene.hasSameBlocks(last);
    query.has_same_frame = scene.frame_levels == last.frame_levels;
    query.kept->is_in_use = true;
  }
  filled.setInUse(true);
  const absl::Cleanup not_in_use = [&] {
    filled.setInUse(false);
    if (query.kept != nullptr) query.kept->is_in_use = false;
  };
  filled.answer(query, parallel_for);
  if (query.kept != nullptr) query.kept->commit();
  std::move(clear).Cancel();
  return absl::OkStatus();
}

}  // namespace

absl::Status RayQueryService::visibleBoxes(std::span<const SightViewer> viewers,
                                           std::span<const FixedBox> boxes, LevelMask levels,
                                           const SightTableOptions& options, SightTable& table,
                                           ParallelFor parallel_for) const {
  TableMemory filled(table);
  absl::Status status = checkNotInUse(filled.isInUse(), options);
  if (!status.ok()) return status;
  const VisibleBoxesCall call{viewers, boxes, options};
  return internal::observeSight(*state_, call, levels,
                                fillTable(*state_, call, levels, filled, parallel_for), table);
}

}  // namespace fractalray
