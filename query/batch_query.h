// SPDX-License-Identifier: Apache-2.0
// The queries of a batch.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "../core/level_mask.h"
#include "../core/ray.h"
#include "../core/segment.h"
#include "hit.h"
#include "ignore_list.h"
#include "query_line.h"
#include "terminal_rules.h"

namespace fractalray {

// One query of a batch. The entities in `ignore` (its shooter, say) are ignored in addition to
// those that the batch's options name. The query resumes after the last hit of its own `after` or,
// if that is empty, of the options' `after`; entities of either are not hit again. A shot starts
// with its own `budgets` or, if that is null, with those of the options: a bullet that flies for
// several ticks carries what is left of them. Arrays of ids or hits, and the budgets, must outlive
// the batch; `after` may lie in the batch that is filled, to step through hits.
struct BatchQuery {
  std::variant<Segment, FixedSegment, Ray> line;
  LevelMask levels = LevelMask::all();
  IgnoreList ignore{};
  std::span<const Hit> after{};
  // The initial amounts of the rules' budgets. Ignored unless the query is a shot with rules.
  const Budgets* budgets = nullptr;
};

namespace internal {

// The type of the elements of a vector, an array, a span.
template <class Array>
using ElementOf =
    std::remove_const_t<typename decltype(std::span(std::declval<const Array&>()))::element_type>;

template <class T>
concept QueryArray = std::same_as<ElementOf<T>, BatchQuery>;
template <class T>
concept LineArray = QueryLine<ElementOf<T>>;

}  // namespace internal

// A view of the queries of a batch: an array of BatchQuery, or one of Segment, FixedSegment or Ray.
// Each line of the latter is a query with the same levels and nothing else of its own.
//
//   std::vector<Ray> rays = ...;
//   service.closestHit(rays, options, batch, threads);
//   service.closestHit({rays, world.finestLevels(2)}, options, batch, threads);
//
// Converts from anything that a std::span is made from, and like a span owns nothing: the array has
// to outlive the batch.
class BatchQueries {
 public:
  using Arrays = std::variant<std::span<const BatchQuery>, std::span<const Segment>,
                              std::span<const FixedSegment>, std::span<const Ray>>;

  BatchQueries() = default;
  template <internal::QueryArray Array>
  BatchQueries(const Array& queries) : arrays_(std::span<const BatchQuery>(queries)) {}
  template <internal::LineArray Array>
  BatchQueries(const Array& lines, LevelMask levels = LevelMask::all())
      : arrays_(std::span<const internal::ElementOf<Array>>(lines)), levels_(levels) {}

  std::size_t size() const {
    return std::visit([](const auto& array) { return array.size(); }, arrays_);
  }
  bool empty() const { return size() == 0; }
  const Arrays& arrays() const { return arrays_; }
  // Returns the levels of lines; queries have their own.
  LevelMask levels() const { return levels_; }

 private:
  Arrays arrays_;
  LevelMask levels_;
};

}  // namespace fractalray
