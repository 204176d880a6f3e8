/*===- runtime.h - load packages and run them: the C interface ------------===*\
|*
|* The runtime knows nothing of the compiler: it loads a package, allocates,
|* transfers and launches. C99, prefix tensorc_rt_. It includes its two parts:
|* runtime_calls.h (custom calls, elements of arrays) and runtime_threads.h
|* (threads, hooks, counters).
|*
|* Errors.  A function that can fail returns a status that the caller owns: NULL
|* is success, anything else is freed with tensorc_rt_status_free. On failure
|* the out parameters are set to NULL or 0. Bad arguments and bad files never
|* abort the process. NULL where a comment does not allow it is a
|* TENSORC_RT_INVALID_ARGUMENT; functions without a status ignore it and return
|* 0, NULL or "".
|*
|* Ownership.  Objects are reference-counted. A function that gives an object
|* through an out parameter gives one reference, which the caller releases.
|* Objects keep alive what they need (a view its buffer, a module its device).
|* Every release accepts NULL.
|*
|* Threads.  Every function may be called from any thread at any time, the same
|* object included, unless its comment says otherwise. What kernels do to the
|* bytes of a buffer is ordered by streams and events only.
|*
|* Processes.  A child of fork may use the runtime and the parent's objects, also
|* if other threads of the parent were inside the runtime. Work that was under way
|* on a stream belongs to the parent: waiting for it in the child is a
|* TENSORC_RT_DEVICE_ERROR, and after that the stream works in the child. The
|* library stays loaded after dlclose, installs no signal handlers, and reads
|* TENSORC_DEVICE and TENSORC_NUM_THREADS of the environment.
|*
|* Callbacks.  A function of the embedder may be C++ that throws. Its exception
|* becomes a status of TENSORC_RT_CUSTOM_CALL. Exceptions of deleters are
dropped;
|* tensorc_rt_parallel_for_fn says what becomes of its own.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_RUNTIME_H
#define TENSORC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TENSORC_RT_API __attribute__((visibility("default")))
#else
#define TENSORC_RT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of dimensions of a value. */
#define TENSORC_RT_MAX_RANK 16

typedef struct tensorc_rt_status tensorc_rt_status;
typedef struct tensorc_rt_device tensorc_rt_device;
typedef struct tensorc_rt_buffer tensorc_rt_buffer;
typedef struct tensorc_rt_stream tensorc_rt_stream;
typedef struct tensorc_rt_event tensorc_rt_event;
typedef struct tensorc_rt_module tensorc_rt_module;
typedef struct tensorc_rt_entry tensorc_rt_entry;
typedef struct tensorc_rt_cancellation tensorc_rt_cancellation;
typedef struct tensorc_rt_communicator tensorc_rt_communicator;

/* The runtime's version, "0.3.0". Static. */
TENSORC_RT_API const char *tensorc_rt_version(void);

/*===-- Status -----------------------------------------------------------===*/

typedef enum tensorc_rt_code {
  TENSORC_RT_OK = 0,
  TENSORC_RT_INVALID_ARGUMENT = 1, /* a wrong call */
  TENSORC_RT_INVALID_PACKAGE = 2,  /* the bytes are not a valid package */
  TENSORC_RT_NOT_FOUND = 3,        /* no such device, entry, file, ... */
  TENSORC_RT_OUT_OF_MEMORY = 4,    /* no memory, or over the limit */
  TENSORC_RT_FAILED_PRECONDITION =
      5,                       /* an assert of the program does not hold */
  TENSORC_RT_UNSUPPORTED = 6,  /* this device cannot do it */
  TENSORC_RT_DEVICE_ERROR = 7, /* the device or the system failed */
  TENSORC_RT_CUSTOM_CALL = 8,  /* a function of the embedder failed */
  TENSORC_RT_CANCELLED = 9,    /* tensorc_rt_cancel */
  TENSORC_RT_DEADLINE_EXCEEDED = 10,  /* of a run's options */
  TENSORC_RT_RESOURCE_EXHAUSTED = 11, /* max_instructions of a run's options */
  TENSORC_RT_UNTRUSTED = 12 /* the package is not one that may be loaded */
} tensorc_rt_code;

/* A new status with a copy of the message, for custom calls. Never NULL unless
   the code is TENSORC_RT_OK. */
TENSORC_RT_API tensorc_rt_status *tensorc_rt_status_create(tensorc_rt_code code,
                                                           const char *message);
/* The status' code; TENSORC_RT_OK for NULL. */
TENSORC_RT_API tensorc_rt_code
tensorc_rt_status_code(const tensorc_rt_status *status);
/* The status' message, alive as long as the status; "" for NULL. */
TENSORC_RT_API const char *
tensorc_rt_status_message(const tensorc_rt_status *status);
TENSORC_RT_API void tensorc_rt_status_free(tensorc_rt_status *status);

/*===-- Types ------------------------------------------------------------===*/

/* Element types. The numbers are part of the package format. */
typedef enum tensorc_rt_dtype {
  TENSORC_RT_NONE = 0,
  TENSORC_RT_I1 = 1, /* one byte, 0 or 1 */
  TENSORC_RT_I8 = 2,
  TENSORC_RT_I16 = 3,
  TENSORC_RT_I32 = 4,
  TENSORC_RT_I64 = 5,
  TENSORC_RT_UI8 = 6,
  TENSORC_RT_UI16 = 7,
  TENSORC_RT_UI32 = 8,
  TENSORC_RT_UI64 = 9,
  TENSORC_RT_F16 = 10,
  TENSORC_RT_BF16 = 11,
  TENSORC_RT_F32 = 12,
  TENSORC_RT_F64 = 13,
  TENSORC_RT_I4 = 14, /* two to a byte, the low nibble first */
  TENSORC_RT_UI4 = 15,
  TENSORC_RT_F8E4M3FN = 16,
  TENSORC_RT_F8E5M2 = 17,
  TENSORC_RT_C64 = 18, /* complex<f32>: a real and an imaginary part */
  TENSORC_RT_C128 = 19,
  TENSORC_RT_INDEX = 20 /* the value of a named dimension: a 64-bit scalar */
} tensorc_rt_dtype;

/* "f32", "ui8", ...; "?" for an unknown value. Static. */
TENSORC_RT_API const char *tensorc_rt_dtype_name(tensorc_rt_dtype dtype);
/* Bits of one element (8 for i1, 4 for i4); 0 for an unknown value. */
TENSORC_RT_API int32_t tensorc_rt_dtype_bits(tensorc_rt_dtype dtype);
/* Bytes of a dense value of this type and shape; fails on a negative dim, an
   unknown dtype or an overflow. `dims` may be NULL when the rank is 0. */
TENSORC_RT_API tensorc_rt_status *tensorc_rt_byte_size(tensorc_rt_dtype dtype,
                                                       int32_t rank,
                                                       const int64_t *dims,
                                                       size_t *out_size);

/*===-- Devices ----------------------------------------------------------===*/

/* The number of devices of all drivers, and each of them in a fixed order. */
TENSORC_RT_API int32_t tensorc_rt_device_count(void);
/* Device i, or NULL when there is none. Devices live as long as the process:
   they are not released. */
TENSORC_RT_API tensorc_rt_device *tensorc_rt_device_get(int32_t index);
/* Finds a device by name: "cpu" (the first of its kind), "cpu:0", "null", or a
   simulated chip that is not among those above, "sim:gfx942", "sim:gfx942:1".
   NULL stands for the default device: TENSORC_DEVICE of the environment, or
   cpu. It is also cpu if TENSORC_DEVICE is "auto": only the compiler knows
   that. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_find(const char *name, tensorc_rt_device **out_device);

typedef struct tensorc_rt_device_properties {
  const char *name;        /* "cpu:0"; static */
  const char *description; /* the hardware's own name; static */
  const char *target;   /* the best target it takes, "cpu:x86-64-v4"; static */
  int32_t threads;      /* the most that work at once on one launch */
  int32_t computes;     /* 0: accepts programs, and results are zeros */
  int32_t host_visible; /* buffers' bytes can be touched by the host */
  uint64_t memory;      /* bytes it has */
  /* Of a GPU, simulated or not; 0 for others. */
  int32_t multiprocessors; /* what blocks are spread over */
  int32_t subgroup;        /* threads that run together: 32 or 64 */
  int32_t max_block;       /* threads that a block may have */
  int32_t capability_major,
      capability_minor;  /* 9, 0 of sm_90; 9, 4 of gfx942 */
  int32_t shared_memory; /* maximum bytes per block, with opt-in */
} tensorc_rt_device_properties;

TENSORC_RT_API void
tensorc_rt_device_get_properties(const tensorc_rt_device *device,
                                 tensorc_rt_device_properties *out_properties);
/* Whether the device runs code for this target ("cpu:x86-64-v3"): 0 when not,
   else larger for what fits it better. */
TENSORC_RT_API int32_t
tensorc_rt_device_accepts(const tensorc_rt_device *device, const char *target);

/*===-- Memory -----------------------------------------------------------===*/

typedef struct tensorc_rt_memory_stats {
  uint64_t allocated;   /* bytes in use, as requested and rounded up */
  uint64_t peak;        /* the most that were in use since the last reset */
  uint64_t cached;      /* bytes kept for the next allocation */
  uint64_t limit;       /* 0: none */
  uint64_t allocations; /* how many were made */
  uint64_t cache_hits;  /* how many of them the cache served */
  uint64_t free;  /* bytes that nobody uses now, other processes counted */
  uint64_t total; /* bytes that the device has */
} tensorc_rt_memory_stats;

TENSORC_RT_API void
tensorc_rt_device_memory(const tensorc_rt_device *device,
                         tensorc_rt_memory_stats *out_stats);
/* An allocation that would take `allocated` past the limit fails with
   TENSORC_RT_OUT_OF_MEMORY. 0 takes the limit away. */
TENSORC_RT_API void
tensorc_rt_device_set_memory_limit(tensorc_rt_device *device, uint64_t limit);
/* Sets the peak to what is in use now. */
TENSORC_RT_API void tensorc_rt_device_reset_peak(tensorc_rt_device *device);
/* Gives cached blocks back to the system. An allocation does so by itself, and
   waits for the memory that streams still use, before it fails. Its message
   then has the free bytes, and the largest buffers with an origin. */
TENSORC_RT_API void tensorc_rt_device_trim(tensorc_rt_device *device);

/*===-- Buffers ----------------------------------------------------------===*/

/* A new buffer of `size` bytes, aligned to 64, undefined inside. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_allocate(tensorc_rt_device *device, size_t size,
                           tensorc_rt_buffer **out_buffer);

typedef void (*tensorc_rt_deleter)(void *user, void *data);

/* A buffer over the caller's memory, without a copy. The memory must stay valid
   and unchanged by others until `deleter` (NULL: none) is called, once, from
   whatever thread drops the last reference. When this fails the deleter is not
   called. The pointer must be a multiple of 64; on the cpu, of the size of the
   elements that programs read there, but of 64 where they write (donated
   inputs). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_wrap(tensorc_rt_device *device, void *data, size_t size,
                       tensorc_rt_deleter deleter, void *user,
                       tensorc_rt_buffer **out_buffer);
/* A part of a buffer; keeps it alive. The offset must be a multiple of 64. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_view(tensorc_rt_buffer *buffer, size_t offset, size_t size,
                       tensorc_rt_buffer **out_buffer);
TENSORC_RT_API void tensorc_rt_buffer_retain(tensorc_rt_buffer *buffer);
TENSORC_RT_API void tensorc_rt_buffer_release(tensorc_rt_buffer *buffer);
/* The references held: 1 means that only the caller's is left. */
TENSORC_RT_API uint32_t
tensorc_rt_buffer_references(const tensorc_rt_buffer *buffer);
/* Whether the next work on the stream (NULL: the default stream) may write to
   the buffer: 1 if it is a whole buffer of tensorc_rt_buffer_allocate, the
   caller has the only reference, and no other stream uses it. */
TENSORC_RT_API int32_t tensorc_rt_buffer_is_exclusive(
    const tensorc_rt_buffer *buffer, tensorc_rt_stream *stream);
/* Its address in the device's memory. On a host-visible device the host may
   read and write there once the streams that use the buffer are synchronized.
 */
TENSORC_RT_API void *tensorc_rt_buffer_data(const tensorc_rt_buffer *buffer);
TENSORC_RT_API size_t tensorc_rt_buffer_size(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_buffer_device(const tensorc_rt_buffer *buffer);

/* A run or copy on an asynchronous stream writes its buffer later. `query` is 1
   when the bytes are there, `synchronize` waits for them. If the work that
   should have written them failed, every wait, read or run that needs them
   gives its error. Other streams wait by themselves before they use the buffer.
 */
TENSORC_RT_API int32_t tensorc_rt_buffer_query(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_synchronize(tensorc_rt_buffer *buffer);
/* For work that the runtime did not give to the stream (NULL: the default
   stream). The work that the stream has been given so far writes the buffer.
   The caller must have the only reference. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_written_on(tensorc_rt_buffer *buffer,
                             tensorc_rt_stream *stream);
/* Work that the stream is given from now on, by whomever, finds the bytes
   there. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_ready_on(tensorc_rt_buffer *buffer,
                           tensorc_rt_stream *stream);
/* The work that the stream has been given so far uses the buffer. After the
   last release its memory is used again only after that work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_used_on(tensorc_rt_buffer *buffer, tensorc_rt_stream *stream);
/* The place in the user's program that a message about memory names; the text
   lives as long as the process. */
TENSORC_RT_API void tensorc_rt_buffer_set_origin(tensorc_rt_buffer *buffer,
                                                 const char *file,
                                                 uint32_t line);

/* Copies in stream order (NULL: the default stream). Bounds are checked; ranges
   must not overlap. Both buffers stay alive until the copy is done. They may be
   on different devices, and the stream on either: what comes to a host-visible
   device is there when this returns. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_copy(tensorc_rt_buffer *target, size_t target_offset,
                       tensorc_rt_buffer *source, size_t source_offset,
                       size_t size, tensorc_rt_stream *stream);
/* Host to device, in stream order; returns when `data` may be changed again.
   May synchronize, and then give an error of the stream's earlier work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_write(tensorc_rt_buffer *target, size_t offset,
                        const void *data, size_t size,
                        tensorc_rt_stream *stream);
/* Device to host, in stream order; returns when `data` holds the bytes.
   Synchronizes, so it may give an error of the stream's earlier work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_read(tensorc_rt_buffer *source, size_t offset, void *data,
                       size_t size, tensorc_rt_stream *stream);

/*===-- Streams and events -----------------------------------------------===*/

/* Work on a stream happens in the order in which it was given. Where a stream
   may be NULL, that is the device's default stream; on the cpu it does the work
   on the calling thread before the call returns. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_create(tensorc_rt_device *device,
                         tensorc_rt_stream **out_stream);
/* A stream that another library made for the device and that outlives this one:
   a CUstream or hipStream_t. NULL is the default stream of that library. In
   CUDA 1 also means the default stream, and 2 the default stream of the thread.
   TENSORC_RT_UNSUPPORTED on devices without such streams. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_wrap(tensorc_rt_device *device, void *native,
                       tensorc_rt_stream **out_stream);
/* The CUstream or hipStream_t, for other libraries; NULL on other devices. */
TENSORC_RT_API void *tensorc_rt_stream_native(tensorc_rt_stream *stream);
/* The stream that NULL stands for; it is not released. NULL when there is no
   memory or thread for it. */
TENSORC_RT_API tensorc_rt_stream *
tensorc_rt_device_default_stream(tensorc_rt_device *device);
/* Waits for all streams of the device; the first error of any. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_synchronize(tensorc_rt_device *device);
TENSORC_RT_API void tensorc_rt_stream_retain(tensorc_rt_stream *stream);
/* Work that is under way goes on; the last release waits for it. */
TENSORC_RT_API void tensorc_rt_stream_release(tensorc_rt_stream *stream);
/* Waits until the stream is idle. Returns the first error of its work since the
   last call, and forgets it; work after an error is skipped up to here. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_synchronize(tensorc_rt_stream *stream);
/* 1 when the stream is idle, 0 when not. Does not wait. */
TENSORC_RT_API int32_t tensorc_rt_stream_query(tensorc_rt_stream *stream);
/* Work given to `stream` after this waits for the event's latest record; does
   nothing when it was never recorded. The two may be on different devices. When
   the work before the event failed, the waiting stream's fails too. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_wait(tensorc_rt_stream *stream, tensorc_rt_event *event);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_stream_device(const tensorc_rt_stream *stream);

TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_create(tensorc_rt_device *device,
                        tensorc_rt_event **out_event);
TENSORC_RT_API void tensorc_rt_event_retain(tensorc_rt_event *event);
TENSORC_RT_API void tensorc_rt_event_release(tensorc_rt_event *event);
/* The event is reached when the stream's work so far is done. Recording again
   replaces the earlier record. A NULL stream is the default one. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_record(tensorc_rt_event *event, tensorc_rt_stream *stream);
/* Waits for the latest record; returns at once when there is none. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_synchronize(tensorc_rt_event *event);
/* 1 when the latest record is reached or there is none, 0 when not. */
TENSORC_RT_API int32_t tensorc_rt_event_query(tensorc_rt_event *event);
/* Nanoseconds between two reached records; fails when one is not reached. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_elapsed(tensorc_rt_event *start, tensorc_rt_event *stop,
                         int64_t *out_nanoseconds);

/*===-- Modules ----------------------------------------------------------===*/

typedef enum tensorc_rt_load_mode {
  TENSORC_RT_COPY = 0,  /* the bytes are copied; free them when you like */
  TENSORC_RT_BORROW = 1 /* used in place until `deleter` is called */
} tensorc_rt_load_mode;

/* Loads a package from a file for a device (NULL: the default device). The
   section whose target fits the device best is taken. The file is mapped:
   constants are paged in when they are used, and processes that load the same
   file share them. It must not change while the module lives; replace it by a
   rename. Its kernels are code that this process runs: load packages only from
   where you would load a shared library, or with a digest that you know. A
   damaged package is refused, as far as damage shows without running the
   kernels. Constants in a file of their own are looked for beside the
   package. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load(tensorc_rt_device *device, const char *path,
                tensorc_rt_module **out_module);
/* The same from bytes in memory. With TENSORC_RT_BORROW they stay valid and
   unchanged until the deleter (may be NULL) is called. It is called also when
   loading fails. With TENSORC_RT_COPY the deleter is ignored. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load_bytes(tensorc_rt_device *device, const void *data, size_t size,
                      tensorc_rt_load_mode mode, tensorc_rt_deleter deleter,
                      void *user, tensorc_rt_module **out_module);
typedef struct tensorc_rt_load_options {
  size_t struct_size; /* sizeof(tensorc_rt_load_options) */
  /* The SHA-256 of the whole file in 64 hexadecimal digits, as sha256sum prints
     it: any other file is refused with TENSORC_RT_UNTRUSTED. NULL: any, or
     those of tensorc_rt_trust_only. Constants in a file of their own are data,
     and not part of it. */
  const char *sha256;
  /* 1: loaded although tensorc_rt_trust_only does not name it: bytes that this
     process made itself. */
  int32_t is_trusted;
  /* 1: as tensorc_rt_module_verify, before the load returns: a package with an
     altered constant is refused with TENSORC_RT_INVALID_PACKAGE. */
  int32_t verify_constants;
} tensorc_rt_load_options;

/* As above, with options (NULL: none). Where a digest is compared, the file is
   read into memory first: what was compared is what runs. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load_with(tensorc_rt_device *device, const char *path,
                     const tensorc_rt_load_options *options,
                     tensorc_rt_module **out_module);
TENSORC_RT_API tensorc_rt_status *tensorc_rt_load_bytes_with(
    tensorc_rt_device *device, const void *data, size_t size,
    tensorc_rt_load_mode mode, tensorc_rt_deleter deleter, void *user,
    const tensorc_rt_load_options *options, tensorc_rt_module **out_module);
/* From now on this process loads only packages with one of these SHA-256
   digests, packages with the digest that the load's options give, and what the
   JIT compiles in this process; the JIT does not use its disk cache then.
   Replaces an earlier list; a count of 0 refuses all other packages. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_trust_only(const char *const *digests, int32_t count);
/* Loads every package again. */
TENSORC_RT_API void tensorc_rt_trust_all(void);
TENSORC_RT_API void tensorc_rt_module_retain(tensorc_rt_module *module);
TENSORC_RT_API void tensorc_rt_module_release(tensorc_rt_module *module);
/* The compiler that wrote it, and the target of the section that was taken;
   alive as long as the module. */
TENSORC_RT_API const char *
tensorc_rt_module_compiler(const tensorc_rt_module *module);
TENSORC_RT_API const char *
tensorc_rt_module_target(const tensorc_rt_module *module);
/* A hash of the program that was compiled; 0 when it is not known. */
TENSORC_RT_API uint64_t
tensorc_rt_module_ir_hash(const tensorc_rt_module *module);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_module_device(const tensorc_rt_module *module);
/* The place in the user's program that a message about a kernel names, such as
   tensorc_rt_report_faults's, instead of the one that the package has; the text
   lives as long as the process. Kernels that the module lacks are ignored. */
TENSORC_RT_API void tensorc_rt_module_set_origin(tensorc_rt_module *module,
                                                 const char *kernel,
                                                 const char *file,
                                                 uint32_t line);
/* Reads every constant and compares it with the hash that the compiler wrote,
   several of them at once; TENSORC_RT_INVALID_PACKAGE when one was altered.
   Loading checks everything else, but leaves constants on disk until they are
   used, unless its options say verify_constants. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_module_verify(const tensorc_rt_module *module);
/* Its entries; they live as long as the module and are not released. */
TENSORC_RT_API int32_t
tensorc_rt_module_entry_count(const tensorc_rt_module *module);
/* Entry i, or NULL when there is none. */
TENSORC_RT_API const tensorc_rt_entry *
tensorc_rt_module_entry(const tensorc_rt_module *module, int32_t index);
/* Finds an entry by name; NULL stands for the only one, or "main". */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_module_find(const tensorc_rt_module *module, const char *name,
                       const tensorc_rt_entry **out_entry);

/* One input or output of an entry. All pointers live as long as the module. */
typedef struct tensorc_rt_value_info {
  const char *name;
  tensorc_rt_dtype dtype;
  int32_t is_scalar; /* passed as a 64-bit word, not as a buffer */
  int32_t rank;
  const int64_t *dims; /* -1 where the size is not static */
  /* The size of each dim as text: "64", a name "n", or "n * 2 + 1". */
  const char *const *dim_names;
  /* The program's tx.donated: the caller need not keep an input's contents.
     A run writes there only if the caller says so, too (tensorc_rt_run_into).
   */
  int32_t is_donated;
} tensorc_rt_value_info;

TENSORC_RT_API const char *tensorc_rt_entry_name(const tensorc_rt_entry *entry);
TENSORC_RT_API int32_t
tensorc_rt_entry_input_count(const tensorc_rt_entry *entry);
TENSORC_RT_API int32_t
tensorc_rt_entry_output_count(const tensorc_rt_entry *entry);
/* Describes input or output i. Fails if the entry has no such value. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_entry_input(const tensorc_rt_entry *entry, int32_t index,
                       tensorc_rt_value_info *out_info);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_entry_output(const tensorc_rt_entry *entry, int32_t index,
                        tensorc_rt_value_info *out_info);

/*===-- Running ----------------------------------------------------------===*/

typedef struct tensorc_rt_arg {
  tensorc_rt_buffer *buffer; /* NULL for a scalar; else at least as large as
                                its shape needs; borrowed */
  uint64_t word;             /* a scalar's bits, in the low bytes */
  const int64_t *dims;       /* of a buffer; may be NULL when the rank is 0 */
  int32_t rank;
  tensorc_rt_dtype dtype; /* of the buffer; not looked at for a scalar */
} tensorc_rt_arg;

typedef struct tensorc_rt_output {
  tensorc_rt_buffer *buffer; /* one reference, the caller's */
  tensorc_rt_dtype dtype;
  int32_t rank;
  int64_t dims[TENSORC_RT_MAX_RANK];
} tensorc_rt_output;

/* Runs an entry. Arguments are checked against the signature (number, dtype,
   rank, static dims, size of the buffer); the program itself checks that named
   dims agree. On success `outputs` holds a buffer and shape for each output; on
   failure no buffers. On a created stream the call returns before the work is
   done: synchronize before touching results, and errors of the device come from
   tensorc_rt_stream_synchronize. Arguments stay alive until the work is done.
   An output may be the buffer of an argument; it then has one more reference.
 */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
               int32_t arg_count, tensorc_rt_output *outputs,
               int32_t output_count, tensorc_rt_stream *stream);

/* Ends the runs whose options name it, also those that begin later: they fail
   with TENSORC_RT_CANCELLED before their next kernel. A kernel that runs is not
   stopped. tensorc_rt_cancel may be called from a signal handler. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_cancellation_create(tensorc_rt_cancellation **out_cancellation);
TENSORC_RT_API void
tensorc_rt_cancellation_retain(tensorc_rt_cancellation *cancellation);
TENSORC_RT_API void
tensorc_rt_cancellation_release(tensorc_rt_cancellation *cancellation);
TENSORC_RT_API void tensorc_rt_cancel(tensorc_rt_cancellation *cancellation);

typedef struct tensorc_rt_run_options {
  size_t struct_size;                    /* sizeof(tensorc_rt_run_options) */
  tensorc_rt_cancellation *cancellation; /* NULL: none; kept by the run */
  /* CLOCK_MONOTONIC; no kernel begins from then on, and the run fails with
     TENSORC_RT_DEADLINE_EXCEEDED. 0: none. */
  int64_t deadline_ns;
  /* The most 32-bit words of the program's own code that run between two
     launches of kernels or calls of functions. It ends loops that would never
     end: the run fails with TENSORC_RT_RESOURCE_EXHAUSTED. 0: 134,217,728, far
     more than compiled programs need. */
  uint64_t max_instructions;
  /* Connects the ranks of collectives (communicator.h), on the run's device;
     kept by the run. NULL: there is one rank. */
  tensorc_rt_communicator *communicator;
} tensorc_rt_run_options;

/* tensorc_rt_run with options (NULL: the thread's). On a created stream the
   options are checked when the stream reaches the work, and the error is the
   stream's. On a stream of a GPU they are checked only until the work is given
   to it. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run_with(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t arg_count, tensorc_rt_output *outputs,
                    int32_t output_count, tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options);
typedef enum tensorc_rt_donation {
  TENSORC_RT_KEPT = 0,
  TENSORC_RT_DONATED = 1,
  /* A run that fails leaves it as it was. */
  TENSORC_RT_DONATED_ON_SUCCESS = 2
} tensorc_rt_donation;
/* Memory of the caller that a run may write. */
typedef struct tensorc_rt_run_memory {
  size_t struct_size; /* sizeof(tensorc_rt_run_memory) */
  /* NULL, or a tensorc_rt_donation for each argument: whether its buffer is
     given up. Nobody else may then read it during the run, its contents are
     undefined afterwards, and an output may be the same buffer, with one more
     reference. Only whole buffers of tensorc_rt_buffer_allocate are reused. */
  const uint8_t *donated;
  /* NULL, or for each output NULL or a buffer of the module's device for the
     value. The buffer is large enough, and does not overlap an argument or
     another of these buffers. The output is then this buffer, with one more
     reference. If its address is not a multiple of 64 the value is copied
     there. */
  tensorc_rt_buffer *const *outputs;
} tensorc_rt_run_memory;
/* tensorc_rt_run_with, in memory of the caller (NULL: all is allocated). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run_into(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t arg_count, const tensorc_rt_run_memory *memory,
                    tensorc_rt_output *outputs, int32_t output_count,
                    tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options);
/* The options of all runs of the calling thread that are given none, including
   those of the JIT; NULL: no options. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_set_run_options(const tensorc_rt_run_options *options);

typedef struct tensorc_rt_memory_plan {
  uint64_t inputs;  /* bytes of the arguments */
  uint64_t outputs; /* bytes that the results keep, rounded as allocated */
  uint64_t peak;    /* the most that the run allocates at once, results
                       included, arguments and constants not */
} tensorc_rt_memory_plan;
/* What a run with arguments of these shapes will allocate; their buffers may be
   NULL. Nothing is allocated or computed. TENSORC_RT_UNSUPPORTED where sizes
   depend on values that the program computes. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_entry_memory(const tensorc_rt_entry *entry,
                        const tensorc_rt_arg *args, int32_t arg_count,
                        tensorc_rt_memory_plan *out_plan);

#ifdef __cplusplus
}
#endif

#include "runtime_calls.h"
#include "runtime_threads.h"
#endif
