//===- LoopParts.cpp - Parts of a loop that read one operand --------------===//

#include "codegen/emitters/simd/loop/LoopParts.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/kernel/CpuCosts.h"
#include "ir/tx/Tx.h"

#include <set>

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Maximum number of ops in all parts together. It bounds the code size.
static constexpr int64_t maxOpsOfParts = 64;

/// For each loop, returns the bounds of those guards that depend on that loop
/// alone.
static SmallVector<std::set<int64_t>> findBorders(KernelBuilder &kernel,
                                                  const CollapsedDims &loops) {
  SmallVector<std::set<int64_t>> borders(loops.sizes.size());
  analysis::IterationSpace space(kernel.names, loops.sizes);
  auto add = [&](const analysis::Guard &guard) {
    auto extent = dyn_cast<AffineConstantExpr>(guard.size);
    if (!extent || guard.modulus != 1)
      return;
    for (unsigned loop = 0; loop < borders.size(); ++loop) {
      auto linear = analysis::linearIn(guard.value, loop, space);
      auto rest = dyn_cast_or_null<AffineConstantExpr>(linear ? linear->rest
                                                              : AffineExpr());
      if (!rest || linear->coefficient != kernel.names.constant(1))
        continue;
      int64_t begin = -rest.getValue();
      borders[loop].insert({begin, begin + extent.getValue()});
    }
  };
  for (Value root : kernel.yield().getValues())
    analysis::walkReads(
        root, loops.index, space, [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; }, [](Value, const Index &) {}, add);
  return borders;
}

/// True if a part of the innermost loop is so short that it is emitted element
/// by element. This requires outer loops: the work items of a single loop may
/// begin within a part.
static bool isShortPart(KernelBuilder &kernel, const CollapsedDims &loops,
                        int64_t size) {
  return loops.sizes.size() > 1 && size <= kernel.costs().maxScalarElements;
}

/// True if the parts of the innermost loop are long enough for vectors.
static bool areLongEnough(KernelBuilder &kernel, const CollapsedDims &loops,
                          ArrayRef<int64_t> boundaries) {
  SmallVector<int64_t> sizes;
  for (auto [from, to] : llvm::zip(boundaries, boundaries.drop_front()))
    if (!isShortPart(kernel, loops, to - from))
      sizes.push_back(to - from);
  int64_t minimum = sizes.size() > 1 ? 2 * kernel.costs().minPartVectors : 1;
  return !sizes.empty() &&
         2 * *llvm::min_element(sizes) >= minimum * kernel.scheduled("lanes");
}

/// Returns the boundaries of the loop's parts, including 0 and the loop's size.
/// Returns an empty list if there would be too many parts, or too short ones.
static SmallVector<int64_t> findBoundaries(KernelBuilder &kernel,
                                           const CollapsedDims &loops,
                                           unsigned loop,
                                           const std::set<int64_t> &borders) {
  std::optional<int64_t> size = constantOf(loops.sizes[loop]);
  if (!size)
    return {};
  SmallVector<int64_t> boundaries{0};
  for (int64_t border : borders)
    if (border > 0 && border < *size)
      boundaries.push_back(border);
  boundaries.push_back(*size);
  int64_t count = boundaries.size() - 1;
  bool isInnermost = loop + 1 == loops.sizes.size();
  return count > 1 && count * workOf(kernel) <= maxOpsOfParts &&
                 (!isInnermost || areLongEnough(kernel, loops, boundaries))
             ? boundaries
             : SmallVector<int64_t>();
}

static LoopPart makePart(KernelBuilder &kernel, const CollapsedDims &loops,
                         unsigned cut, int64_t from, int64_t to) {
  CollapsedDims some = loops;
  some.sizes[cut] = kernel.names.constant(to - from);
  AffineExpr dim = getAffineDimExpr(cut, kernel.b.getContext());
  for (AffineExpr &e : some.index)
    e = e.replace(dim, dim + from);
  analysis::IterationSpace space(kernel.names, some.sizes);
  return {std::move(some), std::move(space), from};
}

bool LoopParts::isByElements(KernelBuilder &kernel,
                             const LoopPart &part) const {
  return splitsInnermost() &&
         isShortPart(kernel, part.loops, *constantOf(part.loops.sizes.back()));
}

LoopParts findLoopParts(KernelBuilder &kernel, const CollapsedDims &loops) {
  LoopParts parts;
  SmallVector<std::set<int64_t>> borders;
  if (llvm::any_of(kernel.body(), [](Operation &op) {
        return isa<tx::ConcatenateOp, tx::PadOp>(op);
      }))
    borders = findBorders(kernel, loops);
  for (unsigned loop = borders.size(); loop-- > 0 && parts.all.empty();) {
    SmallVector<int64_t> boundaries =
        findBoundaries(kernel, loops, loop, borders[loop]);
    parts.cut = loop;
    for (size_t i = 1; i < boundaries.size(); ++i)
      parts.all.push_back(
          makePart(kernel, loops, loop, boundaries[i - 1], boundaries[i]));
  }
  if (parts.all.empty())
    parts.all.push_back({loops, {kernel.names, loops.sizes}});
  return parts;
}

} // namespace tensorc::codegen::simd
