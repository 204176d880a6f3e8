//===- InputVerifier.cpp - Verification of input programs -----------------===//

#include "compiler/output/pipelines/InputVerifier.h"
#include "compiler/output/pipelines/StageVerifier.h"
#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"
#include "runtime/abi/Format.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum size of a tensor in bytes: an address space of 48 bits. Below this
/// limit the numbers of elements and bytes of a tensor, and sums over a few
/// tensors, do not overflow.
static constexpr double maxBytes = double(int64_t(1) << 48);

/// Returns the minimum size of the tensor in bytes, with 1 for every symbolic
/// dim. It is a double, so that it cannot wrap around.
static double leastBytes(RankedTensorType type) {
  Type element = type.getElementType();
  std::optional<tx::DType> dtype = tx::dtypeOf(element);
  double bytes = dtype ? static_cast<double>(tx::bitWidth(*dtype)) / 8 : 1;
  // A dim of 0 counts as 1: the strides of the other dims must not overflow
  // either.
  for (shape::Dim dim : tx::dimsOf(type))
    bytes *= dim.isNone() ? 1 : std::max(shape::magnitude(dim), 1.0);
  return bytes;
}

static LogicalResult verifySizes(Location loc, TypeRange types) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && leastBytes(tensor) > maxBytes)
      return emitError(loc) << "more than 2^48 bytes: a tensor of shape "
                            << tx::shapeString(tensor) << " and dtype "
                            << tensor.getElementType();
  }
  return success();
}

/// Checks the ranks of arguments and results, which packages limit. Other
/// values may have more dims.
static LogicalResult verifyRanks(func::FuncOp function) {
  auto check = [](Location loc, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() > rt::maxRank)
      return LogicalResult(emitError(loc)
                           << "a program takes and returns at most "
                           << rt::maxRank << " dimensions, not "
                           << tensor.getRank());
    return success();
  };
  for (BlockArgument argument : function.getArguments())
    if (failed(check(argument.getLoc(), argument.getType())))
      return failure();
  for (Type type : function.getResultTypes())
    if (failed(check(function.getLoc(), type)))
      return failure();
  return success();
}

static LogicalResult verifyFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("a program has one block");
  if (!isa<func::ReturnOp>(function.getBody().front().getTerminator()))
    return function.emitError("a program ends with func.return");
  if (failed(verifyRanks(function)))
    return failure();
  WalkResult result = function.walk([](Block *block) {
    for (BlockArgument argument : block->getArguments())
      if (failed(verifySizes(argument.getLoc(), argument.getType())))
        return WalkResult::interrupt();
    for (Operation &op : *block)
      if (failed(verifySizes(op.getLoc(), op.getResultTypes())))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyInput(ModuleOp module, std::optional<Stage> from) {
  if (failed(tx::verifyNames(module)) ||
      failed(verifyStage(module, from.value_or(Stage::Import))))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(verifyFunction(function)))
      return failure();
  return success();
}

} // namespace tensorc::compiler
