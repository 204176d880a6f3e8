//===- ElementLocations.cpp - Reads of a tensor concatenated with itself --===//
//
// Padding by reflection, edge values or wrap-around concatenates slices of one
// tensor:
//   y = concatenate(x[n - 1 : n], x, x[0 : 1])
// If all lanes lie in the same part, this is a single read without branches,
// because the position is computed by selects, one chain per concatenated dim:
//   position = select(i < 1, (n - 1 + i) * row, select(i - 1 < n, ...)) + j
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ElementLocations.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Guard;
using analysis::Index;

/// Maximum number of operands of a concatenation that is read in this way. A
/// longer one is read under branches, by binary search.
static constexpr unsigned maxParts = 8;

/// Maximum nesting depth of such concatenations. It bounds the number of
/// positions, which is the product of the numbers of parts at all levels.
static constexpr unsigned maxNested = 4;

static bool areSame(const Guard &a, const Guard &b) {
  return a.value == b.value && a.size == b.size && a.modulus == b.modulus;
}

bool OffsetChoice::operator==(const OffsetChoice &other) const {
  return distances == other.distances && guards.size() == other.guards.size() &&
         llvm::all_of(llvm::zip(guards, other.guards), [](const auto &pair) {
           return areSame(std::get<0>(pair), std::get<1>(pair));
         });
}

std::optional<ElementLocation>
ExpressionEmitter::locate(Value v, const Index &index, unsigned nested) {
  if (bound.contains(v) || v == kept.value)
    return std::nullopt;
  if (auto input = dyn_cast<BlockArgument>(v)) {
    if (kernel.isScalar(input) || sizeOfShortRow(input, index))
      return std::nullopt;
    return ElementLocation{
        input, space.linearize(index, kernel.dims(input)), {}};
  }
  Operation *op = v.getDefiningOp();
  auto concat = dyn_cast<tx::ConcatenateOp>(op);
  if (!concat &&
      !isa<tx::BroadcastOp, tx::ReshapeOp, tx::TransposeOp, tx::SliceOp>(op))
    return std::nullopt;
  auto operands = analysis::operandIndexing(
      op, index, space, [&](Value s) { return symbolOf(s); });
  if (!concat)
    return locate(op->getOperand(0), operands[0].index, nested);
  if (operands.size() > maxParts || nested == maxNested)
    return std::nullopt;
  std::optional<ElementLocation> all;
  OffsetChoice choice;
  for (auto [part, indexing] : llvm::zip(concat.getInputs(), operands)) {
    const Guard &guard = indexing.guards.front();
    std::optional<bool> holds = settled(guard);
    if (holds == false)
      continue;
    if (!holds && (variesByLane(guard.value) || variesByLane(guard.size)))
      return std::nullopt;
    auto location = locate(part, indexing.index, nested + 1);
    if (!location || (all && (location->input != all->input ||
                              location->choices != all->choices)))
      return std::nullopt;
    if (!all)
      all = location;
    AffineExpr distance = space.simplify(location->position - all->position);
    if (variesByLane(distance))
      return std::nullopt;
    choice.guards.push_back(guard);
    choice.distances.push_back(distance);
    if (holds == true)
      break;
  }
  if (all && choice.guards.size() > 1)
    all->choices.push_back(choice);
  return all;
}

Value ExpressionEmitter::choose(const OffsetChoice &choice) {
  // The last part is selected if no guard of another part holds.
  Value distance = indexValue(choice.distances.back());
  for (size_t i = choice.guards.size() - 1; i-- > 0;)
    distance = arith::SelectOp::create(
        b, condition(choice.guards[i], /*byLane=*/false),
        indexValue(choice.distances[i]), distance);
  return distance;
}

Value ExpressionEmitter::loadChosen(const ElementLocation &location) {
  Value offset;
  for (const OffsetChoice &choice : location.choices) {
    Value distance = choose(choice);
    offset =
        offset ? b.createOrFold<arith::AddIOp>(offset, distance) : distance;
  }
  return loadAt(kernel.buffer(location.input), location.position, offset);
}

} // namespace tensorc::codegen
