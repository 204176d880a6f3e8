//===- Batch.cpp - Vectorizes a function over a batch ---------------------===//
//
//   func.func @main(%x: tensor<4xf32>, %w: tensor<4x3xf32>) -> tensor<3xf32>
// becomes, for `in=0,none` and a batch of n,
//   func.func @main_batched(%x: tensor<?x4xf32, #tx.dims<[n, 4]>>,
//                           %w: tensor<4x3xf32>)
//       -> tensor<?x3xf32, #tx.dims<[n, 3]>>
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/batching/Batching.h"

#include "compiler/transforms/batching/BlockBatcher.h"
#include "compiler/transforms/batching/Passes.h"
#include "ir/tx/Names.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::compiler {

using batching::Batched;

/// Returns the permutation of dims that moves the batch from the front to
/// `axis`.
static SmallVector<int64_t> orderFor(int64_t rank, int64_t axis) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  order.insert(order.begin() + axis, 0);
  return order;
}

namespace {
class FunctionBatcher {
public:
  FunctionBatcher(func::FuncOp function, const BatchOptions &options)
      : function(function), options(options) {}

  FailureOr<func::FuncOp> run();

private:
  LogicalResult check();
  LogicalResult checkAxis(BatchAxis axis, Type type, const Twine &what);
  Type argumentType(unsigned argument);
  SmallVector<Batched> enter(Block &entry, builder::TensorBuilder &e);
  FailureOr<SmallVector<Value>> leave(ArrayRef<Batched> results,
                                      builder::TensorBuilder &e);

  func::FuncOp function;
  const BatchOptions &options;
};
} // namespace

LogicalResult FunctionBatcher::checkAxis(BatchAxis axis, Type type,
                                         const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!axis || (tensor && *axis >= 0 && *axis <= tensor.getRank()))
    return success();
  return function.emitError(what)
         << " is " << type << " of one example, so that a batch cannot lie "
         << "along dimension " << *axis;
}

LogicalResult FunctionBatcher::check() {
  FunctionType type = function.getFunctionType();
  if (options.in.size() != type.getNumInputs())
    return function.emitError("has ")
           << type.getNumInputs()
           << " arguments, but the place of the batch is given for "
           << options.in.size();
  if (options.out.size() != type.getNumResults())
    return function.emitError("has ")
           << type.getNumResults()
           << " results, but the place of the batch is given for "
           << options.out.size();
  for (auto [i, axis] : llvm::enumerate(options.in))
    if (failed(checkAxis(axis, type.getInput(i),
                         "argument " + tx::argumentName(function, i))))
      return failure();
  for (auto [i, axis] : llvm::enumerate(options.out))
    if (failed(checkAxis(axis, type.getResult(i),
                         "result " + tx::resultName(function, i))))
      return failure();
  return success();
}

Type FunctionBatcher::argumentType(unsigned argument) {
  Type type = function.getFunctionType().getInput(argument);
  BatchAxis axis = options.in[argument];
  if (!axis)
    return type;
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<shape::Dim> dims(tx::dimsOf(tensor));
  dims.insert(dims.begin() + *axis, options.size);
  return tx::tensorType(dims, tensor.getElementType());
}

/// Returns the arguments with the batch as the first dim.
SmallVector<Batched> FunctionBatcher::enter(Block &entry,
                                            builder::TensorBuilder &e) {
  SmallVector<Batched> arguments;
  for (auto [i, axis] : llvm::enumerate(options.in)) {
    Value argument =
        entry.addArgument(argumentType(i), function.getArgument(i).getLoc());
    if (axis) {
      auto order =
          llvm::to_vector(llvm::seq<int64_t>(0, builder::rankOf(argument)));
      order.erase(order.begin() + *axis);
      order.insert(order.begin(), *axis);
      argument = e.transpose(argument, order);
    }
    arguments.push_back({argument, axis.has_value()});
  }
  return arguments;
}

FailureOr<SmallVector<Value>>
FunctionBatcher::leave(ArrayRef<Batched> results, builder::TensorBuilder &e) {
  SmallVector<Value> all;
  for (auto [i, result] : llvm::enumerate(results)) {
    BatchAxis axis = options.out[i];
    if (!axis && result.isBatched)
      return function.emitError("result ")
             << tx::resultName(function, i)
             << " differs between examples, so it has the batch as one of its "
                "dimensions";
    Value x = result.value;
    if (axis) {
      x = batching::withBatch(e, options.size, result);
      x = e.transpose(x, orderFor(builder::rankOf(x), *axis));
    }
    all.push_back(x);
  }
  return all;
}

FailureOr<func::FuncOp> FunctionBatcher::run() {
  if (failed(check()))
    return failure();
  // Batching expands composites in place, so it works on a copy.
  OwningOpRef<func::FuncOp> source(function.clone());
  OwningOpRef<func::FuncOp> made(function.cloneWithoutRegions());
  (*made).setName(options.name);
  Block &entry = (*made).getBody().emplaceBlock();
  OpBuilder b = OpBuilder::atBlockEnd(&entry);
  builder::TensorBuilder e(b, function);
  SmallVector<Batched> arguments = enter(entry, e);
  auto batched = batching::batchBlock((*source).getBody().front(), arguments,
                                      options.size, b);
  if (failed(batched))
    return failure();
  auto results = leave(*batched, e);
  if (failed(results))
    return failure();
  func::ReturnOp::create(b, function.getLoc(), *results);
  (*made).setType(b.getFunctionType(entry.getArgumentTypes(),
                                    TypeRange(ValueRange(*results))));
  func::FuncOp added = made.release();
  function->getBlock()->getOperations().insertAfter(function->getIterator(),
                                                    added);
  return added;
}

FailureOr<func::FuncOp> batch(func::FuncOp function,
                              const BatchOptions &options) {
  return FunctionBatcher(function, options).run();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_BATCHPASS
#include "compiler/transforms/batching/Passes.h.inc"

namespace {
struct BatchFunction : impl::BatchPassBase<BatchFunction> {
  using Base::Base;

  /// Returns the batch axes of `count` arguments or results, or nullopt after
  /// reporting an error. A single word applies to all; no word means axis 0.
  std::optional<SmallVector<BatchAxis>> axesOf(ArrayRef<std::string> words,
                                               size_t count) {
    SmallVector<BatchAxis> axes;
    for (StringRef word : words) {
      int64_t axis = 0;
      if (word != "none" && word.getAsInteger(10, axis)) {
        getOperation().emitError("'")
            << word << "' is neither a dimension nor `none`";
        return std::nullopt;
      }
      axes.push_back(word == "none" ? BatchAxis() : BatchAxis(axis));
    }
    if (axes.empty())
      axes.push_back(0);
    if (axes.size() == 1)
      axes.assign(count, BatchAxis(axes[0]));
    return axes;
  }

  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!function) {
      getOperation().emitError("has no function ") << entry.getValue();
      return signalPassFailure();
    }
    BatchOptions options;
    options.name = entry + "_batched";
    if (getOperation().lookupSymbol(options.name)) {
      function.emitError("its function of a batch would be called ")
          << options.name << ", which exists";
      return signalPassFailure();
    }
    FunctionType type = function.getFunctionType();
    auto inputs = axesOf(in, type.getNumInputs());
    auto results = axesOf(out, type.getNumResults());
    if (!inputs || !results)
      return signalPassFailure();
    options.in = *inputs;
    options.out = *results;
    int64_t number = 0;
    options.size = StringRef(size).getAsInteger(10, number)
                       ? tx::dimContext(&getContext()).symbol(size)
                       : shape::Dim(number);
    if (failed(tensorc::compiler::batch(function, options)))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
