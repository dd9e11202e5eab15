// SPDX-License-Identifier: Apache-2.0
// Uses Abseil and the C interface in turns: the functions of the program are those of its own
// Abseil, and the library's errors, maps and queries work next to them.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "../../../bindings/c/fractalray_c.h"

namespace {

int failures = 0;

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "not so: %s\n", what);
  ++failures;
}

// Returns the file that contains a function.
std::string_view fileOf(void* function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 ? info.dli_fname : "";
}

absl::StatusOr<int> withStatus(int number) {
  if (number % 2 != 0) return absl::NotFoundError(absl::StrCat("no ", number));
  return number;
}

// Shoots at a block; returns false if an answer is wrong.
bool shoot(frWorld* world, std::int64_t x) {
  const std::int64_t block[3] = {x, 2, 2};
  const double from[3] = {0.5, 2.5, 2.5};
  const double to[3] = {15.5, 2.5, 2.5};
  frLine line;
  frHit hit;
  bool is_right = frWorld_SetBlock(world, 0, block, 1) == FR_OK;
  is_right = is_right && frMakeSegment(from, to, &line) == FR_OK;
  is_right =
      is_right && frWorld_ClosestHit(world, &line, FR_ALL_LEVELS, nullptr, &hit, nullptr) == FR_OK;
  is_right = is_right && hit.kind == FR_HIT_BLOCK && hit.cell[0] == x;
  is_right = is_right && frWorld_SetBlock(world, 0, block, FR_AIR) == FR_OK;
  // An error, which is a status inside of the library.
  is_right = is_right && frWorld_SetBlock(world, 7, block, 1) == FR_INVALID_ARGUMENT;
  return is_right && std::string_view(frGetLastError()).find("level 7") != std::string_view::npos;
}

}  // namespace

int main() {
  frWorldDef def{};
  def.struct_size = sizeof def;
  def.version = FR_VERSION;
  frBlockTypeDef stone{};
  stone.struct_size = sizeof stone;
  stone.name = "stone";
  frChunkDef chunk{};
  chunk.struct_size = sizeof chunk;
  frWorld* world = nullptr;
  frBlockType type = 0;
  expect(frCreateWorld(&def, &world) == FR_OK && frWorld_LoadChunks(world, 0, &chunk, 1) == FR_OK &&
             frWorld_AddBlockType(world, &stone, &type) == FR_OK && type == 1,
         "a world can be made");

  absl::flat_hash_map<int, std::string> map;
  for (int i = 0; i < 5000; ++i) {
    map[i] = absl::StrCat("number ", i);
    const absl::StatusOr<int> result = withStatus(i);
    expect(result.ok() == (i % 2 == 0), "the program's statuses are right");
    expect(result.ok() || result.status().ToString() == absl::StrCat("NOT_FOUND: no ", i),
           "the program's errors have their texts");
    expect(shoot(world, 2 + i % 12), "the library's answers are right");
  }
  expect(map.size() == 5000 && map[4999] == "number 4999", "the program's map is right");
  expect(frDestroyWorld(world) == FR_OK, "the world can be destroyed");

  const auto not_found = static_cast<absl::Status (*)(absl::string_view)>(&absl::NotFoundError);
  expect(fileOf(reinterpret_cast<void*>(not_found)).find("fractalray") == std::string_view::npos,
         "the program's Abseil is not that of the library");
  return failures == 0 ? 0 : 1;
}
