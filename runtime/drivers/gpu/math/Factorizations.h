//===- Factorizations.h - linear algebra by a vendor's library --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_FACTORIZATIONS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_FACTORIZATIONS_H

#include "runtime/drivers/gpu/GpuStream.h"

namespace tensorc::rt::gpu {

/// Queues the function of this name behind "linalg.", as runtime/linalg has it.
/// Not taken: the library is not there, has no such function, or not for such
/// sizes.
Status callMathLibrary(GpuStream &stream, std::string_view function,
                       const tensorc_rt_op_call &call, bool &taken);

} // namespace tensorc::rt::gpu

#endif
