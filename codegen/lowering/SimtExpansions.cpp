//===- SimtExpansions.cpp - What SIMT targets expand, in order ------------===//

#include "codegen/lowering/Passes.h"

namespace tensorc::codegen {

void addSimtExpansions(mlir::OpPassManager &pm, bool f16Converts) {
  // Atomics first: they become arithmetic, which the others expand.
  pm.addPass(createExpandAtomicsPass());
  pm.addPass(createExpandNarrowFloatsPass({f16Converts}));
  pm.addPass(createExpandMathPass());
  pm.addPass(createBF16ToBitsPass());
  pm.addPass(createExpandShufflesPass());
}

} // namespace tensorc::codegen
