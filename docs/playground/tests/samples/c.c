/* SPDX-License-Identifier: Apache-2.0 */
/* The program in which a sample of the playground in C is: its world. sample_programs.mjs puts shots after it, which print. */
#include "bindings/c/fractalray_c.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANNELS 8
#define MOST_TYPES 256

frWorld* world;
frRules* bullet;
static uint8_t strength;
static double parts[6 * 255]; /* of the shape that comes next */
static size_t part_count;
static frChannel channels[MOST_CHANNELS]; /* of the type that comes next */
static int32_t channel_kinds[MOST_CHANNELS];
static frShape channel_shapes[MOST_CHANNELS];
static size_t channel_count;
static frBlockType types[MOST_TYPES];
static size_t type_count;

static void check(frResult result) {
  if (result == FR_OK) return;
  fprintf(stderr, "%s\n", frGetLastError());
  exit(1);
}

/* Ends the world of the shot before, and makes another one. */
void startWorld(int levels) {
  frWorldDef def = {.struct_size = sizeof def, .version = FR_VERSION, .levels = levels};
  if (world != NULL) check(frDestroyWorld(world));
  if (bullet != NULL) check(frDestroyRules(bullet));
  check(frCreateWorld(&def, &world));
  check(frCreateRules(&bullet));
  types[0] = FR_AIR;
  type_count = 1;
}
void mark(int shot) {
  printf("= %d\n", shot);
}
static frShape takeShape(int has_parts) {
  frShape shape = 0;
  if (has_parts) check(frWorld_AddShape(world, parts, part_count, &shape));
  if (has_parts) part_count = 0;
  return shape;
}
void addChannel(const char* name) {
  frChannel channel;
  check(frWorld_AddChannel(world, name, &channel));
}
void part(double x0, double y0, double z0, double x1, double y1, double z1) {
  const double corners[6] = {x0, y0, z0, x1, y1, z1};
  memcpy(parts + 6 * part_count++, corners, sizeof corners);
}
void kindIn(const char* channel, int kind, int has_parts) {
  check(frWorld_FindChannel(world, channel, &channels[channel_count]));
  channel_kinds[channel_count] = kind;
  channel_shapes[channel_count++] = takeShape(has_parts);
}
void addType(const char* name, int kind, int has_parts) {
  frBlockTypeDef def = {.struct_size = sizeof def, .kind = kind, .name = name, .shape = takeShape(has_parts)};
  def.channels = channels;
  def.channel_kinds = channel_kinds;
  def.channel_shapes = channel_shapes;
  def.channel_count = channel_count;
  check(frWorld_AddBlockType(world, &def, &types[type_count++]));
  channel_count = 0;
}
void chunk(int level, int64_t x, int64_t y, int64_t z) {
  frChunkDef def = {.struct_size = sizeof def, .source = FR_CHUNK_UNIFORM, .chunk = {x, y, z}, .uniform = FR_AIR};
  check(frWorld_LoadChunks(world, level, &def, 1));
}
void fill(int level, int64_t x0, int64_t y0, int64_t z0, int64_t x1, int64_t y1, int64_t z1, int type) {
  const int64_t low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
  check(frWorld_FillBox(world, level, low, high, types[type]));
}
static void add(frEntityDef def) {
  frEntity entity;
  def.struct_size = sizeof def;
  check(frWorld_AddEntities(world, &def, 1, &entity));
}
void sphere(uint64_t id, int level, uint64_t categories, double x, double y, double z, double radius) {
  frEntityDef def = {.level = level, .id = id, .categories = categories, .position = {x, y, z}, .half_extents = {radius}, .shape = FR_SPHERE};
  add(def);
}
void box(uint64_t id, int level, uint64_t categories, double x, double y, double z, double a, double b, double c) {
  frEntityDef def = {.level = level, .id = id, .categories = categories, .position = {x, y, z}, .half_extents = {a, b, c}, .shape = FR_BOX};
  add(def);
}
void budget(double amount) {
  check(frRules_AddBudget(bullet, amount, &strength));
}
static frRule cost(double per_hit, double per_block, int per_pane) {
  frRule rule = {.kind = FR_RULE_COST, .per_hit = per_hit, .per_block = per_block, .budget = strength, .per_pane = (uint8_t)per_pane};
  return rule;
}
void costOfType(const char* name, double per_hit, double per_block, int per_pane) {
  const frRule rule = cost(per_hit, per_block, per_pane);
  frBlockType type;
  check(frWorld_FindBlockType(world, name, &type));
  check(frRules_SetBlock(bullet, type, &rule, FR_ALL_LEVELS));
}
void costOfEntities(uint64_t categories, double per_hit) {
  const frRule rule = cost(per_hit, 0, 0);
  check(frRules_SetEntities(bullet, categories, &rule, FR_ALL_LEVELS));
}
