//===- Random.cpp - Random inputs from a seed -----------------------------===//

#include "tools/tensorc/Inputs.h"

#include "compiler/session/tuning/RandomArray.h"
#include "ir/tx/Dims.h"

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

static int64_t nextPrime(int64_t after) {
  auto isPrime = [](int64_t n) {
    for (int64_t d = 2; d * d <= n; ++d)
      if (n % d == 0)
        return false;
    return true;
  };
  do
    ++after;
  while (!isPrime(after));
  return after;
}

/// Returns the prime, adjusted to the range and the divisor in the tx.symbols
/// entry of the name.
static int64_t allowedSize(func::FuncOp function, StringRef name,
                           int64_t prime) {
  auto facts = function->getAttrOfType<ArrayAttr>(tx::symbolsAttr);
  if (!facts)
    return prime;
  for (auto fact : facts.getAsRange<tx::SymbolAttr>()) {
    if (fact.getName().getValue() != name)
      continue;
    int64_t size = std::clamp(prime, fact.getMin(), fact.getMax());
    int64_t divisor = fact.getDivisor(), above = llvm::alignTo(size, divisor);
    return above <= fact.getMax() ? above : size - size % divisor;
  }
  return prime;
}

/// Gives a size to every name in the arguments' types.
static void defineSizes(func::FuncOp function, reference::Symbols &symbols) {
  int64_t prime = 3;
  auto define = [&](StringRef name) {
    prime = nextPrime(prime);
    if (!symbols.has(name))
      symbols.define(name, allowedSize(function, name, prime));
  };
  for (Type type : function.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    for (shape::Dim dim : tx::dimsOf(tensor))
      shape::forEachSymbol(dim, [&](shape::Dim symbol) {
        if (!symbols.has(symbol.name()))
          define(symbol.name());
      });
  }
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr))
      if (!symbols.has(name))
        define(name);
}

LogicalResult drawInputs(func::FuncOp function, uint64_t seed,
                         reference::Symbols &symbols,
                         std::vector<std::optional<Array>> &arrays) {
  defineSizes(function, symbols);
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (arrays[i])
      continue;
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor) {
      auto name = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr);
      int64_t value = name ? symbols.get(name) : 0;
      arrays[i] = Array::create(reference::DType::I64, {});
      reference::write<int64_t>(*arrays[i], value);
      continue;
    }
    auto shape = symbols.shapeOf(tensor, argument.getLoc());
    if (failed(shape))
      return failure();
    std::optional<reference::DType> dtype =
        reference::dtypeOf(tensor.getElementType());
    if (!dtype)
      return emitError(argument.getLoc()) << "unsupported dtype " << tensor;
    arrays[i] = Array::create(*dtype, *shape);
    if (!arrays[i])
      return emitError(argument.getLoc())
             << "not enough memory for "
             << reference::typeString(*dtype, *shape);
    // Each argument has a separate random stream, so that an additional
    // argument does not change the others.
    tuning::fillRandom(*arrays[i], seed * 0x2545f4914f6cdd1d + i);
  }
  return success();
}

} // namespace tensorc::tool
