// dlclose of libtensorc_rt.so, again and again: it stays loaded, and nothing
// that is still alive crashes.
#include "tensorc/runtime.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

#define LOAD(name)                                                             \
  auto *name = reinterpret_cast<decltype(&tensorc_rt_##name)>(                 \
      dlsym(library, "tensorc_rt_" #name))

int main(int, char **argv) {
  void *address = nullptr;
  for (int round = 0; round < 20; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    LOAD(device_find);
    LOAD(stream_create);
    LOAD(stream_release);
    LOAD(buffer_allocate);
    LOAD(buffer_write);
    LOAD(set_num_threads);
    LOAD(parallel_for);
    auto *at = reinterpret_cast<void *>(device_find);
    if (address && address != at)
      return 2; // It was unloaded.
    address = at;
    tensorc_rt_device *device = nullptr;
    tensorc_rt_stream *stream = nullptr;
    tensorc_rt_buffer *buffer = nullptr;
    if (device_find("cpu", &device) || stream_create(device, &stream) ||
        buffer_allocate(device, 4, &buffer) ||
        buffer_write(buffer, 0, "abc", 4, stream))
      return 3;
    set_num_threads(3);
    int64_t sums[3] = {};
    parallel_for(
        1000, 1, 3,
        [](void *context, int64_t begin, int64_t end, int32_t slot) {
          static_cast<int64_t *>(context)[slot] += end - begin;
        },
        sums);
    if (sums[0] + sums[1] + sums[2] != 1000)
      return 4;
    // Every other round leaves a stream with its thread, and a buffer.
    if (round % 2)
      stream_release(stream);
    if (dlclose(library))
      return 5;
  }
  return 0;
}
