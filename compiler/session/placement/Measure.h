//===- Measure.h - Figures of a device, measured --------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H

#include "compiler/session/placement/CostModel.h"

#include "llvm/Support/Error.h"

namespace tensorc::placement {

/// Measures a device by a few short kernels and copies. It takes some tens of
/// milliseconds, and a compilation per kernel. As it compiles, only one thread
/// may call it at a time.
llvm::Expected<Figures> measureFigures(tensorc_rt_device *device);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
