/* SPDX-License-Identifier: Apache-2.0 */
/* Tests saved worlds: the example world of Luanti, and a library without the readers. */
#include "check.h"

#define EXAMPLE FRACTALRAY_SOURCE_DIR "/examples/worlds/w1"
/* The same without the definitions of its nodes. */
#define WITHOUT_DEFINITIONS FRACTALRAY_TEST_FOLDER "/no_definitions"

static frWorldDef worldDef(void) {
  SIZED(frWorldDef, def);
  def.version = FR_VERSION;
  return def;
}

#ifndef FRACTALRAY_C_FORMATS
static void testWithoutReaders(void) {
  const frWorldDef def = worldDef();
  frWorld* world = NULL;
  FAILS(FR_UNIMPLEMENTED, frOpenWorld(&def, EXAMPLE, NULL, &world, NULL));
  CHECK(strstr(frGetLastError(), "FRACTALRAY_C_FORMATS=ON") != NULL);
  CHECK(world == NULL);
}
#else
/* The definitions next to the map make half a node of a slab. */
static void testSlab(const frWorld* world) {
  frBlockType type = 0;
  double box[6];
  size_t count = 0;
  OK(frWorld_FindBlockType(world, "stairs:slab_stone", &type));
  OK(frWorld_GetShape(world, type, 0, box, 1, &count));
  CHECK(count == 1 && box[1] == 0 && box[3] == 1 && box[4] == 0.5 && box[5] == 1);
}

static void testBlocks(const frWorld* world) {
  const int64_t node[3] = {-200, 74, -30};
  int32_t levels = 0;
  frBlockType type = 0;
  frChannel channel = 0;
  frLevelInfo info;
  char name[64];
  OK(frWorld_GetLevels(world, &levels));
  CHECK(levels == 4);
  OK(frWorld_GetLevel(world, 3, &info));
  CHECK(info.loaded_chunks == 1000);
  CHECK(info.min[0] == -17 && info.min[1] == -2 && info.min[2] == -7);
  CHECK(info.max[0] == -8 && info.max[1] == 7 && info.max[2] == 2);
  OK(frWorld_GetBlock(world, 3, node, &type));
  OK(frWorld_GetBlockTypeName(world, type, name, sizeof name, NULL));
  OK(frWorld_FindBlockType(world, "default:stone", &type));
  OK(frWorld_FindChannel(world, "visible", &channel));
  testSlab(world);
}

static void testReport(const frLoadReport* report) {
  char text[64];
  size_t length = 0;
  SIZED(frLoadSummary, summary);
  OK(frLoadReport_GetSummary(report, &summary));
  CHECK(summary.struct_size == sizeof summary);
  CHECK(summary.chunks == 1728 && summary.loaded == 1000 && summary.not_generated == 728);
  CHECK(summary.damaged == 0 && summary.outside == 0 && summary.bytes > 100000);
  CHECK(summary.named_damages == 0 && summary.unsupported == 0);
  OK(frLoadReport_GetFormat(report, text, sizeof text, &length));
  CHECK(strcmp(text, "Luanti") == 0 && length == 6);
  FAILS(FR_OUT_OF_RANGE, frLoadReport_GetFormat(report, text, 6, &length));
  FAILS(FR_OUT_OF_RANGE, frLoadReport_GetDamage(report, 0, text, sizeof text, &length));
  FAILS(FR_OUT_OF_RANGE, frLoadReport_GetDefaultedName(report, (size_t)summary.defaulted_names,
                                                       text, sizeof text, NULL));
  summary.struct_size = 8;
  FAILS(FR_INVALID_ARGUMENT, frLoadReport_GetSummary(report, &summary));
}

static void testBoxAndKinds(void) {
  frWorldDef def = worldDef();
  frWorld* world = NULL;
  frWorld* other = NULL;
  frLoadReport* report = NULL;
  frLevelInfo info;
  frBlockType stone = 0;
  int32_t kind = -1;
  char name[64];
  size_t length = 0;
  const int64_t least[3] = {-13, 0, -3};
  const int64_t most[3] = {-12, 1, -2};
  SIZED(frOpenOptions, options);
  SIZED(frLoadSummary, summary);
  options.has_box = 1;
  memcpy(options.min_chunk, least, sizeof least);
  memcpy(options.max_chunk, most, sizeof most);
  options.node_kinds = "{\"default\": \"permeable\", \"types\": {\"air\": \"empty\"}}";
  options.mapblocks = 8;
  OK(frOpenWorld(&def, WITHOUT_DEFINITIONS "/map.sqlite", &options, &world, &report));
  OK(frLoadReport_GetSummary(report, &summary));
  CHECK(summary.chunks == 8 && summary.loaded == 8 && summary.outside == 0);
  CHECK(summary.defaulted_names > 0);
  OK(frLoadReport_GetDefaultedName(report, 0, name, sizeof name, &length));
  CHECK(length == strlen(name) && strchr(name, ':') != NULL);
  OK(frWorld_GetLevel(world, 3, &info));
  CHECK(info.loaded_chunks == 8);
  CHECK(memcmp(info.min, least, sizeof least) == 0 && memcmp(info.max, most, sizeof most) == 0);
  OK(frWorld_FindBlockType(world, "default:stone", &stone));
  OK(frWorld_GetBlockKind(world, stone, 0, &kind));
  CHECK(kind == FR_PERMEABLE);
  OK(frDestroyLoadReport(report));
  FAILS(FR_INVALID_ARGUMENT, frLoadReport_GetSummary(report, &summary));

  def.block_types_of = world;
  OK(frOpenWorld(&def, EXAMPLE, &options, &other, NULL));
  OK(frWorld_FindBlockType(other, "default:stone", &stone));
  OK(frDestroyWorld(other));
  def.block_types_of = NULL;

  options.mapblocks = 7;
  FAILS(FR_RESOURCE_EXHAUSTED, frOpenWorld(&def, EXAMPLE, &options, &other, NULL));
  options.mapblocks = 0;
  options.min_chunk[1] = 2;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &other, NULL));
  options.has_box = 0;
  options.node_kinds = "{\"types\": {}}";
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &other, NULL));
  options.struct_size = 3;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &other, NULL));
  OK(frDestroyWorld(world));
}

#define MOST_TYPES 512

/* Copies the names of the block types of a world; returns how many there are. */
static size_t namesOf(const frWorld* world, char names[MOST_TYPES][256]) {
  size_t count = 0;
  size_t i = 0;
  OK(frWorld_CountBlockTypes(world, &count, NULL));
  CHECK(count <= MOST_TYPES);
  for (i = 0; i < count && i < MOST_TYPES; ++i)
    OK(frWorld_GetBlockTypeName(world, (frBlockType)i, names[i], 256, NULL));
  return count;
}

/* With a list of names, the types of a part have the numbers of the whole. */
static void testTypesOfAList(void) {
  static char names[MOST_TYPES][256];
  static char names_of_part[MOST_TYPES][256];
  const char* list[MOST_TYPES];
  const frWorldDef def = worldDef();
  frWorld* whole = NULL;
  frWorld* part = NULL;
  uint64_t fingerprints[2] = {0, 1};
  size_t count = 0;
  size_t i = 0;
  SIZED(frOpenOptions, options);
  OK(frOpenWorld(&def, EXAMPLE, NULL, &whole, NULL));
  count = namesOf(whole, names);
  OK(frWorld_FingerprintBlockTypes(whole, &fingerprints[0]));
  FAILS(FR_INVALID_ARGUMENT, frWorld_FingerprintBlockTypes(whole, NULL));
  for (i = 0; i < count; ++i)
    list[i] = names[i];
  options.has_box = 1;
  options.min_chunk[0] = options.max_chunk[0] = -13;
  options.block_types = list;
  options.block_type_count = count;
  OK(frOpenWorld(&def, EXAMPLE, &options, &part, NULL));
  CHECK(namesOf(part, names_of_part) == count);
  for (i = 0; i < count; ++i)
    CHECK(strcmp(names[i], names_of_part[i]) == 0);
  OK(frWorld_FingerprintBlockTypes(part, &fingerprints[1]));
  CHECK(fingerprints[0] == fingerprints[1]);
  OK(frDestroyWorld(part));
  OK(frDestroyWorld(whole));

  options.block_type_count = 1;
  FAILS(FR_FAILED_PRECONDITION, frOpenWorld(&def, EXAMPLE, &options, &part, NULL));
  CHECK(strstr(frGetLastError(), "is not in the list of 1 names") != NULL);
  list[0] = NULL;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &part, NULL));
  CHECK(strstr(frGetLastError(), "options->block_types[0]") != NULL);
  options.block_types = NULL;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &part, NULL));
  options.block_type_count = 65537;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, &options, &part, NULL));
}

static void testErrorsOfOpening(void) {
  frWorldDef def = worldDef();
  frWorld* world = NULL;
  FAILS(FR_NOT_FOUND, frOpenWorld(&def, EXAMPLE "/none", NULL, &world, NULL));
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE "/README.md", NULL, &world, NULL));
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, NULL, NULL, &world, NULL));
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, NULL, NULL, NULL));
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(NULL, EXAMPLE, NULL, &world, NULL));
  def.levels = 3;
  FAILS(FR_INVALID_ARGUMENT, frOpenWorld(&def, EXAMPLE, NULL, &world, NULL));
  def.levels = 0;
  def.version = FR_VERSION + 1000;
  FAILS(FR_FAILED_PRECONDITION, frOpenWorld(&def, EXAMPLE, NULL, &world, NULL));
  CHECK(world == NULL);
}

static void testWithReaders(void) {
  const frWorldDef def = worldDef();
  frWorld* world = NULL;
  frLoadReport* report = NULL;
  OK(frOpenWorld(&def, EXAMPLE, NULL, &world, &report));
  testBlocks(world);
  testReport(report);
  OK(frDestroyWorld(world));
  OK(frDestroyLoadReport(report));
  testBoxAndKinds();
  testTypesOfAList();
  testErrorsOfOpening();
}
#endif

void testSavedWorlds(void) {
#ifdef FRACTALRAY_C_FORMATS
  testWithReaders();
#else
  testWithoutReaders();
#endif
  OK(frDestroyLoadReport(NULL));
  CHECK(strcmp(frGetResultName(FR_UNIMPLEMENTED), "UNIMPLEMENTED") == 0);
  CHECK(strcmp(frGetResultName(FR_DATA_LOSS), "DATA_LOSS") == 0);
}
