//===- Pullback.cpp - Gradients of recorded functions ---------------------===//

#include "compiler/session/derive/Pullback.h"

#include "compiler/graph/Placement.h"
#include "compiler/graph/ops/Collectives.h"
#include "compiler/session/derive/Derived.h"
#include "compiler/transforms/autodiff/Gradients.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;
using graph::typeOf;

namespace {
/// The part of a recorded function that depends on its arguments, as a module.
class PullbackProgram {
public:
  PullbackProgram(Recorder &r, const PullbackRequest &request)
      : r(r), request(request) {}

  PulledBack run();

private:
  bool check();
  void refuseResult(const Node &result);
  mlir::FailureOr<mlir::func::FuncOp>
  differentiated(mlir::func::FuncOp function);
  void readResultAgain(mlir::func::FuncOp function, unsigned result);

  Recorder &r;
  const PullbackRequest &request;
  /// The results that have a cotangent.
  llvm::SmallVector<unsigned> of;
};
} // namespace

static bool checkType(Recorder &r, const llvm::Twine &what, const Node &node) {
  if (graph::isIn(node.dtype(), graph::floatMask | graph::complexMask))
    return true;
  r.fail("grad", what + " is " + typeOf(node) + "; a gradient is by floats");
  return false;
}

/// Reports an error for a result that cannot be differentiated. The remedy
/// depends on the dtype: the sum of complex numbers is not a float.
void PullbackProgram::refuseResult(const Node &result) {
  const char *remedy = "its dtype has no derivatives";
  if (graph::isIn(result.dtype(), graph::complexMask))
    remedy = "the sum of its real or abs is one";
  else if (graph::isIn(result.dtype(), graph::floatMask))
    remedy = "its sum is one, and jacobian has the derivatives of each element";
  r.fail("grad", "the function's result is " + typeOf(result) +
                     ", not one float; it is made at " + graph::lineOf(result) +
                     ": " + remedy);
}

bool checkArguments(Recorder &r, const PullbackRequest &request) {
  for (auto [i, argument] : llvm::enumerate(request.arguments)) {
    const Node &value = *request.values[i].get();
    bool isMoved = argument->op() == OpKind::Transfer && argument->isTraced();
    if (argument->op() != OpKind::Placeholder && !isMoved) {
      r.fail("grad", "argument " + llvm::Twine(i) + " is none of a trace");
      return false;
    }
    if (argument->dtype() != value.dtype() ||
        argument->shape() != value.shape()) {
      r.fail("grad", "argument " + llvm::Twine(i) + " is " + typeOf(value) +
                         ", recorded as " + typeOf(*argument.get()));
      return false;
    }
    if (request.wanted[i] &&
        !checkType(r, "argument " + llvm::Twine(i), *argument.get()))
      return false;
  }
  return true;
}

bool PullbackProgram::check() {
  if (!checkArguments(r, request))
    return false;
  if (request.results.empty()) {
    r.fail("grad", "the function has no result");
    return false;
  }
  if (request.cotangents.empty()) {
    const Node &result = *request.results[0].get();
    if (!graph::isIn(result.dtype(), graph::floatMask) ||
        result.numElements() != 1) {
      refuseResult(result);
      return false;
    }
    of.push_back(0);
    return true;
  }
  for (auto [i, g] : llvm::enumerate(request.cotangents)) {
    if (!g)
      continue;
    const Node &result = *request.results[i].get();
    if (!checkType(r, "result " + llvm::Twine(i), result))
      return false;
    if (g->dtype() != result.dtype() || g->shape() != result.shape()) {
      r.fail("grad", "the cotangent of result " + llvm::Twine(i) + " is " +
                         typeOf(*g.get()) + ", the result " + typeOf(result));
      return false;
    }
    of.push_back(i);
  }
  return true;
}

mlir::FailureOr<mlir::func::FuncOp>
PullbackProgram::differentiated(mlir::func::FuncOp function) {
  compiler::PullbackOptions options;
  options.of = of;
  options.isScalar = request.cotangents.empty();
  for (auto [i, isWanted] : llvm::enumerate(request.wanted))
    if (isWanted)
      options.wrt.push_back(i);
  if (mlir::failed(compiler::addPullback(function, options)))
    return mlir::failure();
  for (auto [i, known] : llvm::enumerate(request.known))
    if (known)
      readResultAgain(function, i);
  return function;
}

/// Adds an argument whose value replaces the result for all its users in the
/// function.
void PullbackProgram::readResultAgain(mlir::func::FuncOp function,
                                      unsigned result) {
  mlir::Operation *end = function.front().getTerminator();
  mlir::Value computed = end->getOperand(result);
  unsigned last = function.getNumArguments();
  if (mlir::failed(function.insertArgument(last, computed.getType(), {},
                                           function.getLoc())))
    return;
  computed.replaceAllUsesExcept(function.getArgument(last), end);
}

PulledBack PullbackProgram::run() {
  if (!check())
    return {};
  llvm::SmallVector<NodeRef> more;
  for (unsigned result : of)
    if (!request.cotangents.empty())
      more.push_back(request.cotangents[result]);
  for (const NodeRef &known : request.known)
    if (known)
      more.push_back(known);
  // A constant exponent is part of the function, because its gradient is
  // simpler.
  auto isExponent = [](const Node &user, unsigned operand) {
    return user.op() == OpKind::Pow && operand == 1;
  };
  auto change = [&](mlir::func::FuncOp function, size_t) {
    return differentiated(function);
  };
  llvm::SmallVector<NodeRef> results =
      derive(r, {"grad", "differentiated", request.arguments, request.results,
                 isExponent, request.values, more, change});
  if (!r.error.empty())
    return {};
  PulledBack made;
  size_t numResults = request.results.size();
  made.results.append(results.begin(), results.begin() + numResults);
  auto *next = results.begin() + numResults;
  for (auto [value, isWanted] : llvm::zip_equal(request.values, request.wanted))
    made.gradients.push_back(
        isWanted ? graph::splitLike(r, graph::placedLike(*next++, *value.get()),
                                    *value.get())
                 : NodeRef());
  return made;
}

PulledBack pullBack(Recorder &r, const PullbackRequest &request) {
  return PullbackProgram(r, request).run();
}

} // namespace tensorc::derive
