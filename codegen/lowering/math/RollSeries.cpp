//===- RollSeries.cpp - Evaluates series of f64 in loops ------------------===//
//
// %1 = math.fma %0, %x, %c1 : f64
// %2 = math.fma %1, %x, %c2 : f64
// ...
// ->
// %table = arith.constant dense<[c1, c2, ...]> : vector<nxf64>
// %n = scf.for %i = 0 to n step 1 iter_args(%s = %0) {
//   %c = vector.extract %table[%i]
//   scf.yield (math.fma %s, %x, %c)
// }
//
// Clenshaw's recurrence, s = fma(t, s1, c - s2) with the two values before, is
// replaced in the same way.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/RollSeries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace tensorc::codegen {
namespace {

/// Minimum number of steps of a series that becomes a loop. Besides one step, a
/// loop emits a counter and a table, so shorter series are smaller unrolled.
constexpr size_t minRolledSteps = 3;

/// A step of a series: fma(last, factor, c), or fma(factor, last, c - before).
struct Step {
  Operation *sum;
  Operation *difference; // null for Horner's rule
  Value factor, last;
  Value before; // null for Horner's rule
  FloatAttr coefficient;

  Value getResult() const { return sum->getResult(0); }
  bool contains(Operation *op) const { return op == sum || op == difference; }
};

/// Returns the step that ends in this op, with the operands in the order in
/// which FloatBuilder::poly and SpecialBuilder::chebyshev create them.
std::optional<Step> matchStep(math::FmaOp sum) {
  if (!sum.getType().isF64())
    return std::nullopt;
  FloatAttr coefficient;
  if (matchPattern(sum.getC(), m_Constant(&coefficient)))
    return Step{sum, nullptr, sum.getB(), sum.getA(), {}, coefficient};
  auto difference = sum.getC().getDefiningOp<arith::SubFOp>();
  if (!difference || !difference->hasOneUse() ||
      difference->getBlock() != sum->getBlock() ||
      !matchPattern(difference.getLhs(), m_Constant(&coefficient)))
    return std::nullopt;
  return Step{sum,        difference,          sum.getA(),
              sum.getB(), difference.getRhs(), coefficient};
}

/// True if `next` continues a series that ends with `step`.
bool follows(const Step &next, const Step &step) {
  if (next.last != step.getResult() || next.factor != step.factor ||
      next.sum->getBlock() != step.sum->getBlock())
    return false;
  if (!next.before)
    return !step.before;
  return step.before && next.before == step.last;
}

class Series {
public:
  /// Finds the series that begins with `first`.
  explicit Series(const Step &first) : steps{first} {
    while (std::optional<Step> next = findNext())
      steps.push_back(*next);
    // A value that is also used elsewhere has to be the last one, or with
    // Clenshaw's recurrence the one before, which the loop returns too.
    for (size_t i = 0; i + 1 < steps.size(); ++i)
      if (!isInside(i)) {
        steps.truncate(i + 1);
        break;
      }
    while (steps.size() > 1 && hasBefore() && !usesFollow(steps.size() - 2))
      steps.pop_back();
  }

  ArrayRef<Step> getSteps() const { return steps; }

  void roll() {
    Step first = steps.front(), last = steps.back();
    OpBuilder b(last.sum);
    Location loc = last.sum->getLoc();
    SmallVector<Attribute> coefficients;
    for (const Step &step : steps)
      coefficients.push_back(step.coefficient);
    auto numSteps = static_cast<int64_t>(steps.size());
    Value table = arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(VectorType::get(numSteps, b.getF64Type()),
                               coefficients));
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    SmallVector<Value, 2> state{first.last};
    if (hasBefore())
      state.push_back(first.before);
    auto loop = scf::ForOp::create(
        b, loc, index(0), index(numSteps), index(1), state,
        [&](OpBuilder &b, Location loc, Value i, ValueRange state) {
          scf::YieldOp::create(b, loc, emitStep(b, loc, table, i, state));
        });
    last.getResult().replaceAllUsesWith(loop.getResult(0));
    if (hasBefore())
      last.last.replaceUsesWithIf(loop.getResult(1), [&](OpOperand &use) {
        return !isOwn(use.getOwner());
      });
    for (const Step &step : llvm::reverse(steps)) {
      step.sum->erase();
      if (step.difference)
        step.difference->erase();
    }
  }

private:
  bool hasBefore() const { return steps.front().before != nullptr; }

  std::optional<Step> findNext() const {
    for (Operation *user : steps.back().getResult().getUsers())
      if (auto sum = dyn_cast<math::FmaOp>(user))
        if (std::optional<Step> next = matchStep(sum);
            next && follows(*next, steps.back()))
          return next;
    return std::nullopt;
  }

  /// True if only the steps of this series use the result of step i.
  bool isInside(size_t i) const {
    bool isNextToLast = i + 2 == steps.size();
    return (hasBefore() && isNextToLast) ||
           llvm::all_of(steps[i].getResult().getUsers(),
                        [&](Operation *user) { return isOwn(user); });
  }

  bool isOwn(Operation *op) const {
    return llvm::any_of(steps,
                        [&](const Step &step) { return step.contains(op); });
  }

  /// True if all other users of the result of step i are behind the last step,
  /// where the loop is created.
  bool usesFollow(size_t i) const {
    Operation *last = steps.back().sum;
    return llvm::all_of(steps[i].getResult().getUsers(), [&](Operation *user) {
      Operation *here = last->getBlock()->findAncestorOpInBlock(*user);
      return isOwn(user) || (here && last->isBeforeInBlock(here));
    });
  }

  SmallVector<Value, 2> emitStep(OpBuilder &b, Location loc, Value table,
                                 Value i, ValueRange state) const {
    Value coefficient =
        vector::ExtractOp::create(b, loc, table, OpFoldResult(i));
    Value factor = steps.front().factor;
    if (!hasBefore())
      return {math::FmaOp::create(b, loc, state[0], factor, coefficient)};
    Value difference = arith::SubFOp::create(b, loc, coefficient, state[1]);
    return {math::FmaOp::create(b, loc, factor, state[0], difference),
            state[0]};
  }

  SmallVector<Step> steps;
};

} // namespace

void rollSeries(Operation *root) {
  SmallVector<math::FmaOp> sums;
  root->walk([&](math::FmaOp sum) { sums.push_back(sum); });
  // The ops of a series that became a loop no longer exist.
  DenseSet<Operation *> done;
  for (math::FmaOp sum : sums) {
    if (done.contains(sum))
      continue;
    std::optional<Step> first = matchStep(sum);
    if (!first)
      continue;
    Series series(*first);
    for (const Step &step : series.getSteps())
      done.insert(step.sum);
    if (series.getSteps().size() >= minRolledSteps)
      series.roll();
  }
}

} // namespace tensorc::codegen
