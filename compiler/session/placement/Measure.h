//===- Measure.h - Measures the performance figures of a device -----------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H

#include "compiler/session/placement/CostModel.h"

#include "llvm/Support/Error.h"

namespace tensorc::placement {

/// Measures a device by a few short kernels and copies. This takes a few tens
/// of milliseconds, plus a compilation per kernel. Because it compiles, only
/// one thread may call it at a time.
llvm::Expected<Figures> measureFigures(tensorc_rt_device *device);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_MEASURE_H
