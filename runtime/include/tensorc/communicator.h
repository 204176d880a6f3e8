/*===- communicator.h - collectives over several devices -------------------===*\
|*
|* A communicator connects ranks, each of which is a device with its part of the
|* data. All ranks call the same collectives in the same order. The rules of
|* runtime.h hold here, too. docs/distributed.md shows it at work.
|*
|* Bits.  A reduction combines the ranks' elements in the order of the ranks,
|* in f32 where they are f16 or bf16, and rounds once. The bits of the result
|* are the same on all ranks, for all backends, and for all sizes. An exception
|* are sums and products of floats by NCCL, whose order and rounding NCCL
|* chooses.
|*
|* Errors.  A rank that fails, ends, or does not call a collective within the
|* time limit, and ranks that call different collectives, are an error on all
|* ranks. It names the rank and the collective. The communicator then gives this
|* error to every further call. A call that no rank could make (a reduction of
|* f8, a root that is no rank) is refused, and changes nothing.
|*
|* Processes.  A communicator belongs to the process that made it, not to a
|* child of fork.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_COMMUNICATOR_H
#define TENSORC_COMMUNICATOR_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Connects devices of this process: rank i is devices[i]. A device may be
   several ranks. Gives `count` communicators, one reference each. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_communicator_create_local(tensorc_rt_device *const *devices,
                                     int32_t count,
                                     tensorc_rt_communicator **out);
/* Connects the processes that mpirun has started: the rank is MPI's in
   MPI_COMM_WORLD, and all of them call this. MPI is initialized unless the
   program has done that. Its library is the one that the process has loaded,
   the one at the absolute path TENSORC_MPI, or the one of the launcher: Open
   MPI or MPICH. TENSORC_RT_NOT_FOUND if there is none. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_communicator_create_mpi(tensorc_rt_device *device,
                                   tensorc_rt_communicator **out);
/* Connects GPUs of one vendor by its library of collectives, NCCL or RCCL
   (version 2.18 or later): the one at the absolute path TENSORC_NCCL, or the one
   that the loader finds. Data stays in the memory of the GPUs. All ranks call
   this, each with its own GPU, at the same time. They exchange the library's id
   by the file `file`: an absolute path that does not exist yet, in a folder that
   all ranks see. It is created so that only this user can read it, and removed
   again. NULL: they are the processes that mpirun has started, and exchange the
   id by MPI, which sets rank and size. TENSORC_RT_UNSUPPORTED if the device's
   vendor has no such library. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_communicator_create_nccl(tensorc_rt_device *device, const char *file,
                                    int32_t rank, int32_t size,
                                    tensorc_rt_communicator **out);
TENSORC_RT_API void
tensorc_rt_communicator_retain(tensorc_rt_communicator *communicator);
/* The last release notifies the other ranks that this one has ended.
   Collectives that were started are finished. Ranks of NCCL are not notified:
   their collectives with this rank end by the time limit. */
TENSORC_RT_API void
tensorc_rt_communicator_release(tensorc_rt_communicator *communicator);
/* Its rank, from 0, and the number of ranks; 0 for NULL. */
TENSORC_RT_API int32_t
tensorc_rt_communicator_rank(const tensorc_rt_communicator *communicator);
TENSORC_RT_API int32_t
tensorc_rt_communicator_size(const tensorc_rt_communicator *communicator);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_communicator_device(const tensorc_rt_communicator *communicator);
/* "local", "mpi" or "nccl". Static; "" for NULL. */
TENSORC_RT_API const char *
tensorc_rt_communicator_backend(const tensorc_rt_communicator *communicator);
/* What this rank has called, since its communicator was made. */
typedef struct tensorc_rt_communicator_counters {
  uint64_t collectives; /* number of collectives that were started */
  /* Bytes that the rank had to send for them: of n ranks and an input of b bytes,
     2 b (n - 1) / n for all_reduce, b (n - 1) for all_gather, b for a permute that
     moves anything, and b (n - 1) / n for the others. Backends send no less. */
  uint64_t bytes_sent;
} tensorc_rt_communicator_counters;

/* Zeros for NULL. */
TENSORC_RT_API void tensorc_rt_communicator_get_counters(
    const tensorc_rt_communicator *communicator,
    tensorc_rt_communicator_counters *out);
/* How long this rank waits for the others in one collective. At first
   TENSORC_COMMUNICATOR_TIMEOUT of the environment, in seconds, or 300 s. A
   number below 1 restores that. */
TENSORC_RT_API void
tensorc_rt_communicator_set_timeout(tensorc_rt_communicator *communicator,
                                    int64_t milliseconds);
/* Ends the collectives that wait for this rank, and all further ones, with
   TENSORC_RT_CANCELLED and this message: for a rank that cannot continue. */
TENSORC_RT_API void
tensorc_rt_communicator_abort(tensorc_rt_communicator *communicator,
                              const char *message);

typedef enum tensorc_rt_collective_kind {
  /* Each rank gets the combined inputs of all ranks. */
  TENSORC_RT_ALL_REDUCE = 0,
  /* Each rank gets the inputs of all ranks, in the order of the ranks. */
  TENSORC_RT_ALL_GATHER = 1,
  /* Rank r gets piece r of the combined inputs. */
  TENSORC_RT_REDUCE_SCATTER = 2,
  /* Rank r gets piece r of each rank's input, in the order of the ranks. */
  TENSORC_RT_ALL_TO_ALL = 3,
  /* Each rank gets the input of the root. */
  TENSORC_RT_BROADCAST = 4,
  /* The target of each pair gets the input of its source; ranks that are no
     target get zeros. */
  TENSORC_RT_PERMUTE = 5,
  /* A barrier, without data: no rank continues before all have called it. */
  TENSORC_RT_BARRIER = 6
} tensorc_rt_collective_kind;

typedef enum tensorc_rt_combiner {
  TENSORC_RT_SUM = 0,
  TENSORC_RT_PRODUCT = 1,
  TENSORC_RT_MIN = 2, /* NaN if there is one; -0 is less than 0 */
  TENSORC_RT_MAX = 3,
  TENSORC_RT_AND = 4, /* of bits; integers only, as OR */
  TENSORC_RT_OR = 5
} tensorc_rt_combiner;

typedef struct tensorc_rt_buffer_part {
  tensorc_rt_buffer *buffer;
  size_t offset; /* in bytes */
} tensorc_rt_buffer_part;

/* Groups of ranks, each of which performs a collective on its own. `ranks`
   lists the ranks of all groups, `size` per group, and has every rank of the
   communicator once. The order in a group is that of this list, and a root is
   a position in it. All ranks pass the same list. NULL: all ranks are one
   group. */
typedef struct tensorc_rt_groups {
  const int32_t *ranks;
  int32_t size;
} tensorc_rt_groups;

/* A collective. The buffers are on the communicator's device. Input and output
   do not overlap, except that they may be the same bytes in all_reduce and
   broadcast, and that the rank's own piece of an all_gather's output may be its
   input. */
typedef struct tensorc_rt_collective {
  size_t struct_size; /* sizeof(tensorc_rt_collective) */
  tensorc_rt_collective_kind kind;
  tensorc_rt_combiner combiner; /* all_reduce and reduce_scatter */
  /* All types can be moved; i4 and ui4 only if the count is even. i4, ui4 and f8
     cannot be combined, complex numbers only by sum and product, and i1 only by
     the other combiners. */
  tensorc_rt_dtype dtype;
  /* Number of elements of the input, or of one piece if the input or output
     consists of one piece for each rank. */
  int64_t count;
  int32_t root;         /* broadcast */
  int32_t pair_count;   /* permute */
  const int32_t *pairs; /* source, target, source, target, ... */
  tensorc_rt_buffer_part input, output;
  const char *name;         /* prefix of messages, or NULL; copied */
  tensorc_rt_groups groups; /* all kinds but permute */
} tensorc_rt_collective;

/* Starts a collective in stream order (NULL: the default stream). Buffers stay
   alive until it is done. On a created stream the call returns before that, and
   the stream reports errors of other ranks. On the cpu's default stream the call
   waits for the other ranks, which therefore need threads or streams of their
   own. If a rank calls on several streams, the order of its calls decides which
   calls of other ranks they are matched with. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_communicate(tensorc_rt_communicator *communicator,
                       const tensorc_rt_collective *collective,
                       tensorc_rt_stream *stream);

/* The communicator of the calling thread's runs (tensorc_rt_set_run_options);
   NULL: none. The caller does not release it. */
TENSORC_RT_API tensorc_rt_communicator *tensorc_rt_thread_communicator(void);

/* The function that the collectives of a compiled program call; it is always
   registered as "collective". The config is the kind and its parameters:
   "all_reduce sum ranks=4", "broadcast root=1 ranks=4",
   "permute 0>1 1>0 ranks=2", "partition_id ranks=4",
   "all_gather ranks=2 groups=0,2,1,3" of two ranks in each group. It uses the
   thread's communicator, without a stream, on memory that the host can
   address. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_collective_op(const tensorc_rt_op_call *call);

#ifdef __cplusplus
}
#endif

#endif
