//===- Differentiate.cpp - Reverse-mode differentiation of tx functions ---===//

#include "compiler/transforms/autodiff/Gradients.h"

#include "compiler/transforms/autodiff/Passes.h"
#include "compiler/transforms/autodiff/ReverseSweep.h"
#include "compiler/transforms/passes/ExpandComposites.h"
#include "compiler/transforms/passes/complex/ExpandComplex.h"
#include "ir/tx/Complex.h"
#include "ir/tx/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler {

bool isDifferentiable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dtype = tensor ? tx::dtypeOf(tensor.getElementType()) : std::nullopt;
  return dtype && tx::isFloat(*dtype) && !tx::isStorage(*dtype);
}

static LogicalResult check(func::FuncOp function,
                           const GradientOptions &options) {
  FunctionType type = function.getFunctionType();
  if (options.of >= type.getNumResults())
    return function.emitError("has no result ") << options.of;
  std::string of = tx::resultName(function, options.of);
  auto result = dyn_cast<RankedTensorType>(type.getResult(options.of));
  if (!isDifferentiable(type.getResult(options.of)) ||
      llvm::any_of(tx::dimsOf(result), [](tx::Dim dim) { return dim != 1; }))
    return function.emitError("result ")
           << of << " is " << type.getResult(options.of)
           << "; a gradient is that of a float of one element, such as a sum";
  for (auto [i, argument] : llvm::enumerate(options.wrt)) {
    if (argument >= type.getNumInputs())
      return function.emitError("has no argument ") << argument;
    std::string name = tx::argumentName(function, argument);
    if (!isDifferentiable(type.getInput(argument)) &&
        !isComplexType(type.getInput(argument)))
      return function.emitError("argument ")
             << name << " is " << type.getInput(argument)
             << "; a gradient is by floats";
    if (llvm::is_contained(ArrayRef(options.wrt).take_front(i), argument))
      return function.emitError("argument ") << name << " is named twice";
  }
  if (options.wrt.empty())
    return function.emitError("no argument to differentiate by is named");
  return success();
}

/// Returns `grad_` and the argument's name, with underscores appended until no
/// other argument's gradient has the name.
static StringAttr gradientName(func::FuncOp function, unsigned argument,
                               unsigned numNamed) {
  std::string name = "grad_" + tx::argumentName(function, argument);
  auto isTaken = [&] {
    return llvm::any_of(llvm::seq(0u, numNamed), [&](unsigned i) {
      return tx::resultName(function, i) == name;
    });
  };
  while (isTaken())
    name += "_";
  return StringAttr::get(function.getContext(), name);
}

/// Makes the function also return the gradients.
static void returnGradients(func::FuncOp function, ArrayRef<unsigned> wrt,
                            ArrayRef<Value> gradients) {
  Operation *exit = function.getBody().front().getTerminator();
  unsigned numResults = exit->getNumOperands();
  exit->insertOperands(numResults, gradients);
  FunctionType type = function.getFunctionType();
  SmallVector<Type> results(type.getResults());
  for (Value gradient : gradients)
    results.push_back(gradient.getType());
  SmallVector<StringAttr> names;
  for (unsigned i : llvm::seq(0u, numResults))
    names.push_back(
        StringAttr::get(function.getContext(), tx::resultName(function, i)));
  function.setType(
      FunctionType::get(function.getContext(), type.getInputs(), results));
  for (auto [i, name] : llvm::enumerate(names))
    function.setResultAttr(i, tx::nameAttr, name);
  for (auto [i, argument] : llvm::enumerate(wrt))
    function.setResultAttr(numResults + i, tx::nameAttr,
                           gradientName(function, argument, numResults + i));
}

/// Returns the value itself, or the real and imaginary parts of a complex
/// value, creating ops for the parts if the block has none.
static SmallVector<Value> partsOf(Value x, Block &body) {
  if (!isComplexType(x.getType()))
    return {x};
  if (auto made = x.getDefiningOp<tx::ComplexOp>())
    return {made.getRe(), made.getIm()};
  Value re, im;
  for (Operation *user : x.getUsers()) {
    if (auto part = dyn_cast<tx::RealOp>(user))
      re = part;
    else if (auto part = dyn_cast<tx::ImagOp>(user))
      im = part;
  }
  if (re && im)
    return {re, im};
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  b.setInsertionPointAfterValue(x);
  auto tensor = cast<RankedTensorType>(x.getType());
  Type type = tx::withElementType(
      tensor, cast<ComplexType>(tensor.getElementType()).getElementType());
  re = tx::RealOp::create(b, x.getLoc(), type, x);
  return {re, tx::ImagOp::create(b, x.getLoc(), type, x)};
}

LogicalResult addPullback(func::FuncOp function,
                          const PullbackOptions &options) {
  // Composites without a rule of their own are differentiated by their
  // expansions.
  expandComposites(function,
                   [](Operation *op) { return !autodiff::hasOwnRule(op); });
  // The gradient with respect to a complex number is d/dx + i d/dy, as in
  // PyTorch.
  if (failed(expandComplex(function, ComplexEdges::Parts)))
    return failure();

  Block &body = function.getBody().front();
  Operation *exit = body.getTerminator();
  SmallVector<Value> inputs;
  for (unsigned argument : options.wrt)
    llvm::append_range(inputs, partsOf(body.getArgument(argument), body));
  OpBuilder b(exit);
  builder::TensorBuilder e(b, exit);
  // Creates the ops that read the parts of complex results first, so that the
  // sweep visits them.
  for (unsigned of : options.of)
    partsOf(exit->getOperand(of), body);
  autodiff::ReverseSweep sweep(body, inputs);
  for (unsigned of : options.of) {
    Value result = exit->getOperand(of);
    if (options.isScalar) {
      sweep.seed(result,
                 e.full(1.0, builder::dtypeOf(result), builder::dimsOf(result)),
                 e);
      continue;
    }
    unsigned last = function.getNumArguments();
    if (failed(function.insertArgument(last, result.getType(), {},
                                       function.getLoc())))
      return failure();
    for (auto [part, gradient] : llvm::zip(
             partsOf(result, body), partsOf(body.getArgument(last), body)))
      sweep.seed(part, gradient, e);
  }
  if (failed(sweep.run(b)))
    return failure();
  SmallVector<Value> gradients;
  auto *input = inputs.begin();
  for (unsigned argument : options.wrt) {
    Value gradient = sweep.gradientOrZeros(*input++, e);
    if (Type type = body.getArgument(argument).getType(); isComplexType(type))
      gradient = tx::ComplexOp::create(b, e.loc, type, gradient,
                                       sweep.gradientOrZeros(*input++, e));
    gradients.push_back(gradient);
  }
  returnGradients(function, options.wrt, gradients);
  return success();
}

FailureOr<func::FuncOp> differentiate(func::FuncOp function,
                                      const GradientOptions &options) {
  if (failed(check(function, options)))
    return failure();
  func::FuncOp result = function.clone();
  result.setName(options.name);
  function->getBlock()->getOperations().insertAfter(function->getIterator(),
                                                    result);
  if (failed(addPullback(result, {{options.of}, options.wrt, true}))) {
    result.erase();
    return failure();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "compiler/transforms/autodiff/Passes.h.inc"

namespace {
struct Differentiate : impl::DifferentiatePassBase<Differentiate> {
  using Base::Base;

  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>(entry);
    if (!function) {
      getOperation().emitError("has no function ") << entry.getValue();
      return signalPassFailure();
    }
    GradientOptions options;
    options.of = of;
    options.wrt.assign(wrt.begin(), wrt.end());
    options.name = entry + "_gradient";
    if (getOperation().lookupSymbol(options.name)) {
      function.emitError("its gradient would be called ")
          << options.name << ", which exists";
      return signalPassFailure();
    }
    if (failed(differentiate(function, options)))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
