/*===- progress.h - where the progress of long work is shown ---------------===*\

   tensorc_set_progress (tensorc/tensorc.h) turns the lines on and off.

\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_PROGRESS_H
#define TENSORC_PROGRESS_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes progress lines to a file descriptor instead of stderr, even if it is
   no terminal; -1: to stderr again. Each line begins with "\r\033[K". A write
   that fails is ignored. The caller keeps the descriptor open. May be called
   from any thread. */
TENSORC_API void tensorc_set_progress_file(int32_t descriptor);

#ifdef __cplusplus
}
#endif

#endif /* TENSORC_PROGRESS_H */
