//===- Generator.cpp - Random programs ------------------------------------===//

#include "tests/fuzz/Generator.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace tensorc::fuzz {

/// Programs stay small: what they test is how ops combine.
static constexpr int64_t maxElements = 20000;

Generator::Generator(MLIRContext &context, uint64_t seed, Kind kind,
                     OpCount ops)
    : seed(seed), kind(kind), ops(ops), random(seed), builder(&context),
      loc(builder.getUnknownLoc()), names(tx::dimContext(&context)) {}

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

Type Generator::floatOr64(Type type) {
  bool becomesF64 = kind == Kind::Smooth && isa<FloatType>(type);
  return becomesF64 ? builder.getF64Type() : type;
}

Type Generator::randomDType() {
  switch (pick(16)) {
  case 13:
    return builder.getI16Type();
  case 10:
    return floatOr64(builder.getF16Type());
  case 11:
  case 14:
    return builder.getIntegerType(8 << pick(4), /*isSigned=*/false);
  case 12:
    return builder.getI8Type();
  case 0:
    return builder.getF64Type();
  case 1:
    return floatOr64(builder.getBF16Type());
  case 2:
    return builder.getI32Type();
  case 3:
    return builder.getI64Type();
  case 4:
    return builder.getI1Type();
  default:
    return floatOr64(builder.getF32Type());
  }
}

/// A few sizes that the whole program shares, so that its values meet.
void Generator::chooseDims() {
  static constexpr int64_t choices[] = {1,  2,  3,  4,  5,  7,  8,
                                        16, 17, 31, 33, 37, 64, 65};
  isSymbolic = chance(40);
  sizes.resize(isSymbolic ? 3 : 1);
  unsigned count = 2 + pick(2);
  // Slices and paddings need elements, so most programs have some in each run.
  bool isDegenerate = chance(25);
  for (unsigned i = 0; i < count; ++i) {
    if (isSymbolic && chance(70)) {
      std::string name(1, 'a' + i);
      programDims.push_back(names.symbol(name));
      for (auto &run : sizes)
        run[name] = isDegenerate && chance(50) ? pick(3) : 3 + pick(40);
    } else {
      bool isEmpty = !isSymbolic && isDegenerate && chance(15);
      int64_t size = chance(12) ? 1 : choices[pick(14)];
      programDims.push_back(Dim(isEmpty ? 0 : size));
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
  return Dims(tx::dimsOf(cast<RankedTensorType>(e.value.getType())));
}

/// What each run makes of the dim; beyond every program where it is too large.
SmallVector<int64_t> Generator::sizesOf(Dim dim) {
  SmallVector<int64_t> all;
  for (auto &run : sizes) {
    auto sizeOf = [&](StringRef name) {
      return std::optional(run[name.str()]);
    };
    all.push_back(shape::evaluate(dim, sizeOf).value_or(maxElements + 1));
  }
  return all;
}

int64_t Generator::sizeOf(Dim dim) {
  SmallVector<int64_t> all = sizesOf(dim);
  return *llvm::max_element(all);
}

int64_t Generator::leastOf(Dim dim) {
  SmallVector<int64_t> all = sizesOf(dim);
  return *llvm::min_element(all);
}

int64_t Generator::elementsOf(ArrayRef<Dim> dims) {
  int64_t elements = 1;
  for (Dim dim : dims)
    elements = std::min<int64_t>(elements * sizeOf(dim), maxElements + 1);
  return elements;
}

double Generator::epsilonOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return epsilonOf(complex.getElementType());
  if (element.isF64())
    return 0x1p-52;
  if (element.isF16())
    return 0x1p-10;
  return element.isF32() ? 0x1p-23 : element.isBF16() ? 0x1p-7 : 0;
}

Generator::Maybe Generator::finish(Value value, double limit, double error,
                                   bool isRounded) {
  Type element = getElementTypeOrSelf(value);
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
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
    limit = infinity;
  return Entry{value, limit, error};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Bounds and divisors that hold in every run.
void Generator::declareSymbols(func::FuncOp function) {
  SmallVector<Attribute> facts;
  for (auto &[name, size] : sizes[0]) {
    Dim dim = names.symbol(name);
    if (name != "k" && !llvm::is_contained(programDims, dim))
      continue;
    int64_t divisor = 0;
    for (auto &run : sizes)
      divisor = std::gcd(divisor, run[name]);
    facts.push_back(tx::SymbolAttr::get(
        builder.getContext(), builder.getStringAttr(name),
        chance(50) ? leastOf(dim) : 0, chance(50) ? sizeOf(dim) : INT64_MAX,
        std::max<int64_t>(divisor, 1)));
  }
  function->setAttr(tx::symbolsAttr, builder.getArrayAttr(facts));
}

void Generator::makeArguments(func::FuncOp function, Program &program) {
  unsigned count = 1 + pick(4);
  bool isSpecial = chance(30) && kind == Kind::Any;
  for (unsigned i = 0; i < count; ++i) {
    // The first has every name, which binds them all.
    Dims dims = i == 0 ? programDims : randomDims(3);
    if (i == 0 && elementsOf(dims) > maxElements)
      dims = programDims = {programDims[0], programDims[1]};
    Type element = i == 0 ? floatOr64(builder.getF32Type()) : randomDType();
    (void)function.insertArgument(i, tx::tensorType(dims, element), {}, loc);
    BlockArgument argument = function.getArgument(i);
    if (dims.empty() && chance(50))
      function.setArgAttr(i, tx::scalarAttr, builder.getUnitAttr());
    program.special.push_back(isSpecial && chance(60));
    if (Maybe made = finish(argument,
                            program.special[i]        ? infinity
                            : isa<FloatType>(element) ? 6
                                                      : 9,
                            0, false))
      pool.push_back(*made);
  }
  if (!isSymbolic)
    return;
  (void)function.insertArgument(count, builder.getIndexType(), {}, loc);
  function.setArgAttr(count, tx::symbolAttr, builder.getStringAttr("k"));
  program.special.push_back(false);
  offset = function.getArgument(count);
  if (chance(30))
    declareSymbols(function);
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
      &Generator::makeClass,         &Generator::makeRows,
      &Generator::makeGather,        &Generator::makeGather,
      &Generator::makeScatter,       &Generator::makeScatter,
      &Generator::makeDynamicSlice,  &Generator::makeDynamicUpdateSlice,
      &Generator::makeWindows,       &Generator::makePooling,
      &Generator::makeConvolution,   &Generator::makeRandomBits,
      &Generator::makeComposite,     &Generator::makeAnyElementwise,
      &Generator::makeBitcast,       &Generator::makeAttention,
      &Generator::makeAttention,     &Generator::makeMeeting,
      &Generator::makeSharing,       &Generator::makeSharing,
      &Generator::makeSharing,       &Generator::makeBranch,
      &Generator::makeScanLoop,      &Generator::makeWhileLoop,
      &Generator::makeExample,       &Generator::makeExample,
      &Generator::makeExample,       &Generator::makeSize,
      &Generator::makeComplexStep,   &Generator::makeComplexStep,
      &Generator::makeComplexStep,   &Generator::makeMatrices,
      &Generator::makeMatrices,      &Generator::makeQuantized};
  return (this->*makers[pick(std::size(makers))])();
}

void Generator::makeOps(int64_t count) {
  for (int64_t tries = 0; count > 0 && tries < 100; ++tries)
    if (Maybe made = makeOp()) {
      (isComplex(*made) ? complexes : pool).push_back(*made);
      --count;
    }
}

/// Returns what nobody reads and sometimes what somebody does; the rest dies.
void Generator::finishFunction(func::FuncOp function, Program &program) {
  SmallVector<Value> results;
  std::vector<Entry> all = complexes;
  llvm::append_range(all, pool);
  for (const Entry &e : llvm::reverse(all)) {
    // Rarely an argument as it is, or one result twice.
    if ((isa<BlockArgument>(e.value) || llvm::is_contained(results, e.value)) &&
        !chance(5))
      continue;
    // What several read is an output of one of their kernels.
    bool isShared = !e.value.use_empty() && !e.value.hasOneUse();
    int percent = llvm::is_contained(held, e.value) ? 60 : isShared ? 30 : 15;
    if (results.size() < 8 && (e.value.use_empty() || chance(percent))) {
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
  makeArguments(function, program);
  makeOps(ops.min + pick(ops.max - ops.min + 1));
  program.special.resize(function.getNumArguments(), false);
  finishFunction(function, program);
  program.function = function;
  program.sizes = sizes;
  return program;
}

Program generate(MLIRContext &context, uint64_t seed, Kind kind, OpCount ops) {
  context.loadDialect<func::FuncDialect, tx::TxDialect>();
  return Generator(context, seed, kind, ops).run();
}

} // namespace tensorc::fuzz
