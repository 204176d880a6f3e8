//===- Contractions.cpp - StableHLO's dot_general and convolution ---------===//

#include "compiler/frontends/stablehlo/Words.h"

#include "ir/library/Library.h"
#include "ir/tx/ops/ProductPrecision.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Returns the dtype to which operands can be converted without changing the
/// bits of the product: the result's dtype, unless the operands are wider.
static std::optional<DType> productDType(Call &call) {
  std::optional<DType> result = call.declaredDType();
  if (!result)
    return std::nullopt;
  DType widest = *result;
  for (Value value : call.x) {
    DType dtype = dtypeOf(value);
    if (dtype == DType::I1 || tx::isFloat(dtype) != tx::isFloat(widest))
      widest = widest == DType::I1 ? DType::I32 : widest;
    else if (tx::byteWidth(dtype) > tx::byteWidth(widest))
      widest = dtype;
  }
  return widest;
}

/// A sum of products of booleans is true if any product is true.
static Value toDType(TensorBuilder &b, Value x, DType dtype) {
  return dtype == DType::I1 ? b.notEqual(x, 0) : b.convert(x, dtype);
}

static bool areDims(ArrayRef<int64_t> dims, int64_t rank) {
  return llvm::all_of(dims,
                      [&](int64_t dim) { return dim >= 0 && dim < rank; });
}

static Results contract(Call &call, const shape::DotNumbers &numbers) {
  Value x = call.x[0], y = call.x[1];
  if (!areDims(numbers.xBatch, rankOf(x)) ||
      !areDims(numbers.xContracting, rankOf(x)) ||
      !areDims(numbers.yBatch, rankOf(y)) ||
      !areDims(numbers.yContracting, rankOf(y)))
    return call.refuse() << "has no such dimensions";
  auto rule = shape::inferDot(dimsOf(x), dimsOf(y), numbers);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  std::optional<DType> dtype = productDType(call);
  if (!dtype)
    return failure();
  TensorBuilder &b = call.b;
  auto isF8 = [](Value v) {
    return tx::isStorage(dtypeOf(v)) && tx::isFloat(dtypeOf(v));
  };
  if (*dtype == DType::F32 && isF8(x) && isF8(y))
    return Values{b.dot(x, y, numbers)};
  Value product = b.dot(b.convert(x, *dtype), b.convert(y, *dtype), numbers);
  if (*dtype == DType::F32 && multipliesTF32(call.attribute("algorithm")))
    product.getDefiningOp()->setAttr(tx::roundsToTF32Attr, b.b.getUnitAttr());
  return Values{toDType(b, product, *call.declaredDType())};
}

static Results dotGeneral(Call &call) {
  Attribute dims = call.attribute("dot_dimension_numbers");
  auto xBatch = fieldIn(dims, "lhs_batching_dimensions");
  auto yBatch = fieldIn(dims, "rhs_batching_dimensions");
  auto xContracting = fieldIn(dims, "lhs_contracting_dimensions");
  auto yContracting = fieldIn(dims, "rhs_contracting_dimensions");
  if (!xBatch || !yBatch || !xContracting || !yContracting)
    return call.refuse() << "needs dot_dimension_numbers";
  return contract(call, {*xBatch, *yBatch, *xContracting, *yContracting});
}

/// Converts a product of matrices or vectors.
static Results dot(Call &call) {
  int64_t last = rankOf(call.x[0]) - 1;
  return contract(call, {{}, {}, {last}, {0}});
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
struct ConvolutionNumbers {
  ConvolutionDims dims;
  NumberList strides, low, high, inputDilations, dilations, reversal;
  int64_t groups, batchGroups;
};
} // namespace

static std::optional<ConvolutionNumbers> convolutionOf(Call &call) {
  auto dims = convolutionIn(call.attribute("dimension_numbers"));
  int64_t rank = dims ? dims->input.spatial.size() : 0;
  if (!dims || rank + 2 != rankOf(call.x[0]) || rank + 2 != rankOf(call.x[1]))
    return call.refuse() << "needs dimension_numbers of its operands",
           std::nullopt;
  auto strides = call.numbers("window_strides", rank, 1);
  auto padding = call.numbers("padding", 2 * rank, 0);
  auto inputDilations = call.numbers("lhs_dilation", rank, 1);
  auto dilations = call.numbers("rhs_dilation", rank, 1);
  auto reversal = call.numbers("window_reversal", rank, 0);
  auto groups = call.number("feature_group_count");
  auto batchGroups = call.number("batch_group_count");
  if (!strides || !padding || !inputDilations || !dilations || !reversal ||
      !groups || !batchGroups)
    return std::nullopt;
  ConvolutionNumbers numbers{*dims,     *strides,        {},
                             {},        *inputDilations, *dilations,
                             *reversal, *groups,         *batchGroups};
  for (int64_t i : llvm::seq<int64_t>(0, rank)) {
    numbers.low.push_back((*padding)[2 * i]);
    numbers.high.push_back((*padding)[2 * i + 1]);
  }
  return numbers;
}

/// Returns the dims in the order first, second, spatial.
static SmallVector<int64_t> orderOf(const ImageDims &dims) {
  SmallVector<int64_t> order{dims.first, dims.second};
  llvm::append_range(order, dims.spatial);
  return order;
}

/// Converts batch groups, which are groups of images with separate kernels, to
/// feature groups.
static Value batchToChannels(TensorBuilder &b, Value x, int64_t groups) {
  SmallVector<Dim> dims(dimsOf(x));
  dims[0] = shape::floorDiv(dims[0], groups);
  dims.insert(dims.begin(), Dim(groups));
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  std::swap(order[0], order[1]);
  Value grouped = b.transpose(b.reshape(x, dims), order);
  SmallVector<Dim> joined(dimsOf(x));
  joined[0] = dims[1];
  joined[1] = joined[1] * groups;
  return b.reshape(grouped, joined);
}

/// Adds a spatial dim of size 1 to a convolution without spatial dims, which is
/// a matrix product.
static void addDim(TensorBuilder &b, ConvolutionNumbers &numbers, Value &x,
                   Value &kernel) {
  for (Value *value : {&x, &kernel}) {
    SmallVector<Dim> dims(dimsOf(*value));
    dims.push_back(1);
    *value = b.reshape(*value, dims);
  }
  for (NumberList *list :
       {&numbers.strides, &numbers.inputDilations, &numbers.dilations})
    list->assign(1, 1);
  for (NumberList *list : {&numbers.low, &numbers.high, &numbers.reversal})
    list->assign(1, 0);
}

static Results convolution(Call &call) {
  std::optional<ConvolutionNumbers> numbers = convolutionOf(call);
  std::optional<DType> dtype = productDType(call);
  if (!numbers || !dtype)
    return failure();
  TensorBuilder &b = call.b;
  const ConvolutionDims &dims = numbers->dims;
  Value x = b.transpose(b.convert(call.x[0], *dtype), orderOf(dims.input));
  Value kernel =
      b.transpose(b.convert(call.x[1], *dtype), orderOf(dims.kernel));
  int64_t rank = dims.input.spatial.size(), groups = numbers->groups;
  if (rank == 0) {
    addDim(b, *numbers, x, kernel);
    rank = 1;
  }
  if (groups < 1 || numbers->batchGroups < 1 ||
      (groups > 1 && numbers->batchGroups > 1) ||
      shape::divides(numbers->batchGroups, dimsOf(x)[0]) != true)
    return call.refuse() << "has wrong numbers of groups";
  if (numbers->batchGroups > 1) {
    groups = numbers->batchGroups;
    x = batchToChannels(b, x, groups);
  }
  SmallVector<int64_t> mirrored, sizes, none(rank, 0), ones(rank, 1);
  for (int64_t i : llvm::seq<int64_t>(0, rank)) {
    if (!dimsOf(kernel)[i + 2].isNumber())
      return call.refuse() << "has a kernel of the named size "
                           << shape::toString(dimsOf(kernel)[i + 2]);
    sizes.push_back(*dimsOf(kernel)[i + 2].number());
    if (numbers->reversal[i] && sizes.back() > 1)
      mirrored.push_back(i + 2);
  }
  if (!mirrored.empty())
    kernel = b.reverse(kernel, mirrored);
  // Negative padding becomes a separate pad op.
  auto isNegative = [](int64_t number) { return number < 0; };
  if (llvm::any_of(numbers->low, isNegative) ||
      llvm::any_of(numbers->high, isNegative)) {
    SmallVector<int64_t> low{0, 0}, high{0, 0}, interior{0, 0};
    for (int64_t i : llvm::seq<int64_t>(0, rank)) {
      low.push_back(numbers->low[i]);
      high.push_back(numbers->high[i]);
      interior.push_back(numbers->inputDilations[i] - 1);
    }
    auto rule = shape::inferPad(dimsOf(x), {low, high, interior});
    if (rule.isRefused())
      return call.refuse() << rule.refusal;
    x = b.pad(x, low, high, interior, 0);
    numbers->low = numbers->high = none;
    numbers->inputDilations = ones;
  }
  if (llvm::is_contained(dimsOf(x).drop_front(2), Dim(0)) &&
      call.declared().hasStaticShape()) // all padding
    return Values{
        b.full(0, *call.declaredDType(),
               SmallVector<Dim>(shape::dimsOf(call.declared().getShape())))};
  SmallVector<int64_t> order = orderOf(dims.output), back(order.size());
  if (call.declared().getRank() != static_cast<int64_t>(order.size()))
    return call.refuse() << "has a result of other dimensions";
  for (auto [i, dim] : llvm::enumerate(order))
    back[dim] = static_cast<int64_t>(i);
  // Along a dim into which the kernel does not fit, the result has no element.
  SmallVector<int64_t> emptyDims;
  for (int64_t i : llvm::seq<int64_t>(0, rank)) {
    std::optional<int64_t> size = dimsOf(x)[i + 2].number();
    if (!size)
      continue;
    int64_t dilated =
        *size == 0 ? 0 : (*size - 1) * numbers->inputDilations[i] + 1;
    int64_t missing = (sizes[i] - 1) * numbers->dilations[i] + 1 - dilated -
                      numbers->low[i] - numbers->high[i];
    if (missing > 0) {
      numbers->high[i] += missing;
      emptyDims.push_back(i + 2);
    }
  }
  auto result = tx::ConvOp::create(
      b.b, b.loc, x.getType(), x, kernel, Value(), /*channels_last=*/false,
      groups, sizes, numbers->strides, numbers->dilations, numbers->low,
      numbers->high, numbers->inputDilations);
  auto rule = tx::inferComposite(result, {dimsOf(x), dimsOf(kernel)});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  result.getResult().setType(cast<RankedTensorType>(
      tx::tensorType(rule.dims, typeOf(x).getElementType())));
  Value all = result;
  if (!emptyDims.empty()) {
    SmallVector<Dim> none(rule.dims);
    for (int64_t dim : emptyDims)
      none[dim] = 0;
    all = b.full(0, *dtype, none);
  }
  if (dims.input.spatial.empty())
    all = b.reshape(all, dimsOf(all).take_front(2));
  return Values{toDType(b, b.transpose(all, back), *call.declaredDType())};
}

void addContractions(Table &table) {
  table["stablehlo.dot_general"] = Row{dotGeneral, 2, 2};
  table["stablehlo.dot"] = Row{dot, 2, 2};
  table["stablehlo.convolution"] = Row{convolution, 2, 2};
}

} // namespace tensorc::stablehlo
