//===- Library.h - the MPI library of the process ---------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_MPI_LIBRARY_H
#define TENSORC_RUNTIME_COLLECTIVES_MPI_LIBRARY_H

#include "runtime/collectives/mpi/Shim.h"
#include "runtime/core/Status.h"

namespace tensorc::rt::mpi {

/// An MPI library that is loaded and initialized. It is never unloaded.
struct Library {
  const tensorc_mpi_shim *shim = nullptr;
  bool isConcurrent = false; // any thread may call it
  int rank = 0, size = 1;

  Status check(int code, const char *doing) const;
};

/// Finds an MPI library: the one that the process has loaded, else the one that
/// TENSORC_MPI names, else the one of the launcher. `beforeEnd` is that of the
/// shim's `initialize`.
Status findLibrary(const Library *&out, int (*beforeEnd)());

} // namespace tensorc::rt::mpi

#endif
