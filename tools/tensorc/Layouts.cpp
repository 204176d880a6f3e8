//===- Layouts.cpp - Implements --layout for images with channels last ----===//

#include "ir/builder/TensorBuilder.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"
#include "tools/tensorc/Module.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tensorc::tool {

namespace {
struct Order {
  StringRef word;
  int64_t rank;
  bool channelsLast;
};
} // namespace

static constexpr Order orders[] = {{"NWC", 3, true},   {"NHWC", 4, true},
                                   {"NDHWC", 5, true}, {"NCW", 3, false},
                                   {"NCHW", 4, false}, {"NCDHW", 5, false}};

std::optional<std::vector<LayoutSpec>>
parseLayouts(const Arguments &arguments) {
  std::vector<LayoutSpec> layouts;
  for (StringRef text : arguments.all("layout")) {
    auto [name, word] = text.rsplit(':');
    bool isKnown = llvm::any_of(
        orders, [word = word](const Order &each) { return each.word == word; });
    if (name.empty() || !isKnown)
      return badUsage("'" + text +
                      "' is not of the form --layout=x:NHWC: an order is NHWC, "
                      "NCHW, NWC, NCW, NDHWC or NCDHW"),
             std::nullopt;
    layouts.push_back({name.str(), word.str()});
  }
  return layouts;
}

/// Returns the permutation from channels last to channels second, or back.
static SmallVector<int64_t> permutationOf(int64_t rank, bool fromLast) {
  SmallVector<int64_t> permutation{0};
  if (fromLast)
    permutation.push_back(rank - 1);
  for (int64_t d = fromLast ? 1 : 2; d < rank - fromLast; ++d)
    permutation.push_back(d);
  if (!fromLast)
    permutation.push_back(1);
  return permutation;
}

/// Reports an error if the order of dims does not fit the tensor.
static LogicalResult checkOrder(func::FuncOp function, const Order &order,
                                StringRef name, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.getRank() == order.rank)
    return success();
  return function.emitError("--layout: ")
         << name << " is " << type << ", and " << order.word << " has "
         << order.rank << " dims";
}

static LogicalResult reorderArgument(func::FuncOp function, unsigned index,
                                     const Order &order, StringRef name) {
  BlockArgument argument = function.getArgument(index);
  if (failed(checkOrder(function, order, name, argument.getType())))
    return failure();
  auto type = cast<RankedTensorType>(argument.getType());
  SmallVector<shape::Dim> dims;
  for (int64_t d : permutationOf(order.rank, !order.channelsLast))
    dims.push_back(tx::dimsOf(type)[d]);
  argument.setType(tx::tensorType(dims, type.getElementType()));
  OpBuilder b = OpBuilder::atBlockBegin(argument.getOwner());
  builder::TensorBuilder t(b, argument.getLoc());
  Value own =
      t.transpose(argument, permutationOf(order.rank, order.channelsLast));
  argument.replaceAllUsesExcept(own, own.getDefiningOp());
  return success();
}

static LogicalResult reorderResult(func::FuncOp function, unsigned index,
                                   const Order &order, StringRef name) {
  Operation *end = function.front().getTerminator();
  Value value = end->getOperand(index);
  if (failed(checkOrder(function, order, name, value.getType())))
    return failure();
  OpBuilder b(end);
  builder::TensorBuilder t(b, end->getLoc());
  end->setOperand(
      index,
      t.transpose(value, permutationOf(order.rank, !order.channelsLast)));
  return success();
}

LogicalResult applyLayouts(ArrayRef<func::FuncOp> functions,
                           ArrayRef<LayoutSpec> layouts) {
  for (const LayoutSpec &spec : layouts) {
    const Order &order = *llvm::find_if(
        orders, [&](const Order &each) { return each.word == spec.order; });
    bool isFound = false;
    for (func::FuncOp function : functions) {
      if (auto index = findArgument(function, spec.name)) {
        isFound = true;
        if (failed(reorderArgument(function, *index, order, spec.name)))
          return failure();
      }
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        if (tx::resultName(function, i) == spec.name) {
          isFound = true;
          if (failed(reorderResult(function, i, order, spec.name)))
            return failure();
        }
      function.setFunctionType(FunctionType::get(
          function.getContext(), function.front().getArgumentTypes(),
          function.front().getTerminator()->getOperandTypes()));
    }
    if (!isFound)
      return refuse("--layout: no function has an argument or result '" +
                    spec.name + "'"),
             failure();
  }
  return success(llvm::all_of(functions, [](func::FuncOp function) {
    return succeeded(verify(function));
  }));
}

} // namespace tensorc::tool
