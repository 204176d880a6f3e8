//===- QuantizeWeights.cpp - Weights become narrow integers and scales ----===//

#include "compiler/quantize/QuantizeWeights.h"
#include "compiler/quantize/Quantized.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

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

/// What divides the size, is at most the group asked for and at least
/// a quarter of it; else the whole.
static int64_t groupThatDivides(int64_t size, int64_t group) {
  if (group == 0 || size <= group)
    return size;
  for (int64_t part = group; part >= 2 && part * 4 >= group; --part)
    if (size % part == 0)
      return part;
  return size;
}

//===----------------------------------------------------------------------===//
// Which constants are weights
//===----------------------------------------------------------------------===//

namespace {
/// An operand of a contraction, and which of its dims are summed over; the
/// groups run along the last of them.
struct Factor {
  Value value;
  SmallVector<int64_t> summed;
};

/// A constant that is read as a factor, perhaps moved.
struct Weight {
  Operation *layer;
  SmallVector<int64_t> summed;
};
} // namespace

/// Kernels are O, C, spatial; transposed C, O, spatial; with channels last
/// spatial, C, O. The channels that are summed over come last here.
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

/// The constant that the factor is, through ops that move its elements; the
/// dims become those of the constant.
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

/// Whether all that is read here is a factor.
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
// Facts, and the constants
//===----------------------------------------------------------------------===//

/// The name of a node or tensor, or `line 12`.
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

static Value constant(OpBuilder &b, Location loc, const Array &array) {
  std::vector<uint8_t> bytes = reference::pack(array);
  auto type = RankedTensorType::get(
      array.shape, tx::elementType(b.getContext(), array.dtype));
  ArrayRef<char> raw(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
  // Kernels hold few elements themselves.
  static constexpr int64_t maxInline = 64;
  ElementsAttr value =
      array.size() <= maxInline && !tx::isPacked(array.dtype)
          ? cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, raw))
          : cast<ElementsAttr>(DenseResourceElementsAttr::get(
                type, "quantized",
                HeapAsmResourceBlob::allocateAndCopyWithAlign(raw, 64)));
  return tx::ConstantOp::create(b, loc, type, value);
}

//===----------------------------------------------------------------------===//
// The order of the elements in memory
//===----------------------------------------------------------------------===//

namespace {
/// How a weight lies in memory, and the ops that give its own order back. A
/// contraction reads its result's dims innermost, for lanes that run over them.
/// The 4 bits of a byte are elements half a group, or half the kernels, apart:
/// two rows of bytes become twice as many rows of elements by shifts alone.
///
///   k, n -> k / group, group / 2, n, 2     (the dim k of a contraction)
///   o, c -> o / 2, c, 2                    (the dim o of a convolution)
class Order {
public:
  /// `groups`: how many elements of each dim share a scale.
  Order(ArrayRef<int64_t> shape, ArrayRef<int64_t> groups, const Weight &weight,
        DType dtype);

  /// Values or scales in this order; these are in the weight's.
  Array arrange(const Array &from) const;
  /// The weight in its own order.
  Value restore(OpBuilder &b, Location loc, Value x) const;

private:
  SmallVector<int64_t> shape, dims;
  /// Where among `dims` the one is whose halves share bytes; -1: none.
  int64_t split = -1;
  /// Halves of each of its groups, or of the whole.
  bool isGrouped = false;
  int64_t parts = 1;
};
} // namespace

Order::Order(ArrayRef<int64_t> shape, ArrayRef<int64_t> groups,
             const Weight &weight, DType dtype)
    : shape(shape) {
  bool isDot = isa<tx::DotGeneralOp>(weight.layer);
  if (isDot)
    dims = weight.summed;
  for (int64_t d : llvm::seq<int64_t>(0, shape.size()))
    if (!llvm::is_contained(dims, d))
      dims.push_back(d);
  if (!tx::isPacked(dtype))
    return;
  int64_t count = weight.summed.size();
  if (isDot && count > 0 && groups[dims[count - 1]] % 2 == 0) {
    split = count - 1;
    isGrouped = true;
    parts = shape[dims[split]] / groups[dims[split]];
  } else if (!isDot) {
    // The dims are in their own order here.
    split = llvm::find_if(dims,
                          [&](int64_t d) {
                            return !llvm::is_contained(weight.summed, d);
                          }) -
            dims.begin();
    if (shape[split] % 2)
      split = -1;
  }
}

/// One dim of what is arranged: how many elements, and how far apart they are.
struct Step {
  int64_t size, stride;
};

/// The elements that the steps lead to, the last one innermost.
static Array collect(const Array &from, ArrayRef<Step> steps) {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(steps, [](Step step) { return step.size; });
  Array to = *Array::create(from.dtype, shape);
  int64_t width = tx::byteWidth(from.dtype), at = 0;
  // The last two dims by plain loops: the last one may have two elements.
  size_t plain = std::min<size_t>(steps.size(), 2);
  Step rows = plain == 2 ? steps[steps.size() - 2] : Step{1, 0};
  Step columns = plain ? steps.back() : Step{1, 0};
  int64_t inner = rows.size * columns.size;
  SmallVector<int64_t> outer(ArrayRef(shape).drop_back(plain));
  reference::forEachIndex(outer, [&](int64_t, ArrayRef<int64_t> index) {
    int64_t start = 0;
    for (auto [i, step] : llvm::zip(index, steps))
      start += i * step.stride;
    for (int64_t i = 0; i < inner; ++i) {
      int64_t row = i / columns.size, column = i % columns.size;
      std::copy_n(from.at(start + row * rows.stride + column * columns.stride),
                  width, to.at(at++));
    }
  });
  return to;
}

Array Order::arrange(const Array &from) const {
  SmallVector<int64_t> strides = reference::stridesOf(from.shape);
  SmallVector<Step> steps;
  Step halves{0, 0};
  for (auto [i, d] : llvm::enumerate(dims)) {
    Step step{from.shape[d], strides[d]};
    if (static_cast<int64_t>(i) != split) {
      steps.push_back(step);
      continue;
    }
    // Of a group there is one scale.
    int64_t half = shape[d] / parts / 2, each = step.size / parts;
    if (isGrouped)
      steps.push_back({parts, each * step.stride});
    halves = {each == 1 ? 1 : 2, half * step.stride};
    steps.push_back({each == 1 ? 1 : half, step.stride});
  }
  if (halves.size)
    steps.push_back(halves);
  return collect(from, steps);
}

Value Order::restore(OpBuilder &b, Location loc, Value x) const {
  builder::TensorBuilder t(b, loc);
  int64_t rank = dims.size();
  SmallVector<int64_t> own(rank);
  for (auto [i, d] : llvm::enumerate(dims))
    own[d] = i;
  if (split >= 0) {
    int64_t last = builder::rankOf(x) - 1;
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, last));
    order.insert(order.begin() + split + isGrouped, last);
    SmallVector<shape::Dim> merged;
    for (int64_t d : dims)
      merged.push_back(shape[d]);
    x = t.reshape(t.transpose(x, order), merged);
  }
  return llvm::is_sorted(own) ? x : t.transpose(x, own);
}

/// Why the constant stays as it is; empty: it has been replaced.
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
  Order order(type.getShape(), groups, weight, format.dtype);
  Value values = constant(b, loc, order.arrange(quantized->values));
  Value scales = constant(b, loc, order.arrange(quantized->scales));
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
