//===- QuantizeWeights.cpp - Quantize weights to narrow integers ----------===//

#include "compiler/frontends/quantize/QuantizeWeights.h"
#include "compiler/frontends/quantize/Quantized.h"
#include "compiler/frontends/quantize/WeightOrder.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tensorc::compiler {

using reference::Array;
using tx::DType;

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

llvm::Expected<WeightFormat> WeightFormat::parse(StringRef text) {
  auto [dtype, group] = text.split(':');
  WeightFormat format;
  if (dtype == "i4")
    format = {DType::I4, 32};
  else if (dtype != "i8")
    return llvm::createStringError("weights are quantized to i8 or i4, each "
                                   "with :GROUP behind it or not, and not to " +
                                   text);
  if (text.contains(':') &&
      (group.getAsInteger(10, format.group) || format.group < 2))
    return llvm::createStringError("a group is of 2 elements or more, not " +
                                   group);
  return format;
}

/// Returns the largest divisor of the size that is at most the requested group
/// and at least a quarter of it. If there is none, returns the size.
static int64_t groupThatDivides(int64_t size, int64_t group) {
  if (group == 0 || size <= group)
    return size;
  for (int64_t part = group; part >= 2 && part * 4 >= group; --part)
    if (size % part == 0)
      return part;
  return size;
}

//===----------------------------------------------------------------------===//
// Finding the constants that are weights
//===----------------------------------------------------------------------===//

namespace {
/// An operand of a contraction, and its reduction dims. Groups are formed along
/// the last one of these.
struct Factor {
  Value value;
  SmallVector<int64_t> summed;
};

/// A constant that an op reads as a factor, possibly through transposes,
/// broadcasts and conversions.
struct Weight {
  Operation *layer;
  SmallVector<int64_t> summed;
};
} // namespace

/// Returns the kernel of a convolution with its reduction dims. The kernel's
/// dims are [O, C, spatial], or [C, O, spatial] if transposed; with channels
/// last, [spatial, C, O]. The channels come last among the reduction dims.
template <typename Conv> static Factor factorOf(Conv conv) {
  constexpr bool isTransposed = std::is_same_v<Conv, tx::ConvTransposeOp>;
  Value kernel = conv.getKernel();
  int64_t rank = cast<RankedTensorType>(kernel.getType()).getRank();
  bool isLast = conv.getChannelsLast();
  int64_t channels = isLast ? rank - 2 : isTransposed ? 0 : 1;
  int64_t out = isLast ? rank - 1 : isTransposed ? 1 : 0;
  Factor factor{kernel, {}};
  for (int64_t d = 0; d < rank; ++d)
    if (d != out && d != channels)
      factor.summed.push_back(d);
  factor.summed.push_back(channels);
  return factor;
}

static SmallVector<Factor> factorsOf(Operation *op) {
  if (auto dot = dyn_cast<tx::DotGeneralOp>(op))
    return {{dot.getX(), SmallVector<int64_t>(dot.getXContracting())},
            {dot.getY(), SmallVector<int64_t>(dot.getYContracting())}};
  if (auto conv = dyn_cast<tx::ConvOp>(op))
    return {factorOf(conv)};
  if (auto conv = dyn_cast<tx::ConvTransposeOp>(op))
    return {factorOf(conv)};
  return {};
}

/// Returns the constant that a factor is computed from by transposes,
/// broadcasts and conversions, or null. `factor` is set to the constant with
/// its reduction dims; it is unspecified if null is returned.
static tx::ConstantOp constantOf(Factor &factor) {
  while (Operation *op = factor.value.getDefiningOp()) {
    if (auto constant = dyn_cast<tx::ConstantOp>(op))
      return constant;
    SmallVector<int64_t> before;
    if (auto transpose = dyn_cast<tx::TransposeOp>(op)) {
      for (int64_t d : factor.summed)
        before.push_back(transpose.getPermutation()[d]);
    } else if (auto broadcast = dyn_cast<tx::BroadcastOp>(op)) {
      ArrayRef<int64_t> dims = broadcast.getDims();
      for (int64_t d : factor.summed)
        if (const auto *it = llvm::find(dims, d); it != dims.end())
          before.push_back(it - dims.begin());
    } else if (isa<tx::ConvertOp>(op)) {
      before = factor.summed;
    } else {
      return nullptr;
    }
    factor = {op->getOperand(0), before};
  }
  return nullptr;
}

/// True if the op uses the operand as a factor.
static bool isFactor(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tx::DotGeneralOp>(op))
    return true;
  if (isa<tx::ConvOp, tx::ConvTransposeOp>(op))
    return use.getOperandNumber() == 1;
  return isa<tx::TransposeOp, tx::BroadcastOp, tx::ConvertOp>(op) &&
         llvm::all_of(op->getUses(), isFactor);
}

static llvm::MapVector<Operation *, Weight> findWeights(func::FuncOp function) {
  llvm::MapVector<Operation *, Weight> weights;
  function.walk([&](Operation *op) {
    for (Factor factor : factorsOf(op))
      if (tx::ConstantOp constant = constantOf(factor);
          constant && !isa<SplatElementsAttr>(constant.getValue()))
        weights.insert({constant, {op, factor.summed}});
  });
  return weights;
}

//===----------------------------------------------------------------------===//
// Facts about the constants
//===----------------------------------------------------------------------===//

/// Returns the name of a node or tensor, or a text such as `line 12` if it has
/// none.
static std::string nameOf(Location loc) {
  std::string name;
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part))
      name = named.getName().str();
    else if (auto line = dyn_cast<FileLineColLoc>(part))
      name = "line " + std::to_string(line.getLine());
    return name.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return name.empty() ? "?" : name;
}

static ArrayRef<char> bytesOf(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return resource.getRawHandle().getBlob()->getData();
  return cast<DenseElementsAttr>(value).getRawData();
}

/// Replaces the constant. Returns the reason if it was kept, else an empty
/// string.
static std::string replace(tx::ConstantOp op, const Weight &weight,
                           WeightFormat format, WeightFacts &facts) {
  auto type = cast<RankedTensorType>(op.getType());
  if (llvm::none_of(op->getUses(), isFactor))
    return "is read in the same form by other ops";
  std::optional<DType> dtype = tx::dtypeOf(type.getElementType());
  if (!dtype || !tx::isFloat(*dtype) || tx::byteWidth(*dtype) < 2)
    return "is not a tensor of f16, bf16, f32 or f64";
  if (type.getNumElements() == 0)
    return "is empty";
  SmallVector<int64_t> groups(type.getRank(), 1);
  for (int64_t d : weight.summed)
    groups[d] = type.getDimSize(d);
  if (!weight.summed.empty()) {
    int64_t d = weight.summed.back();
    groups[d] = groupThatDivides(type.getDimSize(d), format.group);
  }
  facts.group = 1;
  for (int64_t group : groups)
    facts.group *= group;
  facts.bytesAfter = tx::bytesOf(format.dtype, type.getNumElements()) +
                     tx::bytesOf(*dtype, type.getNumElements() / facts.group);
  if (facts.bytesAfter >= facts.bytesBefore)
    return "would not be smaller";
  std::optional<Quantized> quantized = quantize(
      bytesOf(op.getValue()), *dtype, type.getShape(), format.dtype, groups);
  if (!quantized)
    return "has infinite elements or NaN";
  facts.maxError = quantized->maxError;
  facts.meanError = quantized->meanError;
  facts.relativeError = quantized->relativeError;
  OpBuilder b(op);
  Location loc = op.getLoc();
  WeightOrder order(type.getShape(), groups, weight.summed,
                    isa<tx::DotGeneralOp>(weight.layer), format.dtype);
  Value values = constantOf(b, loc, order.arrange(quantized->values));
  Value scales = constantOf(b, loc, order.arrange(quantized->scales));
  Value wide = tx::DequantizeOp::create(
      b, loc,
      cast<RankedTensorType>(values.getType()).clone(type.getElementType()),
      values, scales, /*zero_point=*/Value());
  op->replaceUsesWithIf(ValueRange(order.restore(b, loc, wide)), isFactor);
  if (op.use_empty())
    op.erase();
  else
    facts.bytesAfter += facts.bytesBefore;
  return "";
}

std::vector<WeightFacts> quantizeWeights(func::FuncOp function,
                                         WeightFormat format) {
  std::vector<WeightFacts> all;
  for (auto &[op, weight] : findWeights(function)) {
    auto constant = cast<tx::ConstantOp>(op);
    auto type = cast<RankedTensorType>(constant.getType());
    WeightFacts facts;
    facts.layer = nameOf(weight.layer->getLoc());
    facts.name = nameOf(constant.getLoc());
    std::optional<DType> dtype = tx::dtypeOf(type.getElementType());
    facts.type = dtype ? reference::typeString(*dtype, type.getShape()) : "?";
    facts.bytesBefore = dtype ? tx::bytesOf(*dtype, type.getNumElements()) : 0;
    facts.keptBecause = replace(constant, weight, format, facts);
    if (!facts.keptBecause.empty())
      facts.bytesAfter = facts.bytesBefore;
    all.push_back(std::move(facts));
  }
  return all;
}

} // namespace tensorc::compiler
