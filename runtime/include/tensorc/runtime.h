/*===- runtime.h - load packages and run them: the C interface ------------===*\
|*
|* The runtime knows nothing of the compiler: it loads a package, allocates,
|* transfers and launches. C99, prefix tensorc_rt_.
|*
|* Errors.  A function that can fail returns a status that the caller owns: NULL
|* is success, anything else is freed with tensorc_rt_status_free. On failure
|* the out parameters are set to NULL or 0. Nothing aborts because of what a
|* user passes or a file holds: NULL, where a comment does not allow it, is a
|* TENSORC_RT_INVALID_ARGUMENT, and functions without a status do nothing with
|* it and give 0, NULL or "".
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
|* Processes.  A child of fork may use the runtime and what the parent made,
|* also when other threads of the parent were inside it. Work that was under way
|* on a stream is the parent's: waiting for it is a TENSORC_RT_DEVICE_ERROR in
|* the child, after which the stream works there. The library stays loaded after
|* dlclose, installs no signal handlers, and reads TENSORC_DEVICE and
|* TENSORC_NUM_THREADS of the environment.
|*
|* Callbacks.  A function of the embedder may be C++ that throws: what it throws
|* becomes a status of TENSORC_RT_CUSTOM_CALL, except for deleters, whose
|* exceptions are dropped, and tensorc_rt_parallel_for_fn.
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

/* The runtime's version, "0.1.0". Static. */
TENSORC_RT_API const char *tensorc_rt_version(void);

/*===-- Status -----------------------------------------------------------===*/

typedef enum tensorc_rt_code {
  TENSORC_RT_OK = 0,
  TENSORC_RT_INVALID_ARGUMENT = 1, /* a wrong call */
  TENSORC_RT_INVALID_PACKAGE = 2,  /* the bytes are no valid package */
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

/* "f32", "ui8", ...; "?" for what is none. Static. */
TENSORC_RT_API const char *tensorc_rt_dtype_name(tensorc_rt_dtype dtype);
/* Bits of one element (8 for i1, 4 for i4); 0 for what is none. */
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
   cpu, also where that is "auto", which only the compiler knows. */
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
  int32_t shared_memory; /* bytes that a block may have, asked for or not */
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
  uint64_t allocated;   /* bytes in use, as asked for and rounded up */
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
/* Gives cached blocks back to the system. An allocation that fails has done so,
   and waited for what streams still hold, before it gives up; its message has
   what is free, and the largest buffers with an origin. */
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
/* 1 for a whole buffer of tensorc_rt_buffer_allocate to which the caller has
   the only reference, and on which no stream works but this one (NULL: the
   default stream): what is given to it next may write there. */
TENSORC_RT_API int32_t tensorc_rt_buffer_is_exclusive(
    const tensorc_rt_buffer *buffer, tensorc_rt_stream *stream);
/* Its address in the device's memory. On a host-visible device the host may
   read and write there once the streams that use the buffer are synchronized.
 */
TENSORC_RT_API void *tensorc_rt_buffer_data(const tensorc_rt_buffer *buffer);
TENSORC_RT_API size_t tensorc_rt_buffer_size(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_buffer_device(const tensorc_rt_buffer *buffer);

/* A buffer that a run or copy on an asynchronous stream gave is written later.
   Whether its bytes are there (1), and waiting for them. When the work that
   should have written them failed, every wait, read or run that needs them
   gives its error. Other streams wait by themselves before they use it. */
TENSORC_RT_API int32_t tensorc_rt_buffer_query(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_synchronize(tensorc_rt_buffer *buffer);
/* The same for memory of others: what the stream has been given so far writes
   the buffer, which only the caller has seen (NULL: the default stream). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_written_on(tensorc_rt_buffer *buffer,
                             tensorc_rt_stream *stream);
/* Work of others on the stream: what it is given from now on finds the bytes
   there. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_ready_on(tensorc_rt_buffer *buffer,
                           tensorc_rt_stream *stream);
/* And when it has been given: whoever gets the buffer's memory after the last
   release uses it behind that work. */
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
   a CUstream or hipStream_t. NULL is the default stream of that library; CUDA
   calls it 1, too, and the thread's own 2. TENSORC_RT_UNSUPPORTED on devices
   that have no such streams. */
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
   where you would load a shared library, or those whose digest you know. What
   is damaged is refused, whatever its bytes, as far as that can be told without
   running the kernels. Constants in a file of their own are looked for beside
   the package. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load(tensorc_rt_device *device, const char *path,
                tensorc_rt_module **out_module);
/* The same from bytes in memory. With TENSORC_RT_BORROW they stay valid and
   unchanged until the deleter (may be NULL) is called, which also happens when
   loading fails; without it the deleter is ignored. */
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
   digests, or the one that the load's options give, or what the JIT compiles in
   this process: its disk cache is not used. Replaces an earlier list; a count
   of 0 refuses all. */
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
/* Reads every constant and compares it with the hash that the compiler wrote;
   TENSORC_RT_INVALID_PACKAGE when one was altered. Loading checks everything
   else, but leaves constants on disk until they are used. */
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
  /* For each dim what it is called: "64", a name "n", or "n * 2 + 1". */
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
/* Describes input or output i. Fails when there is no such. */
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
   An output may be one of the arguments' buffers, with a reference more. */
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
  /* 32-bit words of the program's own code that may run without launching a
     kernel or calling a function, which ends loops that never do; then the run
     fails with TENSORC_RT_RESOURCE_EXHAUSTED. 0: 134,217,728, which no program
     of the compiler comes near. */
  uint64_t max_instructions;
} tensorc_rt_run_options;

/* tensorc_rt_run with options (NULL: the thread's). On a stream that was
   created, work is asked for when the stream gets there; what ends it is the
   stream's error. A GPU's stream is not asked: what was given to it is done. */
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
/* Memory that a run may write beside what it allocates. */
typedef struct tensorc_rt_run_memory {
  size_t struct_size; /* sizeof(tensorc_rt_run_memory) */
  /* NULL, or for each argument a tensorc_rt_donation: whether its buffer is
     given up. Then nobody else reads it during the run, what it holds
     afterwards is undefined, and an output may be the same buffer, with a
     reference more. Only whole buffers of tensorc_rt_buffer_allocate are used
     so. */
  const uint8_t *donated;
  /* NULL, or for each output NULL or a buffer of the module's device that takes
     the value: it is at least as large, and overlaps no argument and no other
     of these. The output is then this buffer, with a reference more. Where its
     address is no multiple of 64 the value is copied there. */
  tensorc_rt_buffer *const *outputs;
} tensorc_rt_run_memory;
/* tensorc_rt_run_with, in memory of the caller (NULL: all is allocated). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run_into(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t arg_count, const tensorc_rt_run_memory *memory,
                    tensorc_rt_output *outputs, int32_t output_count,
                    tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options);
/* What runs of the calling thread take from now on that are given no options,
   those of the JIT included; NULL takes them back. */
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

/*===-- Custom calls -----------------------------------------------------===*/

/* What a custom call gets. Buffers are dense and row-major, and the function
   can address them: those of a device whose memory the host cannot address are
   copied before and after; sizes in bytes. Dims and other numbers are passed as
   scalars. The function checks what it is given, and returns a status when that
   does not fit. It runs in stream order, on a cpu stream on its thread. */
typedef struct tensorc_rt_custom_call {
  void *user;
  tensorc_rt_device *device;
  int32_t input_count, output_count, scalar_count;
  const void *const *inputs;
  const size_t *input_sizes;
  void *const *outputs;
  const size_t *output_sizes;
  const uint64_t *scalars;
  const char *config; /* "" when the program gives none */
} tensorc_rt_custom_call;

/* Returns NULL, or a status made by tensorc_rt_status_create. */
typedef tensorc_rt_status *(*tensorc_rt_custom_call_fn)(
    const tensorc_rt_custom_call *call);

/* Makes a function known under a name to all modules, for good: a name can be
   registered once. Modules find their functions when they are loaded, so
   register first: a package that calls a name which is missing is refused with
   TENSORC_RT_NOT_FOUND (not on a device that computes nothing). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_custom_call(const char *name, tensorc_rt_custom_call_fn fn,
                                void *user);

/* A dense, row-major value. */
typedef struct tensorc_rt_array {
  void *data; /* as above, of the host or a copy there */
  tensorc_rt_dtype dtype;
  int32_t rank;
  const int64_t *dims;
} tensorc_rt_array;

/* What a function gets that stands for an op (tx.custom_call). */
typedef struct tensorc_rt_op_call {
  size_t struct_size; /* of the library that calls; it only grows */
  void *user;
  tensorc_rt_device *device; /* NULL under the reference interpreter */
  int32_t input_count, output_count;
  const tensorc_rt_array *inputs;  /* only to be read */
  const tensorc_rt_array *outputs; /* to be filled; undefined at first */
  const char *config;              /* "" when the program gives none */
} tensorc_rt_op_call;

/* Returns NULL, or a status made by tensorc_rt_status_create, whose message the
   run's error repeats after the function's name. It may be called from any
   thread, on several at once. A C++ exception becomes a status with its what().
 */
typedef tensorc_rt_status *(*tensorc_rt_op_fn)(const tensorc_rt_op_call *call);

/* Makes a function known under a name, as tensorc_rt_register_custom_call does:
   for good, and once. A package that calls it can be loaded from then on. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_op(const char *name, tensorc_rt_op_fn fn, void *user);

/* The functions of two ops that are always registered, as "check_numerics" and
   "debug_print". Both take one input and give it as their output. The first
   fails where an element is a NaN or an infinity; its message begins with the
   config. The second prints the config and the elements on stderr. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_check_numerics(const tensorc_rt_op_call *call);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_debug_print(const tensorc_rt_op_call *call);

/*===-- Elements of arrays in host memory --------------------------------===*/

/* `tensor([[1.0, 2.0]], dtype=f32)`: the elements as text; of more than 1,000
   only those at the ends of each dimension. Free with tensorc_rt_string_free.
 */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_to_string(const tensorc_rt_array *array, char **out);
TENSORC_RT_API void tensorc_rt_string_free(char *text);

/* The element at a row-major index, as a double and as a 64-bit integer. That
   wraps for ui64, and is 0 for a float that does not fit. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_element(const tensorc_rt_array *array, int64_t index,
                         double *out_number, int64_t *out_integer);

/* The NaNs and infinities of an array; integers have none. */
typedef struct tensorc_rt_nonfinite {
  int64_t nans, infinities;
  int64_t first; /* the first one's row-major index; -1: there is none */
} tensorc_rt_nonfinite;
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_nonfinite(const tensorc_rt_array *array,
                           tensorc_rt_nonfinite *out);
/* NULL where all elements are finite, else an error:
   `3 NaNs and 1 infinity of 100 elements, the first at [0, 5]`. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_check_finite(const tensorc_rt_array *array);

/*===-- Threads ----------------------------------------------------------===*/

/* How many threads a launch on the cpu may use. At first TENSORC_NUM_THREADS of
   the environment, or the number of processors that this process may use. A
   count below 1 restores that. A variable that is no number from 1 to 4096 is
   ignored, which is said once on stderr. */
TENSORC_RT_API void tensorc_rt_set_num_threads(int32_t count);
TENSORC_RT_API int32_t tensorc_rt_num_threads(void);

/* Must call task(context, i) once for every i in [0, count), on any threads and
   in any order, and return when all are done. What it leaves out, because it
   has no threads or throws, the calling thread does afterwards; it must not
   come back while a task is under way. */
typedef void (*tensorc_rt_parallel_for_fn)(void *user, int64_t count,
                                           void (*task)(void *context,
                                                        int64_t index),
                                           void *context);
/* Uses the embedder's threads instead of oneTBB's; NULL goes back. Not while a
   run is under way. */
TENSORC_RT_API void tensorc_rt_set_parallel_for(tensorc_rt_parallel_for_fn fn,
                                                void *user);

/* Does the items [begin, end). Calls that run at the same time have different
   slots. */
typedef void (*tensorc_rt_range_fn)(void *context, int64_t begin, int64_t end,
                                    int32_t slot);
/* Calls the body for parts of [0, extent), each item once, and returns when all
   are done. Parts begin at multiples of the grain (at least 1). Slots are in
   [0, slots), so `slots` bounds the threads that work at once, besides
   tensorc_rt_num_threads: give that number, or as many as there are scratch
   areas. This is what compiled objects call. It cannot fail: without threads or
   memory for them the calling thread does the work. */
TENSORC_RT_API void tensorc_rt_parallel_for(int64_t extent, int64_t grain,
                                            int32_t slots,
                                            tensorc_rt_range_fn body,
                                            void *context);

/*===-- Watching ---------------------------------------------------------===*/

typedef struct tensorc_rt_launch_record {
  const char *kernel; /* alive during the callback only, like `device` */
  const char *device;
  int64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
  int64_t extent, grain;
  int32_t threads;
  uint32_t line;    /* of the user's program that asks for the kernel; with */
  const char *file; /* NULL: not known. Alive as long as `kernel`. */
} tensorc_rt_launch_record;

/* Called after each launch, from the thread that made it. When it throws, the
   run fails. */
typedef void (*tensorc_rt_launch_hook)(void *user,
                                       const tensorc_rt_launch_record *record);
/* One hook for the process; NULL takes it away. A launch that is under way on
   another thread may still call the former hook. */
TENSORC_RT_API void tensorc_rt_set_launch_hook(tensorc_rt_launch_hook hook,
                                               void *user);

/* From now on SIGSEGV, SIGBUS, SIGFPE and SIGILL that a kernel causes on the
   cpu or a simulated device are reported on stderr, with the kernel's name and
   the user's line where it is known; then the handler that was there gets the
   signal, which by default ends the process. For tools: the library changes no
   signal's handler unless this is called or TENSORC_CHECK=memory is set. */
TENSORC_RT_API void tensorc_rt_report_faults(void);

typedef struct tensorc_rt_run_stats {
  uint64_t runs, launches, copies, copied_bytes, custom_calls;
} tensorc_rt_run_stats;

/* What runs on this device have done since the process began. */
TENSORC_RT_API void
tensorc_rt_device_run_stats(const tensorc_rt_device *device,
                            tensorc_rt_run_stats *out_stats);

#ifdef __cplusplus
}
#endif
#endif
