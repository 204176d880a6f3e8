//===- RegisterBody.cpp - Emits a loop's body on register values ----------===//

#include "codegen/emitters/registers/RegisterBody.h"
#include "codegen/emitters/registers/RegisterMatrices.h"
#include "codegen/emitters/registers/RegisterMemory.h"
#include "codegen/emitters/registers/RegisterSums.h"
#include "codegen/emitters/scalar/ClampedStart.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "ir/analysis/Indexing.h"
#include "ir/tx/structure/TxFusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {

using Source = RegisterBuilder::Source;

//===----------------------------------------------------------------------===//
// Element-wise ops and constants
//===----------------------------------------------------------------------===//

FailureOr<RegisterValue> RegisterBody::elementwise(Operation *op) {
  SmallVector<RegisterValue> known;
  for (Value operand : op->getOperands())
    known.push_back(valueOf(operand));
  SmallVector<const RegisterValue *> operands;
  for (const RegisterValue &operand : known)
    operands.push_back(&operand);
  return r.map(operands, [&](ValueRange parts) {
    return emitScalar(b, b.getLoc(), op, parts);
  });
}

RegisterValue RegisterBody::constant(tx::ConstantOp op) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  Type type = kernelType(elements.getElementType());
  auto signless = [&](Attribute value) -> Attribute {
    auto integer = dyn_cast<IntegerAttr>(value);
    return integer ? IntegerAttr::get(type, integer.getValue()) : value;
  };
  if (elements.isSplat()) {
    Attribute value = signless(elements.getSplatValue<Attribute>());
    return r.constant(elements.getNumElements(), type,
                      [&](int64_t) { return value; });
  }
  auto values = elements.getValues<Attribute>();
  return r.constant(elements.getNumElements(), type,
                    [&](int64_t i) { return signless(values[i]); });
}

RegisterValue RegisterBody::iota(tx::IotaOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t stride = computeStrides(shape)[op.getDim()],
          size = shape[op.getDim()];
  RegisterValue counts =
      r.constant(elementsOf(op.getType()), b.getI64Type(), [&](int64_t i) {
        return b.getI64IntegerAttr(i / stride % size);
      });
  for (Value &part : counts.parts)
    part = convertElements(b, b.getLoc(), part, b.getI64Type(),
                           op.getType().getElementType());
  return counts;
}

//===----------------------------------------------------------------------===//
// Ops that move elements
//===----------------------------------------------------------------------===//

static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return dims[d.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t x = evaluate(binary.getLHS(), dims),
          y = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return x + y;
  case AffineExprKind::Mul:
    return x * y;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(x, y);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(x, y);
  default:
    return x - y * llvm::divideFloorSigned(x, y);
  }
}

static bool holds(const analysis::Guard &guard, ArrayRef<int64_t> index) {
  int64_t value = evaluate(guard.value, index);
  return value >= 0 && value < evaluate(guard.size, index) &&
         value % guard.modulus == 0;
}

/// Emits an op whose result consists of elements of its operands, at indices
/// that are known at compile time.
FailureOr<RegisterValue> RegisterBody::moved(Operation *op) {
  Value result = op->getResult(0);
  if (isa<tx::ReshapeOp>(op))
    return valueOf(op->getOperand(0));
  SmallVector<AffineExpr> sizes;
  for (int64_t size : shapeOf(result))
    sizes.push_back(b.getAffineConstantExpr(size));
  analysis::IterationSpace space(names, sizes);
  SmallVector<analysis::OperandIndexing> operands = analysis::operandIndexing(
      op, space.identity(), space, [](Value) { return AffineExpr(); });
  SmallVector<SmallVector<int64_t>> operandStrides;
  SmallVector<RegisterValue> from;
  for (Value operand : op->getOperands()) {
    operandStrides.push_back(computeStrides(shapeOf(operand)));
    from.push_back(valueOf(operand));
  }
  SmallVector<int64_t> strides = computeStrides(shapeOf(result));
  return r.move(elementsOf(result.getType()), [&](int64_t element) {
    SmallVector<int64_t> index = mlir::delinearize(element, strides);
    for (auto [i, operand] : llvm::enumerate(operands)) {
      if (!llvm::all_of(operand.guards,
                        [&](auto &guard) { return holds(guard, index); }))
        continue;
      int64_t at = 0;
      for (auto [expr, stride] : llvm::zip(operand.index, operandStrides[i]))
        at += evaluate(expr, index) * stride;
      return Source{&from[i], at};
    }
    llvm_unreachable("an operand has each element");
  });
}

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

RegisterValue RegisterBody::loadWindow(Operation *op) {
  Window window = *windowOf(op);
  ArrayRef<int64_t> shape = shapeOf(window.x);
  SmallVector<int64_t> strides = computeStrides(shape);
  Memory whole = memoryOf(window.x);
  int64_t total = elementsOf(op->getResult(0).getType()),
          each = total / window.count;
  SmallVector<RegisterValue> slices;
  for (int64_t n = 0; n < window.count; ++n) {
    Value offset = firstOf(whole);
    for (const Window::Start &start : window.starts) {
      int64_t highest = shape[start.dim] - window.sizes[start.dim];
      if (highest == 0)
        continue;
      RegisterValue from = valueOf(start.value);
      Value at = r.move(1, [&](int64_t) {
                    return Source{&from, start.at + n * start.step};
                  }).parts[0];
      at = clampStart(b, at, getElementTypeOrSelf(start.value.getType()),
                      arith::ConstantIntOp::create(b, b.getI64Type(), highest));
      Value stride = arith::ConstantIndexOp::create(b, strides[start.dim]);
      offset = b.createOrFold<arith::AddIOp>(
          offset, b.createOrFold<arith::MulIOp>(at, stride));
    }
    slices.push_back(r.load(whole.buffer, offset, each));
  }
  if (window.count == 1)
    return slices.front();
  return r.move(total, [&](int64_t element) {
    return Source{&slices[element / each], element % each};
  });
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

FailureOr<RegisterValue> RegisterBody::compute(Operation *op,
                                               tx::OrderAttr order) {
  if (op->hasTrait<tx::Elementwise>())
    return elementwise(op);
  if (op->hasTrait<tx::Reduction>())
    return reduceInRegisters(r, target, op, order, valueOf(op->getOperand(0)));
  return TypeSwitch<Operation *, FailureOr<RegisterValue>>(op)
      .Case([&](tx::ConstantOp constantOp) { return constant(constantOp); })
      .Case([&](tx::IotaOp iotaOp) { return iota(iotaOp); })
      .Case([&](tx::DotGeneralOp dot) {
        return contractInRegisters(r, dot, valueOf(dot.getX()),
                                   valueOf(dot.getY()));
      })
      .Case([&](tx::CustomCallOp call) {
        SmallVector<RegisterValue> inputs;
        for (Value input : call.getInputs())
          inputs.push_back(valueOf(input));
        return matrixInRegisters(r, call, inputs);
      })
      .Case<tx::GatherOp, tx::DynamicSliceOp>(
          [&](auto) { return loadWindow(op); })
      .Default([&](Operation *) { return moved(op); });
}

} // namespace tensorc::codegen
