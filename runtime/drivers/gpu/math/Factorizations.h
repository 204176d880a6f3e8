//===- Factorizations.h - linear algebra by a vendor's library --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_FACTORIZATIONS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_FACTORIZATIONS_H

#include "runtime/drivers/gpu/GpuStream.h"

namespace tensorc::rt::gpu {

/// Queues the library's implementation of "linalg.<name>" (see runtime/linalg).
/// `taken` is false if the library is missing, has no such function, or does
/// not support the sizes.
Status callMathLibrary(GpuStream &stream, std::string_view function,
                       const tensorc_rt_op_call &call, bool &taken);

} // namespace tensorc::rt::gpu

#endif
