/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the shared library, shoots on a thread, and unloads it, many times: the library is then no
 * longer mapped. A thread that has queried holds working memory of the library until it ends. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../../bindings/c/fractalray_c.h"

static const char* library_path;
static int failed = 0;

typedef frResult CreateWorld(const frWorldDef*, frWorld**);
typedef frResult DestroyWorld(frWorld*);
typedef frResult MakeSegment(const double*, const double*, frLine*);
typedef frResult ClosestHit(const frWorld*, const frLine*, frLevelMask, const frQueryOptions*,
                            frHit*, frQueryResult*);

/* Returns the address of a function, which C keeps apart from those of data. */
#define FIND(type, name) \
  type* name##_;         \
  *(void**)(&name##_) = dlsym(library, "fr" #name)

static void* shoot(void* library) {
  const double from[3] = {0, 0, 0};
  const double to[3] = {9, 9, 9};
  frWorldDef def;
  frWorld* world = NULL;
  frLine line;
  frHit hit;
  FIND(CreateWorld, CreateWorld);
  FIND(DestroyWorld, DestroyWorld);
  FIND(MakeSegment, MakeSegment);
  FIND(ClosestHit, World_ClosestHit);
  memset(&def, 0, sizeof def);
  def.struct_size = sizeof def;
  def.version = FR_VERSION;
  if (CreateWorld_(&def, &world) != FR_OK || MakeSegment_(from, to, &line) != FR_OK ||
      World_ClosestHit_(world, &line, FR_ALL_LEVELS, NULL, &hit, NULL) != FR_OK ||
      DestroyWorld_(world) != FR_OK) {
    failed = 1;
  }
  return NULL;
}

static int isMapped(void) {
  char line[4096];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 0;
  while (fgets(line, sizeof line, maps) != NULL)
    found = found || strstr(line, "libfractalray_c.so") != NULL;
  fclose(maps);
  return found;
}

int main(int argc, char** argv) {
  int round;
  if (argc != 2) return 2;
  library_path = argv[1];
  for (round = 0; round < 50 && !failed; ++round) {
    pthread_t thread;
    void* library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    if (!isMapped() || pthread_create(&thread, NULL, shoot, library) != 0) return 1;
    pthread_join(thread, NULL);
    dlclose(library);
    if (isMapped()) {
      fprintf(stderr, "the library is still mapped after round %d\n", round);
      return 1;
    }
  }
  return failed;
}
