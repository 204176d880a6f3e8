//===- Library.h - the process' MPI library ---------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_MPI_LIBRARY_H
#define TENSORC_RUNTIME_COLLECTIVES_MPI_LIBRARY_H

#include "runtime/collectives/mpi/Shim.h"
#include "runtime/core/Status.h"

namespace tensorc::rt::mpi {

/// An MPI library that is loaded and initialized, for good.
struct Library {
  const tensorc_mpi_shim *shim = nullptr;
  bool isConcurrent = false; // any thread may call it
  int rank = 0, size = 1;

  Status check(int code, const char *doing) const;
};

/// Finds the library that the process has loaded, that TENSORC_MPI names, or
/// that belongs to the launcher, in this order.
Status findLibrary(const Library *&out);

} // namespace tensorc::rt::mpi

#endif
