//===- Tolerance.cpp - Tolerances of outputs ------------------------------===//

#include "tools/tensorc/Tolerance.h"

#include "ir/library/Library.h"
#include "ir/tx/Combining.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;

namespace tensorc::tool {

namespace {
/// Properties of a value: its tolerance, and whether its bits must equal those
/// of the reference.
struct Chain {
  Tolerance tolerance{0, 0};
  bool isExact = true;

  void join(const Chain &other) {
    tolerance = coarser(tolerance, other.tolerance);
    isExact &= other.isExact;
  }
};

class Chains {
public:
  void run(Block &block);
  Chain of(Value v) const { return chains.lookup(v); }
  void set(Value v, Chain chain) { chains[v] = chain; }

private:
  llvm::DenseMap<Value, Chain> chains;
  Chain resultOf(Operation *op, Type type);
};
} // namespace

static bool isFloat(Type type) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
}

static Tolerance ownTolerance(Type type) {
  std::optional<reference::DType> dtype =
      reference::dtypeOf(getElementTypeOrSelf(type));
  return dtype ? toleranceOf(*dtype) : Tolerance{0, 0};
}

/// True if the results of targets may differ in the last bits. This is so for
/// functions, which have their own polynomials or machine instructions, and for
/// sums, whose order is not fixed.
static bool mayDiffer(Operation *op) {
  // Square roots and quotients of complex numbers consist of several real
  // operations.
  if (isa<tx::SqrtOp, tx::DivOp, tx::MulOp, tx::SignOp>(op) &&
      isa<ComplexType>(getElementTypeOrSelf(op->getResult(0))))
    return true;
  if (isa<tx::DotGeneralOp, tx::RsqrtOp, tx::CustomCallOp, tx::KernelCallOp,
          tx::CompositeOpInterface>(op))
    return true;
  if (auto combining = tx::combiningOf(op))
    return combining->rounds();
  return op->hasTrait<tx::Elementwise>() && op->hasTrait<tx::Costly>();
}

Chain Chains::resultOf(Operation *op, Type type) {
  Chain chain;
  bool fromFloat = false;
  for (Value operand : op->getOperands()) {
    Chain of = chains.lookup(operand);
    fromFloat |= isFloat(operand.getType());
    // Integers have no tolerance unless they are converted from floats.
    if (!isFloat(type) && isFloat(operand.getType()))
      of.tolerance = {0, 0};
    chain.join(of);
  }
  if (isFloat(type)) {
    chain.isExact &= !mayDiffer(op);
    chain.tolerance = coarser(chain.tolerance, ownTolerance(type));
  } else if (isa<tx::ConvertOp>(op) && fromFloat && !chain.isExact &&
             !getElementTypeOrSelf(type).isInteger(1)) {
    // Near an integer, a difference in the last bit changes the result by 1.
    chain.tolerance = chains.lookup(op->getOperand(0)).tolerance;
    chain.tolerance.absolute = std::max(chain.tolerance.absolute, 1.0);
  }
  return chain;
}

void Chains::run(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() == 1 && op.getRegion(0).hasOneBlock() &&
        op.getRegion(0).getNumArguments() == op.getNumOperands()) {
      Block &body = op.getRegion(0).front();
      for (auto [inside, outside] :
           llvm::zip(body.getArguments(), op.getOperands()))
        set(inside, of(outside));
      run(body);
      for (auto [result, inside] :
           llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
        set(result, of(inside));
      continue;
    }
    for (Value result : op.getResults())
      set(result, resultOf(&op, result.getType()));
  }
}

SmallVector<Tolerance> tolerancesOf(func::FuncOp function) {
  SmallVector<Tolerance> tolerances;
  if (function.isExternal()) {
    for (Type type : function.getResultTypes())
      tolerances.push_back(ownTolerance(type));
    return tolerances;
  }
  Chains chains;
  Block &block = function.getBody().front();
  for (Value argument : block.getArguments())
    chains.set(argument, {ownTolerance(argument.getType()), true});
  chains.run(block);
  for (Value result : block.getTerminator()->getOperands())
    tolerances.push_back(chains.of(result).tolerance);
  return tolerances;
}

} // namespace tensorc::tool
