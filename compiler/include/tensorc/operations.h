/*===- operations.h - the operations as data: for bindings ----------------===*\
|*
|* A table of the operations of tx, generated from their definitions, and one
|* function that records any element-wise operation, so that a binding needs no
|* declaration for each of them. docs/ops.md has the same content as text;
|* share/tensorc/api.json describes the functions of C.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_OPERATIONS_H
#define TENSORC_OPERATIONS_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a tensorc_op_value. */
enum {
  TENSORC_OP_VARIADIC = 1, /* any number of them */
  TENSORC_OP_OPTIONAL = 2, /* may be absent */
  TENSORC_OP_NUMBER = 4    /* of rank 0 */
};
/* An operand or a result. */
typedef struct tensorc_op_value {
  const char *name;
  uint32_t dtypes; /* bit 1 << d for each tensorc_dtype d that it may have */
  uint32_t flags;
} tensorc_op_value;

typedef enum tensorc_op_attribute_kind {
  TENSORC_OP_INTEGER = 1,
  TENSORC_OP_INTEGERS = 2, /* a list */
  TENSORC_OP_FLAG = 3,
  TENSORC_OP_ENUMERATION = 4 /* `type` names it */
} tensorc_op_attribute_kind;
typedef struct tensorc_op_attribute {
  const char *name;
  tensorc_op_attribute_kind kind;
  const char *type;
} tensorc_op_attribute;

/* All strings and lists are static. */
typedef struct tensorc_op_info {
  size_t struct_size; /* set by the caller: sizeof(tensorc_op_info) */
  const char *name;   /* "add", of tx.add */
  /* "tensorc_add", which tensorc_apply calls; NULL if the op is recorded by
     other C functions. */
  const char *function;
  const char *category; /* "element-wise", "reduction", "shape", ... */
  const char *summary;
  const char *description; /* may be "", as may be the example */
  const char *example;     /* of tx, as text */
  const char *derivative;
  int32_t operand_count;
  const tensorc_op_value *operands;
  int32_t attribute_count;
  const tensorc_op_attribute *attributes;
  int32_t result_count;
  const tensorc_op_value *results;
} tensorc_op_info;

TENSORC_API int32_t tensorc_op_count(void);
/* Fills in the fields that the caller's `struct_size` covers. */
TENSORC_API tensorc_status *tensorc_op_describe(int32_t index,
                                                tensorc_op_info *out);
/* Returns the index of the operation with this name, or -1. */
TENSORC_API int32_t tensorc_op_find(const char *name);

/* Records an operation that has a `function`, given by its index. `arguments`
   has one entry per operand; `at` may be NULL, and its text is copied. */
TENSORC_API tensorc_status *
tensorc_apply(int32_t index, const tensorc_arg *arguments, int32_t count,
              const tensorc_location *at, tensorc_tensor **out);

/* Makes a location with a copy of the text that lives as long as the process,
   for callers whose text does not. Equal texts are copied once. */
TENSORC_API void tensorc_copy_location(const char *file, uint32_t line,
                                       tensorc_location *out);

#ifdef __cplusplus
}
#endif
#endif
