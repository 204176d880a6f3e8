/*===- files.h - tensors in files: .npy, .npz, .safetensors ---------------===*\
|*
|* The formats of NumPy and Hugging Face, and GGUF, which is read only: blocks
|* of Q8_0, Q4_0, Q4_K and Q6_K become f32. An index (.index.json) stands for
|* the files beside it that it names. What a file is, its content says when
|* it is read, and the suffix of its name when it is written. NumPy has no bf16,
|* f8 and i4: their bits are stored as integers, with a note that tensorc reads.
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
   what is wrong: bytes that are missing or too many, offsets outside of the
   file or over each other, a dtype that tensorc has not. */
TENSORC_API tensorc_status *tensorc_load_file(const char *path,
                                              tensorc_location at,
                                              tensorc_tensor_file **out);
TENSORC_API void tensorc_tensor_file_release(tensorc_tensor_file *file);
TENSORC_API int32_t tensorc_tensor_file_count(const tensorc_tensor_file *file);
/* Alive as long as the file; "" for an .npy, which has no names. NULL outside
   of the file. */
TENSORC_API const char *
tensorc_tensor_file_name(const tensorc_tensor_file *file, int32_t index);
/* The file's: retain it to keep it longer. NULL outside of the file. */
TENSORC_API tensorc_tensor *
tensorc_tensor_file_tensor(const tensorc_tensor_file *file, int32_t index);

/* Evaluates the tensors and writes them, whole or not at all: one to an .npy
   (its name is not looked at, and may be NULL), any number to an .npz or
   .safetensors, where names differ. */
TENSORC_API tensorc_status *tensorc_save_file(const char *path,
                                              const char *const *names,
                                              tensorc_tensor *const *tensors,
                                              int32_t count);

#ifdef __cplusplus
}
#endif
#endif
