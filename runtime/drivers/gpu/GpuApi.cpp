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

bool gpu::findEntryPoints(void *library, const EntryPoint *points, size_t count,
                          EntryPoints &out) {
  for (size_t i = 0; i < count; ++i) {
    void *address = dlsym(library, points[i].name);
    if (!address)
      return false;
    std::memcpy(reinterpret_cast<char *>(&out) + points[i].offset, &address,
                sizeof(address));
  }
  return true;
}
