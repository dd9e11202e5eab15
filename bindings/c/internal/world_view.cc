// SPDX-License-Identifier: Apache-2.0
#include "world_view.h"

#include <utility>

#include "objects.h"

namespace fractalray::capi {

frWorld* viewOf(std::shared_ptr<const World> world, std::shared_ptr<const EntityIndex> entities) {
  NewObject<frWorld> object(
      Object<frWorld>{std::make_shared<WorldState>(std::move(world), std::move(entities))});
  frWorld* view = nullptr;
  object.giveTo(&view);
  return view;
}

}  // namespace fractalray::capi
