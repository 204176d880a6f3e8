//===- LoopLanes.cpp - Number of lanes of element-wise loops --------------===//
//
// Chooses the number of lanes of a loop: as many as one register has, twice or
// half as many. Lanes are elements or short rows.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/kernel/CpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// True if each step should interleave the ops of two registers, because chains
/// of exp and similar functions exceed the reorder buffer. Measured on a Zen 5:
/// 0.75 to 0.97 of the time with one register, but 1.09 for a sigmoid that
/// waits for memory.
static bool usesTwoRegisters(KernelBuilder &fusion, int64_t width) {
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
  // If a row is short or of unknown length, most lanes of the last step would
  // be masked.
  auto row = constantOf(loops->sizes.back());
  return row ? *row % (2 * width) == 0 ||
                   *row >= fusion.costs().minRowRegisters * width
             : loops->sizes.size() == 1;
}

/// Maximum number of ops for a short row with more than two elements. Each
/// element gets a copy of the ops, so this bounds the code size.
static constexpr int64_t maxOpsPerRow = 128;

int64_t workOf(KernelBuilder &kernel) {
  int64_t work = 0;
  for (Operation &op : kernel.body().without_terminator())
    work += op.hasTrait<tx::Costly>() ? kernel.costs().costlyOpWork : 1;
  return work;
}

/// True if vectors whose lanes are rows of `size` elements read only contiguous
/// memory, elements of rows of the same size, or a single element.
static bool readsInLanes(KernelBuilder &kernel, CollapsedDims loops,
                         int64_t size) {
  loops.dropShortRowLoop(kernel.names);
  analysis::IterationSpace space(kernel.names, loops.sizes);
  unsigned lane = loops.sizes.size() - 1;
  bool isSo = true;
  auto onRead = [&](Value v, const Index &index) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || kernel.isScalar(argument))
      return;
    AffineExpr position = space.linearize(index, kernel.dims(v));
    auto linear = analysis::linearIn(position, lane, space);
    auto step =
        linear ? constantOf(linear->coefficient) : std::optional<int64_t>();
    // The last index must be constant. A slice at a symbolic offset, for
    // example, may select another element of the row at run time.
    bool isOfRow = !index.empty() && isa<AffineConstantExpr>(index.back()) &&
                   constantOf(kernel.dims(v).back()) == size;
    isSo &= step && (*step == 0 || *step == 1 || *step == -1 ||
                     (*step == size && isOfRow));
  };
  for (int64_t part = 0; part < size; ++part) {
    Index at = loops.index;
    at.back() = kernel.names.constant(part);
    for (Value root : kernel.yield().getValues())
      analysis::walkReads(
          root, at, space, [&](Value s) { return kernel.symbolOf(s); },
          [](Value) { return false; }, onRead, [](const analysis::Guard &) {});
  }
  return isSo;
}

int64_t sizeOfRowsInLanes(KernelBuilder &kernel, const CollapsedDims &loops) {
  int64_t size = loops.sizeOfShortRow();
  if (size == 0 || !keptInputs(kernel).empty())
    return 0;
  if (size == 2)
    return size;
  bool fills = constantOf(loops.sizes[loops.sizes.size() - 2])
                   .value_or(registerLanes(kernel)) >= registerLanes(kernel);
  return fills && size * workOf(kernel) <= maxOpsPerRow &&
                 readsInLanes(kernel, loops, size)
             ? size
             : 0;
}

/// Offers the number of lanes of one register, of two registers, and of half a
/// register.
Offers offerLanes(KernelBuilder &fusion) {
  int64_t width = registerLanes(fusion);
  Offers offers{{{"lanes", width}}, {{"lanes", 2 * width}}};
  if (width > 1)
    offers.push_back({{"lanes", width / 2}});
  return offers;
}

Offers offerLanesOfLoop(KernelBuilder &fusion) {
  Offers offers = offerLanes(fusion);
  if (usesTwoRegisters(fusion, registerLanes(fusion)))
    std::swap(offers[0], offers[1]);
  return offers;
}

} // namespace tensorc::codegen::simd
