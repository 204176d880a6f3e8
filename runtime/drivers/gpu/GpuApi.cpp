//===- GpuApi.cpp - the entry points of a vendor's library ----------------===//
#include "runtime/drivers/gpu/GpuApi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// True if the loader found no file of this name. If a file was found but needs
/// a missing library, the error begins with the missing library's name.
static bool isMissing(const std::string &error, const char *name) {
  return error.starts_with(std::string(name) + ": cannot open");
}

void *gpu::openLibrary(const char *const *names, size_t count,
                       std::vector<std::string> *refused) {
  for (size_t i = 0; i < count; ++i) {
    if (void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL))
      return library;
    const char *text = dlerror();
    std::string error = text ? text : "unknown error";
    if (refused && !isMissing(error, names[i]))
      refused->push_back(std::string(names[i]) + " does not load: " + error);
  }
  return nullptr;
}

const char *gpu::findEntryPoints(void *library,
                                 std::span<const EntryPoint> points,
                                 void *out) {
  for (const EntryPoint &point : points) {
    void *address = dlsym(library, point.name);
    if (!address)
      return point.name;
    std::memcpy(static_cast<char *>(out) + point.offset, &address,
                sizeof(address));
  }
  return nullptr;
}

std::string gpu::getLibraryPath(void *library) {
  link_map *map = nullptr;
  bool known = !dlinfo(library, RTLD_DI_LINKMAP, &map) && map && map->l_name;
  return known ? map->l_name : "";
}

int gpu::askVersion(void *library, const char *function) {
  auto ask = reinterpret_cast<Result (*)(int *)>(dlsym(library, function));
  int version = 0;
  return ask && ask(&version) == success ? version : 0;
}

bool gpu::readSwitch(const char *variable, bool usual) {
  const char *value = secure_getenv(variable);
  if (!value || !*value)
    return usual;
  bool isOne = !std::strcmp(value, "1");
  if (isOne || !std::strcmp(value, "0"))
    return isOne;
  std::fprintf(stderr, "tensorc: %s=%s is ignored: it is not 0 or 1\n",
               variable, value);
  return usual;
}
