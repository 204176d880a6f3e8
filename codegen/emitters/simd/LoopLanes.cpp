//===- LoopLanes.cpp - Lanes that loops are offered -----------------------===//
//
// One register's elements in each step, two or half of one.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Rows of so many registers lose little in their last step.
static constexpr int64_t leastRegistersOfRow = 12;

/// Chains of exp and its like are longer than the processor looks ahead, so two
/// registers stand in each step. Measured on a Zen 5: 0.75 to 0.97 of the time,
/// but 1.09 for a sigmoid that waits for memory.
static bool takesTwoRegisters(KernelBuilder &fusion, int64_t width) {
  int64_t costly = llvm::count_if(
      fusion.body(), [](Operation &op) { return op.hasTrait<tx::Costly>(); });
  if (width == 1 || costly == 0 || fusion.target.getNumVectorRegisters() < 32)
    return false;
  FailureOr<CollapsedDims> loops = collapseOutputs(fusion);
  if (failed(loops) || loops->sizes.empty())
    return false;
  auto count = constantOf(fusion.names.product(loops->sizes));
  if (costly == 1 && count &&
      comeFromMemory(*count * (fusion.target.getVectorBytes() / width),
                     fusion.target))
    return false;
  // A row that is short or unknown would mostly compute what nobody stores.
  auto row = constantOf(loops->sizes.back());
  return row ? *row % (2 * width) == 0 || *row >= leastRegistersOfRow * width
             : loops->sizes.size() == 1;
}

/// Those of a register, or of two, or of half of one.
Offers offerLanes(KernelBuilder &fusion) {
  int64_t width = registerLanes(fusion);
  Offers offers{{{"lanes", width}}, {{"lanes", 2 * width}}};
  if (width > 1)
    offers.push_back({{"lanes", width / 2}});
  return offers;
}

Offers offerLanesOfLoop(KernelBuilder &fusion) {
  Offers offers = offerLanes(fusion);
  if (takesTwoRegisters(fusion, registerLanes(fusion)))
    std::swap(offers[0], offers[1]);
  return offers;
}

} // namespace tensorc::codegen::simd
