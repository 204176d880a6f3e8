//===- MakeRegions.cpp - Random branches and loops ------------------------===//

#include "ir/tx/Control.h"
#include "tests/fuzz/Generator.h"

#include <cmath>
#include <memory>
#include <utility>

using namespace mlir;

namespace tensorc::fuzz {

/// A block of random ops, the last of which makes `result`. What is outside
/// comes in as an argument; offsets of slices do into branches alone.
struct Generator::Body {
  std::unique_ptr<Block> block;
  Entry result;
  /// What else it may return.
  std::vector<Entry> values;
};

static SmallVector<Value> valuesOf(ArrayRef<Entry> entries) {
  SmallVector<Value> values;
  for (const Entry &e : entries)
    values.push_back(e.value);
  return values;
}

Generator::Body Generator::bodyOver(ArrayRef<Argument> arguments,
                                    Type offsetType) {
  std::vector<Entry> outer = std::move(pool);
  std::vector<Entry> outerComplexes = std::exchange(complexes, {});
  Value outerOffset = offset;
  pool.clear();
  Body body{std::make_unique<Block>(), {}, {}};
  for (const Argument &argument : arguments) {
    Value value = body.block->addArgument(argument.type, loc);
    pool.push_back({value, argument.limit, argument.error});
  }
  offset = offsetType ? body.block->addArgument(offsetType, loc) : Value();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body.block.get());
  makeOps(1 + pick(4));
  body.result = pool.back();
  offset = outerOffset;
  body.values = std::exchange(pool, std::move(outer));
  complexes = std::move(outerComplexes);
  return body;
}

SmallVector<Generator::Argument>
Generator::argumentsOf(ArrayRef<Entry> entries) {
  return llvm::map_to_vector(entries, [](const Entry &e) {
    return Argument{e.value.getType(), e.limit, e.error};
  });
}

/// By a value that every device computes alike. The results of further blocks
/// are made to fit the first one's type.
Generator::Maybe Generator::makeBranch() {
  bool isIf = chance(60);
  auto canChoose = [&](const Entry &e) {
    Type element = elementOf(e);
    return isExact(e) && (isIf ? isBool(e)
                               : element.isSignlessInteger(32) ||
                                     element.isSignlessInteger(64));
  };
  Entry p = any();
  for (int tries = 0; tries < 8 && !canChoose(p); ++tries)
    p = any();
  if (!canChoose(p))
    return std::nullopt;
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(p).size()));
  Value selector = p.value;
  if (!all.empty()) {
    auto one = tx::tensorType(ArrayRef<Dim>(), elementOf(p));
    if (isIf)
      selector = tx::AnyOp::create(builder, loc, one, selector, all);
    else
      selector = tx::SumOp::create(builder, loc, one, selector, all);
  }
  SmallVector<Entry> inputs = {any(), any()};
  SmallVector<Value> operands = valuesOf(inputs);
  if (offset)
    operands.push_back(offset);
  std::vector<Body> bodies;
  for (unsigned i = 0, count = isIf ? 2 : 1 + pick(4); i < count; ++i)
    bodies.push_back(
        bodyOver(argumentsOf(inputs), offset ? offset.getType() : Type()));
  Type type = bodies[0].result.value.getType();
  Entry result = bodies[0].result;
  for (Body &body : bodies) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    Maybe fitting = fit(body.result, bodies[0].result);
    Entry given = &body == &bodies[0] ? body.result
                  : fitting           ? *fitting
                                      : splat(1, type);
    tx::ReturnOp::create(builder, loc, given.value);
    result.limit = std::max(result.limit, given.limit);
    result.error = std::max(result.error, given.error);
  }
  Operation *branch;
  if (isIf)
    branch =
        tx::IfOp::create(builder, loc, TypeRange{type}, selector, operands);
  else
    branch = tx::SwitchOp::create(builder, loc, TypeRange{type}, selector,
                                  operands, bodies.size());
  for (auto [region, body] : llvm::zip_equal(branch->getRegions(), bodies))
    region.push_back(body.block.release());
  return Entry{branch->getResult(0), result.limit, result.error};
}

/// What a loop carries has the same bounds in each iteration: its body is made
/// for these, and scales what it computes down to them.
std::optional<Generator::Argument> Generator::carriedAs(const Entry &e) {
  Type element = elementOf(e);
  if (!isFloat(e))
    return Argument{e.value.getType(),
                    std::ldexp(1.0, element.getIntOrFloatBitWidth()), 0};
  if (!(e.limit < 1e3))
    return std::nullopt;
  double limit = std::max(e.limit, 4.0);
  return Argument{e.value.getType(), limit,
                  std::max(e.error, 16 * epsilonOf(element) * limit)};
}

Generator::Maybe Generator::carriedOn(const Entry &e, const Entry &argument) {
  Maybe next = fit(e, argument);
  if (!next || !isFloat(*next))
    return next;
  if (!(next->limit < 1e30))
    return std::nullopt;
  // A power of two, so that nothing is rounded but what becomes subnormal.
  double scale = 1;
  while (next->limit * scale > argument.limit ||
         next->error * scale > argument.error)
    scale /= 2;
  if (scale < 0x1p-12)
    return std::nullopt;
  if (scale == 1)
    return next;
  Type type = next->value.getType();
  Value factor = splat(scale, type).value;
  return Entry{tx::MulOp::create(builder, loc, type, next->value, factor),
               argument.limit, argument.error};
}

/// One or two carried values, what is scanned, and what is the same in each
/// iteration; carried values and parts of others come out.
Generator::Maybe Generator::makeScanLoop() {
  SmallVector<Entry> carried = {any()};
  if (chance(40))
    carried.push_back(any());
  SmallVector<Argument> arguments = {
      {RankedTensorType::get({}, builder.getI64Type()), 64, 0}};
  for (const Entry &e : carried) {
    auto argument = carriedAs(e);
    if (!argument)
      return std::nullopt;
    arguments.push_back(*argument);
  }
  // The length of something that there is, or a number.
  Entry scanned = any();
  Dims dims = dimsOf(scanned);
  bool isScanned = chance(60) && !dims.empty() && sizeOf(dims[0]) <= 40;
  Dim length = isScanned ? dims[0] : Dim(pick(5));
  SmallVector<Entry> inputs = carried;
  if (isScanned) {
    inputs.push_back(scanned);
    arguments.push_back(
        {tx::tensorType(ArrayRef<Dim>(dims).drop_front(), elementOf(scanned)),
         scanned.limit, scanned.error});
  }
  inputs.push_back(any());
  llvm::append_range(arguments, argumentsOf(inputs.back()));

  Body body = bodyOver(arguments);
  SmallVector<Value> returned;
  std::vector<Entry> results;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    for (auto [i, e] : llvm::enumerate(carried)) {
      const Argument &as = arguments[1 + i];
      Entry argument{body.block->getArgument(1 + i), as.limit, as.error};
      const Entry &from =
          i == 0 ? body.result : body.values[pick(body.values.size())];
      Maybe next = carriedOn(from, argument);
      if (!next)
        next = argument; // Goes around as it is.
      returned.push_back(next->value);
      results.push_back({e.value, as.limit, as.error});
    }
    // A part of each iteration.
    for (int64_t count = pick(3); count-- > 0;) {
      const Entry &part = body.values[pick(body.values.size())];
      Dims stacked = dimsOf(part);
      stacked.insert(stacked.begin(), length);
      if (elementsOf(stacked) > 20000)
        continue;
      returned.push_back(part.value);
      results.push_back(part);
    }
    tx::ReturnOp::create(builder, loc, returned);
  }
  SmallVector<Type> types;
  for (auto [i, value] : llvm::enumerate(returned)) {
    Dims stacked = dimsOf({value});
    if (i >= carried.size())
      stacked.insert(stacked.begin(), length);
    types.push_back(tx::tensorType(stacked, getElementTypeOrSelf(value)));
  }
  auto scan = tx::ScanOp::create(
      builder, loc, types,
      tx::DimsAttr::get(builder.getContext(), ArrayRef<Dim>(length)),
      carried.size(), isScanned, valuesOf(inputs), chance(30));
  scan.getBody().push_back(body.block.release());
  for (auto [result, e] : llvm::zip(scan.getResults(), results))
    pool.push_back({result, e.limit, e.error});
  Entry last = pool.back();
  pool.pop_back();
  return last;
}

/// As often as a count, which is a number of the program or computed, says.
Generator::Maybe Generator::makeWhileLoop() {
  Entry value = any();
  auto carried = carriedAs(value);
  Maybe most = chance(50) ? scalarIndex() : std::nullopt;
  if (!carried)
    return std::nullopt;
  auto i32 = RankedTensorType::get({}, builder.getI32Type());
  Value low = splat(0, i32).value, bound = splat(double(pick(5)), i32).value;
  if (most) {
    Maybe typed = fitDType(*most, builder.getI32Type());
    if (!typed || !dimsOf(*typed).empty())
      return std::nullopt;
    bound = tx::ClampOp::create(builder, loc, i32, low, typed->value,
                                splat(4, i32).value);
  }
  SmallVector<Entry> inputs = {value, {low, 4, 0}, {bound, 4, 0}, any()};
  SmallVector<Argument> arguments = argumentsOf(inputs);
  arguments[0] = *carried;

  Body body = bodyOver(arguments);
  auto condition = std::make_unique<Block>();
  for (const Argument &argument : arguments)
    condition->addArgument(argument.type, loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    Entry argument{body.block->getArgument(0), carried->limit, carried->error};
    Maybe next = carriedOn(body.result, argument);
    Value step = tx::AddOp::create(
        builder, loc, i32, body.block->getArgument(1), splat(1, i32).value);
    Value results[] = {(next ? *next : argument).value, step};
    tx::ReturnOp::create(builder, loc, results);
    builder.setInsertionPointToStart(condition.get());
    Value goesOn = tx::LtOp::create(builder, loc, condition->getArgument(1),
                                    condition->getArgument(2));
    tx::ReturnOp::create(builder, loc, goesOn);
  }
  auto loop = tx::WhileOp::create(
      builder, loc, TypeRange{value.value.getType(), i32}, valuesOf(inputs),
      chance(50) ? builder.getI64IntegerAttr(1 + pick(5)) : IntegerAttr());
  loop.getCondition().push_back(condition.release());
  loop.getBody().push_back(body.block.release());
  pool.push_back({loop.getResult(1), 4, 0});
  return Entry{loop.getResult(0), carried->limit, carried->error};
}

} // namespace tensorc::fuzz
