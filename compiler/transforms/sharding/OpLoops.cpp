//===- OpLoops.cpp - The loops of an op that a mesh splits ----------------===//

#include "compiler/transforms/sharding/OpLoops.h"

#include "ir/tx/DType.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

/// Returns the loops that an axis may split, best first.
static SmallVector<int64_t> candidates(size_t axis, const ShardingRule &rule,
                                       ArrayRef<Sharding> operands,
                                       ArrayRef<Sharding> results) {
  auto loopsIn = [&](ArrayRef<SmallVector<int64_t>> values,
                     ArrayRef<Sharding> shardings) {
    SmallVector<int64_t> found;
    for (auto [value, sharding] : llvm::zip(values, shardings))
      if (sharding[axis] >= 0 && value[sharding[axis]] >= 0)
        found.push_back(value[sharding[axis]]);
    return found;
  };
  auto isCombined = [&](int64_t loop) {
    return rule.loops[loop].combiner.has_value();
  };
  auto isSplitWhereItIs = [&](int64_t loop) {
    return llvm::all_of(llvm::zip(rule.operands, operands), [&](auto pair) {
      int64_t dim = ShardingRule::dimOf(std::get<0>(pair), loop);
      return dim < 0 || std::get<1>(pair)[axis] == dim;
    });
  };
  SmallVector<int64_t> ofOperands = loopsIn(rule.operands, operands);
  SmallVector<int64_t> all;
  llvm::copy_if(ofOperands, std::back_inserter(all), [&](int64_t loop) {
    return isCombined(loop) && isSplitWhereItIs(loop);
  });
  llvm::append_range(all, loopsIn(rule.results, results));
  llvm::copy_if(ofOperands, std::back_inserter(all),
                [&](int64_t loop) { return !isCombined(loop); });
  llvm::append_range(all, ofOperands);
  return all;
}

OpLoops OpLoops::whole(const Mesh &mesh) {
  OpLoops none;
  none.loops.assign(mesh.sizes.size(), -1);
  return none;
}

OpLoops OpLoops::choose(const Mesh &mesh, Operation *op,
                        const ShardingRule &rule, ArrayRef<Sharding> operands,
                        ArrayRef<Sharding> results) {
  OpLoops chosen = whole(mesh);
  auto canSplit = [&](int64_t loop, int64_t axis) {
    const ShardingRule::Loop &of = rule.loops[loop];
    int64_t parts = mesh.sizes[axis];
    for (auto [other, taken] : llvm::enumerate(chosen.loops))
      parts *= taken == loop ? mesh.sizes[other] : 1;
    if (of.size % parts)
      return false;
    if (!of.combiner)
      return true;
    auto dtype = tx::dtypeOf(getElementTypeOrSelf(op->getResult(0).getType()));
    return dtype && tx::canCombine(*of.combiner, *dtype);
  };
  for (size_t axis = 0; axis < mesh.sizes.size(); ++axis)
    for (int64_t loop : candidates(axis, rule, operands, results))
      if (canSplit(loop, axis)) {
        chosen.loops[axis] = loop;
        break;
      }
  return chosen;
}

Sharding OpLoops::shardingOf(ArrayRef<int64_t> value) const {
  Sharding sharding;
  for (int64_t loop : loops)
    sharding.push_back(ShardingRule::dimOf(value, loop));
  return sharding;
}

} // namespace tensorc::compiler::sharding
