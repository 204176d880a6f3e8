/* A plugin's life: libtensorc.so is opened, used and closed again.
     unload LIBRARY */
#include "tensorc/tensorc.h"

#include <dlfcn.h>
#include <stdio.h>

typedef tensorc_status *(*full_fn)(tensorc_dtype, int32_t, const int64_t *,
                                   tensorc_arg, tensorc_location,
                                   tensorc_tensor **);
typedef tensorc_status *(*string_fn)(tensorc_tensor *, char **);
typedef void (*release_fn)(tensorc_tensor *);
typedef void (*free_fn)(char *);

int main(int argc, char **argv) {
  int round;
  for (round = 0; round < 3 && argc > 1; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const int64_t dims[1] = {3};
    tensorc_location at = {NULL, 0};
    tensorc_tensor *x;
    char *text;
    full_fn full;
    string_fn to_string;
    release_fn release;
    free_fn free_text;
    if (!library) {
      printf("%s\n", dlerror());
      return 1;
    }
    *(void **)&full = dlsym(library, "tensorc_full");
    *(void **)&to_string = dlsym(library, "tensorc_to_string");
    *(void **)&release = dlsym(library, "tensorc_tensor_release");
    *(void **)&free_text = dlsym(library, "tensorc_string_free");
    if (full(TENSORC_F32, 1, dims, tensorc_float_arg(round), at, &x) ||
        to_string(x, &text))
      return 2;
    printf("%s\n", text);
    free_text(text);
    release(x);
    dlclose(library);
  }
  return argc < 2;
}
