//===- Periods.cpp - Finds repetitions in a block -------------------------===//

#include "compiler/transforms/fusion/Periods.h"
#include "ir/tx/Control.h"

#include "mlir/IR/OperationSupport.h"

#include <algorithm>

using namespace mlir;

namespace tensorc::compiler {

Periods::Periods(Block &block) {
  DenseMap<size_t, unsigned> last;
  for (Operation &op : block) {
    auto position = static_cast<unsigned>(hashes.size());
    // Any two ops with regions are considered different.
    size_t hash = op.getNumRegions()
                      ? static_cast<size_t>(llvm::hash_value(&op))
                      : static_cast<size_t>(OperationEquivalence::computeHash(
                            &op, OperationEquivalence::ignoreHashValue,
                            OperationEquivalence::ignoreHashValue,
                            OperationEquivalence::IgnoreLocations));
    // Drops the bits that collide with DenseMap's empty and tombstone keys.
    hash >>= 2;
    auto [known, isNew] = last.try_emplace(hash, position);
    back.push_back(isNew ? 0 : position - known->second);
    known->second = position;
    hashes.push_back(hash);
    auto &described = operands.emplace_back();
    for (Value operand : op.getOperands())
      described.push_back(describe(operand));
    positions[&op] = position;
  }
}

Periods::Operand Periods::describe(Value value) const {
  auto known = positions.find(value.getDefiningOp());
  if (known != positions.end())
    return {value, nullptr, known->second};
  return {value, tx::isByValue(value) ? value.getType() : Type(), outside};
}

bool Periods::areAlike(unsigned a, unsigned b) const {
  if (hashes[a] != hashes[b] || operands[a].size() != operands[b].size())
    return false;
  for (auto [x, y] : llvm::zip(operands[a], operands[b])) {
    bool isFar = x.position == outside || y.position == outside;
    // By-value scalars are separate arguments in each step.
    bool isSame = isFar ? x.number && x.number == y.number
                        : a - x.position == b - y.position;
    if (!isSame && x.value != y.value)
      return false;
  }
  return true;
}

bool Periods::repeat(unsigned first, unsigned last, unsigned step) const {
  for (unsigned i = last; i >= first; --i)
    if (i < step || !areAlike(i, i - step))
      return false;
  return true;
}

unsigned Periods::stepsBetween(Operation *first, Operation *last) const {
  auto from = positions.find(first), to = positions.find(last);
  if (from == positions.end() || to == positions.end() ||
      from->second >= to->second || hashes[from->second] != hashes[to->second])
    return 0;
  unsigned distance = to->second - from->second;
  // If an op occurs once per step, its distance to its previous occurrence is
  // one step.
  unsigned longest = 0;
  for (unsigned i = from->second; i <= to->second; ++i)
    longest = std::max(longest, back[i]);
  // If every op occurs several times per step, the step is longer than this
  // distance.
  constexpr unsigned maxRepeats = 4;
  for (unsigned times = 1; longest && times <= maxRepeats; ++times) {
    unsigned step = longest * times;
    if (distance % step == 0 && from->second >= step &&
        repeat(from->second - step + 1, to->second, step))
      return distance / step;
  }
  return 0;
}

} // namespace tensorc::compiler
