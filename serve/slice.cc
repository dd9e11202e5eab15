// SPDX-License-Identifier: Apache-2.0
#include "slice.h"

#include <cstddef>
#include <cstdint>

namespace fractalray::serve {
namespace {

// Moves a pointer on, unless it is null.
template <class T>
void moveOn(const T*& array, std::uint64_t elements) {
  if (array != nullptr) array += elements;
}

void moveOn(frVectors& vectors, std::size_t elements) {
  if (vectors.data == nullptr) return;
  vectors.data = static_cast<const std::byte*>(vectors.data) +
                 static_cast<std::int64_t>(elements) * vectors.vector_stride;
}

// Makes the lists of the slice: `list` begins with that of its first line, and `ends` count from
// there.
template <class T>
void cutLists(const T*& list, const std::uint64_t*& ends, std::size_t first, std::size_t size,
              std::vector<std::uint64_t>& memory) {
  if (ends == nullptr || first == 0) return;
  const std::uint64_t begin = ends[first - 1];
  memory.clear();
  memory.reserve(size);
  for (std::size_t i = first; i < first + size; ++i)
    memory.push_back(ends[i] - begin);
  moveOn(list, begin);
  ends = memory.data();
}

}  // namespace

frLines LineSlices::of(const frLines& lines, std::size_t first, std::size_t size) {
  frLines slice = lines;
  slice.count = size;
  moveOn(slice.from, first);
  moveOn(slice.to, first);
  moveOn(slice.max_distances, first);
  moveOn(slice.lines, first);
  moveOn(slice.levels, first);
  cutLists(slice.ignore, slice.ignore_ends, first, size, ignore_ends_);
  cutLists(slice.after, slice.after_ends, first, size, after_ends_);
  return slice;
}

}  // namespace fractalray::serve
