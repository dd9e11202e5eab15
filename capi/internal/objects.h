// SPDX-License-Identifier: Apache-2.0
// The opaque objects of the C interface, and how functions get at their content. Each begins with a
// tag, by which a pointer to an object of another kind is detected.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../core/grid_walk.h"
#include "../../executor/thread_executor.h"
#include "../../levels/adapt.h"
#include "../../levels/id_layout.h"
#include "../../query/block_bindings.h"
#include "../../query/line_chunks.h"
#include "../../query/terminal_rules.h"
#include "../fractalray_c.h"
#include "arguments.h"
#include "callback_scope.h"
#include "errors.h"
#include "query_input.h"
#include "world_state.h"

struct frWorld {
  static constexpr std::uint32_t kTag = 0xf7a10001;
  std::uint32_t tag = kTag;
  std::shared_ptr<fractalray::capi::WorldState> state;
};

struct frRules {
  static constexpr std::uint32_t kTag = 0xf7a10002;
  std::uint32_t tag = kTag;
  // Shared with the queries that run with these rules, which are then changed in a copy.
  std::shared_ptr<fractalray::TerminalRules> rules;
};

struct frIdLayout {
  static constexpr std::uint32_t kTag = 0xf7a10003;
  std::uint32_t tag = kTag;
  fractalray::IdLayout layout;
};

struct frEngineChunks {
  static constexpr std::uint32_t kTag = 0xf7a10004;
  std::uint32_t tag = kTag;
  bool is_busy = false;
  std::shared_ptr<fractalray::capi::WorldState> state;
  std::optional<fractalray::EngineChunks> chunks;
};

struct frBindings {
  static constexpr std::uint32_t kTag = 0xf7a10005;
  explicit frBindings(std::shared_ptr<fractalray::capi::WorldState> world)
      : state(std::move(world)), bindings(state->editWorld(), state->editEntities()) {}

  std::uint32_t tag = kTag;
  bool is_busy = false;
  std::shared_ptr<fractalray::capi::WorldState> state;
  fractalray::BlockBindings bindings;
};

struct frLeftOver {
  static constexpr std::uint32_t kTag = 0xf7a10006;
  std::uint32_t tag = kTag;
  std::array<std::shared_ptr<const void>, 2> memory;
};

struct frCursor {
  static constexpr std::uint32_t kTag = 0xf7a10007;
  std::uint32_t tag = kTag;
  bool is_busy = false;
  std::shared_ptr<fractalray::capi::WorldState> state;
  fractalray::capi::KeptQueryInput input;
  std::optional<fractalray::HitCursor> cursor;
};

struct frShotBatch {
  static constexpr std::uint32_t kTag = 0xf7a10008;
  std::uint32_t tag = kTag;
  bool is_busy = false;
  std::vector<fractalray::BatchQuery> queries;
  fractalray::ShotBatch batch;
};

struct frChunkCursor {
  static constexpr std::uint32_t kTag = 0xf7a10009;
  std::uint32_t tag = kTag;
  std::shared_ptr<fractalray::capi::WorldState> state;
  fractalray::LineChunks::Iterator next;
};

struct frWalk {
  static constexpr std::uint32_t kTag = 0xf7a1000a;
  std::uint32_t tag = kTag;
  bool is_at_end = false;
  std::uint64_t crossings = 0;
  std::variant<fractalray::GridWalk<2>, fractalray::GridWalk<3>> walk;
};

struct frExecutor {
  static constexpr std::uint32_t kTag = 0xf7a1000b;
  explicit frExecutor(int threads) : executor(threads) {}

  std::uint32_t tag = kTag;
  std::atomic<int> running = 0;
  fractalray::ThreadExecutor executor;
};

namespace fractalray::capi {

absl::Status wrongObject(const char* name);
absl::Status isSnapshot();
absl::Status isBusy(const char* name);

// Checks that a pointer is one to an object of its type.
template <class Object>
absl::Status checkObject(const Object* object, const char* name) {
  const Argument argument(object, name);
  if (isBad(argument)) return badArgument(argument);
  return object->tag == Object::kTag ? absl::OkStatus() : wrongObject(name);
}

// Runs the body of a function that reads a world, given its state and with its arguments checked.
template <class Body>
frResult reading(const char* function, const frWorld* world, Arguments arguments,
                 const Body& body) noexcept {
  return guarded(function, [&]() -> absl::Status {
    absl::Status status = checkObject(world, "world");
    if (status.ok()) status = checkArguments(arguments);
    if (!status.ok()) return status;
    return body(static_cast<const WorldState&>(*world->state));
  });
}

// Returns FAILED_PRECONDITION for a world that cannot be changed.
inline absl::Status checkEditable(const WorldState& state) {
  return state.isSnapshot() ? isSnapshot() : checkEditsAllowed();
}

// Runs the body of a function that changes a world.
template <class Body>
frResult editing(const char* function, const frWorld* world, Arguments arguments,
                 const Body& body) noexcept {
  return guarded(function, [&]() -> absl::Status {
    absl::Status status = checkObject(world, "world");
    if (status.ok()) status = checkArguments(arguments);
    if (status.ok()) status = checkEditable(*world->state);
    return status.ok() ? body(*world->state) : status;
  });
}

// Runs the body of a function of another object.
template <class Object, class Body>
frResult with(const char* function, Object* object, const char* name, Arguments arguments,
              const Body& body) noexcept {
  return guarded(function, [&]() -> absl::Status {
    absl::Status status = checkObject(object, name);
    if (status.ok()) status = checkArguments(arguments);
    return status.ok() ? body(*object) : status;
  });
}

// Marks an object as in use, so that it is not destroyed or used by a callback of its own.
template <class Object>
class Busy {
 public:
  explicit Busy(Object& object) : object_(object) { object_.is_busy = true; }
  ~Busy() { object_.is_busy = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Object& object_;
};

// Runs the body of a function of an object that calls back.
template <class Object, class Body>
frResult withBusy(const char* function, Object* object, const char* name, Arguments arguments,
                  const Body& body) noexcept {
  return with(function, object, name, arguments, [&](Object& used) -> absl::Status {
    if (used.is_busy) return isBusy(name);
    const Busy<Object> busy(used);
    return body(used);
  });
}

// Destroys an object unless it is null.
template <class Object>
frResult destroy(const char* function, Object* object, const char* name) noexcept {
  if (object == nullptr) return FR_OK;
  return guarded(function, [&]() -> absl::Status {
    absl::Status status = checkObject(object, name);
    if (!status.ok()) return status;
    if constexpr (requires { object->is_busy; }) {
      if (object->is_busy) return isBusy(name);
    }
    object->tag = 0;
    delete object;
    return status;
  });
}

}  // namespace fractalray::capi
