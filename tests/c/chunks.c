/* SPDX-License-Identifier: Apache-2.0 */
/* Tests chunks, blocks, layouts and the caller's chunks of any width. */
#include "check.h"

static frBlockType blockType(frWorld* world, int64_t x, int64_t y, int64_t z) {
  int64_t block[3];
  frBlockType type = 999;
  block[0] = x;
  block[1] = y;
  block[2] = z;
  OK(frWorld_GetBlock(world, 0, block, &type));
  return type;
}

static void testLoading(void) {
  frWorld* world = makeWorld(2);
  const int64_t proto[3] = {5, 0, 0};
  const int64_t first[3] = {0, 0, 0};
  int64_t loaded[6] = {0};
  size_t count = 0;
  frChunkInfo info;
  frLevelInfo level;
  frChunkDef defs[2];
  memset(defs, 0, sizeof defs);
  defs[0].struct_size = defs[1].struct_size = sizeof(frChunkDef);
  defs[0].chunk[0] = 1;
  defs[0].uniform = 1;
  defs[1].chunk[0] = 2;
  OK(frWorld_LoadChunks(world, 0, defs, 2));
  OK(frWorld_LoadChunks(world, 0, NULL, 0));
  CHECK(blockType(world, 20, 0, 0) == 1);
  OK(frWorld_GetChunk(world, 0, defs[0].chunk, &info));
  CHECK(info.state == FR_LOADED && info.is_uniform && !info.is_empty && !info.is_borrowed);
  OK(frWorld_LoadProtoChunk(world, 0, proto));
  OK(frWorld_GetChunk(world, 0, proto, &info));
  CHECK(info.state == FR_PROTO && info.bytes == 0);
  OK(frWorld_GetLevel(world, 0, &level));
  CHECK(level.loaded_chunks == 3 && level.proto_chunks == 1 && level.min[0] == 0 &&
        level.max[0] == 2);
  OK(frWorld_GetLoadedChunks(world, 0, NULL, 0, &count));
  CHECK(count == 3);
  FAILS(FR_OUT_OF_RANGE, frWorld_GetLoadedChunks(world, 0, loaded, 2, &count));
  CHECK(count == 3 && loaded[3] == 1);
  OK(frWorld_UnloadChunk(world, 0, proto));
  FAILS(FR_NOT_FOUND, frWorld_UnloadChunk(world, 0, proto));
  defs[0].source = FR_CHUNK_UNLOAD;
  defs[1].source = FR_CHUNK_UNLOAD;
  OK(frWorld_LoadChunks(world, 0, defs, 2));
  OK(frWorld_GetLevel(world, 0, &level));
  CHECK(level.loaded_chunks == 1);
  FAILS(FR_ALREADY_EXISTS, frWorld_ExpandBlock(world, 0, first));
  OK(frWorld_UnloadChunk(world, 1, first));
  OK(frWorld_ExpandBlock(world, 0, first));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetLevel(world, 2, &level));
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadChunks(world, -1, defs, 2));
  defs[1].source = 17;
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadChunks(world, 0, defs, 2));
  CHECK_ERROR("chunks[1]: chunk [2, 0, 0]: source is 17");
  defs[1].struct_size = 8;
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadChunks(world, 0, defs, 2));
  CHECK_ERROR("chunks[1].struct_size is 8");
  defs[0].source = FR_CHUNK_UNIFORM;
  defs[0].uniform = 3;
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadChunks(world, 0, defs, 1));
  defs[0].uniform = 0;
  defs[0].chunk[0] = INT64_MIN;
  FAILS(FR_OUT_OF_RANGE, frWorld_LoadChunks(world, 0, defs, 1));
  OK(frDestroyWorld(world));
}

/* All blocks of a chunk at once: those that were loaded, of any source. */
static void testChunkBlocks(void) {
  static frBlockType types[FR_BLOCKS_PER_CHUNK];
  static frBlockType read[FR_BLOCKS_PER_CHUNK];
  frWorld* world = makeWorld(1);
  const int64_t outside[3] = {INT64_MIN, 0, 0};
  const int64_t chunk[3] = {-1, 2, 0};
  const int64_t block[3] = {-13, 37, 6}; /* (3, 5, 6) in the chunk */
  SIZED(frChunkDef, def);
  memcpy(def.chunk, chunk, sizeof chunk);
  def.uniform = 2;
  FAILS(FR_NOT_FOUND, frWorld_GetChunkBlocks(world, 0, chunk, read));
  CHECK_ERROR("chunk [-1, 2, 0] of level 0 is not loaded; load it first");
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  OK(frWorld_GetChunkBlocks(world, 0, chunk, read));
  CHECK(read[0] == 2 && read[FR_BLOCKS_PER_CHUNK - 1] == 2);
  types[3 + 16 * 5 + 256 * 6] = 1;
  def.source = FR_CHUNK_BORROW;
  def.ids = types;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  OK(frWorld_GetChunkBlocks(world, 0, chunk, read));
  CHECK(memcmp(read, types, sizeof types) == 0);
  def.source = FR_CHUNK_COPY;
  def.ids = read;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  CHECK(blockType(world, block[0], block[1], block[2]) == 1);
  FAILS(FR_NOT_FOUND, frWorld_GetChunkBlocks(world, 0, outside, read));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetChunkBlocks(world, 1, chunk, read));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetChunkBlocks(world, 0, chunk, NULL));
  FAILS(FR_INVALID_ARGUMENT, frWorld_GetChunkBlocks(world, 0, NULL, read));
  OK(frDestroyWorld(world));
}

static void testEditing(void) {
  frWorld* world = makeWorld(1);
  const int64_t a[3] = {1, 2, 3};
  const int64_t b[3] = {2, 3, 4};
  const int64_t far_away[3] = {100, 0, 0};
  OK(frWorld_FillBox(world, 0, a, b, 1));
  CHECK(blockType(world, 2, 2, 3) == 1 && blockType(world, 3, 2, 3) == 0);
  OK(frWorld_SetBlock(world, 0, a, 2));
  OK(frWorld_MoveBlock(world, 0, a, b));
  CHECK(blockType(world, 1, 2, 3) == 0 && blockType(world, 2, 3, 4) == 2);
  FAILS(FR_NOT_FOUND, frWorld_SetBlock(world, 0, far_away, 1));
  FAILS(FR_INVALID_ARGUMENT, frWorld_SetBlock(world, 0, a, 3));
  FAILS(FR_INVALID_ARGUMENT, frWorld_FillBox(world, 0, b, a, 1));
  FAILS(FR_NOT_FOUND, frWorld_MoveBlock(world, 0, a, far_away));
  OK(frDestroyWorld(world));
}

/* An engine's chunk: ids of one byte, 10 for stone and 20 for water. */
static uint8_t ids[16 * 16 * 16];

static frIdLayout* makeLayout(void) {
  static frBlockType types[21];
  frIdLayout* layout = NULL;
  int i;
  SIZED(frIdLayoutDef, def);
  for (i = 0; i < 21; ++i)
    types[i] = FR_NO_BLOCK_TYPE;
  types[0] = 0;
  types[10] = 1;
  types[20] = 2;
  def.id_bytes = 1;
  def.strides[0] = 256;
  def.strides[1] = 16;
  def.strides[2] = 1;
  def.types = types;
  def.type_count = 21;
  OK(frCreateIdLayout(&def, &layout));
  def.id_bytes = 3;
  {
    frIdLayout* none = NULL;
    FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
    def.id_bytes = 1;
    def.type_count = 257; /* refused before the table is read, which is shorter */
    FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
    def.type_count = (size_t)-1;
    FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  }
  return layout;
}

/* Nodes as Luanti has them: an id, and a byte of which the lowest bit is the state. */
typedef struct Node {
  uint16_t param0;
  uint8_t param1;
  uint8_t param2;
} Node;

static void loadStates(frWorld* world) {
  static const frBlockType types[2] = {0, 1};
  static const frBlockType of_stairs[2] = {1, 2};
  static Node nodes[4096];
  const int64_t block[3] = {16, 0, 0};
  frBlockType type = 0;
  frIdLayout* layout = NULL;
  frIdLayout* none = NULL;
  SIZED(frIdStates, stairs);
  SIZED(frIdLayoutDef, def);
  SIZED(frChunkDef, chunk);
  stairs.id = 1;
  stairs.types = of_stairs;
  def.id_bytes = 2;
  def.strides[0] = 4;
  def.strides[1] = 64;
  def.strides[2] = 1024;
  def.types = types;
  def.type_count = 2;
  def.states = &stairs;
  def.state_count = 1;
  def.state_offset = 3;
  def.state_bits = 1;
  OK(frCreateIdLayout(&def, &layout));
  nodes[0].param0 = 1;
  nodes[0].param2 = 0x81;
  chunk.source = FR_CHUNK_BORROW_FOR_WRITING;
  chunk.chunk[0] = 1;
  chunk.layout = layout;
  chunk.ids = &nodes[0].param0;
  OK(frWorld_LoadChunks(world, 0, &chunk, 1));
  OK(frWorld_GetBlock(world, 0, block, &type));
  CHECK(type == 2);
  OK(frWorld_SetBlock(world, 0, block, 1));
  CHECK(nodes[0].param0 == 1 && nodes[0].param2 == 0x80);
  nodes[0].param2 = 1;
  OK(frWorld_RefreshBlock(world, 0, block));
  OK(frWorld_GetBlock(world, 0, block, &type));
  CHECK(type == 2);
  OK(frWorld_UnloadChunk(world, 0, chunk.chunk));
  OK(frDestroyIdLayout(layout));
  def.state_bits = 9;
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  def.state_bits = 0; /* states that no bit tells apart */
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  def.state_bits = 1;
  def.types = NULL; /* a table of 2 */
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  def.types = types;
  def.state_offset = 1; /* in the id */
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  def.state_offset = 3;
  def.state_count = 3; /* more than ids */
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
  def.state_count = 1;
  stairs.types = NULL;
  FAILS(FR_INVALID_ARGUMENT, frCreateIdLayout(&def, &none));
}

static void testBorrowing(void) {
  frWorld* world = makeWorld(1);
  frIdLayout* layout = makeLayout();
  const int64_t block[3] = {7, 0, 0};
  const int64_t max[3] = {7, 0, 2};
  frChunkInfo info;
  SIZED(frChunkDef, def);
  memset(ids, 0, sizeof ids);
  ids[7 * 256] = 10;
  def.source = FR_CHUNK_COPY;
  def.layout = layout;
  def.ids = ids;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  FAILS(FR_FAILED_PRECONDITION, frWorld_RefreshBlock(world, 0, block));
  CHECK(blockType(world, 7, 0, 0) == 1);
  def.source = FR_CHUNK_BORROW;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  ids[7 * 256] = 20;
  OK(frWorld_RefreshBlock(world, 0, block));
  CHECK(blockType(world, 7, 0, 0) == 2);
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetBlock(world, 0, block, 1));
  ids[7 * 256 + 2] = 10;
  OK(frWorld_RefreshBox(world, 0, block, max));
  CHECK(blockType(world, 7, 0, 2) == 1);
  ids[7 * 256] = 11;
  FAILS(FR_INVALID_ARGUMENT, frWorld_RefreshBlock(world, 0, block));
  ids[7 * 256] = 0;
  def.source = FR_CHUNK_BORROW_FOR_WRITING;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  OK(frWorld_SetBlock(world, 0, block, 1));
  CHECK(ids[7 * 256] == 10);
  OK(frWorld_GetChunk(world, 0, def.chunk, &info));
  CHECK(info.is_borrowed && info.is_borrowed_for_writing);
  def.ids = NULL;
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadChunks(world, 0, &def, 1));
  OK(frDestroyIdLayout(layout));
  OK(frWorld_SetBlock(world, 0, block, 2));
  CHECK(ids[7 * 256] == 20);
  OK(frDestroyWorld(world));
}

/* The plain layout, at an odd address. */
static void testOddAddress(void) {
  static uint8_t memory[2 * 4096 + 1];
  frWorld* world = makeWorld(1);
  const int64_t block[3] = {1, 0, 0};
  SIZED(frChunkDef, def);
  memory[3] = 1;
  def.source = FR_CHUNK_BORROW;
  def.ids = memory + 1;
  OK(frWorld_LoadChunks(world, 0, &def, 1));
  CHECK(blockType(world, 1, 0, 0) == 1);
  memory[3] = 2;
  OK(frWorld_RefreshBlock(world, 0, block));
  CHECK(blockType(world, 1, 0, 0) == 2);
  OK(frDestroyWorld(world));
}

static frBlockType stoneBelow(void* context, const int64_t block[3]) {
  return block[1] < *(const int64_t*)context ? 1 : 0;
}

static frBlockType editInside(void* context, const int64_t block[3]) {
  FAILS(FR_FAILED_PRECONDITION, frWorld_SetBlock((frWorld*)context, 0, block, 1));
  return 0;
}

static void testBoxes(void) {
  frWorld* world = makeWorld(1);
  const int64_t min[3] = {-20, -20, -20};
  const int64_t max[3] = {20, 20, 20};
  const int64_t small_max[3] = {-19, -20, -20};
  const int64_t huge[3] = {INT64_C(1) << 40, 20, 20};
  const uint16_t two[2] = {2, 1};
  const uint16_t unknown[2] = {0, 77};
  int64_t ground = 0;
  OK(frWorld_LoadBox(world, 0, min, max, stoneBelow, &ground));
  CHECK(blockType(world, 5, -1, 5) == 1 && blockType(world, 5, 0, 5) == 0);
  OK(frWorld_LoadBoxIds(world, 0, min, small_max, NULL, two));
  CHECK(blockType(world, -20, -20, -20) == 2 && blockType(world, -19, -20, -20) == 1);
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadBoxIds(world, 0, min, small_max, NULL, unknown));
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadBox(world, 0, max, min, stoneBelow, &ground));
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadBox(world, 0, min, huge, stoneBelow, &ground));
  FAILS(FR_INVALID_ARGUMENT, frWorld_LoadBox(world, 0, min, max, NULL, NULL));
  OK(frWorld_LoadBox(world, 0, min, small_max, editInside, world));
  loadStates(world);
  OK(frDestroyWorld(world));
}

void testChunks(void) {
  testLoading();
  testChunkBlocks();
  testEditing();
  testBorrowing();
  testOddAddress();
  testBoxes();
}

/* The engine has one chunk of 24 blocks, of ids of two bytes. */
static uint16_t engine_ids[24 * 24 * 24];

static void* findChunk(void* context, const int64_t chunk[3]) {
  ++*(int*)context;
  return chunk[0] == 0 && chunk[1] == 0 && chunk[2] == 0 ? engine_ids : NULL;
}

void testEngineChunks(void) {
  frWorld* world = makeWorld(1);
  frIdLayout* layout = NULL;
  frEngineChunks* chunks = NULL;
  const int64_t first[3] = {0, 0, 0};
  const int64_t block[3] = {20, 0, 0};
  int calls = 0;
  SIZED(frIdLayoutDef, layout_def);
  SIZED(frEngineChunksDef, def);
  layout_def.id_bytes = 2;
  layout_def.strides[0] = 2;
  layout_def.strides[1] = 48;
  layout_def.strides[2] = 1152;
  OK(frCreateIdLayout(&layout_def, &layout));
  def.width = 24;
  def.source = FR_CHUNK_COPY;
  def.layout = layout;
  def.find = findChunk;
  def.context = &calls;
  OK(frCreateEngineChunks(world, &def, &chunks));
  OK(frDestroyIdLayout(layout));
  engine_ids[20] = 1;
  OK(frEngineChunks_Sync(chunks, first));
  CHECK(calls > 0 && blockType(world, 20, 0, 0) == 1);
  engine_ids[20] = 2;
  OK(frEngineChunks_RefreshBlock(chunks, block));
  CHECK(blockType(world, 20, 0, 0) == 2);
  engine_ids[20] = 0;
  OK(frEngineChunks_RefreshBox(chunks, first, block));
  CHECK(blockType(world, 20, 0, 0) == 0);
  OK(frDestroyWorld(world));
  OK(frEngineChunks_Sync(chunks, first));
  OK(frDestroyEngineChunks(chunks));
  world = makeWorld(1);
  def.layout = NULL;
  FAILS(FR_INVALID_ARGUMENT, frCreateEngineChunks(world, &def, &chunks));
  def.width = 16;
  def.level = 1;
  FAILS(FR_INVALID_ARGUMENT, frCreateEngineChunks(world, &def, &chunks));
  def.level = 0;
  def.source = FR_CHUNK_UNIFORM;
  FAILS(FR_INVALID_ARGUMENT, frCreateEngineChunks(world, &def, &chunks));
  def.source = FR_CHUNK_BORROW;
  def.find = NULL;
  FAILS(FR_INVALID_ARGUMENT, frCreateEngineChunks(world, &def, &chunks));
  OK(frDestroyWorld(world));
}
