//===- CountedLoops.cpp - Loops with a known number of iterations ---------===//
//
// StableHLO's only loop is `while`, so a scan is printed as a loop that carries
// everything:
//   i = 0; while (i < n) { y = update(y, f(slice(x, i)), i); i = i + 1; }
// As a tx.scan it reads slice i of x and stacks y. A scan has a gradient, which
// keeps the inputs of each iteration: a slice of y instead of all of y.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tensorc::stablehlo {

namespace {
/// A linear function of iteration i: slope * i + offset.
struct Line {
  int64_t slope, offset;
  int64_t at(int64_t i) const { return slope * i + offset; }
};

class CountedLoop {
public:
  CountedLoop(tx::WhileOp loop, frontends::Known &known)
      : loop(loop), known(known), test(loop.getCondition().front()),
        body(loop.getBody().front()), exit(body.getTerminator()),
        carried(loop->getNumResults()) {}

  /// Returns true if the number of iterations is known. Does not change the
  /// loop.
  bool match();
  /// Inserts a scan before the loop and returns its results.
  Values rewrite(TensorBuilder b);

private:
  std::optional<int64_t> literal(Value value);
  std::optional<int64_t> limitOf(Value value);
  std::optional<Line> counterOf(size_t i);
  std::optional<Line> lineOf(Value value, unsigned depth = 0);
  bool isInvariant(size_t input) {
    return input >= carried || exit->getOperand(input) == argument(input);
  }
  Value argument(size_t input) { return body.getArgument(input); }
  std::optional<int64_t> countTo(Operation *compare, Line line, int64_t limit,
                                 bool isFlipped);
  bool staysIn(Value value, Line line, int64_t last);
  std::optional<Line> partsOf(Value whole, RankedTensorType part,
                              ValueRange starts);
  void findParts();
  void fill(TensorBuilder &b, tx::ScanOp scan);

  struct Part {
    Operation *op; // the op that reads or writes a part
    Line line;
    size_t input;
  };
  tx::WhileOp loop;
  frontends::Known &known;
  Block &test, &body;
  Operation *exit;
  size_t carried;
  int64_t count = 0;
  llvm::SmallDenseMap<size_t, Line> counters;
  SmallVector<Part> reads, writes;
  SmallVector<size_t> kept, invariants; // numbers of the loop's inputs
};
} // namespace

/// Maximum magnitude of a number in the calculations below, so that none
/// overflows.
static constexpr int64_t largest = int64_t(1) << 40;

static bool isSmall(int64_t number) {
  return -largest <= number && number <= largest;
}

static bool isInteger(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getRank() == 0 && type.getElementType().isInteger() &&
         dtypeOf(value) != DType::I1;
}

/// Returns the value of an integer constant.
std::optional<int64_t> CountedLoop::literal(Value value) {
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                           : DenseIntElementsAttr();
  if (!elements || !isInteger(value))
    return std::nullopt;
  APInt number = *elements.begin();
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  if ((isUnsigned ? number.getActiveBits() : number.getSignificantBits()) > 40)
    return std::nullopt;
  return isUnsigned ? static_cast<int64_t>(number.getZExtValue())
                    : number.getSExtValue();
}

/// Returns the limit with which the condition compares the counter.
std::optional<int64_t> CountedLoop::limitOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return literal(value);
  size_t input = argument.getArgNumber();
  if (!isInvariant(input) || !isInteger(value))
    return std::nullopt;
  auto numbers = known.numbers(loop.getInputs()[input]);
  return numbers && isSmall(numbers->front()) ? std::optional(numbers->front())
                                              : std::nullopt;
}

/// If the carried value begins with a constant and changes by a constant in
/// each iteration, returns it as a function of the iteration.
std::optional<Line> CountedLoop::counterOf(size_t i) {
  if (!isInteger(argument(i)))
    return std::nullopt;
  Operation *next = exit->getOperand(i).getDefiningOp();
  if (!isa_and_nonnull<tx::AddOp, tx::SubOp>(next))
    return std::nullopt;
  Value x = next->getOperand(0), y = next->getOperand(1);
  if (isa<tx::AddOp>(next) && y == argument(i))
    std::swap(x, y);
  std::optional<int64_t> step = literal(y);
  if (x != argument(i) || !step)
    return std::nullopt;
  auto first = known.numbers(loop.getInputs()[i]);
  if (!first || !isSmall(first->front()))
    return std::nullopt;
  return Line{isa<tx::SubOp>(next) ? -*step : *step, first->front()};
}

/// Returns the number of iterations for which the condition holds, or nullopt
/// if it is unknown.
std::optional<int64_t> CountedLoop::countTo(Operation *compare, Line line,
                                            int64_t limit, bool isFlipped) {
  bool isLess = isa<tx::LtOp, tx::LeOp>(compare) != isFlipped;
  bool isNotEqual = isa<tx::NeOp>(compare);
  int64_t distance = limit - line.offset, step = line.slope;
  if (step == 0 || (isNotEqual && distance % step != 0))
    return std::nullopt;
  if (!isNotEqual && isLess != (step > 0))
    return std::nullopt;
  if (step < 0) {
    distance = -distance;
    step = -step;
  }
  if (isNotEqual && distance < 0)
    return std::nullopt;
  if (isa<tx::LeOp, tx::GeOp>(compare))
    ++distance;
  return distance <= 0 ? 0 : (distance + step - 1) / step;
}

/// True if the dtype can represent all values of the counter, so that the
/// counter never wraps around.
bool CountedLoop::staysIn(Value value, Line line, int64_t last) {
  auto type = cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  unsigned bits = type.getWidth();
  int64_t low = 0, high = largest;
  if (!type.isUnsigned())
    low = bits > 40 ? -largest : -(int64_t(1) << (bits - 1));
  if (unsigned magnitude = bits - !type.isUnsigned(); magnitude < 40)
    high = (int64_t(1) << magnitude) - 1;
  int64_t end;
  if (__builtin_mul_overflow(line.slope, last, &end) ||
      __builtin_add_overflow(line.offset, end, &end))
    return false;
  auto [a, b] = std::minmax(line.offset, end);
  return a >= low && b <= high;
}

bool CountedLoop::match() {
  Value goesOn = test.getTerminator()->getOperand(0);
  Operation *compare = goesOn.getDefiningOp();
  if (!isa_and_nonnull<tx::LtOp, tx::LeOp, tx::GtOp, tx::GeOp, tx::NeOp>(
          compare))
    return false;
  for (bool isFlipped : {false, true}) {
    auto counter = dyn_cast<BlockArgument>(compare->getOperand(isFlipped));
    if (!counter || counter.getArgNumber() >= carried)
      continue;
    std::optional<Line> line = counterOf(counter.getArgNumber());
    std::optional<int64_t> limit = limitOf(compare->getOperand(!isFlipped));
    if (!line || !limit)
      continue;
    auto times = countTo(compare, *line, *limit, isFlipped);
    if (!times || !staysIn(counter, *line, *times))
      continue;
    count = *times;
    return true;
  }
  return false;
}

/// Returns an integer of the loop's body as a linear function of the iteration,
/// or nullopt.
std::optional<Line> CountedLoop::lineOf(Value value, unsigned depth) {
  if (!isInteger(value) || depth > 16)
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto it = counters.find(argument.getArgNumber());
    return it == counters.end() ? std::nullopt : std::optional(it->second);
  }
  if (auto number = literal(value))
    return Line{0, *number};
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) {
    return lineOf(op->getOperand(i), depth + 1);
  };
  std::optional<Line> line;
  if (isa<tx::ConvertOp>(op)) {
    line = operand(0);
  } else if (isa<tx::AddOp, tx::SubOp>(op)) {
    auto x = operand(0), y = operand(1);
    int64_t sign = isa<tx::SubOp>(op) ? -1 : 1;
    if (x && y)
      line = Line{x->slope + sign * y->slope, x->offset + sign * y->offset};
  } else if (auto select = dyn_cast<tx::SelectOp>(op)) {
    // Matches NumPy's handling of negative indices, `i < 0 ? i + n : i`.
    Operation *negative = op->getOperand(0).getDefiningOp();
    auto x = isa_and_nonnull<tx::LtOp>(negative)
                 ? lineOf(negative->getOperand(0), depth + 1)
                 : std::nullopt;
    if (x && literal(negative->getOperand(1)) == 0) {
      bool first = x->offset < 0, last = x->at(count - 1) < 0;
      if (first == last)
        line = operand(first ? 1 : 2);
    }
  }
  if (!line || !staysIn(value, *line, count - 1))
    return std::nullopt;
  return line;
}

/// If an op reads or writes one part in each iteration, and these parts
/// partition one dim, returns the position of the part; else nullopt.
std::optional<Line> CountedLoop::partsOf(Value whole, RankedTensorType part,
                                         ValueRange starts) {
  auto dims = dimsOf(whole);
  auto own = tx::dimsOf(part);
  if (dims.empty() || own[0] != 1 || !dims[0].isNumber())
    return std::nullopt;
  for (size_t d = 1; d < dims.size(); ++d)
    if (own[d] != dims[d]) // whole dims: any start is clamped to 0
      return std::nullopt;
  std::optional<Line> line = lineOf(starts[0]);
  if (!line || std::abs(line->slope) != 1)
    return std::nullopt;
  int64_t first = line->offset, last = line->at(count - 1);
  if (std::min(first, last) < 0 || std::max(first, last) >= *dims[0].number())
    return std::nullopt;
  return line;
}

void CountedLoop::findParts() {
  for (size_t i = 0; i < carried; ++i)
    if (auto line = counterOf(i); line && staysIn(argument(i), *line, count))
      counters[i] = *line;
  for (Operation &op : body) {
    if (auto read = dyn_cast<tx::DynamicSliceOp>(op)) {
      auto x = dyn_cast<BlockArgument>(read.getX());
      if (!x || x.getOwner() != &body || !isInvariant(x.getArgNumber()))
        continue;
      if (auto line = partsOf(x, read.getType(), read.getStarts()))
        reads.push_back({&op, *line, x.getArgNumber()});
    } else if (auto write = dyn_cast<tx::DynamicUpdateSliceOp>(op)) {
      auto x = dyn_cast<BlockArgument>(write.getX());
      if (!x || x.getOwner() != &body || x.getArgNumber() >= carried ||
          !x.hasOneUse() || !write->hasOneUse() ||
          exit->getOperand(x.getArgNumber()) != write.getResult() ||
          dimsOf(x).empty() || dimsOf(x)[0] != count)
        continue;
      if (auto line =
              partsOf(x, write.getUpdate().getType(), write.getStarts()))
        writes.push_back({&op, *line, x.getArgNumber()});
    }
  }
  for (size_t i = 0; i < loop.getInputs().size(); ++i) {
    bool isWritten =
        llvm::any_of(writes, [&](const Part &part) { return part.input == i; });
    if (isWritten || counters.contains(i))
      continue;
    (isInvariant(i) ? invariants : kept).push_back(i);
  }
}

/// Fills the scan's block with the ops of the loop's body.
void CountedLoop::fill(TensorBuilder &b, tx::ScanOp scan) {
  OpBuilder::InsertionGuard guard(b.b);
  Block *block = b.b.createBlock(&scan.getBody());
  Location loc = loop.getLoc();
  Value iteration =
      block->addArgument(RankedTensorType::get({}, b.b.getI64Type()), loc);
  IRMapping mapping;
  for (size_t i : kept)
    mapping.map(argument(i), block->addArgument(argument(i).getType(), loc));
  llvm::SmallDenseMap<Operation *, Value> parts;
  for (const Part &read : reads) {
    Value whole = argument(read.input);
    auto type = tx::tensorType(dimsOf(whole).drop_front(),
                               typeOf(whole).getElementType());
    parts[read.op] = block->addArgument(type, loc);
  }
  for (size_t i : invariants)
    mapping.map(argument(i), block->addArgument(argument(i).getType(), loc));
  for (size_t i = 0; i < carried; ++i) {
    auto it = counters.find(i);
    if (it == counters.end())
      continue;
    Value value = b.convert(iteration, dtypeOf(argument(i)));
    if (it->second.slope != 1)
      value = b.mul(value, it->second.slope);
    if (it->second.offset != 0)
      value = b.add(value, it->second.offset);
    mapping.map(argument(i), value);
  }
  auto isWrite = [&](Operation &op) {
    return llvm::any_of(writes,
                        [&](const Part &part) { return part.op == &op; });
  };
  for (Operation &op : body.without_terminator()) {
    if (Value part = parts.lookup(&op))
      mapping.map(op.getResult(0), b.reshape(part, dimsOf(op.getResult(0))));
    else if (!isWrite(op))
      b.b.clone(op, mapping);
  }
  Values results;
  for (size_t i : kept)
    results.push_back(mapping.lookup(exit->getOperand(i)));
  for (const Part &write : writes) {
    Value update = cast<tx::DynamicUpdateSliceOp>(write.op).getUpdate();
    results.push_back(
        b.reshape(mapping.lookup(update), dimsOf(update).drop_front()));
  }
  tx::ReturnOp::create(b.b, loc, results);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  // Removes the inputs that only slices read.
  size_t first = kept.size() + reads.size();
  for (size_t i = invariants.size(); i-- > 0;)
    if (block->getArgument(1 + first + i).use_empty()) {
      block->eraseArgument(1 + first + i);
      scan.getInputsMutable().erase(first + i);
    }
}

Values CountedLoop::rewrite(TensorBuilder b) {
  if (count == 0)
    return Values(loop.getInputs().take_front(carried));
  b.b.setInsertionPoint(loop);
  findParts();
  Values inputs;
  SmallVector<Type> types;
  for (size_t i : kept) {
    inputs.push_back(loop.getInputs()[i]);
    types.push_back(inputs.back().getType());
  }
  for (const Part &read : reads) {
    bool isForward = read.line.slope > 0;
    int64_t first = isForward ? read.line.offset : read.line.at(count - 1);
    Value x = loop.getInputs()[read.input];
    if (dimsOf(x)[0] != count)
      x = b.sliceAlong(x, 0, first, count);
    inputs.push_back(isForward ? x : b.reverse(x, {0}));
  }
  for (size_t i : invariants)
    inputs.push_back(loop.getInputs()[i]);
  for (const Part &write : writes)
    types.push_back(argument(write.input).getType());
  auto scan =
      tx::ScanOp::create(b.b, loop.getLoc(), types,
                         tx::DimsAttr::get(b.b.getContext(), Dim(count)),
                         kept.size(), reads.size(), inputs);
  fill(b, scan);

  Values results(loop.getInputs().take_front(carried));
  for (auto [i, result] : llvm::zip(kept, scan.getResults()))
    results[i] = result;
  for (auto [write, result] :
       llvm::zip_equal(writes, scan.getResults().drop_front(kept.size())))
    results[write.input] =
        write.line.slope > 0 ? result : b.reverse(result, {0});
  for (auto [i, line] : counters)
    results[i] = b.full(line.at(count), dtypeOf(argument(i)));
  return results;
}

std::optional<Values> countedLoop(TensorBuilder b, tx::WhileOp loop,
                                  frontends::Known &known) {
  CountedLoop counted(loop, known);
  if (!counted.match())
    return std::nullopt;
  return counted.rewrite(b);
}

} // namespace tensorc::stablehlo
