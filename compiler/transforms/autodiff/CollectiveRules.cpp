//===- CollectiveRules.cpp - Gradients of ops over several ranks ----------===//
//
// Gradients of the calls that collectives are lowered to
// (ir/library/ops/Collectives.cpp). The loss is the sum of all ranks' losses, so
// the gradient of a value that several ranks get is the sum of theirs.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/Rules.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Calls the ranks with another config.
static Value callRanks(Pullback &p, Value x, Type type, const Twine &config) {
  OpBuilder &b = p.e.b;
  return tx::CustomCallOp::create(b, p.op->getLoc(), type,
                                  b.getStringAttr("collective"), x,
                                  b.getStringAttr(config), StringAttr())
      .getResult(0);
}

/// Exchanges sources and targets.
static std::string reversed(ArrayRef<StringRef> words) {
  std::string text = "permute";
  for (StringRef pair : words) {
    auto [source, target] = pair.split('>');
    text += (" " + target + ">" + source).str();
  }
  return text;
}

/// The sum of all ranks' gradients on the root, zeros on the others.
static Value pullBackBroadcast(Pullback &p, Value g, StringRef root,
                               StringRef ranks) {
  Value sum = callRanks(p, g, g.getType(), "all_reduce sum " + ranks);
  Type number = tx::tensorType({}, p.e.b.getI64Type());
  Value rank = tx::CustomCallOp::create(
                   p.e.b, p.op->getLoc(), number,
                   p.e.b.getStringAttr("collective"), ValueRange(),
                   p.e.b.getStringAttr("partition_id " + ranks), StringAttr())
                   .getResult(0);
  int64_t at = 0;
  (void)root.getAsInteger(10, at);
  return p.e.select(p.e.equal(rank, at), sum, p.zerosLike(g));
}

LogicalResult pullBackCollective(Pullback &p) {
  auto op = cast<tx::CustomCallOp>(p.op);
  if (op.getInputs().empty())
    return success();
  SmallVector<StringRef> words;
  op.getConfig().value_or("").split(words, ' ');
  StringRef kind = words.front(), ranks = words.back();
  bool isReduction = kind == "all_reduce" || kind == "reduce_scatter";
  if (isReduction && words[1] != "sum")
    return op.emitOpError() << kind << " by " << words[1]
                            << " is not differentiable: stop_gradient leaves "
                               "it out, and custom_vjp gives it a gradient";
  Value g = p.cotangents.front();
  Type type = op.getInputs()[0].getType();
  p.give(0, [&]() -> Value {
    if (kind == "all_reduce")
      return callRanks(p, g, type, "all_reduce sum " + ranks);
    if (kind == "all_gather")
      return callRanks(p, g, type, "reduce_scatter sum " + ranks);
    if (kind == "reduce_scatter")
      return callRanks(p, g, type, "all_gather " + ranks);
    if (kind == "all_to_all")
      return callRanks(p, g, type, "all_to_all " + ranks);
    if (kind == "broadcast")
      return pullBackBroadcast(p, g, words[1].split('=').second, ranks);
    return callRanks(p, g, type,
                     reversed(ArrayRef(words).drop_front().drop_back()) + " " +
                         ranks);
  });
  return success();
}

} // namespace tensorc::compiler::autodiff
