//===- Interpreter.cpp - The reference interpreter of tx programs ---------===//

#include "ir/reference/Interpreter.h"
#include "ir/reference/LinearAlgebra.h"

#include "ir/library/Library.h"
#include "ir/reference/Elementwise.h"
#include "ir/reference/Ops.h"
#include "ir/reference/Symbols.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Size.h"
#include "ir/tx/ops/ShapeRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::reference {

namespace {
struct Handlers {
  const CustomCallHandler &customCalls;
  const CollectiveHandler &collectives;
};

/// The values of one call, and the values of named sizes. Composites, fusions
/// and branches use the names of the function that contains them.
class Frame {
public:
  Frame(const Symbols &symbols, const Handlers &handlers)
      : symbols(symbols), handlers(handlers) {}

  /// Evaluates the block and returns the values of the terminator's operands.
  FailureOr<std::vector<Array>> run(Block &block, ArrayRef<Array> arguments);

private:
  const Symbols &symbols;
  const Handlers &handlers;
  llvm::DenseMap<Value, Array> values;

  LogicalResult runOp(Operation *op);
  LogicalResult runTx(Operation *op, Array &result);
  LogicalResult runSize(tx::SizeOp op, Array &result);
  LogicalResult runBody(Operation *op, Block &body, ValueRange inputs);
  LogicalResult runBranch(Operation *op);
  LogicalResult runWhile(tx::WhileOp op);
  LogicalResult runScan(tx::ScanOp op);
  LogicalResult runComposite(tx::CompositeOpInterface op);
  LogicalResult runCustomCall(tx::CustomCallOp op);
  LogicalResult runCollective(Operation *op);
  FailureOr<Array> allocate(Value result);

  const Array &get(Value value) { return values.find(value)->second; }
  int64_t index(Value value) { return read<int64_t>(get(value))[0]; }
  void set(Value value, Array array) { values[value] = std::move(array); }
  std::vector<Array> collect(ValueRange range) {
    std::vector<Array> arrays;
    for (Value value : range)
      arrays.push_back(get(value));
    return arrays;
  }
};
} // namespace

/// Evaluates an op on index values. Programs compute offsets with such ops.
static std::optional<int64_t> evaluateIndex(Operation *op,
                                            ArrayRef<int64_t> x) {
  auto wrap = [](uint64_t value) { return static_cast<int64_t>(value); };
  uint64_t a = x.empty() ? 0 : x[0], b = x.size() < 2 ? 0 : x[1];
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::ConstantIndexOp c) { return c.value(); })
      .Case([&](arith::AddIOp) { return wrap(a + b); })
      .Case([&](arith::SubIOp) { return wrap(a - b); })
      .Case([&](arith::MulIOp) { return wrap(a * b); })
      .Default([](Operation *) { return std::nullopt; });
}

static Array indexArray(int64_t value) {
  Array array = *Array::create(DType::I64, {});
  write<int64_t>(array, value);
  return array;
}

/// Returns slice i along the first dim, which is dropped.
static Array partOf(const Array &whole, int64_t i) {
  Array part = *Array::create(whole.dtype, ArrayRef(whole.shape).drop_front());
  size_t size = part.bytes.size();
  llvm::copy(ArrayRef(whole.bytes).slice(i * size, size), part.bytes.begin());
  return part;
}

/// Returns a zero-filled array of the result's type.
FailureOr<Array> Frame::allocate(Value result) {
  Operation *op = result.getDefiningOp();
  auto type = cast<RankedTensorType>(result.getType());
  FailureOr<SmallVector<int64_t>> shape = symbols.shapeOf(type, op->getLoc());
  if (failed(shape))
    return failure();
  std::optional<DType> dtype = dtypeOf(type.getElementType());
  if (!dtype)
    return op->emitError("unsupported dtype ") << type.getElementType();
  std::optional<Array> array = Array::create(*dtype, *shape);
  if (!array)
    return op->emitError("not enough memory for ")
           << typeString(*dtype, *shape);
  return std::move(*array);
}

LogicalResult Frame::runBody(Operation *op, Block &body, ValueRange inputs) {
  FailureOr<std::vector<Array>> results =
      Frame(symbols, handlers).run(body, collect(inputs));
  if (failed(results))
    return failure();
  for (auto [value, array] : llvm::zip(op->getResults(), *results))
    set(value, std::move(array));
  return success();
}

/// Returns the number of the block that a branch runs.
static unsigned chosenBy(const Array &selector, unsigned numBlocks) {
  if (selector.dtype == DType::I1)
    return selector.bytes[0] != 0 ? 0 : 1;
  return std::clamp<int64_t>(read<int64_t>(selector)[0], 0, numBlocks - 1);
}

LogicalResult Frame::runBranch(Operation *op) {
  unsigned chosen = chosenBy(get(op->getOperand(0)), op->getNumRegions());
  return runBody(op, op->getRegion(chosen).front(),
                 op->getOperands().drop_front());
}

LogicalResult Frame::runWhile(tx::WhileOp op) {
  std::vector<Array> inputs = collect(op.getInputs());
  for (int64_t left = op.getMost().value_or(-1); left != 0; left -= left > 0) {
    auto goesOn =
        Frame(symbols, handlers).run(op.getCondition().front(), inputs);
    if (failed(goesOn))
      return failure();
    if (!goesOn->front().bytes[0])
      break;
    auto next = Frame(symbols, handlers).run(op.getBody().front(), inputs);
    if (failed(next))
      return failure();
    llvm::move(*next, inputs.begin());
  }
  for (auto [value, array] : llvm::zip(op->getResults(), inputs))
    set(value, std::move(array));
  return success();
}

LogicalResult Frame::runScan(tx::ScanOp op) {
  FailureOr<int64_t> length = symbols.evaluate(op.lengthDim(), op.getLoc());
  if (failed(length))
    return failure();
  size_t carried = op.getCarried(), scanned = op.getScanned();
  std::vector<Array> inputs = collect(op.getInputs()), stacked;
  for (Value result : op->getResults().drop_front(carried)) {
    FailureOr<Array> array = allocate(result);
    if (failed(array))
      return failure();
    stacked.push_back(std::move(*array));
  }
  for (int64_t step = 0; step < *length; ++step) {
    int64_t i = op.getReverse() ? *length - 1 - step : step;
    std::vector<Array> arguments{indexArray(i)};
    for (auto [n, input] : llvm::enumerate(inputs))
      arguments.push_back(
          n >= carried && n < carried + scanned ? partOf(input, i) : input);
    auto next = Frame(symbols, handlers).run(op.getBody().front(), arguments);
    if (failed(next))
      return failure();
    for (auto [n, array] : llvm::enumerate(*next)) {
      if (n < carried)
        inputs[n] = std::move(array);
      else
        llvm::copy(array.bytes,
                   stacked[n - carried].bytes.begin() + i * array.bytes.size());
    }
  }
  for (auto [n, value] : llvm::enumerate(op->getResults()))
    set(value, std::move(n < carried ? inputs[n] : stacked[n - carried]));
  return success();
}

/// Evaluates a composite by running its expansion, which is built in a
/// temporary block.
LogicalResult Frame::runComposite(tx::CompositeOpInterface op) {
  Block body;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, body.addArgument(operand.getType(), op.getLoc()));
  OpBuilder b(op->getContext());
  b.setInsertionPointToEnd(&body);
  Operation *inside = b.clone(*op, mapping);
  b.setInsertionPoint(inside);
  Value result = cast<tx::CompositeOpInterface>(inside).expand(b);
  inside->erase();
  b.setInsertionPointToEnd(&body);
  tx::YieldOp::create(b, op.getLoc(), result);
  return runBody(op, body, op->getOperands());
}

static const OpTable &opTable() {
  static const OpTable table = [] {
    OpTable table;
    addShapeOps(table);
    addIndexingOps(table);
    addReductionOps(table);
    addScanOps(table);
    addFourierOps(table);
    addRandomOps(table);
    return table;
  }();
  return table;
}

LogicalResult Frame::runSize(tx::SizeOp op, Array &result) {
  FailureOr<int64_t> value =
      symbols.evaluate(op.getSize().getDims()[0], op.getLoc());
  if (failed(value))
    return failure();
  convert(indexArray(*value), result);
  return success();
}

LogicalResult Frame::runTx(Operation *op, Array &result) {
  SmallVector<const Array *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  if (evaluateElementwise(op->getName().getStringRef(), operands, result))
    return success();
  SmallVector<shape::Dims> dims;
  for (const Array *operand : operands)
    dims.push_back(shape::dimsOf(operand->shape));
  auto rule = tx::inferShape(op, dims, shape::dimsOf(result.shape));
  if (rule && rule->isRefused())
    return op->emitOpError(rule->refusal);
  if (auto size = dyn_cast<tx::SizeOp>(op))
    return runSize(size, result);
  if (auto *evaluate = opTable().find(op->getName().getStringRef()))
    return (*evaluate)(op, operands, result);
  if (op->hasTrait<tx::Reduction>())
    return reduce(op, *operands[0], result), success();
  if (op->hasTrait<tx::Scan>())
    return scan(op, *operands[0], result), success();
  return op->emitError("the interpreter does not know ")
         << op->getName() << " on this dtype";
}

LogicalResult Frame::runCustomCall(tx::CustomCallOp op) {
  std::vector<Array> outputs;
  for (Value result : op->getResults()) {
    FailureOr<Array> array = allocate(result);
    if (failed(array))
      return failure();
    outputs.push_back(std::move(*array));
  }
  std::string message = "is not registered";
  if (outputs.size() == 1 &&
      callLinearAlgebra(op.getName(), op.getConfig().value_or(""),
                        collect(op->getOperands()), outputs[0]))
    return set(op->getResult(0), std::move(outputs[0])), success();
  if (!handlers.customCalls ||
      !handlers.customCalls(op.getName(), op.getConfig().value_or(""),
                            collect(op->getOperands()), outputs, message))
    return mlir::emitError(op.getLoc()) << op.getName() << ": " << message;
  for (auto [value, array] : llvm::zip(op->getResults(), outputs))
    set(value, std::move(array));
  return success();
}

LogicalResult Frame::runCollective(Operation *op) {
  FailureOr<Array> result = allocate(op->getResult(0));
  const Array *x = op->getNumOperands() ? &get(op->getOperand(0)) : nullptr;
  if (failed(result) || failed(handlers.collectives(op, x, *result)))
    return failure();
  set(op->getResult(0), std::move(*result));
  return success();
}

static bool isCollective(Operation *op) {
  return isa<tx::AllReduceOp, tx::AllGatherOp, tx::ReduceScatterOp,
             tx::AllToAllOp, tx::CollectiveBroadcastOp, tx::CollectivePermuteOp,
             tx::PartitionIdOp>(op);
}

LogicalResult Frame::runOp(Operation *op) {
  if (auto call = dyn_cast<tx::CustomCallOp>(op))
    return runCustomCall(call);
  if (auto call = dyn_cast<tx::KernelCallOp>(op))
    return op->emitError() << call.getKernel()
                           << ": the kernel is for GPUs, not for the "
                              "interpreter";
  if (handlers.collectives && isCollective(op))
    return runCollective(op);
  auto composite = dyn_cast<tx::CompositeOpInterface>(op);
  if (composite && !opTable().find(op->getName().getStringRef()))
    return runComposite(composite);
  if (auto fusion = dyn_cast<tx::FusionOp>(op))
    return runBody(op, fusion.getBody().front(), fusion.getInputs());
  if (tx::isBranch(op))
    return runBranch(op);
  if (auto loop = dyn_cast<tx::WhileOp>(op))
    return runWhile(loop);
  if (auto loop = dyn_cast<tx::ScanOp>(op))
    return runScan(loop);
  if (auto custom = dyn_cast<tx::CustomVjpOp>(op))
    return runBody(op, custom.getForward().front(), custom.getInputs());
  if (isa<tx::StopGradientOp>(op))
    return set(op->getResult(0), get(op->getOperand(0))), success();
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
      op->getNumResults() == 1 && op->getResult(0).getType().isIndex()) {
    SmallVector<int64_t> operands;
    for (Value operand : op->getOperands())
      operands.push_back(index(operand));
    if (std::optional<int64_t> value = evaluateIndex(op, operands))
      return set(op->getResult(0), indexArray(*value)), success();
  }
  if (!isa_and_nonnull<tx::TxDialect>(op->getDialect()))
    return op->emitError("the interpreter runs tx ops only, not ")
           << op->getName();
  FailureOr<Array> result = allocate(op->getResult(0));
  if (failed(result) || failed(runTx(op, *result)))
    return failure();
  set(op->getResult(0), std::move(*result));
  return success();
}

FailureOr<std::vector<Array>> Frame::run(Block &block,
                                         ArrayRef<Array> arguments) {
  for (auto [value, array] : llvm::zip(block.getArguments(), arguments))
    set(value, array);
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return collect(block.getTerminator()->getOperands());
}

FailureOr<std::vector<Array>> evaluate(func::FuncOp function,
                                       ArrayRef<Array> arguments,
                                       const CustomCallHandler &customCalls,
                                       const CollectiveHandler &collectives) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("cannot be interpreted: it has no single block");
  Symbols symbols;
  if (failed(symbols.bind(function, arguments)))
    return failure();
  Handlers handlers{customCalls, collectives};
  return Frame(symbols, handlers).run(function.getBody().front(), arguments);
}

} // namespace tensorc::reference
