//===- Generator.cpp - Random programs ------------------------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tensorc::fuzz {

/// Programs stay small: what they test is how ops combine.
static constexpr int64_t maxElements = 20000;

Generator::Generator(MLIRContext &context, uint64_t seed)
    : random(seed), builder(&context), loc(builder.getUnknownLoc()),
      space(&context) {}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

const Entry &Generator::any() {
  size_t recent = std::min<size_t>(pool.size(), 3);
  return chance(50) ? pool[pool.size() - 1 - pick(recent)]
                    : pool[pick(pool.size())];
}

const Entry &Generator::partner(const Entry &like) {
  for (int tries = 0; tries < 4; ++tries) {
    const Entry &e = any();
    if (tx::sameShape(e.value.getType(), like.value.getType()))
      return e;
  }
  return any();
}

Type Generator::randomDType() {
  switch (pick(15)) {
  case 13:
    return builder.getI16Type();
  case 10:
    return builder.getF16Type();
  case 11:
    return builder.getIntegerType(8 << pick(3), /*isSigned=*/false);
  case 12:
    return builder.getI8Type();
  case 0:
    return builder.getF64Type();
  case 1:
    return builder.getBF16Type();
  case 2:
    return builder.getI32Type();
  case 3:
    return builder.getI64Type();
  case 4:
    return builder.getI1Type();
  default:
    return builder.getF32Type();
  }
}

/// A few sizes that the whole program shares, so that its values meet.
void Generator::chooseDims() {
  static constexpr int64_t choices[] = {1,  2,  3,  4,  5,  7,  8,
                                        16, 17, 31, 33, 37, 64, 65};
  isSymbolic = chance(40);
  sizes.resize(isSymbolic ? 2 : 1);
  unsigned count = 2 + pick(2);
  for (unsigned i = 0; i < count; ++i) {
    if (isSymbolic && chance(70)) {
      std::string name(1, 'a' + i);
      programDims.push_back(space.symbol(name));
      // At least 3, so that slices and paddings of named dims exist.
      for (auto &run : sizes)
        run[name] = 3 + pick(40);
    } else {
      programDims.push_back(space.constant(choices[pick(14)]));
    }
  }
  for (auto &run : sizes)
    run["k"] = pick(3);
}

Dims Generator::randomDims(unsigned maxRank) {
  Dims dims;
  for (unsigned rank = pick(maxRank + 1); rank-- > 0;)
    dims.push_back(programDims[pick(programDims.size())]);
  return elementsOf(dims) <= maxElements ? dims : Dims();
}

Dims Generator::dimsOf(const Entry &e) {
  return space.dims(cast<RankedTensorType>(e.value.getType()));
}

/// The largest size of any run.
int64_t Generator::sizeOf(AffineExpr dim) {
  int64_t largest = 0;
  for (auto &run : sizes) {
    SmallVector<AffineExpr> values;
    for (StringAttr name : space.names())
      values.push_back(space.constant(run[name.str()]));
    auto size = dyn_cast<AffineConstantExpr>(
        space.simplify(dim.replaceSymbols(values)));
    largest = std::max(largest, size ? size.getValue() : maxElements + 1);
  }
  return largest;
}

int64_t Generator::elementsOf(ArrayRef<AffineExpr> dims) {
  int64_t elements = 1;
  for (AffineExpr dim : dims)
    elements = std::min<int64_t>(elements * sizeOf(dim), maxElements + 1);
  return elements;
}

double Generator::epsilonOf(Type element) {
  if (element.isF64())
    return 0x1p-52;
  if (element.isF16())
    return 0x1p-10;
  return element.isF32() ? 0x1p-23 : element.isBF16() ? 0x1p-7 : 0;
}

Generator::Maybe Generator::finish(Value value, double limit, double error,
                                   bool isRounded) {
  Type element = getElementTypeOrSelf(value);
  if (!isa<FloatType>(element)) {
    double range = std::ldexp(1.0, element.getIntOrFloatBitWidth());
    return Entry{value, std::min(limit, range), 0};
  }
  if (isRounded)
    error += 2 * epsilonOf(element) * limit;
  // An op that made too much of its operands' errors is left unused.
  double allowed = element.isF64() ? 1e-9 : element.isF32() ? 1e-3 : 0.3;
  if (error > allowed || elementsOf(dimsOf({value})) > maxElements)
    return std::nullopt;
  // Beyond the smallest range of the floats, infinities are possible.
  if (limit > (element.isF16() ? 3e4 : 1e30))
    limit = std::numeric_limits<double>::infinity();
  return Entry{value, limit, error};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

void Generator::makeArguments(func::FuncOp function) {
  unsigned count = 1 + pick(4);
  for (unsigned i = 0; i < count; ++i) {
    // The first has every name, which binds them all.
    Dims dims = i == 0 ? programDims : randomDims(3);
    if (i == 0 && elementsOf(dims) > maxElements)
      dims = programDims = {programDims[0], programDims[1]};
    Type element = i == 0 ? Type(builder.getF32Type()) : randomDType();
    (void)function.insertArgument(i, space.type(dims, element), {}, loc);
    BlockArgument argument = function.getArgument(i);
    pool.push_back({argument,
                    element.isInteger(1)      ? 1.0
                    : isa<FloatType>(element) ? 6.0
                                              : 9.0,
                    0});
  }
  if (!isSymbolic)
    return;
  (void)function.insertArgument(count, builder.getIndexType(), {}, loc);
  function.setArgAttr(count, tx::symbolAttr, builder.getStringAttr("k"));
  offset = function.getArgument(count);
}

Generator::Maybe Generator::makeOp() {
  using Maker = Maybe (Generator::*)();
  // As often as they stand here: element-wise ops most, as in real programs.
  static constexpr Maker makers[] = {
      &Generator::makeExactBinary,   &Generator::makeExactBinary,
      &Generator::makeExactBinary,   &Generator::makeExactBinary,
      &Generator::makeUnary,         &Generator::makeMath,
      &Generator::makeMath,          &Generator::makeMath,
      &Generator::makeDiv,           &Generator::makePow,
      &Generator::makeExactInteger,  &Generator::makeCompare,
      &Generator::makeSelect,        &Generator::makeSelect,
      &Generator::makeLogic,         &Generator::makeConvert,
      &Generator::makeConstant,      &Generator::makeIota,
      &Generator::makeBroadcast,     &Generator::makeBroadcast,
      &Generator::makeReshape,       &Generator::makeTranspose,
      &Generator::makeSlice,         &Generator::makePad,
      &Generator::makeConcatenate,   &Generator::makeReduction,
      &Generator::makeReduction,     &Generator::makeReduction,
      &Generator::makeBoolReduction, &Generator::makeArgmax,
      &Generator::makeScan,          &Generator::makeSort,
      &Generator::makeDot,           &Generator::makeDot,
      &Generator::makeSoftmax,       &Generator::makeGrowing,
      &Generator::makeBounded,       &Generator::makeLogarithm,
      &Generator::makeBinaryMath,    &Generator::makeTernary,
      &Generator::makeClass,         &Generator::makeGather,
      &Generator::makeWindows,       &Generator::makeBitcast};
  return (this->*makers[pick(std::size(makers))])();
}

/// Returns what nobody reads and sometimes what somebody does; the rest dies.
void Generator::finishFunction(func::FuncOp function, Program &program) {
  SmallVector<Value> results;
  for (const Entry &e : llvm::reverse(pool)) {
    if (isa<BlockArgument>(e.value) || llvm::is_contained(results, e.value))
      continue;
    if (results.size() < 4 && (e.value.use_empty() || chance(15))) {
      results.push_back(e.value);
      program.errors.push_back(e.error);
    }
  }
  if (results.empty()) {
    results.push_back(pool[0].value);
    program.errors.push_back(0);
  }
  func::ReturnOp::create(builder, loc, results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           TypeRange(ValueRange(results))));
}

Program Generator::run() {
  Program program;
  program.module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(program.module->getBody());
  auto function = func::FuncOp::create(builder, loc, "main",
                                       builder.getFunctionType({}, {}));
  function.addEntryBlock();
  builder.setInsertionPointToStart(&function.getBody().front());
  chooseDims();
  makeArguments(function);
  for (int64_t ops = 3 + pick(14), tries = 0; ops > 0 && tries < 100; ++tries)
    if (Maybe made = makeOp()) {
      pool.push_back(*made);
      --ops;
    }
  finishFunction(function, program);
  program.function = function;
  program.sizes = sizes;
  return program;
}

Program generate(MLIRContext &context, uint64_t seed) {
  context.loadDialect<func::FuncDialect, tx::TxDialect>();
  return Generator(context, seed).run();
}

} // namespace tensorc::fuzz
