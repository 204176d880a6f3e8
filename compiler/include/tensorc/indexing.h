/*===- indexing.h - indices that are tensors; included by tensorc.hpp -----===*\
|*
|* Conventions of tensorc.h.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_INDEXING_H
#define TENSORC_INDEXING_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexing as in NumPy. An index below 0 counts from the end, once. If it is
   then out of range, an index that is a number is an error. For an index in a
   tensor, a read takes the nearest element, and a write is ignored. No memory
   outside the tensor is touched. */
typedef enum tensorc_index_kind {
  TENSORC_INDEX_INTEGER = 0,  /* start; the axis goes */
  TENSORC_INDEX_SLICE = 1,    /* start:stop:step, TENSORC_NONE for an absent one
                                 of the first two */
  TENSORC_INDEX_ELLIPSIS = 2, /* all axes without another item */
  TENSORC_INDEX_NEW_AXIS = 3,
  TENSORC_INDEX_TENSOR = 4 /* of integers; several are broadcast. One may be of
                              booleans, a mask of the axes at its place */
} tensorc_index_kind;
typedef struct tensorc_index_item {
  tensorc_index_kind kind;
  int64_t start, stop, step;
  const tensorc_tensor *tensor;
} tensorc_index_item;
/* Returns x[items]. In the result, the axes of index tensors are at the
   position of these tensors, or come first if other items separate them. The
   number of elements that a mask selects is read when sizes or values are
   needed (tensorc_tensor_settle). In a trace, where they are unknown, a mask is
   refused. */
TENSORC_API tensorc_status *tensorc_index(const tensorc_tensor *x,
                                          int32_t count,
                                          const tensorc_index_item *items,
                                          tensorc_location at,
                                          tensorc_tensor **out);

typedef enum tensorc_update_kind {
  TENSORC_UPDATE_SET = 0, /* the last one wins for a repeated element */
  TENSORC_UPDATE_ADD = 1,
  TENSORC_UPDATE_MUL = 2,
  TENSORC_UPDATE_MIN = 3,
  TENSORC_UPDATE_MAX = 4
} tensorc_update_kind;
/* Returns a copy of x with x[items] set to the value, or combined with it. The
   value is broadcast, and its dtype must be of the same kind as that of x. All
   true elements of a mask get the same value. */
TENSORC_API tensorc_status *
tensorc_index_update(const tensorc_tensor *x, int32_t count,
                     const tensorc_index_item *items, tensorc_update_kind kind,
                     const tensorc_arg *value, tensorc_location at,
                     tensorc_tensor **out);

/* StableHLO's dimension numbers; docs/ops.md explains them. */
typedef struct tensorc_gather_numbers {
  int32_t num_window_dims; /* offset_dims, update_window_dims */
  const int64_t *window_dims;
  int32_t num_dropped_dims; /* collapsed_slice_dims, inserted_window_dims */
  const int64_t *dropped_dims;
  int32_t num_mapped_dims; /* start_index_map, scatter_dims_to_operand_dims */
  const int64_t *mapped_dims;
  int64_t index_vector_dim;
} tensorc_gather_numbers;
/* `slice_sizes` has one size per axis of x; -1 means the whole axis. Indices
   do not count from the end. A gather clamps them; a scatter ignores writes
   outside of x. */
TENSORC_API tensorc_status *
tensorc_gather(const tensorc_tensor *x, const tensorc_tensor *indices,
               const tensorc_gather_numbers *numbers,
               const int64_t *slice_sizes, tensorc_location at,
               tensorc_tensor **out);
TENSORC_API tensorc_status *
tensorc_scatter(const tensorc_tensor *x, const tensorc_tensor *indices,
                const tensorc_tensor *updates, tensorc_update_kind kind,
                const tensorc_gather_numbers *numbers, tensorc_location at,
                tensorc_tensor **out);

#ifdef __cplusplus
}
#endif

#endif
