/*===- files.h - tensors in files: .npy, .npz, .safetensors ---------------===*\
|*
|* The formats of NumPy and Hugging Face, and GGUF, which is read only: blocks
|* of Q8_0, Q4_0, Q4_K and Q6_K become f32. An index (.index.json) names files
|* in its folder, which are read together. The format of a file follows from
|* its content when it is read, and from its suffix when it is written. NumPy
|* has no bf16, f8 and i4: their bits are stored as integers, with a note that
|* tensorc reads.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_FILES_H
#define TENSORC_FILES_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tensors of a file, by name. */
typedef struct tensorc_tensor_file tensorc_tensor_file;

/* Reads all tensors to the current device. Errors name the file, the tensor and
   the fault: missing or surplus bytes, offsets that are outside of the file or
   overlap, a dtype that tensorc does not have. */
TENSORC_API tensorc_status *tensorc_load_file(const char *path,
                                              tensorc_location at,
                                              tensorc_tensor_file **out);
TENSORC_API void tensorc_tensor_file_release(tensorc_tensor_file *file);
TENSORC_API int32_t tensorc_tensor_file_count(const tensorc_tensor_file *file);
/* Returns the name of tensor i, which lives as long as the file; "" for an
   .npy, which has no names. NULL for an index out of range. */
TENSORC_API const char *
tensorc_tensor_file_name(const tensorc_tensor_file *file, int32_t index);
/* Returns tensor i, which the file owns; retain it to keep it longer. NULL for
   an index out of range. */
TENSORC_API tensorc_tensor *
tensorc_tensor_file_tensor(const tensorc_tensor_file *file, int32_t index);

/* Evaluates the tensors and writes them, completely or not at all: one to an
   .npy (its name is ignored and may be NULL), any number with different names
   to an .npz or .safetensors. */
TENSORC_API tensorc_status *tensorc_save_file(const char *path,
                                              const char *const *names,
                                              tensorc_tensor *const *tensors,
                                              int32_t count);

#ifdef __cplusplus
}
#endif
#endif
