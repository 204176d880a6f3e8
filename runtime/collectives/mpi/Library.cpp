//===- Library.cpp - the MPI library of the process -----------------------===//
#include "runtime/collectives/mpi/Library.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <string_view>

using namespace tensorc::rt;
using namespace tensorc::rt::mpi;

namespace {
/// A kind of MPI library. Libraries of one kind share an ABI.
struct Kind {
  const char *name;     // name in the shim's file name, libtensorc_mpi_NAME.so
  const char *title;    // part of the text of MPI_Get_library_version
  const char *soname;   // file name of the library
  const char *variable; // environment variable that the launcher sets
};
} // namespace

static constexpr Kind kinds[] = {
    {"openmpi", "Open MPI", "libmpi.so.40", "OMPI_COMM_WORLD_SIZE"},
    {"mpich", "MPICH", "libmpich.so.12", "PMI_SIZE"}};

Status Library::check(int code, const char *doing) const {
  if (!code)
    return Status();
  char text[256] = "";
  shim->error_text(code, text, sizeof text);
  return error(TENSORC_RT_DEVICE_ERROR, "MPI: %s: %s", doing, text);
}

/// Returns the kind of a loaded library, according to its version text, or
/// null.
static const Kind *kindOf(void *library) {
  auto version = reinterpret_cast<int (*)(char *, int *)>(
      dlsym(library, "MPI_Get_library_version"));
  if (!version)
    return nullptr;
  char text[8192] = ""; // MPI_MAX_LIBRARY_VERSION_STRING
  int length = 0;
  version(text, &length);
  for (const Kind &kind : kinds)
    if (std::string_view(text).find(kind.title) != std::string_view::npos)
      return &kind;
  return nullptr;
}

static Status kindOfVariable(const char *path, const Kind *&out) {
  if (*path != '/')
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "TENSORC_MPI=%s is not an absolute path", path);
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return error(TENSORC_RT_NOT_FOUND, "TENSORC_MPI: %s", dlerror());
  out = kindOf(library);
  return out ? Status()
             : error(TENSORC_RT_UNSUPPORTED,
                     "TENSORC_MPI=%s is neither Open MPI nor MPICH", path);
}

static Status findKind(const Kind *&out) {
  for (const Kind &kind : kinds)
    if (void *loaded = dlopen(kind.soname, RTLD_NOW | RTLD_NOLOAD)) {
      dlclose(loaded);
      out = &kind;
      return Status();
    }
  const char *path = secure_getenv("TENSORC_MPI");
  if (path && *path)
    return kindOfVariable(path, out);
  for (const Kind &kind : kinds)
    if (secure_getenv(kind.variable)) {
      out = &kind;
      return Status();
    }
  return error(TENSORC_RT_NOT_FOUND,
               "no MPI: start the program by mpirun, load a library before "
               "(Python: import mpi4py.MPI), or name one by TENSORC_MPI");
}

/// Loads the shim for a kind of library from the folder of this library.
static Status loadShim(const Kind &kind, const tensorc_mpi_shim *&out) {
  Dl_info self = {};
  std::string folder;
  if (dladdr(reinterpret_cast<const void *>(&kinds), &self) && self.dli_fname)
    folder = self.dli_fname;
  size_t slash = folder.rfind('/');
  if (slash == folder.npos)
    return error(TENSORC_RT_NOT_FOUND, "MPI: the runtime's folder is unknown");
  std::string path =
      folder.substr(0, slash) + "/libtensorc_mpi_" + kind.name + ".so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s: this build of tensorc does not have it: %s", kind.title,
                 dlerror());
  auto get =
      reinterpret_cast<tensorc_mpi_shim_fn>(dlsym(library, "tensorc_mpi_shim"));
  out = get ? get() : nullptr;
  if (!out || out->version != TENSORC_MPI_SHIM_VERSION)
    return error(TENSORC_RT_UNSUPPORTED, "%s is of another version of tensorc",
                 path.c_str());
  return Status();
}

static Status startLibrary(Library &library, int (*beforeEnd)()) {
  const Kind *kind = nullptr;
  TENSORC_RT_TRY(findKind(kind));
  TENSORC_RT_TRY(loadShim(*kind, library.shim));
  int concurrent = 0;
  TENSORC_RT_TRY(
      library.check(library.shim->initialize(beforeEnd, &concurrent), //
                    "initialization"));
  library.isConcurrent = concurrent;
  if (!concurrent)
    std::fprintf(stderr,
                 "tensorc: MPI runs without MPI_THREAD_MULTIPLE: collectives "
                 "do not overlap with other work\n");
  return library.check(library.shim->rank_and_size(&library.rank, //
                                                   &library.size),
                       "rank and size");
}

Status tensorc::rt::mpi::findLibrary(const Library *&out, int (*beforeEnd)()) {
  static std::mutex mutex;
  static const Library *found = nullptr; // for good
  std::lock_guard lock(mutex);
  if (!found) {
    Library library;
    TENSORC_RT_TRY(startLibrary(library, beforeEnd));
    found = new Library(library);
  }
  out = found;
  return Status();
}
