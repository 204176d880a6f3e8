//===- ShardingRule.cpp - Sharding rules of ops ---------------------------===//
//
// The loops of ops that move elements are those of their index maps
// (ir/analysis). A dim of an operand belongs to a dim of the result if it is
// read at that dim's index and has the same size.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/sharding/ShardingRule.h"
#include "compiler/transforms/sharding/NamedSizes.h"

#include "ir/analysis/Indexing.h"
#include "ir/tx/Combining.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace tensorc::compiler::sharding {

namespace {
class RuleBuilder {
public:
  explicit RuleBuilder(Operation *op) : op(op) {
    auto unsplit = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return SmallVector<int64_t>(tensor ? tensor.getRank() : 0, -1);
    };
    rule.operands = llvm::map_to_vector(op->getOperandTypes(), unsplit);
    rule.results = llvm::map_to_vector(op->getResultTypes(), unsplit);
  }

  ShardingRule take() { return std::move(rule); }

  /// Creates a loop. The loop gets its size from its dims.
  int64_t loop(std::optional<tx::Combiner> combiner = std::nullopt) {
    rule.loops.push_back({0, combiner});
    return static_cast<int64_t>(rule.loops.size()) - 1;
  }
  void operand(unsigned i, int64_t dim, int64_t loop) {
    assign(op->getOperand(i), rule.operands[i], dim, loop);
  }
  void result(unsigned i, int64_t dim, int64_t loop) {
    assign(op->getResult(i), rule.results[i], dim, loop);
  }
  /// Creates a loop for each dim of the first result that can be split.
  SmallVector<int64_t> loopsOfResult() {
    for (int64_t dim : llvm::seq<int64_t>(0, rule.results[0].size()))
      if (canSplit(op->getResult(0), dim))
        result(0, dim, loop());
    return rule.results[0];
  }
  bool sameSize(unsigned i, int64_t dim, int64_t resultDim) const {
    auto x = cast<RankedTensorType>(op->getOperand(i).getType());
    auto y = cast<RankedTensorType>(op->getResult(0).getType());
    return tx::dimsOf(x)[dim] == tx::dimsOf(y)[resultDim];
  }
  static bool canSplit(Value x, int64_t dim) { return divisorOf(x, dim) > 1; }

private:
  static int64_t divisorOf(Value x, int64_t dim) {
    return knownDivisor(tx::dimsOf(cast<RankedTensorType>(x.getType()))[dim]);
  }

  void assign(Value x, SmallVector<int64_t> &value, int64_t dim, int64_t loop) {
    if (loop < 0 || !canSplit(x, dim) || llvm::is_contained(value, loop))
      return;
    value[dim] = loop;
    int64_t &size = rule.loops[loop].size;
    size = std::gcd(size, divisorOf(x, dim));
  }

  Operation *op;
  ShardingRule rule;
};
} // namespace

/// The rule of ops whose index maps give the elements that they read of their
/// operands.
static ShardingRule ruleByIndexing(Operation *op) {
  RuleBuilder b(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  tx::DimSpace names(op->getContext());
  analysis::IterationSpace space(names, names.dims(type));
  analysis::Index index = space.identity();
  SmallVector<int64_t> loops = b.loopsOfResult();
  // An offset that is known only at run time is treated as nonzero.
  auto offset = [&](Value) { return names.constant(1); };
  auto operands = analysis::operandIndexing(op, index, space, offset);
  auto gather = dyn_cast<tx::GatherOp>(op);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto x = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    if (!x || x.getRank() != static_cast<int64_t>(operand.index.size()))
      continue;
    for (auto [dim, expr] : llvm::enumerate(operand.index)) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      bool isLookedUp = gather && i == 0 &&
                        llvm::is_contained(gather.getStartIndexMap(), dim);
      if (loop && !isLookedUp && b.sameSize(i, dim, loop.getPosition()))
        b.operand(i, dim, loops[loop.getPosition()]);
    }
  }
  // If an operand is read at another index along a dim, the dim is not split.
  ShardingRule rule = b.take();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    SmallVector<bool> isFree(loops.size(), true);
    for (auto [dim, expr] : llvm::enumerate(operand.index))
      if (dim < rule.operands[i].size() && rule.operands[i][dim] < 0)
        for (size_t d = 0; d < isFree.size(); ++d)
          isFree[d] = isFree[d] && !expr.isFunctionOfDim(d);
    for (const analysis::Guard &guard : operand.guards)
      for (size_t d = 0; d < isFree.size(); ++d)
        isFree[d] = isFree[d] && !guard.value.isFunctionOfDim(d);
    for (size_t d = 0; d < isFree.size(); ++d)
      if (!isFree[d] && loops[d] >= 0)
        rule.loops[loops[d]].size = 1;
  }
  return rule;
}

/// If consecutive dims have the same product on both sides, their outermost
/// dims share a loop: a part of one is a part of the other.
static ShardingRule ruleOf(tx::ReshapeOp op) {
  RuleBuilder b(op);
  ArrayRef<shape::Dim> in = tx::dimsOf(op.getX().getType());
  ArrayRef<shape::Dim> out = tx::dimsOf(op.getType());
  // Decides which side of a product grows. Only equal products are a loop.
  auto isLess = [](shape::Dim a, shape::Dim b) {
    auto one = [](StringRef) { return std::optional<int64_t>(1 << 20); };
    return shape::evaluate(a, one).value_or(0) <
           shape::evaluate(b, one).value_or(0);
  };
  auto isEmpty = [](shape::Dim dim) { return dim.isNumber(0); };
  if (llvm::any_of(in, isEmpty) || llvm::any_of(out, isEmpty))
    return b.take();
  size_t i = 0, o = 0;
  auto skipOnes = [](ArrayRef<shape::Dim> dims, size_t &at) {
    while (at < dims.size() && dims[at].isNumber(1))
      ++at;
  };
  while (true) {
    skipOnes(in, i);
    skipOnes(out, o);
    if (i == in.size() || o == out.size())
      return b.take();
    size_t firstIn = i, firstOut = o;
    shape::Dim left = in[i++], right = out[o++];
    while (left != right) {
      bool growsLeft = isLess(left, right);
      if (growsLeft ? i == in.size() : o == out.size())
        return b.take();
      if (growsLeft)
        left = left * in[i++];
      else
        right = right * out[o++];
    }
    int64_t loop = b.loop();
    b.operand(0, firstIn, loop);
    b.result(0, firstOut, loop);
  }
}

static std::optional<tx::Combiner> combinerOf(Operation *op) {
  std::optional<tx::Combining> combining = tx::combiningOf(op);
  return llvm::StringSwitch<std::optional<tx::Combiner>>(
             combining ? combining->by : "")
      .Case("tx.add", tx::Combiner::Sum)
      .Case("tx.mul", tx::Combiner::Product)
      .Case("tx.min", tx::Combiner::Min)
      .Case("tx.max", tx::Combiner::Max)
      .Case("tx.and", tx::Combiner::And)
      .Case("tx.or", tx::Combiner::Or)
      .Default(std::nullopt);
}

static ShardingRule ruleOfReduction(Operation *op, ArrayRef<int64_t> dims,
                                    bool keepsDims) {
  RuleBuilder b(op);
  std::optional<tx::Combiner> combiner = combinerOf(op);
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (llvm::is_contained(dims, dim)) {
      next += keepsDims;
      if (combiner)
        b.operand(0, dim, b.loop(combiner));
      continue;
    }
    int64_t loop = b.loop();
    b.operand(0, dim, loop);
    b.result(0, next++, loop);
  }
  return b.take();
}

static ShardingRule ruleOf(tx::DotGeneralOp op) {
  RuleBuilder b(op);
  int64_t next = 0;
  for (auto [x, y] : llvm::zip(op.getXBatch(), op.getYBatch())) {
    int64_t loop = b.loop();
    b.operand(0, x, loop);
    b.operand(1, y, loop);
    b.result(0, next++, loop);
  }
  for (auto [x, y] : llvm::zip(op.getXContracting(), op.getYContracting())) {
    int64_t loop = b.loop(tx::Combiner::Sum);
    b.operand(0, x, loop);
    b.operand(1, y, loop);
  }
  auto addOthers = [&](unsigned operand, ArrayRef<int64_t> batch,
                       ArrayRef<int64_t> contracting) {
    int64_t rank =
        cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (llvm::is_contained(batch, dim) ||
          llvm::is_contained(contracting, dim))
        continue;
      int64_t loop = b.loop();
      b.operand(operand, dim, loop);
      b.result(0, next++, loop);
    }
  };
  addOthers(0, op.getXBatch(), op.getXContracting());
  addOthers(1, op.getYBatch(), op.getYContracting());
  return b.take();
}

/// The loops are the dims along which windows are as large as x.
static ShardingRule ruleOf(tx::ScatterOp op) {
  RuleBuilder b(op);
  for (auto [dim, window] : llvm::enumerate(op.getWindowDimOfX())) {
    bool isWhole = window >= 0 &&
                   !llvm::is_contained(op.getScatterDimsToOperandDims(), dim) &&
                   tx::dimsOf(op.getUpdates().getType())[window] ==
                       tx::dimsOf(op.getX().getType())[dim];
    if (!isWhole)
      continue;
    int64_t loop = b.loop();
    b.operand(0, dim, loop);
    b.operand(2, window, loop);
    b.result(0, dim, loop);
  }
  return b.take();
}

/// The rule of ops whose operands and results have one shape and are not split
/// along `dim`.
static ShardingRule ruleOfSameShapes(Operation *op,
                                     std::optional<int64_t> dim = {}) {
  RuleBuilder b(op);
  SmallVector<int64_t> loops = b.loopsOfResult();
  auto each = [&](auto values, auto assign) {
    for (auto [i, value] : llvm::enumerate(values)) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (type && type.getRank() == static_cast<int64_t>(loops.size()))
        for (auto [d, loop] : llvm::enumerate(loops))
          assign(i, d, loop);
    }
  };
  each(op->getOperands(), [&](auto... at) { b.operand(at...); });
  each(op->getResults().drop_front(), [&](auto... at) { b.result(at...); });
  ShardingRule rule = b.take();
  if (dim && loops[*dim] >= 0)
    rule.loops[loops[*dim]].size = 1;
  return rule;
}

/// Batches and heads are split, also those of keys and values. Queries, and
/// heads that share keys, are not split.
static ShardingRule ruleOf(tx::AttentionOp op) {
  RuleBuilder b(op);
  int64_t rank = op.getType().getRank();
  bool sharesHeads = op.getGroups() != 1;
  for (int64_t dim = 0; dim < rank - 2; ++dim) {
    if (sharesHeads && dim == rank - 3)
      continue;
    int64_t loop = b.loop();
    for (unsigned i : {0, 1, 2})
      b.operand(i, dim, loop);
    b.result(0, dim, loop);
    if (!op.getMask())
      continue;
    int64_t ofMask = dim - rank + op.getMask().getType().getRank();
    if (ofMask >= 0)
      b.operand(4, ofMask, loop);
  }
  return b.take();
}

bool hasShardingRule(Operation *op) {
  return isa<tx::ShardOp, tx::ReluOp, tx::SiluOp, tx::GeluOp, tx::EluOp,
             tx::LeakyReluOp, tx::SoftplusOp, tx::MishOp, tx::HardswishOp,
             tx::SoftsignOp, tx::LogsigmoidOp, tx::CeluOp, tx::SoftmaxOp,
             tx::LogSoftmaxOp, tx::AttentionOp, tx::AllReduceOp,
             tx::AllGatherOp, tx::ReduceScatterOp, tx::AllToAllOp,
             tx::CollectiveBroadcastOp, tx::CollectivePermuteOp,
             tx::PartitionIdOp, tx::LocalPartOp, tx::JoinPartsOp>(op);
}

ShardingRule shardingRuleOf(Operation *op) {
  if (op->hasTrait<tx::Elementwise>() ||
      isa<tx::ReluOp, tx::SiluOp, tx::GeluOp, tx::EluOp, tx::LeakyReluOp,
          tx::SoftplusOp, tx::MishOp, tx::HardswishOp, tx::SoftsignOp,
          tx::LogsigmoidOp, tx::CeluOp, tx::ShardOp>(op))
    return ruleOfSameShapes(op);
  return llvm::TypeSwitch<Operation *, ShardingRule>(op)
      .Case<tx::ReshapeOp, tx::DotGeneralOp, tx::AttentionOp, tx::ScatterOp>(
          [](auto op) { return ruleOf(op); })
      .Case<tx::SumOp, tx::ProdOp, tx::ReduceMaxOp, tx::ReduceMinOp, tx::AnyOp,
            tx::AllOp, tx::CountNonzeroOp, tx::ArgmaxOp, tx::ArgminOp>(
          [](auto op) { return ruleOfReduction(op, op.getDims(), false); })
      .Case<tx::SoftmaxOp, tx::LogSoftmaxOp, tx::CumsumOp, tx::CumprodOp,
            tx::CummaxOp, tx::CumminOp, tx::LogcumsumexpOp, tx::SortOp,
            tx::ArgsortOp, tx::IotaOp>(
          [](auto op) { return ruleOfSameShapes(op, op.getDim()); })
      .Case([](tx::ConstantOp op) {
        RuleBuilder b(op);
        if (isa<SplatElementsAttr>(op.getValue()))
          b.loopsOfResult();
        return b.take();
      })
      .Case<tx::BroadcastOp, tx::TransposeOp, tx::SliceOp, tx::WindowsOp,
            tx::PadOp, tx::ConcatenateOp, tx::GatherOp, tx::DynamicSliceOp,
            tx::DynamicUpdateSliceOp>(
          [](auto op) { return ruleByIndexing(op); })
      .Default([](Operation *op) { return RuleBuilder(op).take(); });
}

void setLocalSizes(Operation *op) {
  Builder b(op->getContext());
  auto sizeOf = [](Value x, int64_t dim) {
    return *tx::dimsOf(cast<RankedTensorType>(x.getType()))[dim].number();
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tx::ConstantOp op) {
        auto value = cast<SplatElementsAttr>(op.getValue());
        op.setValueAttr(
            value.resizeSplat(cast<ShapedType>(op.getResult().getType())));
      })
      .Case([&](tx::DynamicSliceOp op) {
        SmallVector<int64_t> sizes(op.getSliceSizes());
        for (auto [dim, size] : llvm::enumerate(sizes))
          if (size >= 0)
            size = sizeOf(op.getResult(), dim);
        op.setSliceSizes(sizes);
      })
      .Case([&](tx::GatherOp op) {
        SmallVector<int64_t> sizes(op.getSliceSizes());
        for (auto [dim, of] : llvm::enumerate(op.getOffsetDimOfX()))
          if (sizes[dim] >= 0 && of >= 0)
            sizes[dim] = sizeOf(op.getResult(), of);
        op.setSliceSizes(sizes);
      });
}

} // namespace tensorc::compiler::sharding
