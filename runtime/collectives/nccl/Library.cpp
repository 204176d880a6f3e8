//===- Library.cpp - a GPU vendor's library of collectives ----------------===//
#include "runtime/collectives/nccl/Library.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>

using namespace tensorc::rt;
using namespace tensorc::rt::nccl;

/// Version 2.18, the first that splits communicators.
static constexpr int minVersion = 21800;

Status Library::check(Result result, const char *doing) const {
  if (result == success || result == inProgress)
    return Status();
  const char *text = errorText(result);
  return error(TENSORC_RT_DEVICE_ERROR, "NCCL: %s: %s", doing,
               text ? text : "unknown error");
}

/// Opens the library that TENSORC_NCCL names, or the first candidate.
static Status openLibrary(std::span<const char *const> candidates,
                          void *&library) {
  const char *path = secure_getenv("TENSORC_NCCL");
  if (path && *path && *path != '/')
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "TENSORC_NCCL=%s is not an absolute path", path);
  std::string why;
  if (path && *path) {
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    why = library ? "" : dlerror();
  } else {
    for (const char *candidate : candidates) {
      library = dlopen(candidate, RTLD_NOW | RTLD_LOCAL);
      if (library)
        break;
      why += (why.empty() ? "" : "; ") + std::string(dlerror());
    }
  }
  return library
             ? Status()
             : error(TENSORC_RT_NOT_FOUND,
                     "no NCCL (TENSORC_NCCL names a library): %s", why.c_str());
}

static Status loadLibrary(std::span<const char *const> candidates,
                          Library &out) {
  void *library = nullptr;
  TENSORC_RT_TRY(openLibrary(candidates, library));
  auto find = [&](const char *name, auto &member) {
    void *address = dlsym(library, name);
    std::memcpy(&member, &address, sizeof address);
    return address ? Status()
                   : error(TENSORC_RT_UNSUPPORTED,
                           "NCCL: the library has no function %s", name);
  };
  TENSORC_RT_TRY(find("ncclGetErrorString", out.errorText));
#define X(member, name, parameters) TENSORC_RT_TRY(find(#name, out.member));
  TENSORC_NCCL_ENTRY_POINTS(X)
#undef X
  int version = 0;
  TENSORC_RT_TRY(out.check(out.version(&version), "version"));
  if (version < minVersion)
    return error(TENSORC_RT_UNSUPPORTED,
                 "NCCL: the library is version %d.%d; 2.18 is needed",
                 version / 10000, version / 100 % 100);
  return Status();
}

Status tensorc::rt::nccl::findLibrary(Device &device, const Library *&out) {
  return device.withCollectives([&](auto candidates) -> Status {
    if (candidates.empty())
      return error(TENSORC_RT_UNSUPPORTED,
                   "%s: NCCL connects GPUs whose vendor has such a library",
                   device.name());
    static std::mutex mutex;
    // Never destroyed: channels may use a library while the process exits.
    static auto *found = new std::map<const char *, const Library *>;
    std::lock_guard lock(mutex);
    const Library *&known = (*found)[candidates.front()];
    if (!known) {
      auto library = std::make_unique<Library>();
      TENSORC_RT_TRY(loadLibrary(candidates, *library));
      known = library.release();
    }
    out = known;
    return Status();
  });
}
