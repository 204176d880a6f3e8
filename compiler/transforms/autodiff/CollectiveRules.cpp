//===- CollectiveRules.cpp - Gradients of ops over several ranks ----------===//
//
// Gradients of the calls to which collectives are lowered
// (ir/library/ops/Collectives.cpp). The loss is the sum of the losses of all
// ranks, so the gradient of a value that several ranks receive is the sum of
// their gradients.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/Rules.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Returns the result of a collective call with this config.
static Value callRanks(Pullback &p, ValueRange x, Type type,
                       const Twine &config) {
  OpBuilder &b = p.e.b;
  return tx::CustomCallOp::create(b, p.op->getLoc(), type,
                                  b.getStringAttr("collective"), x,
                                  b.getStringAttr(config), StringAttr())
      .getResult(0);
}

/// Returns the config of a permutation with sources and targets swapped.
static std::string reversed(ArrayRef<StringRef> words) {
  std::string text = "permute";
  for (StringRef pair : words) {
    auto [source, target] = pair.split('>');
    text += (" " + target + ">" + source).str();
  }
  return text;
}

/// Returns the ranks that are the root of their group, and the number of all
/// ranks. `root` is a position in each group. `ranks` is a part of a call's
/// config such as "ranks=2 groups=0,2,1,3".
static std::pair<SmallVector<int64_t>, size_t> rootsOf(int64_t root,
                                                       StringRef ranks) {
  auto [each, groups] = ranks.split(' ');
  size_t size = 0;
  (void)each.split('=').second.getAsInteger(10, size);
  if (groups.empty())
    return {{root}, size};
  SmallVector<StringRef> words;
  groups.split('=').second.split(words, ',');
  SmallVector<int64_t> roots;
  for (size_t first = 0; first < words.size(); first += size)
    (void)words[first + root].getAsInteger(10, roots.emplace_back());
  return {roots, words.size()};
}

/// The root gets the sum of all ranks' gradients; the other ranks get zeros.
static Value pullBackBroadcast(Pullback &p, Value g, StringRef root,
                               StringRef ranks) {
  Value sum = callRanks(p, g, g.getType(), "all_reduce sum " + ranks);
  int64_t position = 0;
  (void)root.getAsInteger(10, position);
  auto [roots, all] = rootsOf(position, ranks);
  Type number = tx::tensorType({}, p.e.b.getI64Type());
  Value rank = callRanks(p, {}, number, "partition_id ranks=" + Twine(all));
  Value result = p.zerosLike(g);
  for (int64_t of : roots)
    result = p.e.select(p.e.equal(rank, of), sum, result);
  return result;
}

LogicalResult pullBackCollective(Pullback &p) {
  auto op = cast<tx::CustomCallOp>(p.op);
  if (op.getInputs().empty())
    return success();
  auto [first, ranks] = op.getConfig().value_or("").split(" ranks=");
  std::string tail = ("ranks=" + ranks).str();
  SmallVector<StringRef> words;
  first.split(words, ' ');
  StringRef kind = words.front();
  bool isReduction = kind == "all_reduce" || kind == "reduce_scatter";
  if (isReduction && words[1] != "sum")
    return op.emitOpError() << kind << " by " << words[1]
                            << " is not differentiable: stop_gradient leaves "
                               "it out, and custom_vjp gives it a gradient";
  Value g = p.cotangents.front();
  Type type = op.getInputs()[0].getType();
  p.give(0, [&]() -> Value {
    if (kind == "all_reduce")
      return callRanks(p, g, type, "all_reduce sum " + tail);
    if (kind == "all_gather")
      return callRanks(p, g, type, "reduce_scatter sum " + tail);
    if (kind == "reduce_scatter")
      return callRanks(p, g, type, "all_gather " + tail);
    if (kind == "all_to_all")
      return callRanks(p, g, type, "all_to_all " + tail);
    if (kind == "broadcast")
      return pullBackBroadcast(p, g, words[1].split('=').second, tail);
    return callRanks(p, g, type,
                     reversed(ArrayRef(words).drop_front()) + " " + tail);
  });
  return success();
}

} // namespace tensorc::compiler::autodiff
