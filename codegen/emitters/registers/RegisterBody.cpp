//===- RegisterBody.cpp - Emits a loop's body on register values ----------===//

#include "codegen/emitters/registers/RegisterBody.h"
#include "codegen/emitters/Combiner.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ClampedStart.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/RegisterLoopCosts.h"
#include "ir/tx/Control.h"
#include "ir/tx/structure/TxFusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {

using Source = RegisterBuilder::Source;

int64_t elementsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() ? tensor.getNumElements() : 0;
}

static ArrayRef<int64_t> shapeOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Element-wise ops and constants
//===----------------------------------------------------------------------===//

FailureOr<RegisterValue> RegisterBody::elementwise(Operation *op) {
  SmallVector<const RegisterValue *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&values[operand]);
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
    return values[op->getOperand(0)];
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
    from.push_back(values[operand]);
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
// Reductions and contractions
//===----------------------------------------------------------------------===//

/// Returns the offset of each index over `dims` in a row-major tensor of this
/// shape, in row-major order of the indices.
static SmallVector<int64_t> positionsOf(ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> dims) {
  SmallVector<int64_t> strides = computeStrides(shape), positions{0};
  for (int64_t d : dims) {
    SmallVector<int64_t> next;
    for (int64_t position : positions)
      for (int64_t i = 0; i < shape[d]; ++i)
        next.push_back(position + i * strides[d]);
    positions = std::move(next);
  }
  return positions;
}

/// Returns the dims that are in none of the lists.
static SmallVector<int64_t> otherDims(size_t rank,
                                      ArrayRef<ArrayRef<int64_t>> lists) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d)
    if (llvm::none_of(lists, [&](ArrayRef<int64_t> list) {
          return llvm::is_contained(list, d);
        }))
      dims.push_back(d);
  return dims;
}

/// Reduces in the order of a row kernel: element p of the reduced dims is
/// accumulated in lane p mod `lanes`, and lanes are then combined by halves.
/// Kernels begin with the neutral element. Here it comes last, which affects
/// only the sign of a sum of zeros.
FailureOr<RegisterValue> RegisterBody::reduce(Operation *op,
                                              tx::OrderAttr order) {
  Value x = op->getOperand(0);
  SmallVector<int64_t> dims(
      cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef());
  llvm::sort(dims);
  SmallVector<int64_t> kept =
      positionsOf(shapeOf(x), otherDims(shapeOf(x).size(), {dims}));
  SmallVector<int64_t> steps = positionsOf(shapeOf(x), dims);
  auto keptCount = static_cast<int64_t>(kept.size());
  auto count = static_cast<int64_t>(steps.size());
  Combiner combiner(b, target, op);
  auto combine = [&](const RegisterValue &p, const RegisterValue &q) {
    return r.map({&p, &q}, [&](ValueRange parts) -> FailureOr<Value> {
      auto state = combiner.combine(parts[0], parts[1]);
      if (failed(state))
        return failure();
      return (*state)[0];
    });
  };
  RegisterValue elements = values[x];
  for (Value &part : elements.parts)
    part = combiner.of(part, Value())[0];
  RegisterValue neutral{1, {combiner.neutral(0)[0]}};
  int64_t width = std::min(count, order.getLanes().front());
  auto atStep = [&](int64_t first) {
    return r.move(keptCount * width, [&](int64_t i) {
      int64_t step = first + i % width;
      return step < count ? Source{&elements, kept[i / width] + steps[step]}
                          : Source{&neutral, 0};
    });
  };
  FailureOr<RegisterValue> sum = atStep(0);
  for (int64_t first = width; first < count; first += width)
    if (failed(sum = combine(*sum, atStep(first))))
      return failure();
  for (; width > 1;) {
    auto half = static_cast<int64_t>(llvm::PowerOf2Ceil(width) / 2);
    RegisterValue last = *sum;
    auto halfAt = [&](int64_t first) {
      return r.move(keptCount * half, [&](int64_t i) {
        int64_t lane = first + i % half;
        return lane < width ? Source{&last, i / half * width + lane}
                            : Source{&neutral, 0};
      });
    };
    sum = combine(halfAt(0), halfAt(half));
    if (failed(sum))
      return failure();
    width = half;
  }
  sum = combine(*sum, r.splat(keptCount, neutral.parts[0]));
  if (failed(sum))
    return failure();
  for (Value &part : sum->parts)
    part = combiner.result(part);
  return sum;
}

/// Accumulates the products in the order of k with FMAs, starting at 0.
RegisterValue RegisterBody::contract(tx::DotGeneralOp op) {
  ArrayRef<int64_t> x = shapeOf(op.getX()), y = shapeOf(op.getY());
  SmallVector<int64_t> xSteps = positionsOf(x, op.getXContracting()),
                       ySteps = positionsOf(y, op.getYContracting()),
                       xBatch = positionsOf(x, op.getXBatch()),
                       yBatch = positionsOf(y, op.getYBatch()),
                       rows = positionsOf(
                           x, otherDims(x.size(), {op.getXBatch(),
                                                   op.getXContracting()})),
                       columns = positionsOf(
                           y, otherDims(y.size(), {op.getYBatch(),
                                                   op.getYContracting()}));
  auto numRows = static_cast<int64_t>(rows.size()),
       numColumns = static_cast<int64_t>(columns.size());
  int64_t count = elementsOf(op.getType());
  Type element = op.getType().getElementType();
  RegisterValue xs = values[op.getX()], ys = values[op.getY()];
  RegisterValue sum = r.splat(count, constantOf(b, b.getLoc(), element, 0));
  for (auto [xStep, yStep] : llvm::zip_equal(xSteps, ySteps)) {
    RegisterValue xAt = r.move(count, [&](int64_t i) {
      int64_t row = i / numColumns;
      return Source{&xs, xStep + xBatch[row / numRows] + rows[row % numRows]};
    });
    RegisterValue yAt = r.move(count, [&](int64_t i) {
      return Source{&ys, yStep + yBatch[i / (numRows * numColumns)] +
                             columns[i % numColumns]};
    });
    for (auto [part, p, q] : llvm::zip_equal(sum.parts, xAt.parts, yAt.parts))
      part = isa<VectorType>(part.getType())
                 ? Value(vector::FMAOp::create(b, p, q, part))
                 : Value(math::FmaOp::create(b, p, q, part));
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Elements at computed indices
//===----------------------------------------------------------------------===//

namespace {
/// A contiguous slice of x whose starts are known only at run time.
struct Window {
  Value x;
  SmallVector<int64_t, 4> sizes;
  /// The start along dim `dim` of x is element `at` of `value`.
  struct Start {
    int64_t dim;
    Value value;
    int64_t at;
  };
  SmallVector<Start, 4> starts;
};
} // namespace

/// Returns the slice that the op reads. Returns nullopt if the op reads no
/// slice at run-time starts, or one that is not contiguous.
static std::optional<Window> windowOf(Operation *op) {
  Window window;
  if (auto slice = dyn_cast<tx::DynamicSliceOp>(op)) {
    window.x = slice.getX();
    llvm::append_range(window.sizes, slice.getSliceSizes());
    for (auto [d, start] : llvm::enumerate(slice.getStarts()))
      window.starts.push_back({static_cast<int64_t>(d), start, 0});
  } else if (auto gather = dyn_cast<tx::GatherOp>(op);
             gather && elementsOf(gather.getIndices().getType()) ==
                           gather.getVectorSize()) {
    window.x = gather.getX();
    llvm::append_range(window.sizes, gather.getSliceSizes());
    for (auto [k, d] : llvm::enumerate(gather.getStartIndexMap()))
      window.starts.push_back(
          {d, gather.getIndices(), static_cast<int64_t>(k)});
  }
  if (!window.x || elementsOf(window.x.getType()) == 0)
    return std::nullopt;
  bool isInside = false; // an outer dim of the slice has several elements
  for (auto [size, full] : llvm::zip_equal(window.sizes, shapeOf(window.x))) {
    size = size == -1 ? full : size;
    if (isInside && size != full)
      return std::nullopt;
    isInside |= size > 1;
  }
  return window;
}

RegisterValue RegisterBody::loadWindow(Operation *op) {
  Window window = *windowOf(op);
  ArrayRef<int64_t> shape = shapeOf(window.x);
  SmallVector<int64_t> strides = computeStrides(shape);
  Value offset = arith::ConstantIndexOp::create(b, 0);
  for (const Window::Start &start : window.starts) {
    int64_t highest = shape[start.dim] - window.sizes[start.dim];
    if (highest == 0)
      continue;
    RegisterValue from = values[start.value];
    Value at =
        r.move(1, [&](int64_t) { return Source{&from, start.at}; }).parts[0];
    at = clampStart(b, at, getElementTypeOrSelf(start.value.getType()),
                    arith::ConstantIntOp::create(b, b.getI64Type(), highest));
    Value stride = arith::ConstantIndexOp::create(b, strides[start.dim]);
    offset = b.createOrFold<arith::AddIOp>(
        offset, b.createOrFold<arith::MulIOp>(at, stride));
  }
  return r.load(buffers[window.x], offset,
                elementsOf(op->getResult(0).getType()));
}

/// True if all uses of the argument read slices as `windowOf` finds them.
static bool hasOnlyWindows(BlockArgument argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUses(), [](OpOperand &use) {
           if (auto fusion = dyn_cast<tx::FusionOp>(use.getOwner()))
             return hasOnlyWindows(
                 fusion.getBody().getArgument(use.getOperandNumber()));
           return use.getOperandNumber() == 0 && windowOf(use.getOwner());
         });
}

bool isReadInMemory(BlockArgument argument) {
  Operation *loop = argument.getOwner()->getParentOp();
  unsigned changing = loop->getNumResults();
  if (auto scan = dyn_cast<tx::ScanOp>(loop))
    changing = 1 + scan.getCarried() + scan.getScanned();
  return argument.getArgNumber() >= changing && hasOnlyWindows(argument);
}

/// True if the value is an argument of the loop's block that stays in memory,
/// or an argument of a fusion to which such a value is passed.
static bool isInMemory(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto fusion = dyn_cast<tx::FusionOp>(parent))
    return isInMemory(fusion.getInputs()[argument.getArgNumber()]);
  return isa<tx::ScanOp, tx::WhileOp>(parent) && isReadInMemory(argument);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

FailureOr<RegisterValue> RegisterBody::compute(Operation *op,
                                               tx::OrderAttr order) {
  if (op->hasTrait<tx::Elementwise>())
    return elementwise(op);
  if (op->hasTrait<tx::Reduction>())
    return reduce(op, order);
  return TypeSwitch<Operation *, FailureOr<RegisterValue>>(op)
      .Case([&](tx::ConstantOp constantOp) { return constant(constantOp); })
      .Case([&](tx::IotaOp iotaOp) { return iota(iotaOp); })
      .Case([&](tx::DotGeneralOp dot) { return contract(dot); })
      .Case<tx::GatherOp, tx::DynamicSliceOp>(
          [&](auto) { return loadWindow(op); })
      .Default([&](Operation *) { return moved(op); });
}

LogicalResult RegisterBody::emitFusion(tx::FusionOp fusion) {
  Block &body = fusion.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), fusion.getInputs())) {
    if (Value buffer = buffers.lookup(input)) {
      buffers[argument] = buffer;
      continue;
    }
    RegisterValue value = values[input];
    values[argument] = std::move(value);
  }
  if (failed(emitOps(body, fusion.getOrderAttr())))
    return failure();
  for (auto [result, yielded] : llvm::zip_equal(
           fusion.getResults(), body.getTerminator()->getOperands())) {
    RegisterValue value = values[yielded];
    values[result] = std::move(value);
  }
  return success();
}

/// Emits a conditional. Its blocks are emitted on registers, too.
LogicalResult RegisterBody::emitIf(Operation *op) {
  SmallVector<RegisterValue> inputs;
  for (Value input : op->getOperands().drop_front())
    inputs.push_back(values[input]);
  SmallVector<Type> types;
  for (Value result : op->getResults())
    llvm::append_range(
        types, r.typesOf(elementsOf(result.getType()),
                         kernelType(getElementTypeOrSelf(result.getType()))));
  auto choice = scf::IfOp::create(b, types, values[op->getOperand(0)].parts[0],
                                  /*withElseRegion=*/true);
  Block *blocks[] = {choice.thenBlock(), choice.elseBlock()};
  for (auto [region, block] : llvm::zip_equal(op->getRegions(), blocks)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    auto results = emit(region.front(), inputs);
    if (failed(results))
      return failure();
    SmallVector<Value> parts;
    for (const RegisterValue &result : *results)
      llvm::append_range(parts, result.parts);
    scf::YieldOp::create(b, parts);
  }
  ValueRange parts = choice.getResults();
  for (Value result : op->getResults()) {
    int64_t count = elementsOf(result.getType()), number = r.countParts(count);
    values[result] = {count, llvm::to_vector<4>(parts.take_front(number))};
    parts = parts.drop_front(number);
  }
  return success();
}

LogicalResult RegisterBody::emitOps(Block &block, tx::OrderAttr order) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
      if (failed(emitFusion(fusion)))
        return failure();
      continue;
    }
    if (isa<tx::IfOp>(op)) {
      if (failed(emitIf(&op)))
        return failure();
      continue;
    }
    FailureOr<RegisterValue> value = compute(&op, order);
    if (failed(value))
      return failure();
    values[op.getResult(0)] = std::move(*value);
  }
  return success();
}

FailureOr<SmallVector<RegisterValue>>
RegisterBody::emit(Block &block, ArrayRef<RegisterValue> arguments) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  if (failed(emitOps(block, {})))
    return failure();
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value v) { return values[v]; });
}

//===----------------------------------------------------------------------===//
// Blocks that fit in registers
//===----------------------------------------------------------------------===//

namespace {
/// Adds up the instructions of a block. `add` returns false at the first op
/// that RegisterBody cannot emit, and if there are too many instructions.
struct CostEstimate {
  int64_t lanes;
  int64_t cost = 0;

  int64_t parts(Value v) const {
    return llvm::divideCeil(elementsOf(v.getType()), lanes);
  }
  bool add(Block &block, tx::OrderAttr order);
  bool add(Operation &op, tx::OrderAttr order);
  bool addReduction(Operation &op, tx::OrderAttr order);
  bool addContraction(tx::DotGeneralOp op, tx::OrderAttr order);
};
} // namespace

/// True if kernels compute with elements of this type without converting them,
/// and the shape is static and not empty.
static bool isPlain(Type type) {
  Type element = getElementTypeOrSelf(type);
  return elementsOf(type) > 0 && (element.isF16() || element.isBF16() ||
                                  element.isF32() || element.isF64() ||
                                  (isa<IntegerType>(element) &&
                                   (element.getIntOrFloatBitWidth() == 1 ||
                                    element.getIntOrFloatBitWidth() >= 8)));
}

bool CostEstimate::addReduction(Operation &op, tx::OrderAttr order) {
  // RegisterBody does not track positions, which argmax and argmin need.
  if (isa<tx::ArgmaxOp, tx::ArgminOp>(op) || !order ||
      order.getInstruction() != chunksOrder || order.getLanes().size() != 1 ||
      elementsOf(op.getOperand(0).getType()) == 0)
    return false;
  int64_t reduced = elementsOf(op.getOperand(0).getType()) /
                    elementsOf(op.getResult(0).getType());
  cost += 4 * parts(op.getOperand(0)) +
          3 * static_cast<int64_t>(llvm::Log2_64_Ceil(reduced)) *
              parts(op.getResult(0));
  return reduced <= order.getChunk();
}

bool CostEstimate::addContraction(tx::DotGeneralOp op, tx::OrderAttr order) {
  Type element = op.getType().getElementType();
  if (!order || order.getInstruction() != fmaOrder ||
      op.getX().getType().getElementType() != element ||
      op.getY().getType().getElementType() != element ||
      !(element.isF32() || element.isF64()))
    return false;
  int64_t steps = 1;
  for (int64_t d : op.getXContracting())
    steps *= op.getX().getType().getShape()[d];
  cost += 3 * steps * parts(op.getResult());
  return true;
}

bool CostEstimate::add(Operation &op, tx::OrderAttr order) {
  if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
    StringRef kind = fusion.getKind();
    return (kind == tx::kinds::loop || kind == tx::kinds::row ||
            kind == tx::kinds::column || kind == tx::kinds::contraction) &&
           add(fusion.getBody().front(), fusion.getOrderAttr());
  }
  if (isa<tx::IfOp>(op))
    return llvm::all_of(op.getRegions(), [&](Region &region) {
      return add(region.front(), {});
    });
  if (op.getNumResults() != 1 || op.getNumRegions() != 0)
    return false;
  Value result = op.getResult(0);
  if (op.hasTrait<tx::Elementwise>()) {
    cost +=
        parts(result) * (op.hasTrait<tx::Costly>() ? loopCosts::costlyOps : 1);
    return true;
  }
  if (op.hasTrait<tx::Reduction>())
    return addReduction(op, order);
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op))
    return addContraction(dot, order);
  if (isa<tx::GatherOp, tx::DynamicSliceOp>(op)) {
    cost += 4 + parts(result); // the offset, and loads
    auto window = windowOf(&op);
    return window && isInMemory(window->x);
  }
  if (auto slice = dyn_cast<tx::SliceOp>(op);
      slice && !slice.getOffsets().empty())
    return false;
  if (auto constant = dyn_cast<tx::ConstantOp>(op))
    return isa<DenseElementsAttr>(constant.getValue());
  cost += isa<tx::ReshapeOp, tx::IotaOp>(op) ? 0 : 2 * parts(result);
  return isa<tx::IotaOp, tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp,
             tx::SliceOp, tx::WindowsOp, tx::PadOp, tx::ConcatenateOp>(op);
}

bool CostEstimate::add(Block &block, tx::OrderAttr order) {
  return llvm::all_of(block, [&](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() ||
           (llvm::all_of(op.getResultTypes(), isPlain) && add(op, order) &&
            cost <= loopCosts::maxLoopOps);
  });
}

std::optional<int64_t> registerCost(Block &block, int64_t lanes) {
  CostEstimate estimate{lanes};
  for (BlockArgument argument : block.getArguments()) {
    if (!isPlain(argument.getType()))
      return std::nullopt;
    if (!isReadInMemory(argument))
      estimate.cost += estimate.parts(argument);
  }
  if (!estimate.add(block, {}))
    return std::nullopt;
  return estimate.cost;
}

} // namespace tensorc::codegen
