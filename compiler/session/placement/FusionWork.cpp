//===- FusionWork.cpp - Memory traffic and operations of kernels ----------===//

#include "compiler/session/placement/FusionWork.h"

#include "ir/shape/Evaluate.h"
#include "ir/tx/DType.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/Work.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;

namespace tensorc::placement {

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

static RateClass rateOf(Operation *op) {
  bool reads = op->hasTrait<tx::Reduction>() || op->hasTrait<tx::Scan>();
  Value counted = reads ? op->getOperand(0) : op->getResult(0);
  Type element = cast<RankedTensorType>(counted.getType()).getElementType();
  return rateClassOf(*tx::dtypeOf(element), isa<tx::DotGeneralOp>(op));
}

/// Returns the number of bytes of a value that gathers and slices in a fusion
/// read, or `whole` if other ops read it.
static shape::Dim pickedBytes(Value v, shape::Dim whole) {
  shape::Dim picked = 0;
  for (OpOperand &use : v.getUses()) {
    Operation *user = use.getOwner();
    if (!isa<tx::SliceOp, tx::DynamicSliceOp, tx::GatherOp>(user) ||
        use.getOperandNumber() != 0)
      return whole;
    picked = picked +
             tx::bytesOf(cast<RankedTensorType>(user->getResult(0).getType()));
  }
  return picked;
}

FusionWork workOf(Operation *op) {
  FusionWork work;
  auto fusion = dyn_cast<tx::FusionOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType())) {
      shape::Dim whole = tx::bytesOf(type), picked = whole;
      if (fusion)
        picked = pickedBytes(
            fusion.getBody().getArgument(operand.getOperandNumber()), whole);
      work.reads.push_back({whole, picked});
    }
  for (Type type : op->getResultTypes())
    work.written = work.written + tx::bytesOf(cast<RankedTensorType>(type));
  if (!fusion)
    return work;
  for (Operation &inner : fusion.getBody().front().without_terminator()) {
    shape::Dim flops = tx::flopsOf(&inner);
    if (flops == 0)
      continue;
    shape::Dim &sum = work.operations[static_cast<unsigned>(rateOf(&inner))];
    sum = sum + flops;
  }
  return work;
}

shape::Dim FusionWork::bytesRead() const {
  shape::Dim total;
  for (const Read &read : reads) {
    bool isLess = shape::isLess(read.picked, read.whole) == true;
    total = total + (isLess ? read.picked : read.whole);
  }
  return total;
}

shape::Dim FusionWork::flops() const { return shape::sum(operations); }

/// Evaluates a size as a double, because an integer may overflow.
static double valueOf(shape::Dim dim,
                      function_ref<std::optional<int64_t>(StringRef)> sizeOf) {
  auto leaf = [&](shape::Dim dim) -> std::optional<double> {
    return dim.isNumber() ? dim.constant() : sizeOf(dim.name()).value_or(0);
  };
  auto combine = [](shape::DimOp op, double x,
                    double y) -> std::optional<double> {
    switch (op) {
    case shape::DimOp::Add:
      return x + y;
    case shape::DimOp::Mul:
      return x * y;
    case shape::DimOp::FloorDiv:
      return y != 0 ? std::floor(x / y) : 0;
    case shape::DimOp::CeilDiv:
      return y != 0 ? std::ceil(x / y) : 0;
    case shape::DimOp::Mod:
      return y != 0 ? x - y * std::floor(x / y) : 0;
    case shape::DimOp::Min:
      return std::min(x, y);
    case shape::DimOp::Max:
      return std::max(x, y);
    }
    return std::nullopt;
  };
  return shape::Evaluator<double>(leaf, combine)(dim).value_or(0);
}

KernelWork
FusionWork::at(function_ref<std::optional<int64_t>(StringRef)> sizeOf) const {
  auto value = [&](shape::Dim dim) { return valueOf(dim, sizeOf); };
  KernelWork kernel;
  kernel.bytes = value(written);
  for (const Read &read : reads)
    kernel.bytes += std::min(value(read.whole), value(read.picked));
  for (auto [count, expr] : llvm::zip_equal(kernel.operations, operations))
    count = value(expr);
  return kernel;
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

FunctionWork::FunctionWork(func::FuncOp function) {
  function.walk([&](Operation *op) {
    if (isa<tx::FusionOp, tx::CustomCallOp, tx::KernelCallOp>(op))
      launches.push_back(workOf(op));
  });
}

std::vector<KernelWork>
FunctionWork::at(function_ref<std::optional<int64_t>(StringRef)> sizeOf) const {
  std::vector<KernelWork> kernels;
  for (const FusionWork &launch : launches)
    kernels.push_back(launch.at(sizeOf));
  return kernels;
}

std::optional<FunctionWork> planFor(func::FuncOp function,
                                    const compiler::CompileOptions &options) {
  std::string name = function.getName().str();
  auto module = function->getParentOfType<ModuleOp>();
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (failed(compiler::runStages(module, options, std::nullopt,
                                 compiler::Stage::Fuse)))
    return std::nullopt;
  return FunctionWork(module.lookupSymbol<func::FuncOp>(name));
}

} // namespace tensorc::placement
