// SPDX-License-Identifier: Apache-2.0
#include "change_regions.h"

#include <algorithm>
#include <span>
#include <utility>

#include "../../core/internal/containers/vector_capacity.h"
#include "change_codec.h"

namespace fractalray {
namespace {

// Returns the steps of one region of a path, packed.
std::string regionSteps(const ChunkPath& path, std::size_t region) {
  return packSteps(
      std::span(path.steps()).subspan(region * ChangeRegions::kSteps, ChangeRegions::kSteps));
}

// Returns the number of regions on the way to a chunk, the root not counted.
std::size_t regionsOf(const ChunkPath& path) {
  const std::size_t steps = path.steps().size();
  return (steps - std::min(steps, ChangeRegions::kLeastOwnSteps)) / ChangeRegions::kSteps;
}

// Returns the packed steps after the regions.
std::string ownSteps(const ChunkPath& path) {
  return packSteps(std::span(path.steps()).subspan(regionsOf(path) * ChangeRegions::kSteps));
}

}  // namespace

void ChangeRegions::forget() noexcept {
  ids_.clear();
  steps_.clear();
}

void ChangeRegions::keepCommon(const ChunkPath& path) {
  const auto& steps = path.steps();
  const auto end = std::mismatch(steps_.begin(), steps_.end(), steps.begin(), steps.end()).first;
  const std::size_t common = static_cast<std::size_t>(end - steps_.begin()) / kSteps;
  const std::size_t regions = std::min(common, regionsOf(path));
  ids_.resize(regions);
  steps_.resize(regions * kSteps);
}

absl::StatusOr<std::optional<std::int64_t>> ChangeRegions::lookUp(std::int64_t parent,
                                                                  std::string_view steps) const {
  const absl::StatusOr<std::optional<std::string>> row = rows_->find(regionKey(parent, steps));
  if (!row.ok()) return row.status();
  if (!row->has_value()) return std::nullopt;
  std::string_view value = **row;
  const std::optional<std::int64_t> id = takeOrdered(value);
  if (!id.has_value()) return rows_->damage();
  return id;
}

absl::StatusOr<std::int64_t> ChangeRegions::insert(std::int64_t parent,
                                                   std::string_view steps) const {
  const absl::StatusOr<std::string> last = rows_->lastBefore(kRegionRows);
  if (!last.ok()) return last.status();
  // The mark has no id.
  const std::int64_t id = parseRegionIdKey(*last).value_or(0) + 1;
  std::string value;
  appendOrdered(value, id);
  absl::Status status = rows_->put(regionKey(parent, steps), value);
  value.clear();
  appendOrdered(value, parent);
  value += steps;
  if (status.ok()) status = rows_->put(regionIdKey(id), value);
  if (!status.ok()) return status;
  return id;
}

absl::StatusOr<std::optional<ChunkKey>> ChangeRegions::find(const ChunkPath& path) {
  return locate(path, false);
}

absl::StatusOr<ChunkKey> ChangeRegions::add(const ChunkPath& path) {
  absl::StatusOr<std::optional<ChunkKey>> key = locate(path, true);
  if (!key.ok()) return key.status();
  return **std::move(key);
}

absl::StatusOr<std::optional<ChunkKey>> ChangeRegions::locate(const ChunkPath& path, bool adds) {
  keepCommon(path);
  for (std::size_t region = ids_.size(); region < regionsOf(path); ++region) {
    const std::string steps = regionSteps(path, region);
    absl::StatusOr<std::optional<std::int64_t>> id = lookUp(last(), steps);
    if (!id.ok()) return id.status();
    if (!id->has_value()) {
      if (!adds) return std::nullopt;
      const absl::StatusOr<std::int64_t> inserted = insert(last(), steps);
      if (!inserted.ok()) return inserted.status();
      *id = *inserted;
    }
    internal::ensureCapacity(ids_, ids_.size() + 1);
    steps_.insert(steps_.end(), path.steps().begin() + static_cast<std::ptrdiff_t>(steps_.size()),
                  path.steps().begin() + static_cast<std::ptrdiff_t>(steps_.size() + kSteps));
    ids_.push_back(**id);
  }
  return ChunkKey{last(), ownSteps(path)};
}

absl::StatusOr<std::string> ChangeRegions::pathOf(std::int64_t region) const {
  std::vector<std::string> regions;  // the deepest first
  for (std::int64_t id = region; id != 0;) {
    const absl::StatusOr<std::optional<std::string>> row = rows_->find(regionIdKey(id));
    if (!row.ok()) return row.status();
    std::string_view steps = row->has_value() ? std::string_view(**row) : std::string_view();
    const std::optional<std::int64_t> parent = takeOrdered(steps);
    std::string text;
    // A region is added after its parent.
    if (parent.value_or(id) >= id || !appendSteps(text, steps)) return rows_->damage();
    regions.push_back(std::move(text));
    id = *parent;
  }
  std::string path;
  std::reverse(regions.begin(), regions.end());
  for (const std::string& steps : regions) {
    if (!path.empty()) path += '_';
    path += steps;
  }
  return path;
}

}  // namespace fractalray
