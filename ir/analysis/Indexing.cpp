//===- Indexing.cpp - Operand elements that a result element reads --------===//

#include "ir/analysis/Indexing.h"
#include "ir/analysis/Products.h"
#include "ir/tx/Size.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::analysis {

using SymbolOf = function_ref<AffineExpr(Value)>;
using OperandIndexings = SmallVector<OperandIndexing>;

bool isElementMapped(Operation *op) {
  return op->hasTrait<tx::Elementwise>() ||
         isa<tx::ConstantOp, tx::IotaOp, tx::SizeOp, tx::BroadcastOp,
             tx::ReshapeOp, tx::TransposeOp, tx::SliceOp, tx::WindowsOp,
             tx::PadOp, tx::ConcatenateOp, tx::GatherOp, tx::DynamicSliceOp,
             tx::DynamicUpdateSliceOp, tx::SearchsortedOp, tx::RandomBitsOp>(
             op);
}

bool isReadAnywhere(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<tx::GatherOp, tx::DynamicSliceOp, tx::SearchsortedOp>(op))
    return operand.getOperandNumber() == 0;
  return isa<tx::DynamicUpdateSliceOp>(op) && operand.getOperandNumber() == 1;
}

static SmallVector<AffineExpr> dimsOf(Value v, const IterationSpace &space) {
  return space.getNames().dims(cast<RankedTensorType>(v.getType()));
}

static bool isOne(AffineExpr e) {
  auto c = dyn_cast<AffineConstantExpr>(e);
  return c && c.getValue() == 1;
}

static Index broadcastIndex(tx::BroadcastOp op, const Index &index,
                            const IterationSpace &space) {
  Index result;
  for (auto [size, dim] : llvm::zip(dimsOf(op.getX(), space), op.getDims()))
    result.push_back(isOne(size) ? space.getNames().constant(0) : index[dim]);
  return result;
}

/// Splits a row-major position into an index within `dims`.
static void delinearize(AffineExpr linear, ArrayRef<AffineExpr> dims,
                        const IterationSpace &space, Index &result) {
  Index parts(dims.size());
  size_t outermost = 0;
  while (outermost < dims.size() && isOne(dims[outermost]))
    ++outermost;
  AffineExpr rest = linear;
  for (size_t i = dims.size(); i-- > 0;) {
    if (isOne(dims[i])) {
      parts[i] = space.getNames().constant(0);
    } else if (i == outermost) {
      parts[i] = rest;
    } else {
      parts[i] = space.mod(rest, dims[i]);
      rest = space.floorDiv(rest, dims[i]);
    }
  }
  llvm::append_range(result, parts);
}

/// Returns the product of sizes, with k * (e floordiv k) replaced by e.
static AffineExpr withoutQuotients(AffineExpr product, tx::DimSpace &names) {
  SmallVector<AffineExpr> factors = partsOf(product, AffineExprKind::Mul);
  for (AffineExpr &factor : factors) {
    auto quotient = dyn_cast<AffineBinaryOpExpr>(factor);
    if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv)
      continue;
    SmallVector<AffineExpr> others;
    for (AffineExpr &other : factors)
      if (&other != &factor)
        others.push_back(other);
    if (auto rest = divideTerm(names.product(others), quotient.getRHS()))
      return withoutQuotients(names.simplify(*rest * quotient.getLHS()), names);
  }
  return product;
}

static bool hasQuotient(ArrayRef<AffineExpr> dims) {
  bool found = false;
  for (AffineExpr dim : dims)
    dim.walk([&](AffineExpr part) {
      found |= part.getKind() == AffineExprKind::FloorDiv;
    });
  return found;
}

/// Returns the ends of the shortest runs of dims that begin at i and o and have
/// equal products. The last run contains all remaining dims.
static std::pair<size_t, size_t> nextRun(ArrayRef<AffineExpr> in,
                                         ArrayRef<AffineExpr> out, size_t i,
                                         size_t o, tx::DimSpace &names) {
  // Both sides have the same number of elements. If only one side contains
  // quotients, the quotients must be exact, because no dim of the other side
  // could match them otherwise.
  bool exact = hasQuotient(in) != hasQuotient(out);
  auto product = [&](ArrayRef<AffineExpr> dims) {
    AffineExpr result = names.product(dims);
    return exact ? withoutQuotients(result, names) : result;
  };
  for (size_t iEnd = i + 1; iEnd < in.size(); ++iEnd)
    for (size_t oEnd = o + 1; oEnd <= out.size(); ++oEnd)
      if (areSameProduct(product(in.slice(i, iEnd - i)),
                         product(out.slice(o, oEnd - o))))
        return {iEnd, oEnd};
  return {in.size(), out.size()};
}

/// Runs of operand and result dims with equal products are treated separately,
/// so dims that a reshape does not change keep their plain index.
static Index reshapeIndex(tx::ReshapeOp op, const Index &index,
                          const IterationSpace &space) {
  SmallVector<AffineExpr> in = dimsOf(op.getX(), space);
  SmallVector<AffineExpr> out = dimsOf(op.getResult(), space);
  Index result;
  for (size_t i = 0, o = 0; i < in.size();) {
    auto [iEnd, oEnd] = nextRun(in, out, i, o, space.getNames());
    AffineExpr linear = space.linearize(ArrayRef(index).slice(o, oEnd - o),
                                        ArrayRef(out).slice(o, oEnd - o));
    delinearize(linear, ArrayRef(in).slice(i, iEnd - i), space, result);
    i = iEnd;
    o = oEnd;
  }
  return result;
}

static Index sliceIndex(tx::SliceOp op, const Index &index,
                        const IterationSpace &space, SymbolOf symbolOf) {
  Index result;
  unsigned next = 0;
  for (auto [i, offset, stride] :
       llvm::zip(index, op.getStaticOffsets(), op.getStrides())) {
    AffineExpr from = ShapedType::isDynamic(offset)
                          ? symbolOf(op.getOffsets()[next++])
                          : space.getNames().constant(offset);
    result.push_back(space.simplify(i * stride + from));
  }
  return result;
}

/// Element w of window o is at o * stride + w * dilation.
static Index windowsIndex(tx::WindowsOp op, const Index &index,
                          const IterationSpace &space) {
  size_t rank = op.getX().getType().getRank();
  Index result(ArrayRef(index).take_front(rank));
  for (auto [i, dim] : llvm::enumerate(op.getDims())) {
    AffineExpr element = index[rank + i] * op.getDilations()[i];
    result[dim] = space.simplify(result[dim] * op.getStrides()[i] + element);
  }
  return result;
}

static OperandIndexing padIndexing(tx::PadOp op, const Index &index,
                                   const IterationSpace &space) {
  OperandIndexing result;
  SmallVector<AffineExpr> in = dimsOf(op.getX(), space);
  for (auto [d, i] : llvm::enumerate(index)) {
    AffineExpr shifted = space.simplify(i - op.getLow()[d]);
    int64_t step = op.getInterior()[d] + 1;
    if (op.getLow()[d] != 0 || op.getHigh()[d] != 0 || step != 1)
      // The guard excludes positions of padding between elements, positions
      // after the last element, which is at (size - 1) * step, and all
      // positions if the dim is empty.
      result.guards.push_back({shifted, space.simplify(in[d] * step), step});
    result.index.push_back(step == 1 ? shifted
                                     : space.simplify(shifted.floorDiv(step)));
  }
  return result;
}

static OperandIndexings concatenateIndexing(tx::ConcatenateOp op,
                                            const Index &index,
                                            const IterationSpace &space) {
  OperandIndexings result;
  AffineExpr offset = space.getNames().constant(0);
  int64_t dim = op.getDim();
  for (Value input : op.getInputs()) {
    OperandIndexing one{index, {}};
    one.index[dim] = space.simplify(index[dim] - offset);
    AffineExpr size = dimsOf(input, space)[dim];
    one.guards.push_back({one.index[dim], size});
    if (isOne(size)) // a dim of size 1 is read at index 0 only
      one.index[dim] = space.getNames().constant(0);
    offset = offset + size;
    result.push_back(one);
  }
  return result;
}

template <typename Op>
static Index vectorIndex(Op op, const Index &index, int64_t component,
                         const IterationSpace &space) {
  Index result;
  for (int64_t d : op.getBatchDims())
    result.push_back(index[d]);
  int64_t rank = op.getIndices().getType().getRank();
  if (static_cast<int64_t>(op.getIndexVectorDim()) < rank)
    result.insert(result.begin() + op.getIndexVectorDim(),
                  space.getNames().constant(component));
  return result;
}

Index indexVectorIndex(tx::GatherOp op, const Index &index, int64_t component,
                       const IterationSpace &space) {
  return vectorIndex(op, index, component, space);
}

Index indexVectorIndex(tx::ScatterOp op, const Index &index, int64_t component,
                       const IterationSpace &space) {
  return vectorIndex(op, index, component, space);
}

static OperandIndexings gatherIndexing(tx::GatherOp op, const Index &index,
                                       const IterationSpace &space) {
  Index offsets;
  for (int64_t d : op.getOffsetDimOfX())
    offsets.push_back(d < 0 ? space.getNames().constant(0) : index[d]);
  return {{offsets, {}}, {indexVectorIndex(op, index, 0, space), {}}};
}

/// Returns an index whose component along the searched dim is 0, the first
/// element of the sequence.
static OperandIndexings searchIndexing(tx::SearchsortedOp op,
                                       const Index &index,
                                       const IterationSpace &space) {
  Index first;
  if (op.getSorted().getType().getRank() > 1)
    first.assign(index.begin(), std::prev(index.end()));
  first.push_back(space.getNames().constant(0));
  return {{first, {}}, {index, {}}};
}

/// The guards describe where the update can be, because its position is known
/// only at run time.
static OperandIndexings updateIndexing(tx::DynamicUpdateSliceOp op,
                                       const Index &index,
                                       const IterationSpace &space) {
  OperandIndexings result(2 + op.getStarts().size());
  result[0].index = result[1].index = index;
  for (auto [i, x, update] : llvm::zip(index, dimsOf(op.getX(), space),
                                       dimsOf(op.getUpdate(), space)))
    if (x != update)
      result[1].guards.push_back({i, x});
  return result;
}

OperandIndexings operandIndexing(Operation *op, const Index &index,
                                 const IterationSpace &space,
                                 SymbolOf symbolOf) {
  if (op->hasTrait<tx::Elementwise>())
    return OperandIndexings(op->getNumOperands(), {index, {}});
  return TypeSwitch<Operation *, OperandIndexings>(op)
      .Case([&](tx::BroadcastOp op) -> OperandIndexings {
        return {{broadcastIndex(op, index, space), {}}};
      })
      .Case([&](tx::ReshapeOp op) -> OperandIndexings {
        return {{reshapeIndex(op, index, space), {}}};
      })
      .Case([&](tx::TransposeOp op) -> OperandIndexings {
        Index in(index.size());
        for (auto [i, p] : llvm::enumerate(op.getPermutation()))
          in[p] = index[i];
        return {{in, {}}};
      })
      .Case([&](tx::SliceOp op) -> OperandIndexings {
        return {{sliceIndex(op, index, space, symbolOf), {}}};
      })
      .Case([&](tx::WindowsOp op) -> OperandIndexings {
        return {{windowsIndex(op, index, space), {}}};
      })
      .Case([&](tx::PadOp op) -> OperandIndexings {
        return {padIndexing(op, index, space), {Index(), {}}};
      })
      .Case([&](tx::RandomBitsOp op) {
        // All words of the key and the counter are read. The index of the first
        // word represents them.
        Index first{space.getNames().constant(0)};
        return OperandIndexings(op->getNumOperands(), {first, {}});
      })
      .Case([&](tx::GatherOp op) { return gatherIndexing(op, index, space); })
      .Case([&](tx::DynamicSliceOp op) {
        OperandIndexings result(1 + op.getStarts().size());
        result[0].index = index;
        return result;
      })
      .Case([&](tx::SearchsortedOp op) {
        return searchIndexing(op, index, space);
      })
      .Case([&](tx::DynamicUpdateSliceOp op) {
        return updateIndexing(op, index, space);
      })
      // x is read at the result's index, before any update.
      .Case([&](tx::ScatterOp) -> OperandIndexings { return {{index, {}}}; })
      .Case([&](tx::ConcatenateOp op) {
        return concatenateIndexing(op, index, space);
      })
      .Default([](Operation *) { return OperandIndexings(); });
}

void walkReads(Value value, const Index &index, const IterationSpace &space,
               SymbolOf symbolOf, function_ref<bool(Value)> stop,
               function_ref<void(Value, const Index &)> onRead,
               function_ref<void(const Guard &)> onGuard) {
  SmallVector<std::pair<Value, Index>> worklist{{value, index}};
  DenseSet<std::pair<Value, ArrayAttr>> seen;
  auto key = [&](const Index &i) {
    SmallVector<Attribute> maps;
    for (AffineExpr e : i)
      maps.push_back(AffineMapAttr::get(
          AffineMap::get(space.getRank(), space.getNames().names().size(), e)));
    return ArrayAttr::get(value.getContext(), maps);
  };
  while (!worklist.empty()) {
    auto [v, at] = worklist.pop_back_val();
    if (!seen.insert({v, key(at)}).second)
      continue;
    Operation *op = v.getDefiningOp();
    if (!op || stop(v) || isa<tx::IotaOp>(op)) {
      onRead(v, at);
      continue;
    }
    if (isa<tx::RandomBitsOp>(op))
      onRead(v, at);
    OperandIndexings operands = operandIndexing(op, at, space, symbolOf);
    for (auto [operand, indexing] : llvm::zip(op->getOperands(), operands)) {
      for (const Guard &guard : indexing.guards)
        onGuard(guard);
      worklist.push_back({operand, indexing.index});
    }
  }
}

} // namespace tensorc::analysis
