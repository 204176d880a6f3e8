/*===- Shim.h - what the runtime needs of an MPI library -----------*- C -*-===*\
|*
|* MPI libraries have different ABIs. One small library is compiled against each
|* of them, and offers these functions. Communicators and requests are words.
|* Functions return MPI_SUCCESS (0) or the library's error.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_RUNTIME_COLLECTIVES_MPI_SHIM_H
#define TENSORC_RUNTIME_COLLECTIVES_MPI_SHIM_H

#include <stdint.h>

#define TENSORC_MPI_SHIM_VERSION 3

struct tensorc_mpi_shim {
  int32_t version; /* TENSORC_MPI_SHIM_VERSION */
  /* Initializes MPI unless that has happened; it then ends with the process.
     MPI_Finalize, whoever calls it, first calls `before_end`, and ends all
     processes by MPI_Abort if the result is 0. `concurrent`: any thread may call
     MPI at any time. */
  int (*initialize)(int (*before_end)(void), int *concurrent);
  /* Starts to copy the communicator of all processes. */
  int (*duplicate)(uint64_t *comm, uint64_t *request);
  int (*free_comm)(uint64_t *comm);
  /* Makes errors of a copy's messages return. Otherwise they end the process. */
  int (*return_errors)(uint64_t comm);
  /* True if MPI_Finalize was called. The functions below then fail, and `poll`
     finds nothing. */
  int (*has_ended)(void);
  int (*rank_and_size)(int *rank, int *size);
  int (*send)(uint64_t comm, const void *data, int bytes, int peer, int tag,
              uint64_t *request);
  int (*receive)(uint64_t comm, void *data, int bytes, int peer, int tag,
                 uint64_t *request);
  int (*test)(uint64_t *request, int *done);
  /* Receives a message from any rank, if there is one. `peer` becomes that rank,
     or -1. */
  int (*poll)(uint64_t comm, void *data, int bytes, int tag, int *peer);
  void (*error_text)(int code, char *text, int size);
};

typedef const struct tensorc_mpi_shim *(*tensorc_mpi_shim_fn)(void);

#endif
