//===- KeptElements.cpp - Caches costly elements of a row -----------------===//

#include "codegen/emitters/simd/KeptElements.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

static bool isCostly(Operation *op) { return op && op->hasTrait<tx::Costly>(); }

/// True if every transitive reader of v, up to reductions and outputs, reads it
/// at the reader's own index.
bool KeptElements::isReadInPlace(Value v, ArrayRef<AffineExpr> shape) {
  return ArrayRef(kernel.dims(v)) == shape &&
         llvm::all_of(v.getUsers(), [&](Operation *user) {
           if (isa<tx::YieldOp>(user) || user->hasTrait<tx::Reduction>())
             return true;
           return user->hasTrait<tx::Elementwise>() &&
                  isReadInPlace(user->getResult(0), shape);
         });
}

/// Walks the values that pass `pass` computes. Adds costly values that an
/// earlier pass computes too to `found`, without walking their operands.
void KeptElements::find(Value v, unsigned pass, ArrayRef<AffineExpr> shape,
                        DenseMap<Value, Passes> &seen,
                        SetVector<std::pair<Value, unsigned>> &found) {
  Operation *op = v.getDefiningOp();
  if (!op || op->hasTrait<tx::Reduction>())
    return;
  auto [it, isNew] = seen.try_emplace(v, Passes{pass, pass});
  if (!isNew && it->second.last == pass)
    return;
  it->second.last = pass;
  if (!isNew && isCostly(op) && isReadInPlace(v, shape)) {
    found.insert({v, it->second.first});
    return;
  }
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      find(operand, pass, shape, seen, found);
}

KeptElements::KeptElements(KernelBuilder &kernel,
                           ArrayRef<SmallVector<Value>> passes,
                           ArrayRef<AffineExpr> shape, AffineExpr row,
                           int64_t lanes)
    : kernel(kernel), lanes(lanes) {
  auto size = dyn_cast<AffineConstantExpr>(row);
  int64_t limit = kernel.target.getL2Bytes() / 4;
  if (!size || size.getValue() > limit)
    return;
  DenseMap<Value, Passes> seen;
  SetVector<std::pair<Value, unsigned>> found;
  for (auto [pass, roots] : llvm::enumerate(passes))
    for (Value root : roots)
      find(root, pass, shape, seen, found);
  count = llvm::alignTo(size.getValue(), lanes);
  for (auto [value, pass] : found) {
    Type element = kernelType(getElementTypeOrSelf(value.getType()));
    int64_t more = llvm::alignTo(
        count * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8), 64);
    if (bytes + more > limit)
      return;
    kept.push_back({value, pass, bytes, Value()});
    bytes += more;
  }
}

void KeptElements::allocate() {
  for (Kept &k : kept) {
    Type element = kernelType(getElementTypeOrSelf(k.value.getType()));
    k.memory = memref::ViewOp::create(
        kernel.b, MemRefType::get({count}, element), kernel.scratch(),
        arith::ConstantIndexOp::create(kernel.b, k.offset), ValueRange());
  }
}

bool KeptElements::areKept(Value v, unsigned pass) const {
  return llvm::any_of(
      kept, [&](const Kept &k) { return k.value == v && k.pass < pass; });
}

bool KeptElements::lastOnePass(unsigned passes) const {
  return llvm::all_of(kept,
                      [&](const Kept &k) { return k.pass + 2 == passes; });
}

AffineExpr KeptElements::scratch() const {
  return bytes ? kernel.names.constant(bytes) : AffineExpr();
}

void KeptElements::load(unsigned pass, ExpressionEmitter &elements,
                        Value position) {
  for (const Kept &k : kept) {
    if (k.pass >= pass)
      continue;
    Type element = cast<MemRefType>(k.memory.getType()).getElementType();
    elements.bindValue(k.value, vector::LoadOp::create(
                                    kernel.b, VectorType::get({lanes}, element),
                                    k.memory, position));
  }
}

LogicalResult KeptElements::store(unsigned pass, ExpressionEmitter &elements,
                                  const analysis::Index &index,
                                  Value position) {
  for (const Kept &k : kept) {
    if (k.pass != pass)
      continue;
    FailureOr<Value> element = elements.emitLanes(k.value, index);
    if (failed(element))
      return failure();
    vector::StoreOp::create(kernel.b, *element, k.memory, position);
  }
  return success();
}

} // namespace tensorc::codegen::simd
