/*===- shim.c - Shim.h on the MPI library that mpicc names ----------------===*/
#define _GNU_SOURCE
#include "runtime/collectives/mpi/Shim.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(MPI_Comm) <= 8 && sizeof(MPI_Request) <= 8,
               "handles are words");

static MPI_Comm comm_of(uint64_t word) {
  MPI_Comm comm;
  memcpy(&comm, &word, sizeof comm);
  return comm;
}

static void store_request(uint64_t *word, MPI_Request request) {
  *word = 0;
  memcpy(word, &request, sizeof request);
}

/* Threads of the runtime may still send notes, or look for them, while another
   one ends MPI. Calls of MPI hold the lock for reading. */
static pthread_rwlock_t in_use =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int is_ending = 0;

/* Returns 0, without the lock, if MPI may not be called any more. */
static int enter(void) {
  pthread_rwlock_rdlock(&in_use);
  if (!is_ending)
    return 1;
  pthread_rwlock_unlock(&in_use);
  return 0;
}

static int leave(int code) {
  pthread_rwlock_unlock(&in_use);
  return code;
}

static int (*may_end)(void);

/* Flushes a stream of output, unless another thread is blocked in a call for
   it. */
static void flush_if_free(FILE *stream) {
  if (ftrylockfile(stream) == 0) {
    fflush_unlocked(stream);
    funlockfile(stream);
  }
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, whoever calls
   it. */
static int note_end(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  if (!may_end()) {
    /* fflush(NULL) would wait for threads that read from, or write to, other
       files. */
    flush_if_free(stdout);
    flush_if_free(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
  }
  pthread_rwlock_wrlock(&in_use);
  is_ending = 1;
  pthread_rwlock_unlock(&in_use);
  return MPI_SUCCESS;
}

static int watch_end(void) {
  int key = MPI_KEYVAL_INVALID;
  int code =
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_end, &key, NULL);
  return code == MPI_SUCCESS ? MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL)
                             : code;
}

static void finalize(void) {
  int done = 0;
  if (MPI_Finalized(&done) == MPI_SUCCESS && !done)
    MPI_Finalize();
}

static int initialize(int (*before_end)(void), int *concurrent) {
  int done = 0, level = MPI_THREAD_SINGLE;
  may_end = before_end;
  int code = MPI_Initialized(&done);
  if (code == MPI_SUCCESS && !done) {
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    if (code == MPI_SUCCESS)
      atexit(finalize);
  } else if (code == MPI_SUCCESS) {
    code = MPI_Query_thread(&level);
  }
  *concurrent = level == MPI_THREAD_MULTIPLE;
  return code == MPI_SUCCESS ? watch_end() : code;
}

/* The library writes the communicator when the request is done. */
static int duplicate(uint64_t *comm, uint64_t *request) {
  MPI_Request made;
  *comm = 0;
  int code = MPI_Comm_idup(MPI_COMM_WORLD, (MPI_Comm *)comm, &made);
  if (code == MPI_SUCCESS)
    store_request(request, made);
  return code;
}

static int has_ended(void) {
  pthread_rwlock_rdlock(&in_use);
  return leave(is_ending);
}

static int free_comm(uint64_t *comm) {
  if (!enter())
    return MPI_SUCCESS;
  MPI_Comm copy = comm_of(*comm);
  return leave(MPI_Comm_free(&copy));
}

static int return_errors(uint64_t comm) {
  return MPI_Comm_set_errhandler(comm_of(comm), MPI_ERRORS_RETURN);
}

static int rank_and_size(int *rank, int *size) {
  int code = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return code == MPI_SUCCESS ? MPI_Comm_size(MPI_COMM_WORLD, size) : code;
}

static int send(uint64_t comm, const void *data, int bytes, int peer, int tag,
                uint64_t *request) {
  MPI_Request made;
  if (!enter())
    return MPI_ERR_OTHER;
  int code = MPI_Isend(data, bytes, MPI_BYTE, peer, tag, comm_of(comm), &made);
  if (code == MPI_SUCCESS)
    store_request(request, made);
  return leave(code);
}

static int receive(uint64_t comm, void *data, int bytes, int peer, int tag,
                   uint64_t *request) {
  MPI_Request made;
  if (!enter())
    return MPI_ERR_OTHER;
  int code = MPI_Irecv(data, bytes, MPI_BYTE, peer, tag, comm_of(comm), &made);
  if (code == MPI_SUCCESS)
    store_request(request, made);
  return leave(code);
}

static int test(uint64_t *request, int *done) {
  MPI_Request waited;
  if (!enter())
    return MPI_ERR_OTHER;
  memcpy(&waited, request, sizeof waited);
  int code = MPI_Test(&waited, done, MPI_STATUS_IGNORE);
  store_request(request, waited);
  return leave(code);
}

static int poll(uint64_t comm, void *data, int bytes, int tag, int *peer) {
  MPI_Status status;
  MPI_Message message;
  int found = 0;
  *peer = -1;
  if (!enter())
    return MPI_SUCCESS;
  int code = MPI_Improbe(MPI_ANY_SOURCE, tag, comm_of(comm), &found, &message,
                         &status);
  if (code != MPI_SUCCESS || !found)
    return leave(code);
  *peer = status.MPI_SOURCE;
  return leave(MPI_Mrecv(data, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE));
}

static void error_text(int code, char *text, int size) {
  char full[MPI_MAX_ERROR_STRING] = "MPI_Finalize was called";
  int length = 0;
  if (enter())
    leave(MPI_Error_string(code, full, &length));
  strncpy(text, full, (size_t)size - 1);
  text[size - 1] = 0;
}

__attribute__((visibility("default"))) const struct tensorc_mpi_shim *
tensorc_mpi_shim(void) {
  static const struct tensorc_mpi_shim shim = {TENSORC_MPI_SHIM_VERSION,
                                               initialize,
                                               duplicate,
                                               free_comm,
                                               return_errors,
                                               has_ended,
                                               rank_and_size,
                                               send,
                                               receive,
                                               test,
                                               poll,
                                               error_text};
  return &shim;
}
