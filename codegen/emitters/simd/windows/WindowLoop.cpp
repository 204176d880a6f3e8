//===- WindowLoop.cpp - Reductions over windows of many positions ---------===//
//
// If a window has too many positions to unroll, a loop runs over its lines, and
// only the positions of a line are unrolled:
//
// for each block of output rows, for each vector of outputs:
//   states[lane] = neutral                    (in memory)
//   for each line of the window, or equal part of a line:
//     for each position in the line:          (unrolled)
//       for each row of the block:
//         states[lane of the position] += elements at that position
//     combine the states by halves
//
// A position's logical lane changes from line to line, so it is computed. Exact
// combiners need one state, which is in a register.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/windows/WindowSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

int64_t partOfLine(int64_t length, int64_t limit) {
  int64_t part = std::min(limit, length);
  while (length % part != 0)
    --part;
  return part * part < length ? 0 : part;
}

/// Returns the states of the reduction, by a loop over the lines of the window,
/// or over equal parts of them.
FailureOr<WindowSkeleton::States>
WindowSkeleton::emitLoop(Reduction &r, const Vectors &vectors,
                         const Values &dims, Value mask) {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : reducedLoops)
    sizes.push_back(loops.sizes[loop]);
  sizes.back() = constant(lineLength() / unrolled);
  Values carried;
  for (int64_t row = 0; row < vectors.count && !sums; ++row)
    llvm::append_range(carried, r.combiner.neutral(lanes->width));
  if (sums && failed(sums->clear()))
    return failure();
  auto emitLine = [&](Value line, ValueRange before) -> FailureOr<Values> {
    Values at = dims, parts = delinearize(kernel, line, sizes);
    Value begin = indexConstant(kernel, unrolled);
    parts.back() = b.createOrFold<arith::MulIOp>(parts.back(), begin);
    for (auto [loop, value] : llvm::zip_equal(reducedLoops, parts))
      at[loop] = value;
    begin = b.createOrFold<arith::MulIOp>(line, begin);
    Vectors here{
        vectors.space, {kernel, vectors.space, at, lanes, mask}, vectors.count};
    here.elements.preferMasks();
    Values states = llvm::to_vector(before);
    for (int64_t position = 0; position < unrolled; ++position) {
      FailureOr<States> next = emitPosition(r, here, position);
      if (failed(next))
        return failure();
      Value lane = b.createOrFold<arith::AndIOp>(
          b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, position)),
          indexConstant(kernel, order.getLanes().front() - 1));
      for (auto [row, state] : llvm::enumerate(*next)) {
        if (sums) {
          if (failed(sums->combine(lane, row, state)))
            return failure();
          continue;
        }
        auto both = r.combiner.combine(states[row], state);
        if (failed(both))
          return failure();
        states[row] = both->front();
      }
    }
    return states;
  };
  auto values = forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, positions / unrolled), 1,
                         carried, emitLine);
  if (failed(values))
    return failure();
  States states;
  for (Value value : *values)
    states.push_back({value});
  if (!sums)
    return states;
  auto sumsOfRows = sums->combineLanes();
  if (failed(sumsOfRows))
    return failure();
  // The last block may have fewer rows.
  sumsOfRows->truncate(vectors.count);
  return sumsOfRows;
}

} // namespace tensorc::codegen::simd
