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

absl::StatusOr<ChangeRegions> ChangeRegions::load(const SqliteDatabase& database) {
  ChangeRegions regions(database);
  absl::Status status = database.prepareAll({
      {&regions.select_id_, "SELECT id FROM regions WHERE parent = ? AND steps = ?"},
      {&regions.select_region_, "SELECT parent, steps FROM regions WHERE id = ?"},
      {&regions.insert_, "INSERT INTO regions(parent, steps) VALUES(?, ?)"},
  });
  if (!status.ok()) return status;
  return regions;
}

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
                                                                  const std::string& steps) const {
  std::optional<std::int64_t> id;
  absl::Status status = database_->run(select_id_, {parent, steps}, [&](const SqliteRow& row) {
    id = row.integer(0);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (!id.has_value()) return id;
  const absl::StatusOr<Region> region = regionOf(*id);
  if (!region.ok()) return region.status();
  if (region->parent != parent || region->steps != steps) return damage();
  return id;
}

absl::StatusOr<ChangeRegions::Region> ChangeRegions::regionOf(std::int64_t id) const {
  std::optional<Region> region;
  absl::Status status = database_->run(select_region_, {id}, [&](const SqliteRow& row) {
    const auto parent = row.integer(0);
    const auto steps = row.blob(1);
    // A region is added after its parent: in a whole file ids descend.
    if (parent.has_value() && *parent >= 0 && *parent < id && steps.has_value()) {
      region = {*parent, {reinterpret_cast<const char*>(steps->data()), steps->size()}};
    }
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  if (!region.has_value()) return damage();
  return *std::move(region);
}

absl::Status ChangeRegions::damage() const {
  return database_->error(absl::StatusCode::kDataLoss, "the file is damaged (a region)");
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
      if (absl::Status status = database_->run(insert_, {last(), steps}); !status.ok()) {
        return status;
      }
      *id = database_->lastInsertedId();
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
    const absl::StatusOr<Region> found = regionOf(id);
    if (!found.ok()) return found.status();
    const std::string& steps = found->steps;
    std::string text;
    if (!appendSteps(text, {reinterpret_cast<const std::uint8_t*>(steps.data()), steps.size()})) {
      return damage();
    }
    regions.push_back(std::move(text));
    id = found->parent;
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
