// SPDX-License-Identifier: Apache-2.0
#include "caller_source.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

#include "callback_scope.h"

namespace fractalray::capi {
namespace {

absl::Status notOpen(std::uint64_t number) {
  return absl::NotFoundError(absl::StrCat(
      "request ", number,
      " has been answered, or is no longer wanted; there is nothing left to do for it"));
}

}  // namespace

std::uint64_t CallerSource::keep(ChunkRequest request) {
  const std::lock_guard lock(mutex_);
  open_.emplace(last_ + 1, std::move(request));
  return ++last_;
}

void CallerSource::request(ChunkRequest request) {
  if (isPulled()) {
    keep(std::move(request));
    return;
  }
  const std::string path = request.path().text();
  const std::uint64_t number = keep(std::move(request));
  const PureScope scope;
  source_.request(source_.context, number, path.c_str());
}

void CallerSource::unloading(int level, const ChunkCoord& at, const Chunk& /*chunk*/) {
  if (source_.unloading == nullptr) return;
  const PureScope scope;
  source_.unloading(source_.context, level, at.values.data());
}

void CallerSource::dropped(const ChunkPath& path) {
  std::string text = path.text();
  if (source_.dropped == nullptr) {
    dropped_.push_back(std::move(text));
    return;
  }
  const PureScope scope;
  source_.dropped(source_.context, text.c_str());
}

std::size_t CallerSource::take(std::uint64_t* requests, std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (auto next = open_.upper_bound(last_taken_); next != open_.end() && count < capacity;
       ++next) {
    if (next->second.isWanted()) requests[count++] = next->first;
    last_taken_ = next->first;
  }
  return count;
}

void CallerSource::dropUnwanted() {
  const std::lock_guard lock(mutex_);
  std::erase_if(open_, [](const auto& each) { return !each.second.isWanted(); });
}

absl::Status CallerSource::check(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(number);
  return found != open_.end() && found->second.isWanted() ? absl::OkStatus() : notOpen(number);
}

absl::StatusOr<ChunkPath> CallerSource::path(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(number);
  if (found == open_.end() || !found->second.isWanted()) return notOpen(number);
  return found->second.path();
}

absl::Status CallerSource::answer(std::uint64_t number, absl::StatusOr<Chunk> content) {
  std::unique_lock lock(mutex_);
  auto taken = open_.extract(number);
  lock.unlock();
  if (taken.empty() || !taken.mapped().answer(std::move(content)).ok()) return notOpen(number);
  return absl::OkStatus();
}

}  // namespace fractalray::capi
