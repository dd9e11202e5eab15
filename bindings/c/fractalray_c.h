/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of fractalray: exact, ordered ray and segment queries in multi-level block
 * worlds, for C99, C++ and every language that can call C. docs/c-api.md begins with a complete
 * program.
 *
 * Results. Every function that can fail returns an frResult; after an error frGetLastError() says
 * which value was wrong, and what to do. Bad input of any kind is an error and never ends the
 * program. After an error nothing has changed, and results have not been written, unless the
 * function says otherwise. No C++ exception leaves a function; a callback must not throw or
 * longjmp.
 *
 * Objects (frWorld, frCursor and the like) are opaque pointers, made by a frCreate...() or another
 * function with a pointer to a pointer, and destroyed by their frDestroy...(), in any order: an
 * object keeps what it needs of the others. (Worlds do not keep an frExecutor: see
 * frCreateExecutor.) To destroy null does nothing; to destroy an object that is in use, as in one
 * of its callbacks, is FR_FAILED_PRECONDITION. The pointers are numbers, not addresses: a call with
 * one whose object has been destroyed, or with any other value, is FR_INVALID_ARGUMENT. At most
 * 2^20 objects exist at once, 2^14 where pointers have 32 bits, and some 2^42, or 2^27, are made
 * before a pointer comes again. Entities are integers; a call with one that is no longer alive is
 * FR_NOT_FOUND.
 *
 * Structs. No struct is passed by value. A struct that begins with struct_size is prepared by
 * setting all its bytes to zero and struct_size to its sizeof: zero is the default of every member.
 * A call with another struct_size is FR_INVALID_ARGUMENT: so a program that was compiled with the
 * header of another version, in which the struct has other members, is refused rather than misread.
 * A null pointer to options means defaults; a null pointer to a result means that it is not wanted,
 * where the comment says "or null". A limit of 64 bits beyond the range of size_t is the largest
 * size_t.
 *
 * Arrays belong to the caller. If an array is too short for an answer, it is filled as far as it
 * reaches, the count is that of the whole answer, and the result is FR_OUT_OF_RANGE. With a
 * capacity of 0 the call only counts, and is FR_OK. (If FR_OUT_OF_RANGE is about an argument, the
 * count is not written: set it to 0 before, to distinguish the two.)
 *
 * Callbacks get their context first. Each has an alternative without callbacks, for languages in
 * which they are slow: frCursor for shots, rules instead of terminal tests, arrays instead of
 * functions.
 *
 * Threads. Functions that take a `const frWorld*` may run on many threads at once while nobody
 * changes that world; a snapshot may be queried while its original changes. Other functions need
 * exclusive access to their object. The library starts no threads except those of an frExecutor,
 * and has no global state but the last error of each thread.
 *
 * Lengths and positions are in finest-block widths, except where "units" are named: 65,536 units to
 * a finest block. Chunks are 16 x 16 x 16 blocks. Level 0 is the coarsest. A time t is 0 at the
 * start of a line and 1 at its end. */
#ifndef FRACTALRAY_C_H
#define FRACTALRAY_C_H

/* NOLINTBEGIN(modernize-*,readability-identifier-naming): this is C. */
#include <stddef.h>
#include <stdint.h>

#ifndef FR_API
#if defined(_WIN32) && defined(FRACTALRAY_C_BUILD)
#define FR_API __declspec(dllexport)
#elif defined(_WIN32) && defined(FRACTALRAY_C_DLL)
#define FR_API __declspec(dllimport)
#elif defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#else
#define FR_API
#endif
#endif

/* The version of this header. frCreateWorld refuses a header of another major version or, before
 * 1.0.0, of another minor version than the library. */
#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 1
#define FR_VERSION_PATCH 0
#define FR_VERSION (FR_VERSION_MAJOR * 1000000 + FR_VERSION_MINOR * 1000 + FR_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results --------------------------------------------------------------------------------- */

/* The numbers are those of absl::StatusCode and gRPC. */
typedef int32_t frResult;
enum {
  FR_OK = 0,
  FR_INVALID_ARGUMENT = 3,
  FR_DEADLINE_EXCEEDED = 4, /* a server has not answered in time */
  FR_NOT_FOUND = 5,
  FR_ALREADY_EXISTS = 6,
  FR_PERMISSION_DENIED = 7,  /* by the system, of a file; by a server, of a token */
  FR_RESOURCE_EXHAUSTED = 8, /* a limit that was set, or memory: frGetLastError() says which */
  FR_FAILED_PRECONDITION = 9,
  FR_ABORTED = 10,       /* a server does not have a version in time; try again */
  FR_OUT_OF_RANGE = 11,  /* beyond the frame of the world, or an array is too short */
  FR_UNIMPLEMENTED = 12, /* a part that this library was built without */
  FR_INTERNAL = 13,      /* a C++ exception of a callback or of the library */
  FR_UNAVAILABLE = 14,   /* a file that stays locked, a server that is gone; try again */
  FR_DATA_LOSS = 15      /* a damaged or truncated file */
};

/* Returns FR_VERSION of the library. */
FR_API int32_t frGetVersion(void);
/* Returns the name of a result, such as "OUT_OF_RANGE"; "UNKNOWN" for other numbers. */
FR_API const char* frGetResultName(frResult result);
/* Returns what the last call of this thread that failed reported, at most 1023 bytes of UTF-8 in
 * which control characters are escaped; "" if none has failed. Valid until the next call that fails
 * on this thread. */
FR_API const char* frGetLastError(void);

/* ---- Plain data ------------------------------------------------------------------------------ */

typedef struct frWorld frWorld;               /* levels, chunks, block types, entities, callbacks */
typedef struct frRules frRules;               /* terminal rules */
typedef struct frIdLayout frIdLayout;         /* how the caller stores the ids of blocks */
typedef struct frEngineChunks frEngineChunks; /* the caller's chunks of any width */
typedef struct frBindings frBindings;         /* entities that belong to blocks */
typedef struct frLeftOver frLeftOver;         /* memory that a move of the frame has dropped */
typedef struct frCursor frCursor;             /* a shot whose hits are requested one by one */
typedef struct frShotBatch frShotBatch;       /* the answers of many shots */
typedef struct frSightHistory frSightHistory; /* answers of sight, kept for the next tick */
typedef struct frChunkCursor frChunkCursor;   /* the chunks on a line */
typedef struct frWalk frWalk;                 /* the cells on a line */
typedef struct frExecutor frExecutor;         /* threads for batches */
typedef struct frStreamer frStreamer;         /* loads chunks on demand */
typedef struct frVisibility frVisibility;     /* the blocks that a viewer sees */
typedef struct frLoadReport frLoadReport;     /* what was read of a saved world */
typedef struct frReplay frReplay;             /* a log of queries, which are run again */
typedef struct frRemote frRemote;             /* a connection to `fractalray serve` */

typedef uint64_t frEntity;    /* an entity of one world, below 2^53; 0 for none */
typedef uint16_t frBlockType; /* the number of a block type of a world; 0 is air */
typedef uint16_t frChannel;   /* the number of a collision channel; 0 is "default" */
typedef uint16_t frShape;     /* the number of a shape of blocks of a world; 0 is the whole cube */
typedef uint32_t frLevelMask; /* bit i is level i; bits of inactive levels are ignored, but queries
                               * refuse a mask without any active level */

#define FR_MAX_LEVELS 10
#define FR_MAX_BUDGETS 8
#define FR_ALL_LEVELS 0x3ffu
#define FR_UNITS_PER_BLOCK 65536
#define FR_BLOCKS_PER_CHUNK 4096
#define FR_AIR 0
#define FR_NO_BLOCK_TYPE 0xffff /* in a table of ids: the caller does not use this id */

enum { FR_SOLID = 0, FR_PERMEABLE = 1, FR_EMPTY = 2 }; /* kinds of blocks */
enum { FR_CORNER_BOTH = 0, FR_CORNER_NEITHER = 1, FR_CORNER_STAIRCASE = 2 };
enum { FR_CONTINUE = 0, FR_STOP = 1, FR_AGAIN = 2 };   /* responses to a hit */
enum { FR_CLEAR = 0, FR_BLOCKED = 1, FR_UNKNOWN = 2 }; /* lines of sight */
enum { FR_ABSENT = 0, FR_PROTO = 1, FR_LOADED = 2 };   /* states of a chunk */
enum { FR_SPHERE = 0, FR_BOX = 1 };
enum { FR_HIT_NONE = 0, FR_HIT_BLOCK = 1, FR_HIT_ENTITY = 2 };
enum { FR_DONE = 0, FR_OUT_OF_STEPS = 1, FR_NOT_STARTED = 2 }; /* a shot of a batch */
enum { FR_F64 = 0, FR_F32 = 1, FR_UNITS = 2 };                 /* numbers of frVectors */

/* A line in units: the points from + t (to - from). A ray ends at end_time * 2^-60; a line that was
 * reflected begins at the plane begin_plane, on the axes in begin_axes. Made by frMakeSegment,
 * frMakeRay and frWorld_Reflect; every query refuses a line of zeros. */
typedef struct frLine {
  int64_t from[3];
  int64_t to[3];
  int64_t end_time; /* 1 to 2^60, which is the whole line */
  int64_t begin_plane;
  uint8_t begin_axes;
  uint8_t reserved[7];
} frLine;

/* A hit of a query, complete enough to resume after it. */
typedef struct frHit {
  double t;        /* the time of entry */
  double t_exit;   /* the last time in the closed block or shape */
  double distance; /* from the start of the line to the hit */
  double point[3];
  double normal[3];     /* outward, of length 1; zero if the start is inside */
  int8_t face_axis;     /* 0, 1, 2 for x, y, z; -1 if there is no face */
  int8_t face_sign;     /* of the outward normal on that axis; 0 if there is no face */
  uint8_t start_inside; /* 1 if the line starts in the block or shape */
  uint8_t kind;         /* FR_HIT_... */
  uint8_t terminal;     /* 1 if the query ends here */
  uint8_t step;         /* of a block: its ordinal among the blocks of one corner crossing, 0 if its
                           shape is hit later than its cell is entered */
  frBlockType type;     /* of a block */
  int32_t level;
  uint32_t entity_class;
  int64_t cell[3]; /* of a block, its index on its level; of an entity, its centre in units */
  frEntity entity;
  uint64_t id; /* the caller's number of the entity */
  uint64_t categories;
  uint8_t shape; /* of an entity: FR_SPHERE or FR_BOX */
  uint8_t reserved[3];
  uint32_t plane; /* of a block: the coordinate of the face on its axis, in 1/65536 of the block's
                     width from its lower corner; 0 or 65536 for a block that fills its cube */
  int64_t half_extents[3]; /* of an entity, in units */
} frHit;

/* The work of a query, in steps; `chunks` and `direct` are not steps. See docs/cost.md. */
typedef struct frStats {
  uint64_t cells;
  uint64_t chunks;
  uint64_t index_cells;
  uint64_t entities_tested;
  uint64_t skips;
  uint64_t listed;
  uint64_t ordered;
  uint64_t direct;
} frStats;

/* Vectors in the caller's memory: component c of vector i is at
 * data + i * vector_stride + c * component_stride bytes, at any alignment. A component_stride of 0
 * is the width of a number; with a vector_stride of 0 all vectors are the same one. */
typedef struct frVectors {
  const void* data;
  int64_t vector_stride;
  int64_t component_stride;
  int32_t format; /* FR_F64; FR_F32; FR_UNITS for 64-bit integers, in units */
  int32_t reserved;
} frVectors;

/* The caller's job system: runs task(task_context, i) once for every i below `tasks`, on any
 * threads, and returns when all have run. Tasks do not wait for each other. */
typedef void frTaskFcn(void* task_context, size_t i);
typedef void frParallelForFcn(void* context, size_t tasks, frTaskFcn* task, void* task_context);

/* As a terminal test, returns nonzero if the hit is terminal; as a filter, if the block or entity
 * counts at all. Pure: may be called early, more than once and, in batches, by several threads.
 * Must not change a world. */
typedef int32_t frPredicateFcn(void* context, const frHit* hit);
/* Responds to a hit: FR_CONTINUE, FR_STOP or FR_AGAIN, which continues in the world as it is now.
 * Called once for each hit, in order. May change the world and shoot. Any other number ends the
 * query with FR_INVALID_ARGUMENT. */
typedef int32_t frEffectFcn(void* context, const frHit* hit);

/* ---- Worlds ---------------------------------------------------------------------------------- */

typedef struct frWorldDef {
  uint32_t struct_size;
  int32_t version; /* FR_VERSION; required */
  int32_t levels;  /* active levels, 1 to 10; 0 stands for 1 */
  int32_t reserved;
  const char* anchor; /* the path of level-0 chunk (0, 0, 0) from the root; null: the root */
  const frWorld* block_types_of;  /* a world whose block types this one shares; null for new ones */
  frParallelForFcn* parallel_for; /* for batches; null to run on the calling thread */
  void* parallel_context;
} frWorldDef;

/* Makes an empty world. */
FR_API frResult frCreateWorld(const frWorldDef* def, frWorld** world);
/* Destroys a world or a snapshot. Its snapshots live on, and so do the objects that were made of
 * it: frCursor, frChunkCursor, frEngineChunks, frBindings, frStreamer and frVisibility. Until the
 * last of all these is destroyed, the contexts of registered callbacks and of parallel_for are in
 * use; until the last of the objects that were made of the world itself, not of a snapshot, is
 * destroyed, so are the ids that its chunks borrow. */
FR_API frResult frDestroyWorld(frWorld* world);
/* Makes an immutable world with the blocks, entities and callbacks of this one as they are now.
 * Functions that would change it are FR_FAILED_PRECONDITION, as is a snapshot of it. Ids borrowed
 * from the caller are copied. */
FR_API frResult frWorld_Snapshot(frWorld* world, frWorld** snapshot);
FR_API frResult frWorld_GetLevels(const frWorld* world, int32_t* levels);
/* Returns the versions of the content, which grow with every change. Equal versions of one world
 * and its snapshots mean equal content. Both pointers may be null. */
FR_API frResult frWorld_GetVersions(const frWorld* world, uint64_t* blocks, uint64_t* entities);
/* Replaces the threads of frWorldDef. */
FR_API frResult frWorld_SetParallelFor(frWorld* world, frParallelForFcn* parallel_for,
                                       void* context);

/* Starts threads for callers without a job system. `threads`, at most 1024, is their number with
 * the calling thread, which works too; 0 stands for as many as the machine runs at once. Pass
 * frExecutor_Run as parallel_for, with the executor as its context. Worlds do not keep it: once it
 * is destroyed, their batches run on the calling thread alone. */
FR_API frResult frCreateExecutor(int32_t threads, frExecutor** executor);
FR_API frResult frDestroyExecutor(frExecutor* executor);
FR_API frResult frExecutor_GetThreads(const frExecutor* executor, int32_t* threads);
/* An frParallelForFcn. Runs no task if `executor` is none, or no longer, or if `task` is null. */
FR_API void frExecutor_Run(void* executor, size_t tasks, frTaskFcn* task, void* task_context);

/* ---- Saved worlds ---------------------------------------------------------------------------- */

/* Says what to read of a saved world. Limits of 0 stand for those of the library; docs/limits.md.
 */
typedef struct frOpenOptions {
  uint32_t struct_size;
  uint8_t has_box; /* 1 to read the chunks of the box [min_chunk, max_chunk] alone */
  uint8_t reserved[3];
  int64_t min_chunk[3]; /* in chunks of the finest level, inclusive */
  int64_t max_chunk[3];
  /* JSON, a table from node names to kinds, such as {"default": "solid", "types": {"air": "empty"}}
   * (docs/luanti.md); null for the table in the library. */
  const char* node_kinds;
  uint64_t mapblocks;      /* the most chunks; more are FR_RESOURCE_EXHAUSTED */
  uint64_t mapblock_bytes; /* the most that a chunk unpacks to; one with more counts as damaged */
  uint64_t file_bytes;     /* the most of a file that is read whole, which a map is not */
  uint64_t named_damages;  /* the most damaged chunks that are named; all are counted. 0: 20 */
  /* The names of all block types, by number, "air" first: with them a type has the same number in
   * every process, whatever it reads. Those of a whole world's block types are right for its parts.
   * A type of the world that is not among them is FR_FAILED_PRECONDITION. */
  const char* const* block_types;
  size_t block_type_count; /* 0 if types are added as they are found */
} frOpenOptions;

typedef struct frLoadSummary {
  uint32_t struct_size;
  int32_t reserved;
  uint64_t chunks; /* in the box: loaded, not generated, damaged or unsupported */
  uint64_t loaded;
  uint64_t not_generated; /* absent from the world: its generator has not finished them */
  uint64_t damaged;       /* absent from the world: frLoadReport_GetDamage */
  uint64_t outside;       /* not among `chunks`: outside of the box, and skipped; 0 if the map's
                             index has found those in the box */
  uint64_t bytes;         /* of all chunks, as stored */
  uint64_t named_damages;
  uint64_t defaulted_names;
  uint64_t unsupported; /* absent from the world: in a version of the format that is not read */
} frLoadSummary;

/* Reads a saved world: a Luanti world, by its folder or its map.sqlite. It has 4 levels, of which
 * nodes are the finest: node (x, y, z) is block (x, y, z) of level 3, from x to x + 1. Its block
 * types are named as the nodes. The coarser levels summarize it. Writes nothing; `path` is UTF-8.
 *
 * def->levels is 0 or 4. `options` and `report` may be null. Damaged chunks are no error: they are
 * in the report. FR_NOT_FOUND, FR_PERMISSION_DENIED, FR_UNAVAILABLE and FR_DATA_LOSS are about the
 * file, and FR_UNIMPLEMENTED is the answer of a library that was built without
 * FRACTALRAY_C_FORMATS.
 *
 * Adds the types of the nodes to those of def->block_types_of, also if an error ends it: no other
 * thread may use that world, or one that shares its block types, meanwhile. Snapshots have types of
 * their own.
 *
 * Cost: about 20 us and 9 KB a chunk. */
FR_API frResult frOpenWorld(const frWorldDef* def, const char* path, const frOpenOptions* options,
                            frWorld** world, frLoadReport** report);
FR_API frResult frDestroyLoadReport(frLoadReport* report);
FR_API frResult frLoadReport_GetSummary(const frLoadReport* report, frLoadSummary* summary);
/* Each of these copies a text as frWorld_GetBlockTypeName copies a name: the name of the format,
 * such as "Luanti"; the position of a damaged chunk with the reason, such as "(2, 0, 0): the zstd
 * data is cut off", and last, if chunks are unsupported, why; and the name of a node that the table
 * of kinds does not list, so that its default holds for it. FR_OUT_OF_RANGE for an index beyond the
 * last. */
FR_API frResult frLoadReport_GetFormat(const frLoadReport* report, char* format, size_t capacity,
                                       size_t* length);
FR_API frResult frLoadReport_GetDamage(const frLoadReport* report, size_t index, char* damage,
                                       size_t capacity, size_t* length);
FR_API frResult frLoadReport_GetDefaultedName(const frLoadReport* report, size_t index, char* name,
                                              size_t capacity, size_t* length);

/* ---- Block types ----------------------------------------------------------------------------- */

typedef struct frBlockTypeDef {
  uint32_t struct_size;
  int32_t kind;                 /* in every channel that is not listed; FR_SOLID by default */
  const char* name;             /* UTF-8 without control characters; required, unique */
  const frChannel* channels;    /* channels in which the kind or the shape is another one */
  const int32_t* channel_kinds; /* the kinds there, also where only the shape is another one */
  size_t channel_count;
  const frShape* channel_shapes; /* the shapes there, 0 for the whole cube; null for `shape` */
  frShape shape;                 /* of frWorld_AddShape; 0 for a block that fills its cube */
  uint16_t reserved[3];
} frBlockTypeDef;

/* Adds a shape of blocks that do not fill their cube, or finds it: the union of boxes inside the
 * cube. `boxes` has six numbers for each, min x, y, z and max x, y, z, in fractions of the block's
 * width, which are rounded to 1/65536, halves up. Types with a shape without boxes are empty.
 * FR_INVALID_ARGUMENT for more than 255 boxes, and for one that is flat or not inside the cube. */
FR_API frResult frWorld_AddShape(frWorld* world, const double* boxes, size_t count, frShape* shape);
/* Returns the number of boxes of the shape of a type in a channel, and writes as many as fit, in
 * the shape's own order; one for a type that fills its cube. `count` may be null. */
FR_API frResult frWorld_GetShape(const frWorld* world, frBlockType type, frChannel channel,
                                 double* boxes, size_t capacity, size_t* count);
/* Adds a block type; FR_ALREADY_EXISTS for a name in use. */
FR_API frResult frWorld_AddBlockType(frWorld* world, const frBlockTypeDef* def, frBlockType* type);
/* Returns the channel of that name, added if it is new. */
FR_API frResult frWorld_AddChannel(frWorld* world, const char* name, frChannel* channel);
FR_API frResult frWorld_FindBlockType(const frWorld* world, const char* name, frBlockType* type);
FR_API frResult frWorld_FindChannel(const frWorld* world, const char* name, frChannel* channel);
/* Returns the number of block types and of channels. Both pointers may be null. */
FR_API frResult frWorld_CountBlockTypes(const frWorld* world, size_t* types, size_t* channels);
/* Each of these copies a name, ended by a zero byte. *length (may be null) does not count that
 * byte. If the name does not fit, only its length is written and the result is FR_OUT_OF_RANGE;
 * with a capacity of 0 it is FR_OK. */
FR_API frResult frWorld_GetBlockTypeName(const frWorld* world, frBlockType type, char* name,
                                         size_t capacity, size_t* length);
FR_API frResult frWorld_GetChannelName(const frWorld* world, frChannel channel, char* name,
                                       size_t capacity, size_t* length);
/* Returns the kind of a block type in a channel. */
FR_API frResult frWorld_GetBlockKind(const frWorld* world, frBlockType type, frChannel channel,
                                     int32_t* kind);

/* ---- Layouts of ids -------------------------------------------------------------------------- */

/* The id of block (x, y, z) is the unsigned number of id_bytes bytes at
 * ids + x * strides[0] + y * strides[1] + z * strides[2] bytes, at any alignment. */
/* An id whose block type depends on the state of the block, such as the way it faces. */
typedef struct frIdStates {
  uint32_t struct_size;
  uint32_t id;
  const frBlockType* types; /* the block type in each state, 2^state_bits of them */
} frIdStates;

typedef struct frIdLayoutDef {
  uint32_t struct_size;
  int32_t id_bytes;         /* 1, 2 or 4 */
  int64_t strides[3];       /* in bytes, at most 2^40 either way */
  const frBlockType* types; /* the block type of each id; null if ids are block types */
  size_t type_count;        /* at most as many as there are ids of id_bytes bytes */
  const frIdStates* states; /* the ids with states, each at most once; the others have the type
                               of `types` in every state */
  size_t state_count;
  int64_t state_offset; /* bytes from an id to the byte of the state, at most 2^40 either way */
  int32_t state_bits;   /* 1 to 8, the lowest bits of that byte; 0 without states */
} frIdLayoutDef;

/* Makes a layout, with a copy of the table. In place of a layout, null stands for ids that are
 * block types themselves, of 2 bytes, with the strides 2, 32 and 512. */
FR_API frResult frCreateIdLayout(const frIdLayoutDef* def, frIdLayout** layout);
FR_API frResult frDestroyIdLayout(frIdLayout* layout);

/* ---- Chunks and blocks ----------------------------------------------------------------------- */

enum {
  FR_CHUNK_UNIFORM = 0,            /* all blocks are `uniform` */
  FR_CHUNK_COPY = 1,               /* a copy of `ids` */
  FR_CHUNK_BORROW = 2,             /* reads `ids`, which stay at their address while it is loaded */
  FR_CHUNK_BORROW_FOR_WRITING = 3, /* the same, and edits write to them */
  FR_CHUNK_UNLOAD = 4              /* unloads the chunk, if it is there */
};

typedef struct frChunkDef {
  uint32_t struct_size;
  int32_t source;           /* FR_CHUNK_... */
  int64_t chunk[3];         /* its index on its level */
  const frIdLayout* layout; /* of ids; null as above */
  void* ids;                /* the id of its first block; only written to if borrowed for writing */
  frBlockType uniform;
  uint8_t reserved[6];
} frChunkDef;

/* Loads, replaces and unloads chunks of a level: all of them or none. After writing to borrowed
 * ids, call frWorld_RefreshBlock or frWorld_RefreshBox. FR_INVALID_ARGUMENT, with the block, for an
 * id without a block type. Element i of the array is i * chunks->struct_size bytes after the first.
 */
FR_API frResult frWorld_LoadChunks(frWorld* world, int32_t level, const frChunkDef* chunks,
                                   size_t count);
/* Adds a placeholder for a chunk that is not loaded yet. FR_ALREADY_EXISTS if it is loaded. */
FR_API frResult frWorld_LoadProtoChunk(frWorld* world, int32_t level, const int64_t chunk[3]);
/* Removes a chunk or a placeholder; FR_NOT_FOUND if there is none. */
FR_API frResult frWorld_UnloadChunk(frWorld* world, int32_t level, const int64_t chunk[3]);
/* Loads the chunk of the next finer level that a block expands into, filled with its type. */
FR_API frResult frWorld_ExpandBlock(frWorld* world, int32_t level, const int64_t block[3]);

/* Returns the type of a block of a box that is loaded. Must not change a world. */
typedef frBlockType frBlockFcn(void* context, const int64_t block[3]);
/* Each of these loads the blocks of a box [min, max] (inclusive), for chunks of any size.
 * frWorld_LoadBox asks `block_type` once for each block; frWorld_LoadBoxIds reads ids, of which the
 * first is that of block `min`. Chunks that the box covers in part keep their other blocks. At most
 * 2^20 chunks. */
FR_API frResult frWorld_LoadBox(frWorld* world, int32_t level, const int64_t min[3],
                                const int64_t max[3], frBlockFcn* block_type, void* context);
FR_API frResult frWorld_LoadBoxIds(frWorld* world, int32_t level, const int64_t min[3],
                                   const int64_t max[3], const frIdLayout* layout, const void* ids);

/* Each of these reads borrowed ids again after the caller has written to them: the id of a block,
 * or those of a box [min, max] (inclusive). FR_FAILED_PRECONDITION for a chunk that does not
 * borrow. */
FR_API frResult frWorld_RefreshBlock(frWorld* world, int32_t level, const int64_t block[3]);
FR_API frResult frWorld_RefreshBox(frWorld* world, int32_t level, const int64_t min[3],
                                   const int64_t max[3]);

/* frWorld_GetBlock returns a block of a loaded chunk, frWorld_SetBlock sets one, frWorld_FillBox
 * sets those of a box [min, max] (inclusive). To change a block of a chunk that is borrowed only
 * for reading is FR_FAILED_PRECONDITION. */
FR_API frResult frWorld_GetBlock(const frWorld* world, int32_t level, const int64_t block[3],
                                 frBlockType* type);
FR_API frResult frWorld_SetBlock(frWorld* world, int32_t level, const int64_t block[3],
                                 frBlockType type);
FR_API frResult frWorld_FillBox(frWorld* world, int32_t level, const int64_t min[3],
                                const int64_t max[3], frBlockType type);
/* Sets the block at `to` to the type of the block at `from`, and the block at `from` to air. */
FR_API frResult frWorld_MoveBlock(frWorld* world, int32_t level, const int64_t from[3],
                                  const int64_t to[3]);

typedef struct frChunkInfo {
  uint64_t bytes; /* of the library's memory, without borrowed ids; 0 unless it is loaded */
  int32_t state;  /* FR_ABSENT, FR_PROTO or FR_LOADED */
  uint8_t is_uniform;
  uint8_t is_borrowed;
  uint8_t is_borrowed_for_writing;
  uint8_t is_empty; /* 1 if all blocks are empty in every channel */
} frChunkInfo;

/* Describes a chunk; one outside of the frame is absent. */
FR_API frResult frWorld_GetChunk(const frWorld* world, int32_t level, const int64_t chunk[3],
                                 frChunkInfo* info);
/* Copies the types of all blocks of a loaded chunk to an array of FR_BLOCKS_PER_CHUNK elements:
 * that of its block (x, y, z), 0 to 15 each, is element x + 16 y + 256 z, as in the ids that
 * frWorld_LoadChunks takes without a layout. FR_NOT_FOUND for a chunk that is not loaded. */
FR_API frResult frWorld_GetChunkBlocks(const frWorld* world, int32_t level, const int64_t chunk[3],
                                       frBlockType* types);

typedef struct frLevelInfo {
  uint64_t loaded_chunks;
  uint64_t proto_chunks;
  int64_t min[3]; /* the box of the loaded chunks, inclusive; min > max if there are none */
  int64_t max[3];
} frLevelInfo;

FR_API frResult frWorld_GetLevel(const frWorld* world, int32_t level, frLevelInfo* info);
/* Returns the loaded chunks of a level in the order of their indices, x first: three numbers each.
 * `capacity` and `count` are in chunks. */
FR_API frResult frWorld_GetLoadedChunks(const frWorld* world, int32_t level, int64_t* chunks,
                                        size_t capacity, size_t* count);

/* ---- Fingerprints ---------------------------------------------------------------------------- */

/* These are the same on every machine, so that processes find out whether they have the same.
 * docs/fingerprints.md. */

/* Returns a fingerprint of the block types and channels: of the number, name, kinds and boxes of
 * each. Equal fingerprints mean that numbers have equal meanings. */
FR_API frResult frWorld_FingerprintBlockTypes(const frWorld* world, uint64_t* fingerprint);
/* Returns fingerprints of a box [min, max] (inclusive) of chunks of a level: of the states of the
 * chunks and the numbers of their blocks' types, and of the entities of that level whose centres
 * lie in it. Those of parts add up to that of the whole, modulo 2^64; that of nothing is 0. Both
 * results may be null. Cost: 5 us for a chunk that is not uniform; all entities are read. */
FR_API frResult frWorld_Fingerprint(const frWorld* world, int32_t level, const int64_t min[3],
                                    const int64_t max[3], uint64_t* blocks, uint64_t* entities);
/* Returns the fingerprint of the blocks of each chunk of such a box, x first: 0 for an absent one.
 * FR_INVALID_ARGUMENT for more than 2^30 chunks. */
FR_API frResult frWorld_FingerprintChunks(const frWorld* world, int32_t level, const int64_t min[3],
                                          const int64_t max[3], uint64_t* fingerprints,
                                          size_t capacity, size_t* count);

/* ---- The caller's chunks of any width -------------------------------------------------------- */

/* Returns the address of the id of the first block of one of the caller's chunks, which begins at
 * block width * chunk; null if the caller does not have it. Must not change a world. */
typedef void* frFindChunkFcn(void* context, const int64_t chunk[3]);

typedef struct frEngineChunksDef {
  uint32_t struct_size;
  int32_t width;            /* blocks along each edge, 1 to 1024; 0 stands for 16 */
  int32_t level;            /* on which the blocks are loaded */
  int32_t source;           /* FR_CHUNK_COPY, FR_CHUNK_BORROW or FR_CHUNK_BORROW_FOR_WRITING */
  const frIdLayout* layout; /* of the blocks of a whole chunk of the caller's */
  frFindChunkFcn* find;
  void* context; /* must live as long as the frEngineChunks */
} frEngineChunksDef;

/* Keeps a level of a world in step with the caller's chunks. Borrowing needs a width that is a
 * multiple of 16. */
FR_API frResult frCreateEngineChunks(frWorld* world, const frEngineChunksDef* def,
                                     frEngineChunks** chunks);
FR_API frResult frDestroyEngineChunks(frEngineChunks* chunks);
/* Loads, reloads or unloads one of the caller's chunks, as `find` answers. */
FR_API frResult frEngineChunks_Sync(frEngineChunks* chunks, const int64_t chunk[3]);
/* Each of these takes over what the caller has written: to a block, or to a box [min, max]
 * (inclusive). */
FR_API frResult frEngineChunks_RefreshBlock(frEngineChunks* chunks, const int64_t block[3]);
FR_API frResult frEngineChunks_RefreshBox(frEngineChunks* chunks, const int64_t min[3],
                                          const int64_t max[3]);

/* ---- Entities -------------------------------------------------------------------------------- */

typedef struct frEntityDef {
  uint32_t struct_size;
  int32_t level;          /* hit by queries whose mask has this level */
  uint64_t id;            /* the caller's number, unique among living entities; orders ties */
  uint64_t categories;    /* hit by queries that share a bit; 0 stands for 1 */
  double position[3];     /* of the centre */
  double half_extents[3]; /* of a box; of a sphere the first is its radius */
  int32_t shape;          /* FR_SPHERE or FR_BOX */
  uint32_t entity_class;  /* by which callbacks are registered */
} frEntityDef;

/* Each of these edits many entities: all or none; the error names the first that is refused.
 * Element i of an array of frEntityDef is i * defs->struct_size bytes after the first. */
FR_API frResult frWorld_AddEntities(frWorld* world, const frEntityDef* defs, size_t count,
                                    frEntity* entities);
/* Moves entities to positions of the format FR_F64 or FR_F32. */
FR_API frResult frWorld_MoveEntities(frWorld* world, const frEntity* entities,
                                     const frVectors* positions, size_t count);
FR_API frResult frWorld_RemoveEntities(frWorld* world, const frEntity* entities, size_t count);

enum {
  FR_SET_LEVEL = 1,
  FR_SET_CATEGORIES = 2,
  FR_SET_POSITION = 4,
  FR_SET_SHAPE = 8, /* and its size */
  FR_SET_CLASS = 16
};
/* Changes the members of entities that `members` names, FR_SET_..., to those of `defs`; an entity
 * keeps its id. Categories of 0 are set as they are. */
FR_API frResult frWorld_UpdateEntities(frWorld* world, const frEntity* entities,
                                       const frEntityDef* defs, uint32_t members, size_t count);

/* An entity as the world has it, in units. */
typedef struct frEntityInfo {
  uint64_t id;
  uint64_t categories;
  int64_t position[3];
  int64_t half_extents[3]; /* of a sphere its radius, three times */
  int32_t level;
  int32_t index_level; /* the finest level whose chunks are wider than its radius */
  uint32_t entity_class;
  int32_t shape;
} frEntityInfo;

FR_API frResult frWorld_GetEntity(const frWorld* world, frEntity entity, frEntityInfo* info);
/* Returns the living entity with an id. On a snapshot its cost grows with the entities. */
FR_API frResult frWorld_FindEntity(const frWorld* world, uint64_t id, frEntity* entity);
FR_API frResult frWorld_GetEntities(const frWorld* world, frEntity* entities, size_t capacity,
                                    size_t* count);
/* Returns the chunks of its index level that an entity touches, three numbers each, at most 27. */
FR_API frResult frWorld_GetEntityChunks(const frWorld* world, frEntity entity, int64_t* chunks,
                                        size_t capacity, size_t* count);
/* Moves up to `most` entities that frWorld_Descend has left in coarser chunks into finer ones; no
 * answer depends on it. *is_done (or null) is 1 if none are left. */
FR_API frResult frWorld_RefineEntities(frWorld* world, size_t most, int32_t* is_done);
/* Puts crowds of entities in order, on the threads of the world's parallel_for, which must not use
 * the world meanwhile: after the moves of a tick, and before many queries, which then take less
 * time; no answer depends on it. *chunks (or null) is the number of crowded chunks that have
 * changed since the last call. */
FR_API frResult frWorld_OptimizeEntities(frWorld* world, size_t* chunks);

/* ---- Entities that belong to blocks ---------------------------------------------------------- */

typedef struct frBlockOfLevel {
  int64_t block[3];
  int32_t level;
  int32_t reserved;
} frBlockOfLevel;

/* Binds entities of a world to blocks: they move with their block, and are removed with it or with
 * its chunk, by the functions below. Direct edits of the world change no binding. */
FR_API frResult frCreateBindings(frWorld* world, frBindings** bindings);
FR_API frResult frDestroyBindings(frBindings* bindings);
FR_API frResult frBindings_Bind(frBindings* bindings, frEntity entity, int32_t level,
                                const int64_t block[3]);
FR_API frResult frBindings_Unbind(frBindings* bindings, frEntity entity);
FR_API frResult frBindings_Clear(frBindings* bindings);
/* Returns the block of an entity; FR_NOT_FOUND if it is not bound. */
FR_API frResult frBindings_GetBlock(const frBindings* bindings, frEntity entity,
                                    frBlockOfLevel* block);
FR_API frResult frBindings_GetEntities(const frBindings* bindings, int32_t level,
                                       const int64_t block[3], frEntity* entities, size_t capacity,
                                       size_t* count);
FR_API frResult frBindings_GetEntitiesInChunk(const frBindings* bindings, int32_t level,
                                              const int64_t chunk[3], frEntity* entities,
                                              size_t capacity, size_t* count);
/* frBindings_MoveBlock moves a block together with the entities bound to it. frBindings_RemoveBlock
 * sets a block to air, frBindings_UnloadChunk unloads a chunk; both remove the entities that are
 * bound there. */
FR_API frResult frBindings_MoveBlock(frBindings* bindings, int32_t level, const int64_t from[3],
                                     const int64_t to[3]);
FR_API frResult frBindings_RemoveBlock(frBindings* bindings, int32_t level, const int64_t block[3]);
FR_API frResult frBindings_UnloadChunk(frBindings* bindings, int32_t level, const int64_t chunk[3]);
/* Removes the entities bound to blocks whose chunks are no longer loaded; *removed may be null. */
FR_API frResult frBindings_RemoveUnloaded(frBindings* bindings, size_t* removed);

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Makes the line from one point to another, rounded to units. After an error `line` is all zero, so
 * that a query refuses it: an engine may check the query alone. */
FR_API frResult frMakeSegment(const double from[3], const double to[3], frLine* line);
/* Makes the line of a ray, of any direction but zero, up to max_distance (which may be infinite)
 * and no farther than the box `bounds` (min x, y, z, max x, y, z; or null). The line keeps its
 * direction whatever its length; see docs/queries/rays.md. Errors as for frMakeSegment. */
FR_API frResult frMakeRay(const double origin[3], const double direction[3], double max_distance,
                          const double bounds[6], frLine* line);
/* frLine_GetPoint returns the point at a finite time t; frLine_GetLength returns the length of the
 * whole line, from t = 0 to 1, in finest-block widths. */
FR_API frResult frLine_GetPoint(const frLine* line, double t, double point[3]);
FR_API frResult frLine_GetLength(const frLine* line, double* length);

/* Many lines, with what each of them needs, for batches. Each array that is not null has `count`
 * elements, except for `bounds` (six numbers for all rays), and for `ignore` and `after` (as many
 * as the last element of `ignore_ends` or `after_ends`). */
typedef struct frLines {
  uint32_t struct_size;
  int32_t is_rays; /* 1 if `to` are directions of rays */
  size_t count;
  frVectors from;              /* starts */
  frVectors to;                /* ends or, of rays, directions, which cannot be in units */
  const double* max_distances; /* of rays; null for infinite ones */
  const double* bounds;        /* of all rays: six numbers, as for frMakeRay; or null */
  const frLine* lines;         /* lines in units, in place of all of the above; or null */
  const frLevelMask* levels;   /* of each line, in place of the mask of the batch; or null */
  /* Entities that line i ignores besides those of the options: ignore[j] for j from
   * ignore_ends[i - 1] (0 for line 0) to ignore_ends[i] - 1; or null. */
  const uint64_t* ignore;
  const uint64_t* ignore_ends;
  /* Hits after which line i resumes: after[j] for j from after_ends[i - 1] (0 for line 0) to
   * after_ends[i] - 1; or null. A line without hits resumes after those of the options. */
  const frHit* after;
  const uint64_t* after_ends;
} frLines;

/* ---- Rules and callbacks --------------------------------------------------------------------- */

enum { FR_RULE_CONTINUE = 0, FR_RULE_STOP = 1, FR_RULE_COST = 2 };

/* The effect of a hit on the shot. With FR_RULE_COST the hit is terminal if it costs more than is
 * left of its budget: per_hit, plus per_block for each block width travelled inside. */
typedef struct frRule {
  double per_hit;      /* the cost of a hit */
  double per_block;    /* the cost of each block width travelled inside */
  int32_t kind;        /* FR_RULE_... */
  uint8_t budget;      /* the number of a budget */
  uint8_t touch_costs; /* 1 if a block costs even if the line only touches it */
  uint8_t per_pane;    /* 1 if a run of adjacent blocks of one type costs per_hit once */
  uint8_t reserved;
} frRule;

/* Makes terminal rules without any rule: data in place of callbacks. */
FR_API frResult frCreateRules(frRules** rules);
FR_API frResult frDestroyRules(frRules* rules);
/* Adds a budget of that amount for each shot, at most FR_MAX_BUDGETS. */
FR_API frResult frRules_AddBudget(frRules* rules, double amount, uint8_t* budget);
/* frRules_SetBlock sets the rule of a block type on `levels`; frRules_SetEntities sets the rule of
 * the entities of these levels that share a category. A running shot keeps the rules with which it
 * began. */
FR_API frResult frRules_SetBlock(frRules* rules, frBlockType type, const frRule* rule,
                                 frLevelMask levels);
FR_API frResult frRules_SetEntities(frRules* rules, uint64_t categories, const frRule* rule,
                                    frLevelMask levels);

/* Each of these registers callbacks, for hits of a block type or of an entity class, in place of
 * earlier ones: a test that decides which hits are terminal, and an effect. Either may be null; if
 * both are null, the callbacks are removed. A solid block ends the shot whatever its effect
 * returns. */
FR_API frResult frWorld_OnBlockHit(frWorld* world, frBlockType type, frPredicateFcn* is_terminal,
                                   frEffectFcn* effect, void* context);
FR_API frResult frWorld_OnEntityHit(frWorld* world, uint32_t entity_class,
                                    frPredicateFcn* is_terminal, frEffectFcn* effect,
                                    void* context);
/* Each of these registers the effect of all block types, or of all entity classes, that have no
 * callbacks of their own; null removes it. */
FR_API frResult frWorld_OnAnyBlockHit(frWorld* world, frEffectFcn* effect, void* context);
FR_API frResult frWorld_OnAnyEntityHit(frWorld* world, frEffectFcn* effect, void* context);

/* ---- Options and results of queries ---------------------------------------------------------- */

/* The options of all queries and searches. Each kind of query ignores the options that have no
 * meaning for it. Everything that the options point to must stay unchanged until the query returns.
 * A cursor copies all of it, except for what the contexts of the callbacks point to, which must
 * live as long as the cursor. */
typedef struct frQueryOptions {
  uint32_t struct_size;
  int32_t corner;         /* FR_CORNER_... */
  uint64_t categories;    /* of entities that are hit; 0 stands for all */
  const uint64_t* ignore; /* ids of entities that are not hit */
  size_t ignore_count;
  const frHit* after;           /* hits of this line: the query resumes after the last of them, */
  size_t after_count;           /* and hits no entity among them again */
  const frRules* rules;         /* or null */
  const double* budgets;        /* FR_MAX_BUDGETS amounts in place of those of the rules; or null */
  frPredicateFcn* block_filter; /* blocks for which it returns 0 are not there; or null */
  frPredicateFcn* entity_filter; /* entities for which it returns 0 are not there; or null */
  void* filter_context;
  frEffectFcn* on_hit; /* called for each hit of a shot, before registered effects; or null */
  void* hit_context;
  uint64_t max_hits;         /* the most hits of a shot; 0 for no limit */
  uint64_t max_steps;        /* the most steps; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
  uint64_t max_batch_steps;  /* of all queries of a batch together; 0 for no limit */
  frChannel channel;         /* the collision channel */
  uint8_t no_blocks;         /* 1 to hit no blocks */
  uint8_t no_entities;       /* 1 to hit no entities */
  uint8_t solid_only;        /* 1 to hit no permeable blocks */
  uint8_t skip_start_inside; /* 1 to leave out things that contain the start */
  uint8_t report_unknown;    /* 1 to find unknown_from */
  uint8_t stop_at_unknown;   /* 1 to end there as well */
  uint8_t entities_block;    /* 1 if entities block lines of sight */
  uint8_t after_by_id;       /* 1 to recognize entities of `after` by id: hits of another process */
  uint8_t reserved[6];
} frQueryOptions;

/* The answer of a query besides its hits. */
typedef struct frQueryResult {
  uint32_t struct_size;
  frResult result;         /* of one shot of a batch */
  uint64_t blocks_version; /* when the query began */
  uint64_t entities_version;
  frLine line;
  uint64_t hits_begin; /* of a batch: the number of its first hit among those of all shots */
  uint64_t hit_count;
  double unknown_from; /* the first t at which no level is loaded; NaN if there is none, or if it
                        * was not requested */
  double stopped_at;   /* the t at which a budget was used up; NaN if none was */
  frStats stats;
  double budgets[FR_MAX_BUDGETS]; /* what is left of them, if has_budgets */
  double budgets_at_start[FR_MAX_BUDGETS];
  double overdrawn[FR_MAX_BUDGETS];
  uint8_t terminated; /* 1 if the last hit was terminal */
  uint8_t truncated;  /* 1 if max_hits kept it from reporting more */
  uint8_t has_budgets;
  uint8_t progress; /* of one shot of a batch: FR_DONE, FR_OUT_OF_STEPS or FR_NOT_STARTED */
  uint8_t reserved[4];
} frQueryResult;

/* ---- Queries --------------------------------------------------------------------------------- */
/* `hits` is null if capacity is 0; `result` may be null. docs/queries has a page for each. */

/* Shoots: calls back for each hit in the order of distance until one is terminal, and reports the
 * hits. If the array is too short, all callbacks have been called; set max_hits to end earlier. The
 * hits so far are also reported with FR_RESOURCE_EXHAUSTED past max_steps, and with
 * FR_FAILED_PRECONDITION if a callback has moved the frame. They are not if memory runs out or a
 * response is invalid, although the callbacks of these hits have been called: a result that was
 * zero before then has line.end_time 0. */
FR_API frResult frWorld_Shoot(const frWorld* world, const frLine* line, frLevelMask levels,
                              const frQueryOptions* options, frHit* hits, size_t capacity,
                              frQueryResult* result);
/* Resumes a whole shot after its last hit in the world as it is now. `result` is that of the shot,
 * with result->hit_count hits in `hits`; the new hits are appended. */
FR_API frResult frWorld_Resume(const frWorld* world, frLevelMask levels,
                               const frQueryOptions* options, frHit* hits, size_t capacity,
                               frQueryResult* result);
/* Finds the first hit (picking); its kind is FR_HIT_NONE if there is none. Calls no callbacks but
 * filters. */
FR_API frResult frWorld_ClosestHit(const frWorld* world, const frLine* line, frLevelMask levels,
                                   const frQueryOptions* options, frHit* hit,
                                   frQueryResult* result);
/* Finds out if a solid block (or an entity, with entities_block) is in the way: FR_CLEAR,
 * FR_BLOCKED or FR_UNKNOWN. `blocker` (or null) is then any of those that block, or of the kind
 * FR_HIT_NONE. */
FR_API frResult frWorld_Occluded(const frWorld* world, const frLine* line, frLevelMask levels,
                                 const frQueryOptions* options, int32_t* occlusion, frHit* blocker,
                                 frQueryResult* result);

/* Makes a cursor, which returns the hits of frWorld_Shoot one by one, on request. The caller acts
 * between two hits, in place of callbacks, and may change the world there. */
FR_API frResult frWorld_HitsAlong(const frWorld* world, const frLine* line, frLevelMask levels,
                                  const frQueryOptions* options, frCursor** cursor);
/* Returns the next hits, at most `capacity` of them; fewer only at the end. If an error ends the
 * call, `hits` and `count` have those that were found before it. Memory that runs out, and an
 * exception of a callback, end the cursor: FR_FAILED_PRECONDITION from then on. */
FR_API frResult frCursor_Next(frCursor* cursor, frHit* hits, size_t capacity, size_t* count);
/* Returns the shot up to the last hit that was requested. */
FR_API frResult frCursor_GetResult(const frCursor* cursor, frQueryResult* result);
FR_API frResult frDestroyCursor(frCursor* cursor);

/* Returns the mirror image of a line in the face of a hit of it, from the time of the hit on. */
FR_API frResult frWorld_Reflect(const frWorld* world, const frLine* line, const frHit* hit,
                                frLine* image);

typedef struct frLevelPart {
  double t0;
  double t1;
  int32_t level;
  int32_t reserved;
} frLevelPart;

/* Returns the part of a line in the box of the loaded chunks of each level, the coarsest first;
 * levels that the line misses are left out. At most FR_MAX_LEVELS. */
FR_API frResult frWorld_GetLevelParts(const frWorld* world, const frLine* line, frLevelMask levels,
                                      frLevelPart* parts, size_t capacity, size_t* count);

/* ---- Batches --------------------------------------------------------------------------------- */
/* Many queries with the same options, on the threads of the world's parallel_for. The outcome, with
 * all callbacks, is that of the queries one after another. An error of one query stops no other
 * one, and the batch is FR_OK; frGetLastError() then describes the first of them.
 *
 * If memory runs out or a callback throws, the batch ends with an error. frWorld_ClosestHits,
 * frWorld_CompactHits and frWorld_OccludedMany answer 8,192 lines at a time: of arrays for more
 * lines the first 8,192 elements, or a multiple of it, may then have been written, each the answer
 * of its line; the others are unchanged, as are all elements of shorter arrays, and `batch`.
 * frWorld_ShootMany and frWorld_ResumeMany leave the frShotBatch as it was, or with the leading
 * shots that are done. */

typedef struct frBatchResult {
  uint32_t struct_size;
  int32_t reserved;
  uint64_t blocks_version;
  uint64_t entities_version;
  uint64_t completed; /* leading queries that are done: all, unless max_batch_steps ran out */
  uint64_t errors;    /* queries with an error */
  uint64_t hits;      /* of all queries together */
  frStats stats;
} frBatchResult;

/* Finds the first hit of each line. Every array has an element for each line. `unknown_from` (NaN
 * for none), `results` and `batch` may be null. */
FR_API frResult frWorld_ClosestHits(const frWorld* world, const frLines* lines, frLevelMask levels,
                                    const frQueryOptions* options, frHit* hits,
                                    double* unknown_from, frResult* results, frBatchResult* batch);

/* A first hit in 64 bytes: the members of frHit that most callers read, with the same values. */
typedef struct frCompactHit {
  double t;
  double t_exit;
  int64_t block[3]; /* of a block: its index on its level */
  frEntity entity;  /* of an entity, as is `id` */
  uint64_t id;      /* of a block: its `plane`, as in frHit */
  frBlockType type; /* of a block */
  uint8_t kind;     /* FR_HIT_... */
  int8_t level;
  int8_t face_axis; /* as in frHit */
  int8_t face_sign;
  uint8_t step;
  uint8_t flags; /* FR_HIT_TERMINAL if the query ends here, FR_HIT_START_INSIDE */
} frCompactHit;
enum { FR_HIT_TERMINAL = 1, FR_HIT_START_INSIDE = 2 };

/* Finds the first hit of each line, as frWorld_ClosestHits does, in less than half the memory. */
FR_API frResult frWorld_CompactHits(const frWorld* world, const frLines* lines, frLevelMask levels,
                                    const frQueryOptions* options, frCompactHit* hits,
                                    double* unknown_from, frResult* results, frBatchResult* batch);
/* Computes the full hit of a line. That of a block depends on the line alone; that of an entity is
 * computed from the entity as it is now: FR_NOT_FOUND if it is gone, FR_FAILED_PRECONDITION if the
 * line no longer hits it at that time. */
FR_API frResult frWorld_GetFullHit(const frWorld* world, const frLine* line,
                                   const frCompactHit* compact, frHit* hit);

/* Writes the parts of a line inside a hit, as pairs of times [t0, t1], in order: several for a
 * shape with gaps, one for every other hit. `line` and `options` (may be null) are those of the
 * query that hit it. FR_OUT_OF_RANGE, and *count alone is written, if `capacity` pairs do not
 * suffice; with a capacity of 0 it is FR_OK. */
FR_API frResult frWorld_GetHitSpans(const frWorld* world, const frLine* line,
                                    const frQueryOptions* options, const frHit* hit, double* spans,
                                    size_t capacity, size_t* count);

/* The hit that blocks a line of sight, in brief. */
typedef struct frBlocker {
  double t;
  int64_t block[3]; /* of a block, as is `type` */
  frEntity entity;  /* of an entity, as is `id` */
  uint64_t id;
  int32_t level;
  frBlockType type;
  uint8_t kind; /* FR_HIT_NONE if nothing blocks the line */
  uint8_t reserved;
} frBlocker;

/* Finds out for each line if it is blocked: `answers` gets FR_CLEAR, FR_BLOCKED or FR_UNKNOWN.
 * `blockers`, `results` and `batch` may be null. */
FR_API frResult frWorld_OccludedMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                                     const frQueryOptions* options, uint8_t* answers,
                                     frBlocker* blockers, frResult* results, frBatchResult* batch);

/* Shoots many lines. `batch` takes the answers, and memory that is used again by the next batch. */
FR_API frResult frCreateShotBatch(frShotBatch** batch);
FR_API frResult frDestroyShotBatch(frShotBatch* batch);
FR_API frResult frWorld_ShootMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                                  const frQueryOptions* options, frShotBatch* batch);
/* Continues a batch whose steps ran out, with the same lines and options. */
FR_API frResult frWorld_ResumeMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                                   const frQueryOptions* options, frShotBatch* batch);
FR_API frResult frShotBatch_GetSummary(const frShotBatch* batch, frBatchResult* summary);
/* frShotBatch_GetResults copies the results of shots `first` to first + count - 1.
 * frShotBatch_GetHits copies hits by their numbers among those of all shots
 * (frQueryResult::hits_begin). FR_OUT_OF_RANGE beyond the last. Element i of `results` is
 * results->struct_size bytes after the first, whose struct_size is set. */
FR_API frResult frShotBatch_GetResults(const frShotBatch* batch, size_t first, size_t count,
                                       frQueryResult* results);
FR_API frResult frShotBatch_GetHits(const frShotBatch* batch, size_t first, size_t count,
                                    frHit* hits);

/* ---- Hits of several worlds ------------------------------------------------------------------ */
/* Parts of one world, in as many processes: docs/queries/shoot.md#parts-of-a-world. Hits are
 * compared exactly, by what they have. The line, the levels of the worlds (0 stands for 1) and the
 * corner policy, FR_CORNER_..., are those of the queries; a hit that such a line does not have is
 * FR_INVALID_ARGUMENT. */

/* Compares two hits of one line: *order is -1 if shots report `a` first, 1 if they report `b`
 * first, and 0 for the same block, or for entities of one id and level that are hit at one time. */
FR_API frResult frCompareHits(const frLine* line, int32_t levels, int32_t corner, const frHit* a,
                              const frHit* b, int32_t* order);
/* Merges the hits of one line in several worlds to those of a shot in the whole world: in order, up
 * to the first terminal hit, and what several lists have, once, as the first of them has it. List i
 * is hits[j] for j from ends[i - 1] (0 for list 0) to ends[i] - 1, in order, of the whole line:
 * only a terminal hit may have ended its query. Block types have the same numbers in all worlds.
 * FR_INVALID_ARGUMENT, with the numbers of the list and of the hit in it, also for a list out of
 * order, and for a block or an entity that two lists have differently. `merged` may be `hits`. */
FR_API frResult frMergeHits(const frLine* line, int32_t levels, int32_t corner, const frHit* hits,
                            const uint64_t* ends, size_t lists, frHit* merged, size_t capacity,
                            size_t* count);

/* ---- Remote worlds --------------------------------------------------------------------------- */
/* The batches of a world that another process serves; docs/serve.md. FR_UNIMPLEMENTED in a library
 * for a system without POSIX sockets. */

typedef struct frConnectOptions {
  uint32_t struct_size;
  int32_t reserved;
  const char* token;    /* what the server asks of its callers, at most 1024 bytes; or null */
  uint64_t deadline_us; /* of each call, in microseconds; 0 for none */
  uint64_t timeout_us;  /* the most that a call without a deadline waits, and that connecting
                         * takes, in microseconds; 0 for 60 seconds */
  const char* world;    /* the world that the server is to have: the part of a version before its
                         * last '@'; null for any */
  uint64_t block_types; /* the frWorld_FingerprintBlockTypes of its table of types; 0 for any */
} frConnectOptions;

typedef struct frRemoteInfo {
  uint32_t struct_size;
  int32_t reserved;
  uint64_t batch_lines; /* the most lines of a call */
  uint64_t frame_bytes; /* the most bytes of a call: lines, options and lists */
  uint64_t connects;    /* connections that were made, with the first */
  uint64_t retry_us;    /* if the last call was FR_RESOURCE_EXHAUSTED since the server is busy, or
                         * an error of its world that may pass, when to call again, in
                         * microseconds; else 0 */
  uint64_t block_types; /* the frWorld_FingerprintBlockTypes of the server's table of types, which
                         * the numbers in hits are of; 0 if the table may change */
  uint64_t tick;        /* the number of the tick that the entities of the last answer are of; 0 if
                         * nobody feeds them */
} frRemoteInfo;

/* Connects to a server: "unix:/run/fr.sock" or "tcp:HOST:PORT". `options` may be null.
 * FR_UNAVAILABLE if there is none, FR_PERMISSION_DENIED if it refuses the token,
 * FR_FAILED_PRECONDITION if it has another version, another world or another table of types. */
FR_API frResult frConnect(const char* address, const frConnectOptions* options, frRemote** remote);
FR_API frResult frDestroyRemote(frRemote* remote);
/* Sets the deadline of later calls, in microseconds; 0 for none. */
FR_API frResult frRemote_SetDeadline(frRemote* remote, uint64_t deadline_us);
/* Sets a version that later answers are to include, such as that of a writer or of an answer of
 * another server of the same store; null for any. A server that does not have it waits for it, as
 * long as the deadline and other calls let it: then calls are FR_ABORTED. FR_FAILED_PRECONDITION,
 * by calls, if it is a version of another world, or of one that does not change. */
FR_API frResult frRemote_SetAtLeast(frRemote* remote, const char* version);
FR_API frResult frRemote_GetInfo(const frRemote* remote, frRemoteInfo* info);
/* Copies, as frWorld_GetBlockTypeName does, the version of the last answer, or else that of the
 * server when it was connected. Equal versions mean equal worlds, but for entities that are fed:
 * these are of frRemoteInfo.tick. */
FR_API frResult frRemote_GetVersion(const frRemote* remote, char* version, size_t capacity,
                                    size_t* length);

/* Do what frWorld_CountBlockTypes and frWorld_GetBlockTypeName do, with the server's table, which
 * the first call asks for. FR_FAILED_PRECONDITION if the table may change. */
FR_API frResult frRemote_CountBlockTypes(frRemote* remote, size_t* types);
FR_API frResult frRemote_GetBlockTypeName(frRemote* remote, frBlockType type, char* name,
                                          size_t capacity, size_t* length);

/* Do what frWorld_ClosestHits, frWorld_CompactHits and frWorld_OccludedMany do, in the world of the
 * server. A connection belongs to one thread at a time. Entities of hits are those of the server's
 * process, and mean nothing here; hits to resume after are found by the ids of their entities.
 * max_batch_steps counts for a call. Functions, contexts, rules and budgets of the options cannot
 * be sent: FR_INVALID_ARGUMENT.
 *
 * If there is a deadline, or the server's store takes too long, the leading lines are answered for
 * which there is time, `completed` of them, each with its whole answer; `results` of the others are
 * FR_DEADLINE_EXCEEDED or FR_UNAVAILABLE, and so is the call if there are none, or if both
 * `results` and `batch` are null. FR_RESOURCE_EXHAUSTED if the server is busy:
 * frRemoteInfo.retry_us; also beyond the limits in frRemoteInfo. FR_UNAVAILABLE if the connection
 * breaks: the next call connects again, and is FR_FAILED_PRECONDITION if the server then has
 * another world or another table of types. FR_UNAVAILABLE and FR_ABORTED with a
 * frRemoteInfo.retry_us: the server's store does not answer, or does not have the version that is
 * asked for. After FR_UNAVAILABLE and FR_DEADLINE_EXCEEDED arrays may have been written in part. */
FR_API frResult frRemote_ClosestHits(frRemote* remote, const frLines* lines, frLevelMask levels,
                                     const frQueryOptions* options, frHit* hits,
                                     double* unknown_from, frResult* results, frBatchResult* batch);
FR_API frResult frRemote_CompactHits(frRemote* remote, const frLines* lines, frLevelMask levels,
                                     const frQueryOptions* options, frCompactHit* hits,
                                     double* unknown_from, frResult* results, frBatchResult* batch);
FR_API frResult frRemote_OccludedMany(frRemote* remote, const frLines* lines, frLevelMask levels,
                                      const frQueryOptions* options, uint8_t* answers,
                                      frBlocker* blockers, frResult* results, frBatchResult* batch);

/* Entities that a game feeds to servers, tick by tick: docs/serve.md. Numbers are in units of
 * 1/65536 block, within 2^53. */
typedef struct frFedEntity {
  uint64_t id;             /* the caller's number */
  uint64_t categories;     /* as in frEntityDef */
  int64_t position[3];     /* of the centre */
  int64_t half_extents[3]; /* of a box; of a sphere the first is its radius */
  int32_t level;           /* hit by queries whose mask has this level */
  int32_t shape;           /* FR_SPHERE or FR_BOX */
  uint32_t entity_class;
  uint32_t reserved;
} frFedEntity;

typedef struct frFedMove {
  uint64_t id;
  int64_t position[3];
} frFedMove;

/* A tick: entities that are removed, then those that are added, then those that move. */
typedef struct frEntityTick {
  uint32_t struct_size;
  int32_t is_whole; /* 1 if the added ones are all entities, and whatever was there is removed */
  uint64_t tick;    /* its number, from 1 on: one more than that of the tick before, unless it is
                     * whole */
  const frFedEntity* added;
  size_t added_count;
  const frFedMove* moved;
  size_t moved_count;
  const uint64_t* removed;
  size_t removed_count;
} frEntityTick;

/* Gives a server the entities of a tick: all of it or, after an error, none. The first tick is
 * whole. FR_PERMISSION_DENIED unless the connection's token may feed, FR_FAILED_PRECONDITION for a
 * gap: then, and if the error says so, the next tick is to be whole, and answers have the entities
 * of the last one until then. Other errors: those of frWorld_AddEntities, FR_NOT_FOUND for an id
 * that is not there, and of the connection: after FR_UNAVAILABLE and FR_DEADLINE_EXCEEDED the tick
 * may have been applied; send a whole one. */
FR_API frResult frRemote_FeedTick(frRemote* remote, const frEntityTick* tick);

/* ---- Sight of boxes -------------------------------------------------------------------------- */
/* Does an eye see any part of a box, and how much of it? docs/queries/visible.md. */

enum {
  FR_SIGHT_HIDDEN = 0,
  FR_SIGHT_UNKNOWN = 1,
  FR_SIGHT_VISIBLE = 2,
  FR_SIGHT_UNDECIDED = 3,
  FR_SIGHT_SKIPPED = 4 /* of frWorld_VisibleBoxes alone: not asked */
};
/* Unloaded space makes a box unknown, is air, or is solid. */
enum { FR_UNLOADED_REPORT = 0, FR_UNLOADED_TRANSPARENT = 1, FR_UNLOADED_OPAQUE = 2 };

/* A closed box in units. */
typedef struct frFixedBox {
  int64_t min[3];
  int64_t max[3];
} frFixedBox;

/* An eye and the box that it looks at, in units. The box may be flat on one axis. */
typedef struct frSightQuery {
  int64_t eye[3];
  frFixedBox box;
} frSightQuery;

/* The options of queries of sight; as those of other queries where the names are the same. */
typedef struct frSightOptions {
  uint32_t struct_size;
  int32_t unloaded;       /* FR_UNLOADED_... */
  uint64_t categories;    /* of entities that hide; 0 stands for all */
  const uint64_t* ignore; /* ids of entities that do not hide */
  size_t ignore_count;
  const frFixedBox* occluders; /* further solid boxes, of any position and size */
  size_t occluder_count;
  frPredicateFcn* block_filter;  /* blocks for which it returns 0 do not hide; or null */
  frPredicateFcn* entity_filter; /* entities for which it returns 0 do not hide; or null */
  void* filter_context;
  uint64_t max_steps;        /* the most steps; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
  uint64_t through;          /* the occluders that a direction may pass */
  frChannel channel;         /* the collision channel */
  uint8_t no_blocks;         /* 1 to let no blocks hide */
  uint8_t skip_start_inside; /* 1 to leave out what has the eye in its interior */
  uint8_t boxes_block;       /* 1 to let box entities hide */
  uint8_t reserved[3];
} frSightOptions;

/* The work of a query of sight, in steps; `rays` is not a step. */
typedef struct frSightStats {
  frStats lines; /* of its rays */
  uint64_t rays;
  uint64_t cuts; /* occluders cut out of the directions left, and blocks examined for that */
} frSightStats;

/* The answer of a query of sight. A visible box has a witness: a direction of a line from the eye
 * that enters the box and touches nothing solid before, except at the eye. */
typedef struct frSightAnswer {
  uint32_t struct_size;
  int32_t sight;           /* FR_SIGHT_... */
  uint64_t blocks_version; /* when the query began */
  uint64_t entities_version;
  int64_t delta[3];      /* the witness in units: the lower 64 bits of each component */
  int64_t delta_high[3]; /* the upper 64 bits: the sign, 0 or -1, unless is_wide */
  uint8_t is_wide;       /* 1 if a component needs more than 64 bits */
  uint8_t is_unit;       /* 1 if eye + delta is a point of the box */
  uint8_t reserved[6];
  frSightStats stats;
} frSightAnswer;

/* Rounds an eye and a box to units. After an error the query is one of zeros, which every function
 * refuses. */
FR_API frResult frMakeSightQuery(const double eye[3], const double min[3], const double max[3],
                                 frSightQuery* query);
/* Makes `count` queries of the eyes and the corners of boxes in the caller's arrays, each in any
 * format. Nothing is written after an error, which names the query. */
FR_API frResult frMakeSightQueries(const frVectors* eyes, const frVectors* mins,
                                   const frVectors* maxs, size_t count, frSightQuery* queries);

/* Finds out if the eye sees any part of the box: FR_SIGHT_HIDDEN, FR_SIGHT_UNKNOWN or
 * FR_SIGHT_VISIBLE. `answer` may be null. */
FR_API frResult frWorld_Visible(const frWorld* world, const frSightQuery* query, frLevelMask levels,
                                const frSightOptions* options, int32_t* sight,
                                frSightAnswer* answer);
/* Finds solid boxes that hide a hidden box by themselves, as long as they stay solid; none for a
 * box that is not hidden. */
FR_API frResult frWorld_FindCertificate(const frWorld* world, const frSightQuery* query,
                                        frLevelMask levels, const frSightOptions* options,
                                        frFixedBox* boxes, size_t capacity, size_t* count);
/* Finds out if boxes hide the box of a query, which may have moved since: 1 or 0. Does not look at
 * a world. */
FR_API frResult frHides(const frFixedBox* boxes, size_t count, const frSightQuery* query,
                        int32_t* hidden);
/* The same, but 1 only if they still hide it wherever eye and box move, by no more than `margin`
 * units together on each axis. */
FR_API frResult frHidesWithin(const frFixedBox* boxes, size_t count, const frSightQuery* query,
                              int64_t margin, int32_t* hidden);
/* Computes the share of the box that the eye sees, by volume, or by area if it is flat: at least
 * `from`, at most `to`. They differ by less than a millionth, unless the box is thinner than
 * 1/1,024 of its distance, and by the directions through unloaded space, which count in `to` only.
 * `stats` may be null. */
FR_API frResult frWorld_Exposure(const frWorld* world, const frSightQuery* query,
                                 frLevelMask levels, const frSightOptions* options, double* from,
                                 double* to, frSightStats* stats);
/* Each answers many queries, on the threads of the world's parallel_for. Every array has an element
 * for each query; `results` may be null. An error of one query stops no other one: the call is
 * FR_OK, frGetLastError() describes the first of them, and the answer is FR_SIGHT_UNDECIDED, or
 * from 0 to 1. */
FR_API frResult frWorld_VisibleMany(const frWorld* world, const frSightQuery* queries, size_t count,
                                    frLevelMask levels, const frSightOptions* options,
                                    uint8_t* answers, frResult* results);
FR_API frResult frWorld_Exposures(const frWorld* world, const frSightQuery* queries, size_t count,
                                  frLevelMask levels, const frSightOptions* options, double* from,
                                  double* to, frResult* results);

/* ---- Sight of many boxes by many viewers ----------------------------------------------------- */
/* Who sees whom? docs/queries/visible-boxes.md. */

/* The answer of pairs that max_steps left undecided. */
enum { FR_UNDECIDED_REPORT = 0, FR_UNDECIDED_VISIBLE = 1, FR_UNDECIDED_HIDDEN = 2 };

typedef struct frSightTableOptions {
  uint32_t struct_size;
  int32_t if_undecided;       /* FR_UNDECIDED_... */
  const frSightOptions* each; /* of each eye and box; null for the defaults */
  /* Viewer after viewer, each with all boxes: 1 for a pair that is not asked, else 0. Or null. */
  const uint8_t* left_out;
  int64_t max_distance;    /* in units: eyes farther from a box do not count; 0 for no limit */
  frSightHistory* history; /* keeps answers for the next call; or null */
} frSightTableOptions;

/* The work, and how pairs were answered: the sum of the four after `pairs` is `pairs`. */
typedef struct frSightTableStats {
  frSightStats sight;
  uint64_t pairs;     /* not skipped */
  uint64_t unchanged; /* as in the history: nothing had changed */
  uint64_t by_ray;    /* visible, by the line to the same point of the box */
  uint64_t by_proof;  /* hidden, by the same occluders */
  uint64_t searched;  /* as by frWorld_Visible; all of them without a history */
  uint64_t undecided; /* out of steps */
} frSightTableStats;

/* Keeps the answers of the last call of frWorld_VisibleBoxes that was given the history, with a
 * proof of each. The next one tries the proofs on the world, eyes and boxes as they are then, and
 * searches where they fail: the answers are those of a call without a history. Pairs are known by
 * the indices of viewer, eye and box; a change of order costs time alone. Takes some 100 bytes a
 * pair. One call uses a history at a time. */
FR_API frResult frCreateSightHistory(frSightHistory** history);
FR_API frResult frDestroySightHistory(frSightHistory* history);

/* Answers, for each viewer and each box, what frWorld_Visible does for them: FR_SIGHT_..., in
 * answers[viewer * box_count + box]. Viewer i has eye_counts[i] eyes, which follow those of the
 * viewers before it, and sees what one of them sees; one each if eye_counts is null. Boxes are
 * given by their corners; all points in any format. Runs on the threads of the world's
 * parallel_for. `options` and `stats` may be null. After an error nothing is written; it names the
 * viewer and eye, or the box. */
FR_API frResult frWorld_VisibleBoxes(const frWorld* world, const frVectors* eyes,
                                     const uint32_t* eye_counts, size_t viewer_count,
                                     const frVectors* mins, const frVectors* maxs, size_t box_count,
                                     frLevelMask levels, const frSightTableOptions* options,
                                     uint8_t* answers, frSightTableStats* stats);

/* ---- Searches -------------------------------------------------------------------------------- */

typedef struct frFoundEntity {
  double distance; /* of its closed shape; 0 if the point is in it */
  frEntity entity;
  uint64_t id;
} frFoundEntity;

/* frWorld_EntitiesInSphere finds the entities whose closed shape touches a closed ball, in the
 * order of distance, then id. frWorld_EntitiesInBox finds those that touch a closed box, in the
 * order of id. frWorld_NearestEntities finds the nearest to a point, at most `capacity` of them. */
FR_API frResult frWorld_EntitiesInSphere(const frWorld* world, const double center[3],
                                         double radius, frLevelMask levels,
                                         const frQueryOptions* options, frFoundEntity* found,
                                         size_t capacity, size_t* count);
FR_API frResult frWorld_EntitiesInBox(const frWorld* world, const double min[3],
                                      const double max[3], frLevelMask levels,
                                      const frQueryOptions* options, frFoundEntity* found,
                                      size_t capacity, size_t* count);
FR_API frResult frWorld_NearestEntities(const frWorld* world, const double point[3],
                                        double max_distance, frLevelMask levels,
                                        const frQueryOptions* options, frFoundEntity* found,
                                        size_t capacity, size_t* count);

typedef struct frFoundBlock {
  double distance; /* of the closed block; 0 if the point is in it */
  int64_t block[3];
  int32_t level;
  frBlockType type;
  uint8_t kind;  /* FR_SOLID or FR_PERMEABLE */
  uint8_t sight; /* FR_SIGHT_... from frWorld_VisibleBlocks, else 0 */
} frFoundBlock;

/* Each of these finds the blocks that are not empty and touch a closed ball, in the order of
 * distance, then the finer level, then index; or a closed box, in the order of level and index. */
FR_API frResult frWorld_BlocksInSphere(const frWorld* world, const double center[3], double radius,
                                       frLevelMask levels, const frQueryOptions* options,
                                       frFoundBlock* found, size_t capacity, size_t* count);
FR_API frResult frWorld_BlocksInBox(const frWorld* world, const double min[3], const double max[3],
                                    frLevelMask levels, const frQueryOptions* options,
                                    frFoundBlock* found, size_t capacity, size_t* count);

/* Finds the blocks around an eye of which it sees any part: of those that frWorld_BlocksInSphere
 * finds with the options `targets`, and that have one of some types (all if type_count is 0), those
 * whose cube is visible or unknown to frWorld_Visible with `options`. First all that are
 * FR_SIGHT_VISIBLE, the nearest first, then all that are FR_SIGHT_UNKNOWN, then those that are
 * FR_SIGHT_UNDECIDED since options->max_steps, which are for the whole query, ran out: that is no
 * error. */
FR_API frResult frWorld_VisibleBlocks(const frWorld* world, const double eye[3], double radius,
                                      frLevelMask levels, const frBlockType* types,
                                      size_t type_count, const frQueryOptions* targets,
                                      const frSightOptions* options, frFoundBlock* found,
                                      size_t capacity, size_t* count);

/* ---- Blasts ---------------------------------------------------------------------------------- */
/* Which blocks does an explosion break, and how much of each entity does it reach?
 * docs/queries/blast.md. */

/* A ray of a blast, sampled at the centre, at centre + step, centre + 2 step and so on. */
typedef struct frBlastRay {
  int64_t step[3]; /* in units; not zero */
  int64_t power;   /* at the centre; without power a ray does nothing */
} frBlastRay;

/* Amounts of power are whole numbers. */
typedef struct frBlastQuery {
  uint32_t struct_size;
  int32_t reserved;
  double center[3];
  double radius; /* no sample, and no entity, is farther from the centre; at most 65,536 */
  const frBlastRay* rays;
  size_t ray_count; /* below 2^32 */
  /* The power that a ray loses at each sample in a block of type i, if i < resistance_count. For a
   * type that no power breaks it is INT64_MAX, as it is for types beyond the end. */
  const int64_t* resistances;
  size_t resistance_count; /* at most 65,536 */
  int64_t falloff;         /* the power that a ray loses after each sample, in air too */
  uint64_t max_samples;    /* of all rays; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
} frBlastQuery;

/* A block that breaks, and the first ray that breaks it. */
typedef struct frBrokenBlock {
  int64_t block[3];
  int64_t steps; /* from the centre to the sample */
  int64_t power; /* left of the ray; above 0 */
  int32_t level;
  uint32_t ray; /* its index */
  frBlockType type;
  uint16_t reserved[3];
} frBrokenBlock;

/* An entity in reach, and the share of its bounding box that the centre sees, as
 * frWorld_Exposure computes it; from 0 to 1 if max_steps of the options of sight was too small. */
typedef struct frExposedEntity {
  double distance; /* of its shape from the centre, as in frFoundEntity */
  double from;
  double to;
  frEntity entity;
  uint64_t id;
} frExposedEntity;

typedef struct frBlastResult {
  uint32_t struct_size;
  uint8_t reaches_unknown; /* 1 if a ray with power was sampled where no level is loaded */
  uint8_t reserved[3];
  uint64_t blocks_version; /* when the query began */
  uint64_t entities_version;
  uint64_t samples; /* of all rays */
  uint64_t block_count;
  uint64_t entity_count;
} frBlastResult;

/* Makes rays of equal power to all points of the surface of a cube that is divided into a lattice
 * of n x n x n points: n^3 - (n - 2)^3 rays, with steps of the length `step`, in finest-block
 * widths, rounded to units. `n` is 2 to 256, `step` 2^-10 to 2^10. */
FR_API frResult frMakeCubeFan(int32_t n, double step, int64_t power, frBlastRay* rays,
                              size_t capacity, size_t* count);
/* Finds the blocks that a blast breaks, each once, in the order of steps, then of rays, then the
 * finer level first; and the entities within the radius, the nearest first, then by id, each with
 * its exposure before any block breaks. Changes nothing. Runs on the threads of the world's
 * parallel_for.
 *
 * `options` select the blocks that have to do with the blast (`channel`, no_blocks, solid_only,
 * block_filter; rays pass all others like air) and the entities to report; `sight` selects what
 * shields them. Both may be null. The counts are in `result`; if an array is too short, the other
 * one is complete. */
FR_API frResult frWorld_Blast(const frWorld* world, const frBlastQuery* query, frLevelMask levels,
                              const frQueryOptions* options, const frSightOptions* sight,
                              frBrokenBlock* blocks, size_t block_capacity,
                              frExposedEntity* entities, size_t entity_capacity,
                              frBlastResult* result);

/* ---- Query logs ------------------------------------------------------------------------------ */
/* A file with every query of a world and its answer, to find out later which queries are answered
 * differently: by another version of the library, on another machine or with another compiler. See
 * docs/query-log.md, which also says which queries are not logged. FR_UNIMPLEMENTED in a library
 * that was built without the readers of saved worlds. */

/* Begins a log at a path, and replaces the file if it exists: of all later queries of this world,
 * or snapshot, and of the moves of its frame. Unless without_fingerprints is set, all blocks and
 * entities are read now, so that a replay on another world is refused. FR_FAILED_PRECONDITION in a
 * callback of the world, and if it writes a log already. */
FR_API frResult frWorld_BeginLog(frWorld* world, const char* path, int32_t without_fingerprints);
/* Hands the logged queries to the system: call it once a tick if the program may crash. Returns the
 * first error of the file, at which the log ends; no query fails because of it. */
FR_API frResult frWorld_FlushLog(frWorld* world);
/* Ends the log, as does the end of the world, and marks it as complete. Returns the first error of
 * the file; the log has ended nevertheless. `queries`, how many are in the log, may be null. */
FR_API frResult frWorld_EndLog(frWorld* world, uint64_t* queries);

typedef struct frReplayOptions {
  uint32_t struct_size;
  int32_t all;            /* 1 to also run queries that were logged after the world had changed */
  int32_t on_other_world; /* 1 to accept a world other than the logged one was */
  int32_t reserved;
} frReplayOptions;

/* Opens a log and takes over the world to run it on: `world` is destroyed, as by frDestroyWorld,
 * unless there is an error. Blocks and entities must be as those of the log were when it began;
 * callbacks need not be registered: the log has where they ended shots. FR_FAILED_PRECONDITION for
 * another world, for a snapshot, and for one that other objects use. Other errors are about the
 * file: FR_NOT_FOUND, FR_INVALID_ARGUMENT for one that is no log, FR_DATA_LOSS. */
FR_API frResult frCreateReplay(frWorld* world, const char* path, const frReplayOptions* options,
                               frReplay** replay);
FR_API frResult frDestroyReplay(frReplay* replay);

/* A query of a log, and how the replay has answered it. */
typedef struct frReplayed {
  uint32_t struct_size;
  int32_t outcome; /* FR_REPLAY_...; at FR_REPLAY_END all else is 0 */
  uint64_t number; /* in the log, from 1 */
  uint64_t offset; /* of its record in the file, in bytes */
  frLine line;
  frLevelMask levels;
  int32_t verb; /* FR_VERB_... */
  frSightQuery
      sight; /* of FR_VERB_VISIBLE and FR_VERB_EXPOSURE; verbs from there on have no line */
  uint64_t viewer_count; /* of FR_VERB_VISIBLE_BOXES */
  uint64_t box_count;
  double center[3]; /* the eye of FR_VERB_VISIBLE_BLOCKS, the centre of FR_VERB_BLAST */
  double radius;    /* of these two */
} frReplayed;
enum {
  FR_REPLAY_END = 0,
  FR_REPLAY_EQUAL = 1,
  FR_REPLAY_DIFFERENT = 2,
  FR_REPLAY_WORLD_HAD_CHANGED = 3, /* not run: by edits since the log began, or during the query */
  FR_REPLAY_NOT_REPLAYABLE = 4     /* cannot be repeated, for a reason: frReplay_GetReason */
};
enum {
  FR_VERB_SHOOT = 0,
  FR_VERB_CLOSEST_HIT = 1,
  FR_VERB_OCCLUDED = 2,
  FR_VERB_RESUME = 3,
  FR_VERB_VISIBLE = 4,
  FR_VERB_EXPOSURE = 5,
  FR_VERB_VISIBLE_BOXES = 6,
  FR_VERB_VISIBLE_BLOCKS = 7,
  FR_VERB_BLAST = 8
};
enum { FR_RECORDED = 0, FR_REPLAYED = 1 }; /* the answer in the log, that of the replay */

/* Runs the next query again. FR_DATA_LOSS where the log is damaged or cut off, with the byte and
 * the record. An error ends the replay. */
FR_API frResult frReplay_Next(frReplay* replay, frReplayed* replayed);
/* Returns why the last query cannot be repeated, if that is FR_REPLAY_NOT_REPLAYABLE; else "". */
FR_API frResult frReplay_GetReason(const frReplay* replay, char* reason, size_t capacity,
                                   size_t* length);
/* Returns an answer to the last query: `which` is FR_RECORDED or FR_REPLAYED. `occlusion` is
 * written for FR_VERB_OCCLUDED; it and `result`, whose `result` is that of the query, may be null.
 * Hits have no categories, and those of spheres no normal; a type that the world lacks is FR_AIR.
 * FR_FAILED_PRECONDITION if the query was not repeated, or its answer is in the log as a hash. */
FR_API frResult frReplay_GetAnswer(const frReplay* replay, int32_t which, int32_t* occlusion,
                                   frHit* hits, size_t capacity, frQueryResult* result);
/* Return an answer to the last query, if that is one of sight. Errors: that of the answer, and
 * those of frReplay_GetAnswer; FR_INVALID_ARGUMENT for a query of another verb.
 *
 * frReplay_GetSight: of FR_VERB_VISIBLE `sight` is written, of FR_VERB_EXPOSURE `from` and `to`;
 * each may be null. frReplay_GetSights: FR_VERB_VISIBLE_BOXES, as frWorld_VisibleBoxes has it.
 * frReplay_GetVisibleBlocks and frReplay_GetBlast: as the functions of the world, but for
 * result->samples, which no log has; a type that the world lacks is FR_AIR. */
FR_API frResult frReplay_GetSight(const frReplay* replay, int32_t which, int32_t* sight,
                                  double* from, double* to);
FR_API frResult frReplay_GetSights(const frReplay* replay, int32_t which, uint8_t* answers,
                                   size_t capacity, size_t* count);
FR_API frResult frReplay_GetVisibleBlocks(const frReplay* replay, int32_t which,
                                          frFoundBlock* found, size_t capacity, size_t* count);
FR_API frResult frReplay_GetBlast(const frReplay* replay, int32_t which, frBrokenBlock* blocks,
                                  size_t block_capacity, frExposedEntity* entities,
                                  size_t entity_capacity, frBlastResult* result);
/* Returns the level parts of such an answer, if the query reported them. */
FR_API frResult frReplay_GetLevelParts(const frReplay* replay, int32_t which, frLevelPart* parts,
                                       size_t capacity, size_t* count);

/* ---- Chunks and cells on a line -------------------------------------------------------------- */

typedef struct frLineChunk {
  double t_enter;
  double t_exit;
  int64_t chunk[3];
  int32_t level;
  int32_t state; /* FR_ABSENT, FR_PROTO or FR_LOADED, at the time of the step */
} frLineChunk;

/* Makes a cursor of the chunks that a line crosses, the finest level first: those that a shot needs
 * loaded. With loaded_only, chunks that are not loaded are left out. */
FR_API frResult frWorld_ChunksOn(const frWorld* world, const frLine* line, frLevelMask levels,
                                 int32_t corner, int32_t loaded_only, frChunkCursor** cursor);
/* Returns the next chunks, at most `capacity` of them; fewer only at the end. */
FR_API frResult frChunkCursor_Next(frChunkCursor* cursor, frLineChunk* chunks, size_t capacity,
                                   size_t* count);
FR_API frResult frDestroyChunkCursor(frChunkCursor* cursor);

typedef struct frWalkCell {
  int64_t cell[3];
  int64_t t_numerator; /* the time of entry, exactly */
  int64_t t_denominator;
  double t;
  int8_t face_axis; /* of the face that is entered through; -1 for the first cell */
  int8_t face_sign;
  uint8_t reserved[6];
} frWalkCell;

/* Walks over the cells of a grid, `widths` units wide, that a segment crosses; ends are in units,
 * at most 2^61. In 2 dimensions the third components are not read, and the cell's is 0. */
FR_API frResult frCreateWalk(int32_t dimensions, const int64_t* from, const int64_t* to,
                             const int64_t* widths, int32_t corner, frWalk** walk);
/* Returns the number of planes between cells that the whole walk crosses. */
FR_API frResult frWalk_GetCrossings(const frWalk* walk, uint64_t* crossings);
/* Returns the next cells, at most `capacity` of them; fewer only at the end. */
FR_API frResult frWalk_Next(frWalk* walk, frWalkCell* cells, size_t capacity, size_t* count);
FR_API frResult frDestroyWalk(frWalk* walk);
/* Walks over the cells, `widths` units wide, of many lines, up to the end of each: of a ray those
 * that are entered no later than it ends. The cells of line i are number ends[i - 1] (0 for line 0)
 * to ends[i] - 1; each has three numbers in `cells` and its time of entry in `times`, which may be
 * null. `capacity` and `count` are in cells. Levels, `ignore` and `after` of the lines are not
 * used. A line with an error has no cells, its number in `results`, which may be null, is not
 * FR_OK, and the others are walked: `errors`, which may be null, counts such lines, and
 * frGetLastError is about the first. FR_RESOURCE_EXHAUSTED for a line of more than 2^24 cells. */
FR_API frResult frWalkMany(const frLines* lines, const int64_t widths[3], int32_t corner,
                           uint64_t* ends, int64_t* cells, double* times, size_t capacity,
                           size_t* count, frResult* results, size_t* errors);

/* ---- Moving the frame ------------------------------------------------------------------------ */
/* A world is a window of a few levels onto a tree of any depth; see docs/window.md. */

/* A move of the frame, as data. With it the caller converts its own coordinates. */
typedef struct frFrameMove {
  int64_t chunk[3];
  int32_t kind;   /* FR_DESCEND, FR_CLIMB or FR_RECENTER */
  int32_t levels; /* active levels */
} frFrameMove;
enum { FR_DESCEND = 1, FR_CLIMB = 2, FR_RECENTER = 3 };

typedef struct frWindowMove {
  uint32_t struct_size;
  int32_t reserved;
  frFrameMove frame_move;
  uint64_t dropped_chunks;
  uint64_t evicted; /* entities whose handles are stale from now on: frWorld_GetEvicted */
} frWindowMove;

/* Each of these moves the frame, so that another chunk becomes the level-0 chunk (0, 0, 0):
 * frWorld_Descend the level-1 chunk `chunk`, frWorld_Climb the parent of the present one,
 * frWorld_Recenter the level-0 chunk `chunk`. `move` may be null. `left_over` takes the memory of
 * dropped chunks, to be freed on any thread; if it is null, the call frees it. */
FR_API frResult frWorld_Descend(frWorld* world, const int64_t chunk[3], frWindowMove* move,
                                frLeftOver** left_over);
FR_API frResult frWorld_Climb(frWorld* world, frWindowMove* move, frLeftOver** left_over);
FR_API frResult frWorld_Recenter(frWorld* world, const int64_t chunk[3], frWindowMove* move,
                                 frLeftOver** left_over);
FR_API frResult frDestroyLeftOver(frLeftOver* left_over);
/* Returns the ids of the entities that the last move evicted, ascending. */
FR_API frResult frWorld_GetEvicted(const frWorld* world, uint64_t* ids, size_t capacity,
                                   size_t* count);
/* Applies a move to bindings, which must follow every move of their world. Returns the entities
 * that are now unbound, because the chunk of their block was dropped. If the array is too short,
 * the bindings have followed nevertheless. */
FR_API frResult frBindings_Follow(frBindings* bindings, const frFrameMove* move, frEntity* unbound,
                                  size_t capacity, size_t* count);

/* Each of these converts an index, or a point, of the frame before a move to that of the frame
 * after it. If the chunk, block or point is no longer in the frame, *is_kept is 0 and the rest is
 * not written. */
FR_API frResult frFrameMove_Chunk(const frFrameMove* move, int32_t level, const int64_t chunk[3],
                                  int32_t* level_after, int64_t chunk_after[3], int32_t* is_kept);
FR_API frResult frFrameMove_Block(const frFrameMove* move, int32_t level, const int64_t block[3],
                                  int32_t* level_after, int64_t block_after[3], int32_t* is_kept);
/* Converts a point in units. */
FR_API frResult frFrameMove_Point(const frFrameMove* move, const int64_t units[3],
                                  int64_t units_after[3], int32_t* is_kept);

/* frWorld_GetAnchor copies the path of the level-0 chunk (0, 0, 0) from the root, frWorld_GetPath
 * that of any chunk: text such as "7a3_221", copied as frWorld_GetBlockTypeName copies a name. */
FR_API frResult frWorld_GetAnchor(const frWorld* world, char* path, size_t capacity,
                                  size_t* length);
FR_API frResult frWorld_GetPath(const frWorld* world, int32_t level, const int64_t chunk[3],
                                char* path, size_t capacity, size_t* length);
/* Follows a path down from the chunk `ancestor` of any level. Returns the index of the chunk at its
 * end in `chunk`, and in *steps how many levels below `ancestor` that chunk is. */
FR_API frResult frFollowPath(const char* path, const int64_t ancestor[3], int64_t chunk[3],
                             int32_t* steps);
/* Returns the chunk at the end of a path from the root, the inverse of frWorld_GetPath;
 * FR_OUT_OF_RANGE if it is not in the frame. */
FR_API frResult frWorld_FindPath(const frWorld* world, const char* path, int32_t* level,
                                 int64_t chunk[3]);

/* ---- Streaming ------------------------------------------------------------------------------- */
/* Loads the chunks around viewers on demand; see docs/streaming.md. */

typedef struct frChunkOfLevel {
  int64_t chunk[3];
  int32_t level;
  int32_t reserved;
} frChunkOfLevel;

/* Receives a request for the chunk at a path from the root, which no move of the frame changes. It
 * is answered once by frStreamer_Answer: in this callback, later from any thread, or never, which
 * counts as a failure after answer_ticks. `path` is valid during the call. Called by
 * frStreamer_Tick on the threads of the world's parallel_for, several at once. Must not change a
 * world. */
typedef void frRequestFcn(void* context, uint64_t request, const char* path);
/* Called before a chunk that the streamer has loaded is unloaded, by frStreamer_Tick and by moves
 * of the frame; again, if the chunk stays loaded because that call fails, before it is unloaded
 * later. After a move that fails all chunks stay loaded; if memory runs out in a tick,
 * frStreamer_GetUnloaded lists those that were unloaded, and all others stay loaded. So free the
 * ids that a chunk borrows after the call. Must not change a world. */
typedef void frUnloadingFcn(void* context, int32_t level, const int64_t chunk[3]);
/* Called once for each chunk that frStreamer_Answer has accepted and that will not be loaded, with
 * its path from the root: it is out of reach by now, could not be loaded, or the streamer is
 * destroyed. Free the ids that it borrows. Called by frStreamer_Tick and frDestroyStreamer; if
 * memory runs out, calls may be missing. Must not change a world. */
typedef void frDroppedFcn(void* context, const char* path);
/* Returns nonzero for types of blocks that have a finer chunk to load. Pure. */
typedef int32_t frFertileFcn(void* context, frBlockType type);

/* The source of chunks. The contexts must live as long as the streamer. */
typedef struct frChunkSource {
  uint32_t struct_size;
  int32_t keeps_changes;     /* 1 to allow frStreamer_SetBlocks */
  frRequestFcn* request;     /* null to take requests by frStreamer_TakeRequests */
  frUnloadingFcn* unloading; /* or null: frStreamer_GetUnloaded lists the chunks after a tick, and
                              * frFrameMove_Chunk finds those that a move has dropped */
  frDroppedFcn* dropped;     /* or null: frStreamer_GetDropped lists the chunks after a tick */
  void* context;
  /* The file that keeps the changes, which outlive the program, however that ends; it is made if
   * there is none. It has the names of block types, so that their numbers may differ next time.
   * FR_UNAVAILABLE if it is open already, FR_DATA_LOSS if it is damaged. Null to keep changes in
   * memory, as long as the streamer. Needs keeps_changes. */
  const char* changes_path;
  int32_t syncs_changes; /* 1 if frStreamer_SetBlocks waits for the disk, for milliseconds: then its
                          * changes survive a power failure too */
  int32_t reserved;
} frChunkSource;

/* The reach of a viewer on a level, in widths of a chunk of that level, at most 64. Chunks within
 * `load` are loaded, and kept until they are farther than `keep`, which is not less. A negative
 * `load` stands for a level that is not streamed. */
typedef struct frStreamRadii {
  double load;
  double keep;
} frStreamRadii;

typedef struct frStreamOptions {
  uint32_t struct_size;
  int32_t reserved;
  const frStreamRadii* radii; /* one for each level; null for load 2 and keep 3 on all of them */
  size_t radius_count;        /* the number of levels; 0 if `radii` is null */
  frFertileFcn* is_fertile;   /* the fertile types; or null */
  void* fertile_context;      /* must live as long as the streamer */
  /* In place of is_fertile: type i is fertile if i < fertile_count and fertile[i] is not 0. If this
   * is null too, all types are fertile but those that are empty in every channel. */
  const uint8_t* fertile;
  size_t fertile_count; /* at most 65,536 */
  /* Limits; 0 stands for the default. */
  uint64_t chunks_per_tick; /* requested, loaded, and unloaded for being out of reach; 64 */
  uint64_t bytes_per_tick;  /* of chunks that are loaded; 4 MiB */
  uint64_t max_bytes;       /* of chunks that are kept loaded; 1 GiB */
  uint64_t max_pending;     /* requests that are unanswered, or not loaded yet; 256 */
  uint64_t answer_ticks;    /* until a request has failed; doubled with each time-out, up to the
                             * larger of this and max_retry_ticks; 1024 */
  uint64_t retry_ticks;     /* from a failure to the next request; doubled likewise; 8 */
  uint64_t max_retry_ticks; /* 4096 */
  uint64_t want_ticks;      /* for which frStreamer_Want holds; 256 */
} frStreamOptions;

/* Makes a streamer of a world. `source` and `options` may be null; everything that `options` points
 * to is copied, except for what fertile_context points to. */
FR_API frResult frCreateStreamer(frWorld* world, const frChunkSource* source,
                                 const frStreamOptions* options, frStreamer** streamer);
/* Cancels the requests; chunks stay as they are, and keep borrowing the ids of their answers. */
FR_API frResult frDestroyStreamer(frStreamer* streamer);
/* Replaces the options from the next tick on. */
FR_API frResult frStreamer_SetOptions(frStreamer* streamer, const frStreamOptions* options);

/* Does the work of a tick: loads what has been answered, unloads what is out of reach of all
 * `count` viewers, and requests what is needed. Failures of the source are no errors here.
 * FR_FAILED_PRECONDITION in a callback of a query; FR_OUT_OF_RANGE for a viewer outside of the
 * frame. If memory runs out, the chunks that frStreamer_GetLoaded and frStreamer_GetUnloaded list
 * are loaded and unloaded, and the next tick continues; after other errors nothing has changed. */
FR_API frResult frStreamer_Tick(frStreamer* streamer, const frVectors* viewers, size_t count);

/* Copies the numbers of the next requests, in the order of need: those that have not been copied
 * yet. At most `capacity` of them; fewer only if there are no more. */
FR_API frResult frStreamer_TakeRequests(frStreamer* streamer, uint64_t* requests, size_t capacity,
                                        size_t* count);
/* These three may be called by any thread, also in frRequestFcn and during ticks, until
 * frDestroyStreamer is called: end, or wait for, the threads that answer before. They are
 * FR_NOT_FOUND for a request that has been answered or is no longer wanted: there is nothing left
 * to do for it.
 *
 * frStreamer_GetRequestPath copies the path of the requested chunk, as frWorld_GetBlockTypeName
 * copies a name; frWorld_FindPath then finds its index. frStreamer_IsWanted is FR_OK if an answer
 * is still wanted. */
FR_API frResult frStreamer_GetRequestPath(const frStreamer* streamer, uint64_t request, char* path,
                                          size_t capacity, size_t* length);
FR_API frResult frStreamer_IsWanted(const frStreamer* streamer, uint64_t request);
/* Answers a request: with FR_OK and a chunk (chunk->chunk is not read), which a later tick loads;
 * with FR_NOT_FOUND if there is no such chunk and never will be; with any other error to be asked
 * again after growing delays. `chunk` is null unless the answer is FR_OK. A bad chunk is
 * FR_INVALID_ARGUMENT, and the request stays open. No thread may add block types meanwhile. */
FR_API frResult frStreamer_Answer(frStreamer* streamer, uint64_t request, frResult answer,
                                  const frChunkDef* chunk);

/* Names the missing chunks on a line, at most `limit` of them, the nearest to its start first: the
 * next ticks load them before all others. An effect may call it. `named` gets the chunks, and may
 * be null with a capacity of 0; if it is too short, they are all named nevertheless. If memory runs
 * out, the first of them may have been named. */
FR_API frResult frStreamer_Want(frStreamer* streamer, const frLine* line, frLevelMask levels,
                                size_t limit, frChunkOfLevel* named, size_t capacity,
                                size_t* count);
/* Names single chunks; of a chunk whose ancestors are not loaded, the coarsest of those. *named (or
 * null) is their number, without those that are loaded or do not exist. If memory runs out, the
 * first of them may have been named. */
FR_API frResult frStreamer_WantChunks(frStreamer* streamer, const frChunkOfLevel* chunks,
                                      size_t count, size_t* named);

/* A block that differs from what the source supplies. */
typedef struct frBlockChange {
  const char* path;   /* of its chunk, from the root; null if `block` is an index over the frame */
  int64_t block[3];   /* on `level`; with a path, the index in its chunk: 0 to 15 each */
  int64_t reverts_at; /* in the caller's time, if `reverts` */
  int32_t level;      /* not read if there is a path */
  frBlockType type;
  uint8_t is_removed; /* 1 for the type that the source supplies, in place of `type` */
  uint8_t reverts;    /* 1 to revert it by frStreamer_RevertChanges */
} frBlockChange;

/* Changes blocks, all or none of them: at once in chunks that are loaded, and in all others
 * whenever the streamer loads them. With a changes_path they are in that file when this returns,
 * and streamers of later programs find them there; if it cannot be written, nothing has changed:
 * FR_RESOURCE_EXHAUSTED for a full disk, FR_PERMISSION_DENIED. FR_FAILED_PRECONDITION without
 * keeps_changes, and for a chunk that the caller itself has loaded. */
FR_API frResult frStreamer_SetBlocks(frStreamer* streamer, const frBlockChange* changes,
                                     size_t count);
/* Reverts at most `limit` changes whose time is at or before `now`. If *reverted (or null) is the
 * limit, there may be more. */
FR_API frResult frStreamer_RevertChanges(frStreamer* streamer, int64_t now, size_t limit,
                                         size_t* reverted);
/* Copies the log of a file of changes into the file itself, and waits for the disk, for
 * milliseconds: call it between two ticks, once a second or so. All changes before it then survive
 * a power failure. Without a changes_path it does nothing. */
FR_API frResult frStreamer_MaintainChanges(frStreamer* streamer);

/* Returns the last failure of a chunk that is needed and not loaded: what the source has answered,
 * FR_RESOURCE_EXHAUSTED if memory ran out, FR_INTERNAL if there was no answer in time; FR_OK if
 * there is none. The text is copied as frWorld_GetBlockTypeName copies a name. */
FR_API frResult frStreamer_GetError(const frStreamer* streamer, int32_t level,
                                    const int64_t chunk[3], frResult* error, char* text,
                                    size_t capacity, size_t* length);
/* Each of these returns chunks in the order in which the last tick loaded, or unloaded, them. */
FR_API frResult frStreamer_GetLoaded(const frStreamer* streamer, frChunkOfLevel* chunks,
                                     size_t capacity, size_t* count);
FR_API frResult frStreamer_GetUnloaded(const frStreamer* streamer, frChunkOfLevel* chunks,
                                       size_t capacity, size_t* count);
/* Copies the path of one of the chunks that the last tick has dropped: frDroppedFcn says which
 * these are, and a source with that function has none here. The text is copied as
 * frWorld_GetBlockTypeName copies a name. FR_NOT_FOUND for an index beyond the last. */
FR_API frResult frStreamer_GetDropped(const frStreamer* streamer, size_t index, char* path,
                                      size_t capacity, size_t* length);

/* Totals since the streamer was made, and numbers of now. */
typedef struct frStreamStats {
  uint64_t ticks;
  uint64_t requested;
  uint64_t loaded;
  uint64_t unloaded;    /* for being out of reach */
  uint64_t evicted;     /* for lack of memory */
  uint64_t nonexistent; /* answers FR_NOT_FOUND */
  uint64_t failed;      /* all failures, also for lack of an answer */
  uint64_t timed_out;   /* for lack of an answer */
  uint64_t cancelled;   /* requests given up */
  uint64_t pending;     /* now: requests that wait for answers, or to be loaded */
  uint64_t failing;     /* now: chunks that have failed, until their next request */
  uint64_t chunks;      /* now: loaded chunks */
  uint64_t bytes;       /* now: their bytes, at the end of the last tick */
} frStreamStats;

FR_API frResult frStreamer_GetStats(const frStreamer* streamer, frStreamStats* stats);

/* ---- Visibility ------------------------------------------------------------------------------ */
/* Finds the blocks in sight of a viewer by many rays in each tick: a sample, not a proof. */

typedef struct frVisibilityOptions {
  uint32_t struct_size;
  frLevelMask levels; /* 0 for all */
  uint64_t rays;      /* of a tick, at most 1,048,576; 0 stands for 2048 */
  double distance;    /* the length of a ray; 0 stands for 256 */
  /* The ticks in a row without a hit after which a block goes out of sight; 0 stands for 32. */
  uint64_t forget_ticks;
  /* Which blocks can be seen: `channel`, which the world must have, no_blocks, solid_only,
   * block_filter and skip_start_inside. Which entities hide blocks, with entities_hide: categories,
   * `ignore`, entity_filter and skip_start_inside. Other members have no meaning, no_entities among
   * them. All is copied, as by a cursor. Or null. */
  const frQueryOptions* filter;
  int32_t entities_hide; /* 1 if entities hide what is farther; rays pass through them otherwise */
  int32_t reserved;
} frVisibilityOptions;

/* The view of a tick: a cone of directions. */
typedef struct frViewCone {
  double from[3];
  double direction[3];   /* the axis, of any length but zero */
  double cos_half_angle; /* -1 (all directions) to 1 (the axis alone) */
} frViewCone;

typedef struct frSeenBlock {
  int64_t block[3];
  uint64_t since; /* the tick in which it came into sight, from 1 */
  uint64_t last;  /* the tick in which a ray hit it last */
  int32_t level;
  frBlockType type; /* when a ray hit it last */
  uint16_t reserved;
} frSeenBlock;

/* A chunk with a block in sight. */
typedef struct frSeenChunk {
  int64_t chunk[3];
  uint64_t since;
  uint64_t last;
  int32_t level;
  int32_t reserved;
} frSeenChunk;

/* Lists: all in sight, the least recently hit first; or the changes of the last tick, which
 * have the levels and indices of the frame of that tick. */
enum { FR_IN_SIGHT = 0, FR_CAME_INTO_SIGHT = 1, FR_WENT_OUT_OF_SIGHT = 2 };

/* Makes the view of one viewer of a world, which follows the moves of its frame. */
FR_API frResult frCreateVisibility(const frWorld* world, const frVisibilityOptions* options,
                                   frVisibility** visibility);
FR_API frResult frDestroyVisibility(frVisibility* visibility);
/* Shoots the rays of a tick in `world`, which is the world of the view or a snapshot of it since
 * the last move of its frame; on the threads of that world. */
FR_API frResult frVisibility_Tick(frVisibility* visibility, const frWorld* world,
                                  const frViewCone* view);
/* Forgets everything, for a viewer that has jumped. */
FR_API frResult frVisibility_Clear(frVisibility* visibility);
FR_API frResult frVisibility_GetTicks(const frVisibility* visibility, uint64_t* ticks);
/* `which` is FR_IN_SIGHT, FR_CAME_INTO_SIGHT or FR_WENT_OUT_OF_SIGHT. */
FR_API frResult frVisibility_GetBlocks(const frVisibility* visibility, int32_t which,
                                       frSeenBlock* blocks, size_t capacity, size_t* count);
FR_API frResult frVisibility_GetChunks(const frVisibility* visibility, int32_t which,
                                       frSeenChunk* chunks, size_t capacity, size_t* count);
/* Each of these returns a block, or a chunk, in sight; FR_NOT_FOUND if it is not. */
FR_API frResult frVisibility_FindBlock(const frVisibility* visibility, int32_t level,
                                       const int64_t block[3], frSeenBlock* seen);
FR_API frResult frVisibility_FindChunk(const frVisibility* visibility, int32_t level,
                                       const int64_t chunk[3], frSeenChunk* seen);
/* Returns the unknown chunks that rays of the last tick would have entered, those of most rays
 * first: chunks for frStreamer_WantChunks. */
FR_API frResult frVisibility_GetUnknown(const frVisibility* visibility, frChunkOfLevel* chunks,
                                        size_t capacity, size_t* count);
/* Returns loaded chunks that rays of the last tick have entered, those of most rays first. Given to
 * frStreamer_WantChunks in every tick, they stay loaded as long as they are in sight, or in the way
 * of what is. */
FR_API frResult frVisibility_GetEntered(const frVisibility* visibility, frChunkOfLevel* chunks,
                                        size_t capacity, size_t* count);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Sizes that bindings rely on. All members have the same offsets on every 64-bit target, and those
 * of structs without pointers and size_t on 32-bit targets too. */
typedef char frCheckLine[sizeof(frLine) == 72 ? 1 : -1];
typedef char frCheckHit[sizeof(frHit) == 168 ? 1 : -1];
typedef char frCheckCompactHit[sizeof(frCompactHit) == 64 ? 1 : -1];
typedef char frCheckStats[sizeof(frStats) == 64 ? 1 : -1];
typedef char frCheckQueryResult[sizeof(frQueryResult) == 392 ? 1 : -1];
/* NOLINTEND(modernize-*,readability-identifier-naming) */

#endif /* FRACTALRAY_C_H */
