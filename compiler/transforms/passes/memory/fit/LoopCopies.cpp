//===- LoopCopies.cpp - Buffers that a loop has at once -------------------===//
//
//   %r = scf.for ... iter_args(%a = %x)
//     %b = txp.alloc                 the register of %b holds the last buffer
//     launch @f ins(%a) outs(%b)     until this one is allocated; so does %a
//     scf.yield %b
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/BufferAliases.h"
#include "compiler/transforms/passes/memory/fit/RunPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::compiler {

/// Returns the number of iterations after which the last register of a carried
/// value drops a buffer that an iteration of the scf.for allocates, if all
/// registers drop it after less than `most` iterations.
static std::optional<int64_t> ageOf(txp::AllocOp alloc, scf::ForOp loop,
                                    int64_t most) {
  SmallVector<txp::ViewOp> raised = viewsOfCarried(*loop.getBody());
  DenseMap<Value, int64_t> ages;
  int64_t oldest = 0;
  std::vector<std::pair<Value, int64_t>> work = {{alloc.getBuffer(), 0}};
  while (!work.empty()) {
    auto [value, age] = work.back();
    work.pop_back();
    auto [known, isNew] = ages.try_emplace(value, age);
    if (!isNew && known->second >= age)
      continue;
    known->second = age;
    if (age >= most)
      return std::nullopt;
    // Other registers are written later in an iteration than the allocation.
    bool isCurrent = age == 0 ||
                     llvm::is_contained(loop.getRegionIterArgs(), value) ||
                     llvm::is_contained(raised, value.getDefiningOp());
    oldest = std::max(oldest, age + (isCurrent ? 0 : 1));
    for (OpOperand &use : value.getUses()) {
      SmallVector<Value> next;
      if (use.getOwner() == loop.getBody()->getTerminator())
        work.push_back(
            {loop.getRegionIterArg(use.getOperandNumber()), age + 1});
      else
        aliasesAfter(use, next);
      for (Value alias : next)
        work.push_back({alias, age});
    }
  }
  // A parallel move copies a value that it overwrites before it is read.
  ValueRange yielded = loop.getYieldedValues();
  for (auto [i, value] : llvm::enumerate(yielded))
    for (size_t k = 0; k < i; ++k)
      if (value == loop.getRegionIterArg(k) && yielded[k] != value &&
          ages.count(value))
        oldest = std::max(oldest, ages.lookup(value) + 1);
  return std::max<int64_t>(oldest, 1);
}

int64_t countCopies(txp::AllocOp alloc) {
  SmallVector<Value> aliases = aliasesOf(alloc.getBuffer());
  // The results of an scf.for are in the registers of its carried values.
  llvm::erase_if(aliases, [](Value value) {
    return isa_and_nonnull<scf::ForOp>(value.getDefiningOp());
  });
  int64_t leaving = llvm::count_if(aliases, [](Value value) {
    return isa<BlockArgument>(value) ||
           value.getDefiningOp()->getNumRegions() != 0;
  });
  if (!leaving)
    return 2;
  // Each value, and each copy in a parallel move, has a register.
  int64_t registers = static_cast<int64_t>(aliases.size()) + leaving - 1;
  auto loop = dyn_cast<scf::ForOp>(alloc->getParentOp());
  if (!loop || loop->getParentOfType<LoopLikeOpInterface>())
    return registers;
  std::optional<int64_t> age = ageOf(alloc, loop, registers);
  return age ? std::min(*age + 1, registers) : registers;
}

} // namespace tensorc::compiler
