//===- LinearAlgebra.h - The interface of libtensorc_linalg.so --*- C++ -*-===//
//
// The runtime loads the library when a program first calls one of its
// functions, and looks the function up by the name after "linalg.". Another
// implementation (such as the system's LAPACK) can be registered before under
// the same names with tensorc_rt_register_op.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H
#define TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H

#include "tensorc/runtime.h"

/// Returns the function with this name, or null.
extern "C" TENSORC_RT_API tensorc_rt_op_fn
tensorc_linalg_function(const char *name);

#endif // TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H
