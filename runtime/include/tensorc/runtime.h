/*===- runtime.h - load packages and run them: the C interface ------------===*\
|*
|* The runtime does not depend on the compiler: it loads packages, allocates
|* memory, transfers data and launches kernels. The interface is C99 with the
|* prefix tensorc_rt_. It includes runtime_calls.h (custom calls, elements of
|* arrays) and runtime_threads.h (threads, hooks, counters).
|*
|* Errors.  A function that can fail returns a status that the caller owns: NULL
|* is success, anything else is freed with tensorc_rt_status_free. On failure
|* the out parameters are set to NULL or 0. Bad arguments and bad files never
|* abort the process. Passing NULL where a comment does not allow it is a
|* TENSORC_RT_INVALID_ARGUMENT; functions without a status then return 0, NULL
|* or "".
|*
|* Ownership.  Objects are reference-counted. A function that returns an object
|* through an out parameter returns one reference, which the caller releases.
|* Objects keep alive what they need (a view its buffer, a module its device).
|* Every release accepts NULL.
|*
|* Threads.  Every function may be called from any thread at any time, also with
|* the same object, unless its comment says otherwise. Accesses of kernels to
|* the bytes of a buffer are ordered only by streams and events.
|*
|* Processes.  A child of fork may use the runtime and the parent's objects,
|* also if other threads of the parent were inside the runtime. Queued work on a
|* stream belongs to the parent: waiting for it in the child is a
|* TENSORC_RT_DEVICE_ERROR, and after that the child can use the stream. The
|* library stays loaded after dlclose, installs no signal handlers, and reads
|* TENSORC_DEVICE and TENSORC_NUM_THREADS of the environment.
|*
|* Callbacks.  A function of the embedder may throw a C++ exception, which
|* becomes a status of TENSORC_RT_CUSTOM_CALL. Exceptions of deleters are
|* ignored; for tensorc_rt_parallel_for_fn see its comment.
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
/* Bytes of a dense value of this type and shape. Fails for a negative dim, an
   unknown dtype or an overflow. `dims` may be NULL when the rank is 0. */
TENSORC_RT_API tensorc_rt_status *tensorc_rt_byte_size(tensorc_rt_dtype dtype,
                                                       int32_t rank,
                                                       const int64_t *dims,
                                                       size_t *out_size);

/*===-- Devices ----------------------------------------------------------===*/

/* Returns the number of devices of all drivers. Their order is fixed. */
TENSORC_RT_API int32_t tensorc_rt_device_count(void);
/* Returns device i, or NULL if there is none. Devices live as long as the
   process and are not released. */
TENSORC_RT_API tensorc_rt_device *tensorc_rt_device_get(int32_t index);
/* Finds a device by name: "cpu" (the first of its kind), "cpu:0", "null", or a
   simulated chip that is not among those above, "sim:gfx942", "sim:gfx942:1".
   NULL means the default device, which the environment variable TENSORC_DEVICE
   names, or else cpu. It is also cpu if TENSORC_DEVICE is "auto", which only
   the compiler supports. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_find(const char *name, tensorc_rt_device **out_device);

typedef struct tensorc_rt_device_properties {
  const char *name;        /* "cpu:0"; static */
  const char *description; /* the hardware's own name; static */
  const char *target;   /* the best supported target, "cpu:x86-64-v4"; static */
  int32_t threads;      /* maximum number that execute one launch */
  int32_t computes;     /* 0: accepts programs, but all results are zeros */
  int32_t host_visible; /* buffers' bytes can be touched by the host */
  uint64_t memory;      /* bytes it has */
  /* Properties of a GPU, simulated or not; 0 for other devices. */
  int32_t multiprocessors; /* number of units that execute blocks */
  int32_t subgroup;        /* threads that run together: 32 or 64 */
  int32_t max_block;       /* maximum threads per block */
  int32_t capability_major,
      capability_minor;  /* 9, 0 for sm_90; 9, 4 for gfx942 */
  int32_t shared_memory; /* maximum bytes per block, with opt-in */
  const char *driver;    /* its version; "" if unknown; static */
} tensorc_rt_device_properties;

TENSORC_RT_API void
tensorc_rt_device_get_properties(const tensorc_rt_device *device,
                                 tensorc_rt_device_properties *out_properties);
/* Returns 0 if the device cannot run code for this target ("cpu:x86-64-v3"),
   else a number that is larger for targets that use more of its features. */
TENSORC_RT_API int32_t
tensorc_rt_device_accepts(const tensorc_rt_device *device, const char *target);

/*===-- Memory -----------------------------------------------------------===*/

typedef struct tensorc_rt_memory_stats {
  uint64_t allocated;   /* bytes in use, as requested and rounded up */
  uint64_t peak;        /* maximum in use since the last reset */
  uint64_t cached;      /* bytes kept for the next allocation */
  uint64_t limit;       /* 0: none */
  uint64_t allocations; /* number of allocations */
  uint64_t cache_hits;  /* number of them that used cached memory */
  uint64_t free;        /* bytes that neither this nor another process uses */
  uint64_t total;       /* bytes that the device has */
} tensorc_rt_memory_stats;

TENSORC_RT_API void
tensorc_rt_device_memory(const tensorc_rt_device *device,
                         tensorc_rt_memory_stats *out_stats);
/* An allocation after which `allocated` would exceed the limit fails with
   TENSORC_RT_OUT_OF_MEMORY. 0 removes the limit. */
TENSORC_RT_API void
tensorc_rt_device_set_memory_limit(tensorc_rt_device *device, uint64_t limit);
/* Sets the peak to the bytes currently in use. */
TENSORC_RT_API void tensorc_rt_device_reset_peak(tensorc_rt_device *device);
/* Returns cached blocks to the system. Before an allocation fails, it does so
   itself, and waits for memory that streams still use. Its error message states
   the free bytes and the largest buffers with an origin. */
TENSORC_RT_API void tensorc_rt_device_trim(tensorc_rt_device *device);

/*===-- Buffers ----------------------------------------------------------===*/

/* Makes a buffer of `size` bytes, aligned to 64, with undefined contents. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_allocate(tensorc_rt_device *device, size_t size,
                           tensorc_rt_buffer **out_buffer);

typedef void (*tensorc_rt_deleter)(void *user, void *data);

/* Returns a buffer that uses the caller's memory without a copy. The memory
   must stay valid and must not be changed by others until `deleter` (NULL:
   none) is called. It is called once, by the thread that releases the last
   reference; not if this function fails. The pointer must be an address that
   the device can use, and a multiple of 64; on the cpu one of the element size
   suffices, except for donated inputs. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_wrap(tensorc_rt_device *device, void *data, size_t size,
                       tensorc_rt_deleter deleter, void *user,
                       tensorc_rt_buffer **out_buffer);
/* Makes a view, which keeps the buffer alive. `offset`: a multiple of 64. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_view(tensorc_rt_buffer *buffer, size_t offset, size_t size,
                       tensorc_rt_buffer **out_buffer);
TENSORC_RT_API void tensorc_rt_buffer_retain(tensorc_rt_buffer *buffer);
TENSORC_RT_API void tensorc_rt_buffer_release(tensorc_rt_buffer *buffer);
/* The number of references: 1 means that the caller has the only one. */
TENSORC_RT_API uint32_t
tensorc_rt_buffer_references(const tensorc_rt_buffer *buffer);
/* Returns 1 if the next work on the stream (NULL: the default stream) may
   overwrite the buffer: if it is a whole buffer of tensorc_rt_buffer_allocate,
   the caller has the only reference, and no other stream uses it. */
TENSORC_RT_API int32_t tensorc_rt_buffer_is_exclusive(
    const tensorc_rt_buffer *buffer, tensorc_rt_stream *stream);
/* Returns the buffer's address in the device's memory. On a host-visible device
   the host may access it after the buffer's streams are synchronized. */
TENSORC_RT_API void *tensorc_rt_buffer_data(const tensorc_rt_buffer *buffer);
TENSORC_RT_API size_t tensorc_rt_buffer_size(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_buffer_device(const tensorc_rt_buffer *buffer);

/* A run or copy on an asynchronous stream writes its buffer after the call has
   returned. `query` returns 1 once the bytes are written; `synchronize` waits
   for that. If the work that should have written them failed, every wait, read
   or run that needs them returns its error. Other streams wait automatically
   before they use the buffer, unless other references, such as views, existed. */
TENSORC_RT_API int32_t tensorc_rt_buffer_query(const tensorc_rt_buffer *buffer);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_synchronize(tensorc_rt_buffer *buffer);
/* The next three functions are for work that other code queued on the stream
   (NULL: the default stream). This one declares that work already queued on the
   stream writes the buffer. The caller must have the only reference. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_written_on(tensorc_rt_buffer *buffer,
                             tensorc_rt_stream *stream);
/* Makes later work on the stream, of any library, wait for the bytes. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_ready_on(tensorc_rt_buffer *buffer,
                           tensorc_rt_stream *stream);
/* Declares that work already queued on the stream uses the buffer. After the
   last release its memory is reused only after that work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_used_on(tensorc_rt_buffer *buffer, tensorc_rt_stream *stream);
/* Sets the place in the user's program for error messages about memory. The
   text must live as long as the process. */
TENSORC_RT_API void tensorc_rt_buffer_set_origin(tensorc_rt_buffer *buffer,
                                                 const char *file,
                                                 uint32_t line);

/* Copies in stream order (NULL: the default stream). Bounds are checked; ranges
   must not overlap. Both buffers stay alive until the copy is done. They may be
   on different devices, and the stream on either. A copy to a host-visible
   device is complete when this function returns. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_copy(tensorc_rt_buffer *target, size_t target_offset,
                       tensorc_rt_buffer *source, size_t source_offset,
                       size_t size, tensorc_rt_stream *stream);
/* Copies from host to device, in stream order; returns when `data` may be
   changed again. If it synchronizes, it may return an error of the stream's
   earlier work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_write(tensorc_rt_buffer *target, size_t offset,
                        const void *data, size_t size,
                        tensorc_rt_stream *stream);
/* Copies from device to host, in stream order; returns when `data` holds the
   bytes. It synchronizes, so it may return an error of the stream's earlier
   work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_buffer_read(tensorc_rt_buffer *source, size_t offset, void *data,
                       size_t size, tensorc_rt_stream *stream);

/*===-- Streams and events -----------------------------------------------===*/

/* Work on a stream is executed in the order in which it was queued. Where a
   stream may be NULL, this means the device's default stream; that of the cpu
   executes work on the calling thread before the call returns. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_create(tensorc_rt_device *device,
                         tensorc_rt_stream **out_stream);
/* Returns a stream that wraps one of another library for the device, a CUstream
   or hipStream_t, which must outlive it. NULL is the default stream of that
   library. In CUDA 1 also means the default stream, and 2 the default stream of
   the thread. TENSORC_RT_UNSUPPORTED on devices without such streams. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_wrap(tensorc_rt_device *device, void *native,
                       tensorc_rt_stream **out_stream);
/* Returns the CUstream or hipStream_t for other libraries, else NULL. */
TENSORC_RT_API void *tensorc_rt_stream_native(tensorc_rt_stream *stream);
/* Returns the device's default stream, which is not released, or NULL if there
   is no memory or thread for it. */
TENSORC_RT_API tensorc_rt_stream *
tensorc_rt_device_default_stream(tensorc_rt_device *device);
/* Waits for all streams of the device. Returns the first error of any. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_synchronize(tensorc_rt_device *device);
TENSORC_RT_API void tensorc_rt_stream_retain(tensorc_rt_stream *stream);
/* Queued work continues; the last release waits for it. */
TENSORC_RT_API void tensorc_rt_stream_release(tensorc_rt_stream *stream);
/* Waits until the stream is idle. Returns the first error of its work since the
   last call, and clears it. Work that was queued after the error and before
   this call is skipped. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_synchronize(tensorc_rt_stream *stream);
/* Returns 1 if the stream is idle, else 0. Does not wait. */
TENSORC_RT_API int32_t tensorc_rt_stream_query(tensorc_rt_stream *stream);
/* Makes work that is queued on `stream` after this call wait for the event's
   latest record; does nothing if it was never recorded. The two may be on
   different devices. If the work before the event failed, so does the waiting
   work. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_stream_wait(tensorc_rt_stream *stream, tensorc_rt_event *event);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_stream_device(const tensorc_rt_stream *stream);

TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_create(tensorc_rt_device *device,
                        tensorc_rt_event **out_event);
TENSORC_RT_API void tensorc_rt_event_retain(tensorc_rt_event *event);
TENSORC_RT_API void tensorc_rt_event_release(tensorc_rt_event *event);
/* Records the event, which is reached when all work already queued on the
   stream (NULL: the default stream) is done. Recording again replaces the
   record. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_record(tensorc_rt_event *event, tensorc_rt_stream *stream);
/* Waits for the latest record; returns immediately if there is none. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_synchronize(tensorc_rt_event *event);
/* Returns 1 if the latest record is reached or there is none, else 0. */
TENSORC_RT_API int32_t tensorc_rt_event_query(tensorc_rt_event *event);
/* Returns the nanoseconds between two records. Fails if one is not reached. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_event_elapsed(tensorc_rt_event *start, tensorc_rt_event *stop,
                         int64_t *out_nanoseconds);

/*===-- Modules ----------------------------------------------------------===*/

typedef enum tensorc_rt_load_mode {
  TENSORC_RT_COPY = 0,  /* the bytes are copied */
  TENSORC_RT_BORROW = 1 /* used in place until `deleter` is called */
} tensorc_rt_load_mode;

/* Loads a package from a file for a device (NULL: the default device). The
   section whose target fits the device best is used. The file is mapped:
   constants are paged in when they are used, and processes that load the same
   file share them. It must not change while the module lives; replace it by a
   rename. Its kernels are code that this process runs: load packages only from
   sources from which you would load a shared library, or with a known digest. A
   damaged package is refused as far as the damage is visible without running
   the kernels. A file of constants is expected beside the package. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load(tensorc_rt_device *device, const char *path,
                tensorc_rt_module **out_module);
/* Loads a package from bytes in memory. With TENSORC_RT_BORROW the bytes must
   stay valid and unchanged until the deleter is called, which also happens if
   loading fails. The deleter may be NULL. TENSORC_RT_COPY ignores it. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load_bytes(tensorc_rt_device *device, const void *data, size_t size,
                      tensorc_rt_load_mode mode, tensorc_rt_deleter deleter,
                      void *user, tensorc_rt_module **out_module);
typedef struct tensorc_rt_load_options {
  size_t struct_size; /* sizeof(tensorc_rt_load_options) */
  /* The SHA-256 of the whole file in 64 hexadecimal digits, as sha256sum prints
     it; any other file is refused with TENSORC_RT_UNTRUSTED. NULL: any file, or
     those of tensorc_rt_trust_only. Constants in a separate file are not part
     of the digest. */
  const char *sha256;
  /* 1: loads the package even if tensorc_rt_trust_only does not list it,
     because this process produced the bytes itself. */
  int32_t is_trusted;
  /* 1: verifies constants like tensorc_rt_module_verify before the load
     returns; a package with an altered constant is refused with
     TENSORC_RT_INVALID_PACKAGE. */
  int32_t verify_constants;
} tensorc_rt_load_options;

/* As above, with options (NULL: none). If a digest is compared, the file is
   read into memory first, so that exactly the compared bytes are loaded. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_load_with(tensorc_rt_device *device, const char *path,
                     const tensorc_rt_load_options *options,
                     tensorc_rt_module **out_module);
TENSORC_RT_API tensorc_rt_status *tensorc_rt_load_bytes_with(
    tensorc_rt_device *device, const void *data, size_t size,
    tensorc_rt_load_mode mode, tensorc_rt_deleter deleter, void *user,
    const tensorc_rt_load_options *options, tensorc_rt_module **out_module);
/* Restricts this process to packages with one of these SHA-256 digests,
   packages with the digest in the options of the load, and kernels that the JIT
   compiles in this process; the JIT then does not use its disk cache. Replaces
   an earlier list. If the count is 0, only the latter two are permitted. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_trust_only(const char *const *digests, int32_t count);
/* Removes the restriction of tensorc_rt_trust_only. */
TENSORC_RT_API void tensorc_rt_trust_all(void);
TENSORC_RT_API void tensorc_rt_module_retain(tensorc_rt_module *module);
TENSORC_RT_API void tensorc_rt_module_release(tensorc_rt_module *module);
/* Return the compiler that wrote the package, and the target of the section in
   use; the text lives as long as the module. */
TENSORC_RT_API const char *
tensorc_rt_module_compiler(const tensorc_rt_module *module);
TENSORC_RT_API const char *
tensorc_rt_module_target(const tensorc_rt_module *module);
/* Returns a hash of the program that was compiled, or 0 if it is not known. */
TENSORC_RT_API uint64_t
tensorc_rt_module_ir_hash(const tensorc_rt_module *module);
TENSORC_RT_API tensorc_rt_device *
tensorc_rt_module_device(const tensorc_rt_module *module);
/* Reads all constants in parallel and compares them with the hashes that the
   compiler wrote; fails with TENSORC_RT_INVALID_PACKAGE if one was altered.
   Loading checks everything else, but leaves constants on disk until they are
   used, unless its options set verify_constants. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_module_verify(const tensorc_rt_module *module);
/* The number of entries. They live as long as the module; do not release. */
TENSORC_RT_API int32_t
tensorc_rt_module_entry_count(const tensorc_rt_module *module);
/* Returns entry i, or NULL if there is none. */
TENSORC_RT_API const tensorc_rt_entry *
tensorc_rt_module_entry(const tensorc_rt_module *module, int32_t index);
/* Finds an entry by name; NULL means the only one, or "main". */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_module_find(const tensorc_rt_module *module, const char *name,
                       const tensorc_rt_entry **out_entry);

/* One input or output of an entry. All pointers live as long as the module. */
typedef struct tensorc_rt_value_info {
  const char *name;
  tensorc_rt_dtype dtype;
  int32_t is_scalar; /* passed as a 64-bit word, not as a buffer */
  int32_t rank;
  const int64_t *dims; /* -1 for a size that is not static */
  /* The size of each dim as text: "64", a name "n", or "n * 2 + 1". */
  const char *const *dim_names;
  /* The program's tx.donated: it permits a run to overwrite this input. A run
     does so only if the caller also donates it (tensorc_rt_run_into). */
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
  tensorc_rt_buffer *buffer; /* NULL for a scalar; not retained */
  uint64_t word;             /* a scalar's bits, in the low bytes */
  const int64_t *dims;       /* of a buffer; may be NULL when the rank is 0 */
  int32_t rank;
  tensorc_rt_dtype dtype; /* of the buffer; ignored for a scalar */
} tensorc_rt_arg;

typedef struct tensorc_rt_output {
  tensorc_rt_buffer *buffer; /* one reference, which the caller releases */
  tensorc_rt_dtype dtype;
  int32_t rank;
  int64_t dims[TENSORC_RT_MAX_RANK];
} tensorc_rt_output;

/* Runs an entry. Arguments are checked against the signature (number, dtype,
   rank, static dims, size of the buffer); the program itself checks that named
   dims agree. On success `outputs` holds a buffer and shape for each output; on
   failure no buffers. On a created stream the call returns before the work is
   done: synchronize before accessing results. tensorc_rt_stream_synchronize
   returns errors of the device. Arguments stay alive until the work is done. An
   output may be the buffer of an argument; it then has one more reference. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
               int32_t arg_count, tensorc_rt_output *outputs,
               int32_t output_count, tensorc_rt_stream *stream);

/* A cancellation ends the runs whose options refer to it, also those that begin
   later: they fail with TENSORC_RT_CANCELLED before their next kernel. A
   running kernel is not stopped. tensorc_rt_cancel may be called from a signal
   handler. */
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
  /* In nanoseconds of CLOCK_MONOTONIC. After it no kernel begins, and the run
     fails with TENSORC_RT_DEADLINE_EXCEEDED. 0: none. */
  int64_t deadline_ns;
  /* The maximum number of 32-bit words of the program's bytecode that are
     executed between two launches of kernels or calls of functions. It stops
     endless loops: the run fails with TENSORC_RT_RESOURCE_EXHAUSTED. 0:
     134,217,728, far more than compiled programs need. */
  uint64_t max_instructions;
  /* Connects the ranks of collectives (communicator.h), on the run's device;
     kept by the run. NULL: there is one rank. */
  tensorc_rt_communicator *communicator;
} tensorc_rt_run_options;

/* tensorc_rt_run with options (NULL: the thread's). On a created stream the
   options are checked when the stream executes the work, and the stream returns
   the error. On a stream of a GPU they are checked only until the work is
   queued. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run_with(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t arg_count, tensorc_rt_output *outputs,
                    int32_t output_count, tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options);
typedef enum tensorc_rt_donation {
  TENSORC_RT_KEPT = 0,
  TENSORC_RT_DONATED = 1,
  /* a failed run leaves the contents unchanged */
  TENSORC_RT_DONATED_ON_SUCCESS = 2
} tensorc_rt_donation;
typedef struct tensorc_rt_line {
  const char *file; /* lives as long as the process; NULL: not known */
  uint32_t line;
} tensorc_rt_line;
/* Memory of the caller that a run may write to, and lines of its program. */
typedef struct tensorc_rt_run_memory {
  size_t struct_size; /* sizeof(tensorc_rt_run_memory) */
  /* NULL, or a tensorc_rt_donation for each argument. A donated buffer must not
     be read by others during the run, its contents are undefined afterwards,
     and an output may be the same buffer, with one more reference. Only whole
     buffers of tensorc_rt_buffer_allocate are reused. */
  const uint8_t *donated;
  /* NULL, or for each output NULL or a buffer on the module's device for the
     value. The buffer must be large enough, and must not overlap an argument or
     another of these buffers. The output is then this buffer, with one more
     reference. If its address is not a multiple of 64, the value is copied into
     it. */
  tensorc_rt_buffer *const *outputs;
  /* NULL, or the lines of ops by number; a package with its own ignores them */
  const tensorc_rt_line *lines;
  size_t line_count;
} tensorc_rt_run_memory;
/* tensorc_rt_run_with, in memory of the caller (NULL: allocates all). */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_run_into(const tensorc_rt_entry *entry, const tensorc_rt_arg *args,
                    int32_t arg_count, const tensorc_rt_run_memory *memory,
                    tensorc_rt_output *outputs, int32_t output_count,
                    tensorc_rt_stream *stream,
                    const tensorc_rt_run_options *options);
/* Sets the options of all runs of the calling thread that have none, including
   those of the JIT; NULL: no options. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_set_run_options(const tensorc_rt_run_options *options);

typedef struct tensorc_rt_memory_plan {
  uint64_t inputs;  /* bytes of the arguments */
  uint64_t outputs; /* bytes that the results keep, rounded as allocated */
  uint64_t peak;    /* maximum at a time, without arguments and constants */
} tensorc_rt_memory_plan;
/* Returns how much a run with arguments of these shapes will allocate; their
   buffers may be NULL. Nothing is allocated or computed. Fails with
   TENSORC_RT_UNSUPPORTED if sizes depend on values that the program
   computes. */
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
