//===- Measure.h - Figures of a device, measured --------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H

#include "compiler/session/placement/CostModel.h"

#include "llvm/Support/Error.h"

namespace tensorc::placement {

/// Runs a few short kernels and copies; takes some tens of milliseconds and a
/// compilation for each. Only one thread may call it at a time, as it compiles.
llvm::Expected<Figures> measureFigures(tensorc_rt_device *device);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
