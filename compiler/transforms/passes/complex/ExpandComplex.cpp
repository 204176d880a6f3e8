//===- ExpandComplex.cpp - Splits complex tensors into two real tensors ---===//
//
//   func.func @main(%x: tensor<6xcomplex<f32>>) { %y = tx.mul %x, %x ... }
// becomes
//   %b = tx.reinterpret %x : tensor<6xcomplex<f32>> -> tensor<6x2xf32>
//   (the real and the imaginary parts of %b by tx.slice: %re, %im)
//   ... tx.mul, tx.sub and tx.add of tensor<6xf32> ...
//   (both parts interleaved by tx.concatenate: tensor<6x2xf32>)
//   %y = tx.reinterpret ... -> tensor<6xcomplex<f32>>
//
// The parts of a number are interleaved in the program's interface: in
// arguments, results, large constants and calls. All other values are real
// tensors, so that no kernel handles complex numbers. On GPUs the calls on
// small matrices that become kernels take real tensors of pairs.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/complex/ExpandComplex.h"

#include "compiler/transforms/passes/ExpandComposites.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/passes/complex/ComplexMath.h"
#include "compiler/transforms/passes/complex/ScatterProducts.h"
#include "ir/library/Library.h"
#include "ir/tx/Complex.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/structure/TxFusion.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDCOMPLEXPASS
#include "compiler/transforms/passes/Passes.h.inc"

bool isComplexType(Type type) {
  return isa<ComplexType>(getElementTypeOrSelf(type));
}

namespace {

/// Returns the type of one part.
Type planeType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tx::withElementType(
      tensor, cast<ComplexType>(tensor.getElementType()).getElementType());
}

/// Returns the types with each complex one replaced by two real ones.
SmallVector<Type> planeTypes(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types)
    if (isComplexType(type))
      result.append(2, planeType(type));
    else
      result.push_back(type);
  return result;
}

bool hasComplex(Operation *op) {
  auto inRegion = [](Region &region) {
    return llvm::any_of(region.getArgumentTypes(), isComplexType) ||
           llvm::any_of(region.getOps(),
                        [](Operation &inner) { return hasComplex(&inner); });
  };
  return llvm::any_of(op->getOperandTypes(), isComplexType) ||
         llvm::any_of(op->getResultTypes(), isComplexType) ||
         llvm::any_of(op->getRegions(), inRegion);
}

/// True for ops that access values in the layout of the interface.
bool isComplexEdge(Operation *op) {
  return isa<func::ReturnOp, tx::CustomCallOp, tx::KernelCallOp,
             tx::ReinterpretOp>(op);
}

class ComplexExpansion {
public:
  ComplexExpansion(MLIRContext *context, ComplexEdges edges, bool isOnGrid)
      : b(context), edges(edges), isOnGrid(isOnGrid) {}

  LogicalResult run(Block &block);

private:
  OpBuilder b;
  ComplexEdges edges;
  bool isOnGrid;
  DenseMap<Value, Planes> planes;
  /// Complex values whose parts were read from memory.
  DenseSet<Value> inMemory;

  Planes of(Value x);
  Planes split(Value x);
  Planes splitPairs(Value pairs);
  Value join(Planes x, Type type, Location loc);
  Value joinPairs(Planes x, Location loc);
  static Type pairsType(Type type);
  void set(Operation *op, Planes x) { planes[op->getResult(0)] = x; }
  /// Returns the values with each complex one replaced by its two parts.
  SmallVector<Value> flatten(ValueRange values);

  LogicalResult expand(Operation *op);
  LogicalResult expandElementwise(Operation *op);
  void expandEdge(Operation *op);
  /// True for a call that is lowered to a kernel.
  bool isKernel(Operation *op) const {
    return isOnGrid && tx::isOfSmallMatrices(op);
  }
  void expandKernel(tx::CustomCallOp op);
  void expandConvert(tx::ConvertOp op);
  bool expandConstant(tx::ConstantOp op);
  void expandCount(tx::CountNonzeroOp op);
  void expandDot(tx::DotGeneralOp op);
  LogicalResult expandStructure(Operation *op);
  LogicalResult expandTwice(Operation *op);
  void expandProduct(tx::ProdOp op);
  void expandProducts(tx::CumprodOp op);
  Operation *scanOfProducts(Planes x, bool reverse, bool exclusive,
                            Location loc);
};

//===----------------------------------------------------------------------===//
// Parts in memory
//===----------------------------------------------------------------------===//

Planes ComplexExpansion::of(Value x) {
  auto known = planes.find(x);
  if (known != planes.end())
    return known->second;
  inMemory.insert(x);
  Planes made = split(x);
  return planes[x] = made;
}

/// Splits a complex value in memory, whose parts are interleaved.
Planes ComplexExpansion::split(Value x) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(x);
  builder::TensorBuilder e(b, x.getLoc());
  auto plane = cast<RankedTensorType>(planeType(x.getType()));
  if (edges == ComplexEdges::Parts) {
    Value re = tx::RealOp::create(b, e.loc, plane, x);
    return {re, tx::ImagOp::create(b, e.loc, plane, x)};
  }
  return splitPairs(
      tx::ReinterpretOp::create(b, e.loc, pairsType(x.getType()), x));
}

/// Returns the real type whose last dim holds the parts.
Type ComplexExpansion::pairsType(Type type) {
  auto plane = cast<RankedTensorType>(planeType(type));
  SmallVector<Dim> dims(tx::dimsOf(plane));
  dims.push_back(2);
  return tx::tensorType(dims, plane.getElementType());
}

Planes ComplexExpansion::splitPairs(Value pairs) {
  builder::TensorBuilder e(b, pairs.getLoc());
  SmallVector<Dim> part(builder::dimsOf(pairs)), dims(part);
  part.back() = 1;
  dims.pop_back();
  Type element = getElementTypeOrSelf(pairs);
  auto slice = [&](int64_t i) {
    SmallVector<int64_t> offsets(part.size(), 0), strides(part.size(), 1);
    offsets.back() = i;
    Value column = tx::SliceOp::create(b, e.loc, tx::tensorType(part, element),
                                       pairs, ValueRange(), offsets, strides);
    return e.reshape(column, dims);
  };
  Value re = slice(0);
  return {re, slice(1)};
}

Value ComplexExpansion::join(Planes x, Type type, Location loc) {
  if (edges == ComplexEdges::Parts)
    return tx::ComplexOp::create(b, loc, type, x.re, x.im);
  return tx::ReinterpretOp::create(b, loc, type, joinPairs(x, loc));
}

Value ComplexExpansion::joinPairs(Planes x, Location loc) {
  builder::TensorBuilder e(b, loc);
  SmallVector<Dim> part(builder::dimsOf(x.re)), both(part);
  part.push_back(1);
  both.push_back(2);
  Type element = getElementTypeOrSelf(x.re);
  Value columns[] = {e.reshape(x.re, part), e.reshape(x.im, part)};
  return tx::ConcatenateOp::create(b, loc, tx::tensorType(both, element),
                                   ValueRange(columns),
                                   static_cast<int64_t>(part.size()) - 1);
}

SmallVector<Value> ComplexExpansion::flatten(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (isComplexType(value.getType())) {
      auto [re, im] = of(value);
      result.append({re, im});
    } else {
      result.push_back(value);
    }
  return result;
}

/// Makes an op that accesses memory read complex operands that are rebuilt from
/// their parts.
void ComplexExpansion::expandEdge(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    // For ComplexEdges::Parts a call also reads rebuilt values if its operand
    // comes from memory, so that gradients reach the parts.
    if (edges == ComplexEdges::Parts && isa<tx::CustomCallOp>(op) &&
        isComplexType(operand.get().getType())) {
      operand.set(
          join(of(operand.get()), operand.get().getType(), op->getLoc()));
      continue;
    }
    auto made = planes.find(operand.get());
    // Values that were read from memory are passed on as they are.
    if (made != planes.end() && !inMemory.contains(operand.get()))
      operand.set(join(made->second, operand.get().getType(), op->getLoc()));
  }
}

void ComplexExpansion::expandKernel(tx::CustomCallOp op) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    auto made = planes.find(input);
    if (made != planes.end() && !inMemory.contains(input))
      inputs.push_back(joinPairs(made->second, op.getLoc()));
    else
      inputs.push_back(tx::ReinterpretOp::create(
          b, op.getLoc(), pairsType(input.getType()), input));
  }
  StringRef config = op.getConfig().value_or("");
  std::string options = (config + (config.empty() ? "" : " ") + "pairs").str();
  auto call = tx::CustomCallOp::create(
      b, op.getLoc(), pairsType(op.getResult(0).getType()), op.getNameAttr(),
      inputs, b.getStringAttr(options), op.getDerivativeAttr());
  call->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  set(op, splitPairs(call.getResult(0)));
}

/// Expands a constant that kernels inline; returns false for others, which are
/// buffers.
bool ComplexExpansion::expandConstant(tx::ConstantOp op) {
  static constexpr int64_t maxSmall = 64;
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense || (!dense.isSplat() && dense.getNumElements() > maxSmall))
    return false;
  auto type = cast<RankedTensorType>(planeType(op.getType()));
  SmallVector<APFloat> re, im;
  auto add = [&](const std::complex<APFloat> &number) {
    re.push_back(number.real());
    im.push_back(number.imag());
  };
  if (dense.isSplat())
    add(dense.getSplatValue<std::complex<APFloat>>());
  else
    for (const std::complex<APFloat> &number :
         dense.getValues<std::complex<APFloat>>())
      add(number);
  auto constant = [&](ArrayRef<APFloat> values) {
    return tx::ConstantOp::create(b, op.getLoc(), type,
                                  DenseElementsAttr::get(type, values));
  };
  Value first = constant(re);
  set(op, {first, constant(im)});
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void ComplexExpansion::expandConvert(tx::ConvertOp op) {
  builder::TensorBuilder e(b, op.getLoc());
  Value x = op.getX();
  if (!isComplexType(op.getType())) { // i1
    auto [re, im] = of(x);
    op.replaceAllUsesWith(
        Value(e.map<tx::OrOp>({e.notEqual(re, 0.0), e.notEqual(im, 0.0)})));
    return;
  }
  tx::DType plane = *tx::dtypeOf(getElementTypeOrSelf(planeType(op.getType())));
  if (isComplexType(x.getType())) {
    auto [re, im] = of(x);
    return set(op, {e.convert(re, plane), e.convert(im, plane)});
  }
  set(op, {e.convert(x, plane), e.full(0.0, plane, builder::dimsOf(x))});
}

void ComplexExpansion::expandCount(tx::CountNonzeroOp op) {
  builder::TensorBuilder e(b, op.getLoc());
  auto [re, im] = of(op.getX());
  op.getXMutable().assign(
      Value(e.map<tx::OrOp>({e.notEqual(re, 0.0), e.notEqual(im, 0.0)})));
}

/// Expands a contraction into four real ones.
void ComplexExpansion::expandDot(tx::DotGeneralOp op) {
  builder::TensorBuilder e(b, op.getLoc());
  shape::DotNumbers numbers{op.getXBatch(), op.getYBatch(),
                            op.getXContracting(), op.getYContracting()};
  Planes x = of(op.getX()), y = of(op.getY());
  Value re = e.sub(e.dot(x.re, y.re, numbers), e.dot(x.im, y.im, numbers));
  set(op, {re, e.add(e.dot(x.re, y.im, numbers), e.dot(x.im, y.re, numbers))});
}

LogicalResult ComplexExpansion::expandElementwise(Operation *op) {
  builder::TensorBuilder e(b, op->getLoc());
  ComplexMath math(e);
  auto operands = [&] {
    return llvm::map_to_vector(op->getOperands(),
                               [&](Value x) { return of(x); });
  };
  if (isComplexType(op->getResult(0).getType())) {
    if (auto result = math.map(op->getName().getStringRef(), operands()))
      return set(op, *result), success();
  } else if (Value result =
                 math.test(op->getName().getStringRef(), operands())) {
    return op->replaceAllUsesWith(ValueRange(result)), success();
  }
  return op->emitOpError("has no meaning for complex numbers");
}

/// Expands an op that acts on each part as on a real tensor.
LogicalResult ComplexExpansion::expandTwice(Operation *op) {
  auto one = [&](Value Planes::*part) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(isComplexType(operand.getType()) ? of(operand).*part
                                                         : operand);
    state.addTypes(planeType(op->getResult(0).getType()));
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    return b.create(state)->getResult(0);
  };
  Value re = one(&Planes::re);
  set(op, {re, one(&Planes::im)});
  return success();
}

//===----------------------------------------------------------------------===//
// Products along a dim, computed sequentially
//===----------------------------------------------------------------------===//

/// Adds a loop along the first dim that carries the product. Its results are
/// the parts of the product, and of the products up to each element.
Operation *ComplexExpansion::scanOfProducts(Planes x, bool reverse,
                                            bool exclusive, Location loc) {
  builder::TensorBuilder e(b, loc);
  SmallVector<Dim> dims(builder::dimsOf(x.re));
  ArrayRef<Dim> rest = ArrayRef(dims).drop_front();
  tx::DType dtype = builder::dtypeOf(x.re);
  Type part = tx::tensorType(rest, getElementTypeOrSelf(x.re));
  Value one = e.full(1.0, dtype, rest), zero = e.full(0.0, dtype, rest);
  Type all = x.re.getType();
  auto loop = tx::ScanOp::create(b, loc, TypeRange{part, part, all, all},
                                 tx::DimsAttr::get(b.getContext(), dims[0]),
                                 /*carried=*/2, /*scanned=*/2,
                                 ValueRange{one, zero, x.re, x.im}, reverse);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&loop.getBody());
  body->addArgument(RankedTensorType::get({}, b.getI64Type()), loc);
  for (int i = 0; i < 4; ++i)
    body->addArgument(part, loc);
  builder::TensorBuilder inner(b, loc);
  Planes before{body->getArgument(1), body->getArgument(2)};
  Planes after = ComplexMath(inner).mul(
      before, {body->getArgument(3), body->getArgument(4)});
  Planes stacked = exclusive ? before : after;
  tx::ReturnOp::create(b, loc,
                       ValueRange{after.re, after.im, stacked.re, stacked.im});
  return loop;
}

void ComplexExpansion::expandProduct(tx::ProdOp op) {
  builder::TensorBuilder e(b, op.getLoc());
  Planes x = of(op.getX());
  if (op.getDims().empty())
    return set(op, x);
  int64_t rank = builder::rankOf(x.re);
  SmallVector<int64_t> order(op.getDims());
  SmallVector<int64_t> kept = builder::allDimsBut(rank, op.getDims());
  llvm::append_range(order, kept);
  SmallVector<Dim> dims{Dim(1)};
  for (int64_t dim : op.getDims())
    dims[0] = dims[0] * builder::dimsOf(x.re)[dim];
  for (int64_t dim : kept)
    dims.push_back(builder::dimsOf(x.re)[dim]);
  Planes rows{e.reshape(e.transpose(x.re, order), dims),
              e.reshape(e.transpose(x.im, order), dims)};
  Operation *loop = scanOfProducts(rows, false, false, op.getLoc());
  set(op, {loop->getResult(0), loop->getResult(1)});
}

void ComplexExpansion::expandProducts(tx::CumprodOp op) {
  builder::TensorBuilder e(b, op.getLoc());
  Planes x = of(op.getX());
  auto dim = static_cast<int64_t>(op.getDim());
  int64_t rank = builder::rankOf(x.re);
  SmallVector<int64_t> order{dim}, back;
  llvm::append_range(order, builder::allDimsBut(rank, dim));
  for (int64_t i : llvm::seq<int64_t>(0, rank))
    back.push_back(llvm::find(order, i) - order.begin());
  Operation *loop =
      scanOfProducts({e.transpose(x.re, order), e.transpose(x.im, order)},
                     op.getReverse(), op.getExclusive(), op.getLoc());
  set(op, {e.transpose(loop->getResult(2), back),
           e.transpose(loop->getResult(3), back)});
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

/// Rebuilds an op with blocks, such as a loop: each complex input, argument and
/// result becomes two real ones.
LogicalResult ComplexExpansion::expandStructure(Operation *op) {
  auto widthOf = [](TypeRange types) {
    return static_cast<int64_t>(planeTypes(types).size());
  };
  TypeRange inputs = op->getOperandTypes(), results = op->getResultTypes();
  NamedAttrList counts;
  if (auto scan = dyn_cast<tx::ScanOp>(op)) {
    counts.set("carried", b.getI64IntegerAttr(
                              widthOf(inputs.take_front(scan.getCarried()))));
    counts.set("scanned", b.getI64IntegerAttr(
                              widthOf(inputs.drop_front(scan.getCarried())
                                          .take_front(scan.getScanned()))));
  } else if (auto custom = dyn_cast<tx::CustomVjpOp>(op)) {
    counts.set("arguments", b.getI64IntegerAttr(widthOf(
                                inputs.take_front(custom.getArguments()))));
    counts.set("returned", b.getI64IntegerAttr(widthOf(
                               results.take_front(custom.getReturned()))));
  }
  NamedAttrList attributes(op->getAttrs());
  for (NamedAttribute count : counts)
    attributes.set(count.getName(), count.getValue());
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(flatten(op->getOperands()));
  state.addTypes(planeTypes(op->getResultTypes()));
  state.addAttributes(attributes);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = b.create(state);
  for (Region &region : made->getRegions()) {
    Block &block = region.front();
    OpBuilder::InsertionGuard guard(b);
    for (unsigned i = 0; i < block.getNumArguments(); ++i) {
      BlockArgument argument = block.getArgument(i);
      if (!isComplexType(argument.getType()))
        continue;
      Type part = planeType(argument.getType());
      Value re = block.insertArgument(i + 1, part, argument.getLoc());
      planes[argument] = {re,
                          block.insertArgument(i + 2, part, argument.getLoc())};
      i += 2;
    }
    if (failed(run(block)))
      return failure();
    // The complex arguments are no longer used.
    block.eraseArguments([](BlockArgument argument) {
      return isComplexType(argument.getType());
    });
  }
  unsigned next = 0;
  for (Value result : op->getResults()) {
    if (isComplexType(result.getType())) {
      Value re = made->getResult(next++);
      planes[result] = {re, made->getResult(next++)};
    } else {
      result.replaceAllUsesWith(made->getResult(next++));
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult ComplexExpansion::expand(Operation *op) {
  b.setInsertionPoint(op);
  if (isKernel(op))
    return expandKernel(cast<tx::CustomCallOp>(op)), success();
  if (isComplexEdge(op))
    return expandEdge(op), success();
  if (isa<tx::ReturnOp>(op))
    return op->setOperands(flatten(op->getOperands())), success();
  if (op->getNumRegions() != 0)
    return expandStructure(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tx::ConstantOp op) { return expandConstant(op), success(); })
      .Case([&](tx::ComplexOp op) {
        return set(op, {op.getRe(), op.getIm()}), success();
      })
      .Case([&](tx::RealOp op) {
        return op.replaceAllUsesWith(of(op.getX()).re), success();
      })
      .Case([&](tx::ImagOp op) {
        return op.replaceAllUsesWith(of(op.getX()).im), success();
      })
      .Case([&](tx::ConvertOp op) { return expandConvert(op), success(); })
      .Case([&](tx::CountNonzeroOp op) { return expandCount(op), success(); })
      .Case([&](tx::DotGeneralOp op) { return expandDot(op), success(); })
      .Case([&](tx::ProdOp op) { return expandProduct(op), success(); })
      .Case([&](tx::CumprodOp op) { return expandProducts(op), success(); })
      .Case([&](tx::ScatterOp op) -> LogicalResult {
        if (op.getKind() != tx::UpdateKind::Mul)
          return expandTwice(op);
        builder::TensorBuilder e(b, op.getLoc());
        Planes updates = of(op.getUpdates());
        set(op, scatterProducts(op, of(op.getX()), updates, e));
        return success();
      })
      .Case<tx::SelectOp, tx::StopGradientOp, tx::SumOp, tx::CumsumOp,
            tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp,
            tx::WindowsOp, tx::PadOp, tx::ConcatenateOp, tx::GatherOp,
            tx::DynamicSliceOp, tx::DynamicUpdateSliceOp>(
          [&](Operation *op) { return expandTwice(op); })
      .Default([&](Operation *op) -> LogicalResult {
        if (op->hasTrait<tx::Elementwise>())
          return expandElementwise(op);
        return op->emitOpError("has no meaning for complex numbers");
      });
}

LogicalResult ComplexExpansion::run(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (hasComplex(&op))
      ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(expand(op)))
      return failure();
  // Erases the complex ops, whose results are replaced by their parts.
  for (Operation *op : llvm::reverse(ops))
    if ((!isComplexEdge(op) || isKernel(op)) &&
        !isa<tx::ReturnOp, tx::CountNonzeroOp>(op) && op->use_empty())
      op->erase();
  return success();
}

struct ExpandComplex : impl::ExpandComplexPassBase<ExpandComplex> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    if (failed(verifyTensorProgram(getOperation())) ||
        failed(expandComplex(getOperation(), ComplexEdges::Memory)))
      signalPassFailure();
  }
};

} // namespace

LogicalResult expandComplex(func::FuncOp function, ComplexEdges edges) {
  if (!llvm::any_of(function.getArgumentTypes(), isComplexType) &&
      !llvm::any_of(function.getBody().front(),
                    [](Operation &op) { return hasComplex(&op); }))
    return success();
  expandComposites(function, [](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isComplexType) ||
           llvm::any_of(op->getResultTypes(), isComplexType);
  });
  std::optional<codegen::TargetInfo> target = targetOf(function);
  bool isOnGrid = edges == ComplexEdges::Memory && target && target->isSimt();
  return ComplexExpansion(function.getContext(), edges, isOnGrid)
      .run(function.getBody().front());
}

} // namespace tensorc::compiler
