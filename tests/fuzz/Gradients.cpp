//===- Gradients.cpp - Random programs and their slopes -------------------===//

#include "tests/fuzz/Gradients.h"

#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/tuning/RandomArray.h"
#include "compiler/transforms/autodiff/Gradients.h"
#include "ir/reference/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::fuzz {

/// Of the gradients by the cotangents, in which they are linear.
static bool addTangents(func::FuncOp function, const Pullback &pullback) {
  compiler::PullbackOptions options;
  for (unsigned i = 0; i < pullback.wrt.size(); ++i)
    options.of.push_back(pullback.results + i);
  for (unsigned i = 0; i < pullback.of.size(); ++i)
    options.wrt.push_back(pullback.arguments + i);
  // What is refused leaves a function behind that is half done.
  func::FuncOp trial = function.clone();
  function->getBlock()->push_back(trial);
  bool isPossible = succeeded(compiler::addPullback(trial, options));
  trial.erase();
  return isPossible && succeeded(compiler::addPullback(function, options));
}

std::optional<Pullback> Pullback::add(Program &program, bool wantsTangents) {
  Pullback pullback;
  auto choose = [](TypeRange types, SmallVector<unsigned> &chosen) {
    for (auto [i, type] : llvm::enumerate(types))
      if (getElementTypeOrSelf(type).isF64())
        chosen.push_back(i);
  };
  func::FuncOp function = program.function;
  choose(function.getResultTypes(), pullback.of);
  choose(function.getArgumentTypes(), pullback.wrt);
  pullback.results = function.getNumResults();
  pullback.arguments = function.getNumArguments();
  if (pullback.of.empty() || pullback.wrt.empty())
    return std::nullopt;
  ScopedDiagnosticHandler refusals(function.getContext(),
                                   [](Diagnostic &) { return success(); });
  if (failed(compiler::addPullback(function, {pullback.of, pullback.wrt})))
    return std::nullopt;
  pullback.hasTangents = wantsTangents && addTangents(function, pullback);
  program.special.resize(function.getNumArguments(), false);
  program.errors.resize(function.getNumResults(), 0);
  return pullback;
}

/// The sum of all products of elements.
static double inner(ArrayRef<double> x, ArrayRef<double> y) {
  double sum = 0;
  for (auto [a, b] : llvm::zip_equal(x, y))
    sum += a * b;
  return sum;
}

/// The inner products of cotangents with changes of results, and of gradients
/// with tangents of arguments.
static bool tangentsAgree(const Pullback &pullback, ArrayRef<Array> inputs,
                          ArrayRef<Array> results) {
  auto numbers = [](const Array &x) { return reference::read<double>(x); };
  double forward = 0, backward = 0, scale = 0;
  auto add = [&](double &sum, const Array &x, const Array &y) {
    for (auto [a, b] : llvm::zip_equal(numbers(x), numbers(y))) {
      sum += a * b;
      scale += std::fabs(a * b);
    }
  };
  size_t numOf = pullback.of.size(), numWrt = pullback.wrt.size();
  ArrayRef<Array> given = inputs.drop_front(pullback.arguments),
                  made = results.drop_front(pullback.results);
  for (size_t i = 0; i < numOf; ++i)
    add(forward, made[numWrt + i], given[i]);
  for (size_t i = 0; i < numWrt; ++i)
    add(backward, made[i], given[numOf + i]);
  if (!(scale < 1e100) || std::fabs(forward - backward) <= 1e-9 * scale + 1e-12)
    return true;
  llvm::errs() << "the tangents give " << forward << ", the gradients "
               << backward << "\n";
  return false;
}

Slope checkSlope(const Program &program, const Pullback &pullback,
                 ArrayRef<Array> inputs, uint64_t seed) {
  // Where the inner product of results and cotangents is at a step from the
  // inputs; the sum of magnitudes says how far it is rounded.
  std::vector<std::vector<double>> directions;
  for (auto [i, of] : llvm::enumerate(pullback.wrt)) {
    Array direction = inputs[of];
    tuning::fillRandom(direction, seed * 31 + i + 1);
    directions.push_back(reference::read<double>(direction));
  }
  std::vector<Array> results;
  double magnitude = 0;
  auto valueAt = [&](double step) -> std::optional<double> {
    std::vector<Array> moved(inputs.begin(), inputs.end());
    for (auto [direction, argument] : llvm::zip(directions, pullback.wrt)) {
      std::vector<double> x = reference::read<double>(moved[argument]);
      for (auto [element, slope] : llvm::zip_equal(x, direction))
        element += step * slope;
      reference::write<double>(moved[argument], x);
    }
    FailureOr<std::vector<Array>> made =
        reference::evaluate(program.function, moved, jit::callCustomOp);
    if (failed(made))
      return std::nullopt;
    results = std::move(*made);
    double sum = 0;
    magnitude = 0;
    for (auto [i, of] : llvm::enumerate(pullback.of)) {
      std::vector<double> y = reference::read<double>(results[of]);
      std::vector<double> g =
          reference::read<double>(inputs[pullback.arguments + i]);
      sum += inner(y, g);
      for (auto [a, b] : llvm::zip_equal(y, g))
        magnitude += std::fabs(a * b);
    }
    return sum;
  };
  auto quotient = [&](double step) {
    auto above = valueAt(step), below = valueAt(-step);
    return above && below ? (*above - *below) / (2 * step) : NAN;
  };
  double coarse = quotient(4e-5), fine = quotient(1e-5),
         finest = quotient(3e-6);
  if (!valueAt(0) ||
      (pullback.hasTangents && !tangentsAgree(pullback, inputs, results)))
    return Slope::Wrong;
  double expected = 0, scale = 0;
  for (auto [i, direction] : llvm::enumerate(directions)) {
    std::vector<double> gradient =
        reference::read<double>(results[pullback.results + i]);
    expected += inner(gradient, direction);
    for (auto [a, b] : llvm::zip_equal(gradient, direction))
      scale += std::fabs(a * b);
  }
  double difference =
      std::max(std::fabs(coarse - fine), std::fabs(finest - fine));
  double noise = 1e-9 * magnitude + 1e-9;
  scale += std::fabs(fine);
  // Neither a kink nor steep: quotients of three steps agree.
  if (!(difference < 1e-4 * scale + noise) || !std::isfinite(expected))
    return Slope::Unknown;
  if (magnitude > 1e12) // ceil is no longer a step, but the number itself
    return Slope::Unknown;
  if (std::fabs(expected - fine) <= 1e-3 * scale + 10 * noise)
    return Slope::Right;
  llvm::errs() << "the gradients' slope is " << expected
               << ", that of differences " << coarse << ", " << fine << ", "
               << finest << "\n";
  return Slope::Wrong;
}

bool gradientsAgree(const Array &x, const Array &y, unsigned index) {
  std::vector<double> a = reference::read<double>(x),
                      b = reference::read<double>(y);
  double largest = 0;
  for (double element : b)
    if (std::isfinite(element))
      largest = std::max(largest, std::fabs(element));
  for (auto [left, right] : llvm::zip_equal(a, b)) {
    // Rounding decides whether what is beyond the range is an infinity, and
    // whether the difference of two is a NaN.
    if (!std::isfinite(left) || !std::isfinite(right) || largest > 1e100)
      continue;
    if (!(std::fabs(left - right) <= 1e-6 * largest + 1e-12)) {
      llvm::errs() << "gradient " << index << " is " << left << ", not "
                   << right << "\n";
      return false;
    }
  }
  return true;
}

} // namespace tensorc::fuzz
