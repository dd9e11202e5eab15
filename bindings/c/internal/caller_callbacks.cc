// SPDX-License-Identifier: Apache-2.0
#include "caller_callbacks.h"

#include <cstdint>

#include "arguments.h"
#include "callback_scope.h"
#include "convert.h"
#include "errors.h"

namespace fractalray::capi {

bool test(frPredicateFcn* predicate, void* context, const Hit& hit) {
  frHit converted;
  write(hit, converted);
  const PureScope scope;
  return predicate(context, &converted) != 0;
}

HitResponse respond(frEffectFcn* effect, void* context, const WorldState* world, const Hit& hit) {
  frHit converted;
  write(hit, converted);
  const EffectScope scope(world);
  const std::int32_t response = effect(context, &converted);
  switch (response) {
    case FR_CONTINUE:
      return HitResponse::kContinue;
    case FR_STOP:
      return HitResponse::kStop;
    case FR_AGAIN:
      return HitResponse::kAgain;
    default:
      throw CallbackError{
          badEnum("the response of a callback", response, "FR_CONTINUE, FR_STOP, FR_AGAIN")};
  }
}

}  // namespace fractalray::capi
