//===- GpuApi.cpp - the entry points of a vendor's library ----------------===//
#include "runtime/drivers/gpu/GpuApi.h"

#include <cstring>
#include <dlfcn.h>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

void *gpu::openLibrary(const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

bool gpu::findEntryPoints(void *library, std::span<const EntryPoint> points,
                          void *out) {
  for (const EntryPoint &point : points) {
    void *address = dlsym(library, point.name);
    if (!address)
      return false;
    std::memcpy(static_cast<char *>(out) + point.offset, &address,
                sizeof(address));
  }
  return true;
}
