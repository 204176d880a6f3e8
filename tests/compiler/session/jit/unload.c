/* A plugin's life: libtensorc.so is opened, used and closed again, and used
   once more while the process exits, by a function that is older than the
   library. unload LIBRARY */
#include "tensorc/tensorc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef tensorc_status *(*full_fn)(tensorc_dtype, int32_t, const int64_t *,
                                   const tensorc_arg *, tensorc_location,
                                   tensorc_tensor **);
typedef tensorc_status *(*string_fn)(tensorc_tensor *, char **);
typedef void (*release_fn)(tensorc_tensor *);
typedef void (*free_fn)(char *);

static full_fn full;
static string_fn to_string;
static release_fn release;
static free_fn free_text;

static int use(int value) {
  const int64_t dims[1] = {3};
  tensorc_location at = {NULL, 0};
  tensorc_tensor *x;
  char *text;
  if (full(TENSORC_F32, 1, dims, TENSORC_ARG(value), at, &x) ||
      to_string(x, &text))
    return 2;
  printf("%s\n", text);
  free_text(text);
  release(x);
  return 0;
}

static void at_exit(void) {
  if (full && use(7))
    _Exit(3);
}

int main(int argc, char **argv) {
  int round;
  atexit(at_exit);
  for (round = 0; round < 3 && argc > 1; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      printf("%s\n", dlerror());
      return 1;
    }
    *(void **)&full = dlsym(library, "tensorc_full");
    *(void **)&to_string = dlsym(library, "tensorc_to_string");
    *(void **)&release = dlsym(library, "tensorc_tensor_release");
    *(void **)&free_text = dlsym(library, "tensorc_string_free");
    if (use(round))
      return 2;
    dlclose(library);
  }
  return argc < 2;
}
