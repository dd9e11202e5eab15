// SPDX-License-Identifier: Apache-2.0
// The callbacks of an engine for hits: predicates and effects.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "hit.h"

namespace fractalray {

// Returns true if a hit is terminal; the predicate of docs/queries/shoot.md. Pure: may be called
// early, more than once, and again for a block whose type an effect has changed. Not called for
// hits that are terminal anyway: solid blocks, and hits at which a rule stops the shot.
using TerminalTest = std::function<bool(const Hit&)>;

// The decision of a callback on the shot.
enum class HitResponse : std::uint8_t {
  kContinue,
  kStop,
  // Continues in the world as it is now: candidates found ahead are discarded, and the shot hits
  // what is there at the time of this hit or later, but nothing twice. So the shot passes through
  // openings that the callback has made, and hits blocks and entities that the callback has put
  // there. A solid block does not end the shot if by now it is gone, is no longer solid, or defers
  // to a finer chunk.
  kAgain,
};

namespace internal {

template <class T, class Other>
concept OtherThan = !std::same_as<T, Other>;

}  // namespace internal

// A function that is called once for a hit, in the order of hits. It returns a HitResponse, or
// nothing, which continues. May change the world and the index, shoot again, register and remove
// callbacks, and throw. Empty by default: then nothing is called.
class HitEffect {
 public:
  HitEffect() = default;
  HitEffect(std::nullptr_t) {}
  template <internal::OtherThan<HitEffect> Function>
  HitEffect(Function function) {
    static_assert(std::is_invocable_v<Function&, const Hit&>,
                  "a callback for hits takes a const Hit&");
    static_assert(std::is_copy_constructible_v<Function>,
                  "a callback for hits can be copied; let it share what cannot");
    if constexpr (std::is_invocable_r_v<HitResponse, Function&, const Hit&>) {
      function_ = std::move(function);
    } else if constexpr (std::is_invocable_v<Function&, const Hit&>) {
      static_assert(std::is_void_v<std::invoke_result_t<Function&, const Hit&>>,
                    "a callback for hits returns a HitResponse (kContinue, kStop or kAgain), or "
                    "nothing, which continues");
      setWithoutResponse(std::move(function));
    }
  }

  explicit operator bool() const { return static_cast<bool>(function_); }
  // Requires: not empty.
  HitResponse operator()(const Hit& hit) const { return function_(hit); }

 private:
  void setWithoutResponse(std::function<void(const Hit&)> function) {
    if (!function) return;
    function_ = [function = std::move(function)](const Hit& hit) {
      function(hit);
      return HitResponse::kContinue;
    };
  }

  std::function<HitResponse(const Hit&)> function_;
};

}  // namespace fractalray
