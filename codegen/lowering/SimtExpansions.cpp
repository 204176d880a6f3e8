//===- SimtExpansions.cpp - Expansion passes of SIMT targets --------------===//

#include "codegen/lowering/Passes.h"

namespace tensorc::codegen {

void addSimtExpansions(mlir::OpPassManager &pm, const TargetInfo &target,
                       NativeConversions native) {
  pm.addPass(createExpandTilesPass({target.getMatrixUnit()}));
  // Atomics are expanded first, because they become arithmetic that the
  // following passes expand.
  pm.addPass(createExpandAtomicsPass());
  pm.addPass(createExpandNarrowFloatsPass({native.f16, native.roundsBFloat}));
  pm.addPass(createExpandMathPass());
  if (!target.hasDoubles())
    pm.addPass(createExpandDoublesPass());
  pm.addPass(
      createConvertStorageToBitsPass({!native.f16, !target.hasDoubles()}));
  pm.addPass(createExpandShufflesPass({!target.hasShuffles()}));
}

} // namespace tensorc::codegen
