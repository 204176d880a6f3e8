//===- Transforms.h - Fourier transforms by a vendor's library --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_TRANSFORMS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_TRANSFORMS_H

#include "runtime/drivers/gpu/GpuStream.h"

namespace tensorc::rt::gpu {

/// Queues a call of "fourier.fft". It transforms along the dim before the last
/// one; the last dim holds real and imaginary parts. The config "inverse"
/// selects the inverse transform. `taken` is false if the library is missing or
/// the call has another name.
Status callTransformLibrary(GpuStream &stream, const tensorc_rt_op_call &call,
                            bool &taken);

} // namespace tensorc::rt::gpu

#endif
