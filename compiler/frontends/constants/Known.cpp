//===- Known.cpp - Values that are known before a program runs ------------===//

#include "compiler/frontends/constants/Known.h"

#include "ir/reference/Interpreter.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Size.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::frontends {

using reference::Array;
using shape::Dim;
using Sizes = Known::Sizes;

/// Visits the ops that the value depends on, operands first. Iterative, because
/// models are deep.
template <typename Fn>
static void visitOperandsFirst(Value root, Fn isDone,
                               llvm::function_ref<void(Value)> visit) {
  SmallVector<std::pair<Value, unsigned>> stack{{root, 0}};
  while (!stack.empty()) {
    auto &[value, next] = stack.back();
    Operation *op = value.getDefiningOp();
    if (isDone(value)) {
      stack.pop_back();
    } else if (op && next < op->getNumOperands()) {
      Value operand = op->getOperand(next++);
      stack.push_back({operand, 0});
    } else {
      visit(value);
      stack.pop_back();
    }
  }
}

/// True if the value is the only result of an op on tensors and has few enough
/// elements to be computed.
bool Known::isWithinReach(Value value) const {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || op->getNumResults() != 1 || op->getNumRegions() ||
      !isa_and_nonnull<tx::TxDialect>(op->getDialect()) ||
      isa<tx::CustomCallOp>(op))
    return false;
  int64_t elements = 1;
  for (Dim dim : tx::dimsOf(type)) {
    std::optional<int64_t> size = dim.number();
    if (!size || *size < 0 ||
        __builtin_mul_overflow(elements, *size, &elements) ||
        elements > maxElements)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

std::unique_ptr<Array> Known::compute(Value value) {
  if (!isWithinReach(value))
    return nullptr;
  Operation *op = value.getDefiningOp();
  if (auto size = dyn_cast<tx::SizeOp>(op);
      size && !size.getSize().getDims()[0].isNumber())
    return nullptr;
  std::vector<Array> operands;
  for (Value operand : op->getOperands()) {
    auto it = arrays.find(operand);
    if (it == arrays.end() || !it->second)
      return nullptr;
    operands.push_back(*it->second);
  }
  // Evaluates the op alone, as a function of its operands.
  OpBuilder b(op->getContext());
  Location loc = op->getLoc();
  auto function = func::FuncOp::create(
      loc, "known", b.getFunctionType(op->getOperandTypes(), value.getType()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  for (auto [operand, argument] :
       llvm::zip(op->getOperands(), body->getArguments()))
    mapping.map(operand, argument);
  b.setInsertionPointToEnd(body);
  Operation *copy = b.clone(*op, mapping);
  func::ReturnOp::create(b, loc, copy->getResults());
  std::unique_ptr<Array> result;
  // Values that cannot be computed are unknown. The code that needs the value
  // reports the reason.
  {
    ScopedDiagnosticHandler quiet(op->getContext(),
                                  [](Diagnostic &) { return success(); });
    auto computed = reference::evaluate(function, operands);
    if (succeeded(computed))
      result = std::make_unique<Array>(std::move(computed->front()));
  }
  function.erase();
  return result;
}

const Array *Known::array(Value value) {
  visitOperandsFirst(
      value,
      [&](Value each) {
        return arrays.count(each) ||
               (!isWithinReach(each) && arrays.try_emplace(each).second);
      },
      [&](Value each) {
        std::unique_ptr<Array> computed = compute(each);
        arrays[each] = std::move(computed);
      });
  return arrays.find(value)->second.get();
}

std::optional<std::vector<double>> Known::reals(Value value) {
  const Array *x = array(value);
  if (!x)
    return std::nullopt;
  if (reference::isFloat(x->dtype))
    return reference::read<double>(*x);
  std::optional<std::vector<int64_t>> integers = numbers(value);
  return std::vector<double>(integers->begin(), integers->end());
}

std::optional<std::vector<int64_t>> Known::numbers(Value value) {
  const Array *x = array(value);
  if (!x || reference::isFloat(x->dtype))
    return std::nullopt;
  if (!reference::isUnsigned(x->dtype))
    return reference::read<int64_t>(*x);
  std::vector<uint64_t> all = reference::read<uint64_t>(*x);
  return std::vector<int64_t>(all.begin(), all.end());
}

Value Known::copy(Value value, OpBuilder &b) {
  if (!array(value) && !sizes(value))
    return Value();
  IRMapping mapping;
  visitOperandsFirst(
      value, [&](Value each) { return mapping.contains(each); },
      [&](Value each) { b.clone(*each.getDefiningOp(), mapping); });
  return mapping.lookup(value);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> shapeOf(Value value) {
  return SmallVector<int64_t>(
      cast<RankedTensorType>(value.getType()).getShape());
}

static Dim fromAnswer(std::optional<bool> answer) {
  return answer ? Dim(*answer) : Dim::none();
}

static std::optional<bool> isTrue(Dim dim) {
  std::optional<int64_t> number = dim.number();
  return number ? std::optional(*number != 0) : std::nullopt;
}

static bool isBool(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1);
}

/// Computes a logical op. One operand may decide the result; otherwise both
/// must be known.
static Dim logical(Operation *op, Dim x, Dim y, bool decides) {
  if (!isBool(op))
    return Dim::none();
  for (auto [one, other] : {std::pair(x, y), std::pair(y, x)})
    if (std::optional<bool> holds = isTrue(one))
      return *holds == decides ? Dim(decides) : other;
  return Dim::none();
}

/// Computes one element of an element-wise op; Dim::none() if it is unknown.
static Dim elementOf(Operation *op, ArrayRef<Dim> x) {
  auto isNegative = [](Dim a) { return shape::isLess(a, 0); };
  auto notBelowZero = [&](Dim a) { return isNegative(a) == false; };
  return llvm::TypeSwitch<Operation *, Dim>(op)
      .Case([&](tx::AddOp) { return x[0] + x[1]; })
      .Case([&](tx::SubOp) { return x[0] - x[1]; })
      .Case([&](tx::MulOp) { return x[0] * x[1]; })
      .Case([&](tx::NegOp) { return Dim(0) - x[0]; })
      .Case([&](tx::AbsOp) { return notBelowZero(x[0]) ? x[0] : Dim::none(); })
      .Case<tx::DivOp, tx::FloorDivOp>([&](auto) {
        return notBelowZero(x[0]) && shape::isLess(0, x[1]) == true
                   ? shape::floorDiv(x[0], x[1])
                   : Dim::none();
      })
      .Case<tx::RemOp, tx::ModOp>([&](auto) {
        return notBelowZero(x[0]) && shape::isLess(0, x[1]) == true
                   ? shape::mod(x[0], x[1])
                   : Dim::none();
      })
      .Case([&](tx::MinOp) { return shape::min(x[0], x[1]); })
      .Case([&](tx::MaxOp) { return shape::max(x[0], x[1]); })
      .Case([&](tx::EqOp) { return fromAnswer(shape::isEqual(x[0], x[1])); })
      .Case([&](tx::NeOp) {
        auto equal = shape::isEqual(x[0], x[1]);
        return equal ? Dim(!*equal) : Dim::none();
      })
      .Case([&](tx::LtOp) { return fromAnswer(shape::isLess(x[0], x[1])); })
      .Case([&](tx::GtOp) { return fromAnswer(shape::isLess(x[1], x[0])); })
      .Case([&](tx::LeOp) {
        auto greater = shape::isLess(x[1], x[0]);
        return greater ? Dim(!*greater) : Dim::none();
      })
      .Case([&](tx::GeOp) {
        auto less = shape::isLess(x[0], x[1]);
        return less ? Dim(!*less) : Dim::none();
      })
      .Case([&](tx::SelectOp) {
        std::optional<bool> holds = isTrue(x[0]);
        return holds ? x[*holds ? 1 : 2] : Dim::none();
      })
      .Case([&](tx::SignOp) {
        return notBelowZero(x[0])         ? shape::min(x[0], 1)
               : isNegative(x[0]) == true ? Dim(-1)
                                          : Dim::none();
      })
      .Case(
          [&](tx::AndOp) { return logical(op, x[0], x[1], /*decides=*/false); })
      .Case([&](tx::OrOp) { return logical(op, x[0], x[1], /*decides=*/true); })
      .Case([&](tx::NotOp) {
        std::optional<bool> holds = isBool(op) ? isTrue(x[0]) : std::nullopt;
        return holds ? Dim(!*holds) : Dim::none();
      })
      .Case(
          [&](tx::ClampOp) { return shape::min(shape::max(x[1], x[0]), x[2]); })
      .Default([](Operation *) { return Dim::none(); });
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value.getType()));
}

/// Returns a list with one element of x per element of the result: `placeOf`
/// maps an index of the result to a position in x.
template <typename Fn>
static Sizes moved(Value result, const Sizes &x, Fn placeOf) {
  Sizes list;
  reference::forEachIndex(shapeOf(result), [&](int64_t, ArrayRef<int64_t> at) {
    int64_t place = placeOf(at);
    list.push_back(place < 0 ? Dim::none() : x[place]);
  });
  return list;
}

static int64_t offset(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (auto [i, stride] : llvm::zip(index, strides))
    sum += i * stride;
  return sum;
}

static std::optional<Sizes> broadcast(tx::BroadcastOp op, const Sizes &x) {
  SmallVector<int64_t> from = shapeOf(op.getX());
  SmallVector<int64_t> strides = reference::stridesOf(from);
  return moved(op, x, [&](ArrayRef<int64_t> at) {
    int64_t place = 0;
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      place += from[i] == 1 ? 0 : at[dim] * strides[i];
    return place;
  });
}

static std::optional<Sizes> transpose(tx::TransposeOp op, const Sizes &x) {
  SmallVector<int64_t> strides = reference::stridesOf(shapeOf(op.getX()));
  return moved(op, x, [&](ArrayRef<int64_t> at) {
    int64_t place = 0;
    for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
      place += at[i] * strides[dim];
    return place;
  });
}

static std::optional<Sizes> slice(tx::SliceOp op, const Sizes &x) {
  if (!op.getOffsets().empty())
    return std::nullopt;
  SmallVector<int64_t> from = shapeOf(op.getX());
  SmallVector<int64_t> strides = reference::stridesOf(from);
  return moved(op, x, [&](ArrayRef<int64_t> at) {
    int64_t place = 0;
    for (auto [i, stride] : llvm::enumerate(strides)) {
      int64_t index = op.getStaticOffsets()[i] + at[i] * op.getStrides()[i];
      if (index < 0 || index >= from[i])
        return int64_t(-1);
      place += index * stride;
    }
    return place;
  });
}

static std::optional<Sizes> concatenate(tx::ConcatenateOp op,
                                        ArrayRef<const Sizes *> parts) {
  auto dim = static_cast<int64_t>(op.getDim());
  SmallVector<int64_t> shape = shapeOf(op);
  Sizes list(reference::stridesOf(shape).empty()
                 ? 1
                 : shape[0] * reference::stridesOf(shape)[0],
             Dim::none());
  SmallVector<int64_t> strides = reference::stridesOf(shape);
  int64_t begin = 0;
  for (auto [part, input] : llvm::zip(parts, op.getInputs())) {
    SmallVector<int64_t> own = shapeOf(input);
    reference::forEachIndex(own, [&](int64_t position, ArrayRef<int64_t> at) {
      list[offset(at, strides) + begin * strides[dim]] = (*part)[position];
    });
    begin += own[dim];
  }
  return list;
}

/// Computes a gather of single elements along one dim, as importers create
/// them.
static std::optional<Sizes> take(tx::GatherOp op, const Sizes &x,
                                 const Sizes &indices) {
  SmallVector<int64_t> from = shapeOf(op.getX());
  auto dims = op.getCollapsedSliceDims();
  if (op.getStartIndexMap().size() != 1 || dims != op.getStartIndexMap())
    return std::nullopt;
  int64_t dim = dims[0];
  for (auto [d, size] : llvm::enumerate(op.getSliceSizes()))
    if (static_cast<int64_t>(d) != dim && size != -1 && size != from[d])
      return std::nullopt;
  SmallVector<int64_t> strides = reference::stridesOf(from);
  SmallVector<int64_t> places = shapeOf(op.getIndices());
  if (static_cast<int64_t>(op.getIndexVectorDim()) <
      static_cast<int64_t>(places.size())) {
    if (places.back() != 1 || op.getIndexVectorDim() != places.size() - 1)
      return std::nullopt;
    places.pop_back();
  }
  SmallVector<int64_t> placeStrides = reference::stridesOf(places);
  return moved(op, x, [&](ArrayRef<int64_t> at) {
    int64_t position = 0, place = 0;
    size_t nextPlace = 0, nextKept = 0;
    for (auto [d, index] : llvm::enumerate(at)) {
      if (!llvm::is_contained(op.getOffsetDims(), static_cast<int64_t>(d))) {
        position += index * placeStrides[nextPlace++];
        continue;
      }
      if (static_cast<int64_t>(nextKept) == dim)
        ++nextKept;
      place += index * strides[nextKept++];
    }
    std::optional<int64_t> index = indices[position].number();
    if (!index || *index < 0 || *index >= from[dim])
      return int64_t(-1);
    return place + *index * strides[dim];
  });
}

static std::optional<Sizes> reduce(Operation *op, ArrayRef<int64_t> dims,
                                   const Sizes &x, Dim initial,
                                   llvm::function_ref<Dim(Dim, Dim)> combine) {
  SmallVector<int64_t> from = shapeOf(op->getOperand(0)),
                       to = shapeOf(op->getResult(0));
  SmallVector<int64_t> strides = reference::stridesOf(to);
  int64_t count = 1;
  for (int64_t size : to)
    count *= size;
  Sizes list(count, initial);
  reference::forEachIndex(from, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t place = 0;
    size_t kept = 0;
    for (auto [d, index] : llvm::enumerate(at))
      if (!llvm::is_contained(dims, static_cast<int64_t>(d)))
        place += index * strides[kept++];
    list[place] = combine(list[place], x[position]);
  });
  return list;
}

static std::optional<Sizes> sizesOf(Operation *op,
                                    ArrayRef<const Sizes *> operands) {
  const Sizes *x = operands.empty() ? nullptr : operands[0];
  return llvm::TypeSwitch<Operation *, std::optional<Sizes>>(op)
      .Case([&](tx::SizeOp size) { return Sizes{size.getSize().getDims()[0]}; })
      .Case([&](tx::ReshapeOp) { return *x; })
      .Case([&](tx::BroadcastOp each) { return broadcast(each, *x); })
      .Case([&](tx::TransposeOp each) { return transpose(each, *x); })
      .Case([&](tx::SliceOp each) { return slice(each, *x); })
      .Case([&](tx::ConcatenateOp each) { return concatenate(each, operands); })
      .Case([&](tx::GatherOp each) { return take(each, *x, *operands[1]); })
      .Case([&](tx::SumOp each) {
        return reduce(each, each.getDims(), *x, 0,
                      [](Dim a, Dim b) { return a + b; });
      })
      .Case([&](tx::ProdOp each) {
        return reduce(each, each.getDims(), *x, 1,
                      [](Dim a, Dim b) { return a * b; });
      })
      .Case([&](tx::ConvertOp each) {
        Sizes list = *x;
        if (cast<IntegerType>(each.getType().getElementType()).getWidth() == 1)
          for (Dim &dim : list) {
            auto isZero = shape::isEqual(dim, 0);
            dim = isZero ? Dim(!*isZero) : Dim::none();
          }
        return list;
      })
      .Default([&](Operation *) -> std::optional<Sizes> {
        if (!op->hasTrait<OpTrait::Elementwise>() && operands.empty())
          return std::nullopt;
        for (Value operand : op->getOperands())
          if (shapeOf(operand) != shapeOf(op->getResult(0)))
            return std::nullopt;
        Sizes list;
        for (size_t i = 0; i < x->size(); ++i) {
          SmallVector<Dim> elements;
          for (const Sizes *operand : operands)
            elements.push_back((*operand)[i]);
          list.push_back(elementOf(op, elements));
        }
        return list;
      });
}

/// Matches `a // b` in the form in which JAX computes it from a quotient
/// rounded toward zero: one less than that if the signs differ and the
/// remainder is nonzero. Returns the division, or null.
static tx::DivOp asFloorOfQuotient(tx::SelectOp select) {
  auto quotient = select.getY().getDefiningOp<tx::DivOp>();
  auto less = select.getX().getDefiningOp<tx::SubOp>();
  auto both = select.getPred().getDefiningOp<tx::AndOp>();
  if (!quotient || !less || !both || less.getX() != quotient.getResult())
    return {};
  auto signs = both.getX().getDefiningOp<tx::NeOp>();
  auto rest = both.getY().getDefiningOp<tx::NeOp>();
  auto left = rest ? rest.getX().getDefiningOp<tx::RemOp>() : tx::RemOp();
  Value a = quotient.getX(), b = quotient.getY();
  auto isSignOf = [](Value sign, Value of) {
    auto op = sign.getDefiningOp<tx::SignOp>();
    return op && op.getX() == of;
  };
  if (!signs || !left || left.getX() != a || left.getY() != b ||
      !isSignOf(signs.getX(), a) || !isSignOf(signs.getY(), b))
    return {};
  return quotient;
}

std::unique_ptr<Sizes> Known::floorOfQuotient(tx::SelectOp select) {
  tx::DivOp quotient = asFloorOfQuotient(select);
  if (!quotient)
    return nullptr;
  auto one = numbers(select.getX().getDefiningOp<tx::SubOp>().getY());
  auto rest = numbers(select.getPred()
                          .getDefiningOp<tx::AndOp>()
                          .getY()
                          .getDefiningOp<tx::NeOp>()
                          .getY());
  auto a = lists.find(quotient.getX()), b = lists.find(quotient.getY());
  auto are = [](const std::optional<std::vector<int64_t>> &all,
                int64_t number) {
    return all && llvm::all_of(*all, [&](int64_t x) { return x == number; });
  };
  if (!are(one, 1) || !are(rest, 0) || a == lists.end() || b == lists.end() ||
      !a->second || !b->second)
    return nullptr;
  auto result = std::make_unique<Sizes>();
  for (auto [x, y] : llvm::zip(*a->second, *b->second)) {
    if (shape::isLess(0, y) != true)
      return nullptr;
    result->push_back(shape::floorDiv(x, y));
  }
  return result;
}

std::unique_ptr<Sizes> Known::computeSizes(Value value) {
  if (!isWithinReach(value) || !isInteger(value))
    return nullptr;
  if (std::optional<std::vector<int64_t>> all = numbers(value))
    return std::make_unique<Sizes>(all->begin(), all->end());
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast<tx::SelectOp>(op))
    if (auto floor = floorOfQuotient(select))
      return floor;
  SmallVector<const Sizes *> operands;
  for (Value operand : op->getOperands()) {
    auto it = lists.find(operand);
    if (it == lists.end() || !it->second)
      return nullptr;
    operands.push_back(it->second.get());
  }
  std::optional<Sizes> computed = sizesOf(op, operands);
  return computed ? std::make_unique<Sizes>(std::move(*computed)) : nullptr;
}

const Sizes *Known::sizes(Value value) {
  visitOperandsFirst(
      value,
      [&](Value each) {
        return lists.count(each) ||
               ((!isWithinReach(each) || !isInteger(each)) &&
                lists.try_emplace(each).second);
      },
      [&](Value each) {
        std::unique_ptr<Sizes> computed = computeSizes(each);
        lists[each] = std::move(computed);
      });
  return lists.find(value)->second.get();
}

} // namespace tensorc::frontends
