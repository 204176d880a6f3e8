//===- LinearAlgebra.h - The interface of libtensorc_linalg.so --*- C++ -*-===//
//
// The runtime loads the library when a program first calls one of its
// functions, and asks for it by the name behind "linalg.". Whoever wants
// another implementation (the system's LAPACK) registers functions of the same
// names with tensorc_rt_register_op before.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H
#define TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H

#include "tensorc/runtime.h"

/// Null: there is no function of this name.
extern "C" TENSORC_RT_API tensorc_rt_op_fn
tensorc_linalg_function(const char *name);

#endif // TENSORC_RUNTIME_LINALG_LINEARALGEBRA_H
