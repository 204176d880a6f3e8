//===- TensorBuilder.cpp - Creates tx ops ---------------------------------===//

#include "ir/builder/TensorBuilder.h"

#include "ir/tx/Complex.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::builder {

RankedTensorType typeOf(Value x) { return cast<RankedTensorType>(x.getType()); }
DType dtypeOf(Value x) { return *tx::dtypeOf(typeOf(x).getElementType()); }
Dims dimsOf(Value x) { return tx::dimsOf(typeOf(x)); }
int64_t rankOf(Value x) { return typeOf(x).getRank(); }

DType wideOf(DType dtype) {
  return tx::isFloat(dtype) && tx::byteWidth(dtype) == 2 ? DType::F32 : dtype;
}

SmallVector<int64_t> allDimsBut(int64_t rank, Numbers dims) {
  SmallVector<int64_t> result;
  for (int64_t dim : llvm::seq<int64_t>(0, rank))
    if (!llvm::is_contained(dims, dim))
      result.push_back(dim);
  return result;
}

Type TensorBuilder::type(Dims dims, DType dtype) {
  return tx::tensorType(dims, tx::elementType(b.getContext(), dtype));
}

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

/// Returns the dtype that two floats promote to. Other dtypes must be equal.
static DType promote(DType x, DType y) {
  if (x == y)
    return x;
  assert(tx::isFloat(x) && tx::isFloat(y) && "convert first");
  if (tx::byteWidth(x) == tx::byteWidth(y))
    return DType::F32; // f16 and bf16
  return tx::byteWidth(x) > tx::byteWidth(y) ? x : y;
}

static SmallVector<Dim> commonDims(ArrayRef<Operand> operands) {
  SmallVector<Dim> common;
  for (In operand : operands) {
    if (!operand.value)
      continue;
    Dims dims = dimsOf(operand.value);
    if (dims.size() > common.size())
      common.insert(common.begin(), dims.size() - common.size(), Dim(1));
    for (auto [all, dim] :
         llvm::zip(MutableArrayRef(common).take_back(dims.size()), dims))
      if (all == 1)
        all = dim;
  }
  return common;
}

static DType commonDType(ArrayRef<Operand> operands) {
  std::optional<DType> common;
  for (In operand : operands)
    if (operand.value)
      common = common ? promote(*common, dtypeOf(operand.value))
                      : dtypeOf(operand.value);
  assert(common && "numbers alone have no dtype");
  return *common;
}

Value TensorBuilder::make(StringRef name, ArrayRef<Operand> operands,
                          bool isTest) {
  SmallVector<Dim> dims = commonDims(operands);
  DType dtype = commonDType(operands);
  OperationState state(loc, name);
  for (In operand : operands)
    state.addOperands(operand.value
                          ? broadcast(convert(operand.value, dtype), dims)
                          : full(operand, dtype, dims));
  state.addTypes(type(dims, isTest ? DType::I1 : dtype));
  return b.create(state)->getResult(0);
}

Value TensorBuilder::select(Value predicate, In x, In y) {
  SmallVector<Dim> dims = commonDims({predicate, x, y});
  DType dtype = commonDType({x, y});
  auto fit = [&](In operand) {
    return operand.value ? broadcast(convert(operand.value, dtype), dims)
                         : full(operand, dtype, dims);
  };
  Value first = fit(x), second = fit(y);
  return tx::SelectOp::create(b, loc, type(dims, dtype),
                              broadcast(predicate, dims), first, second);
}

Value TensorBuilder::convert(Value x, DType dtype) {
  if (dtypeOf(x) == dtype)
    return x;
  return tx::ConvertOp::create(b, loc, type(dimsOf(x), dtype), x);
}

Value TensorBuilder::bitcast(Value x, DType dtype) {
  return tx::BitcastOp::create(b, loc, type(dimsOf(x), dtype), x);
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

Value TensorBuilder::full(In number, DType dtype, Dims dims) {
  if (tx::isComplex(dtype)) {
    Value re = full(number, tx::planeOf(dtype));
    Value im = full(0.0, tx::planeOf(dtype));
    Value both = tx::ComplexOp::create(b, loc, type({}, dtype), re, im);
    return broadcast(both, dims);
  }
  Type element = tx::elementType(b.getContext(), dtype);
  Attribute value;
  if (auto format = dyn_cast<FloatType>(element)) {
    APFloat rounded(number.isReal ? number.real
                                  : static_cast<double>(number.integer));
    bool lost;
    rounded.convert(format.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &lost);
    value = b.getFloatAttr(format, rounded);
  } else {
    assert(!number.isReal && "a real number is not an integer");
    value = b.getIntegerAttr(element, number.integer);
  }
  auto scalar = RankedTensorType::get({}, element);
  Value one = tx::ConstantOp::create(b, loc, scalar,
                                     DenseElementsAttr::get(scalar, value));
  return broadcast(one, dims);
}

Value TensorBuilder::iota(DType dtype, Dims dims, int64_t dim) {
  return tx::IotaOp::create(b, loc, type(dims, dtype), dim);
}

Value TensorBuilder::size(Dim size, DType dtype) {
  return tx::SizeOp::create(b, loc, type({}, dtype),
                            tx::DimsAttr::get(b.getContext(), size));
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

Value TensorBuilder::broadcast(Value x, Dims dims) {
  if (dimsOf(x) == dims)
    return x;
  int64_t skipped = static_cast<int64_t>(dims.size()) - rankOf(x);
  auto places =
      llvm::to_vector(llvm::seq<int64_t>(skipped, skipped + rankOf(x)));
  return tx::BroadcastOp::create(b, loc, type(dims, dtypeOf(x)), x, places);
}

Value TensorBuilder::reshape(Value x, Dims dims) {
  if (dimsOf(x) == dims)
    return x;
  return tx::ReshapeOp::create(b, loc, type(dims, dtypeOf(x)), x);
}

Value TensorBuilder::transpose(Value x, Numbers permutation) {
  if (llvm::is_sorted(permutation))
    return x;
  auto dims = shape::inferTranspose(dimsOf(x), permutation).dims;
  return tx::TransposeOp::create(b, loc, type(dims, dtypeOf(x)), x,
                                 permutation);
}

Value TensorBuilder::pad(Value x, Numbers low, Numbers high, Numbers interior,
                         In value) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero) &&
      llvm::all_of(interior, isZero))
    return x;
  auto dims = shape::inferPad(dimsOf(x), {low, high, interior}).dims;
  return tx::PadOp::create(b, loc, type(dims, dtypeOf(x)), x,
                           full(value, dtypeOf(x)), low, high, interior);
}

Value TensorBuilder::windows(Value x, Numbers dims, Numbers sizes,
                             Numbers strides, Numbers dilations) {
  auto result =
      shape::inferWindows(dimsOf(x), {dims, sizes, strides, dilations}).dims;
  return tx::WindowsOp::create(b, loc, type(result, dtypeOf(x)), x, dims, sizes,
                               strides, dilations);
}

Value TensorBuilder::slice(Value x, Numbers offsets, Numbers strides,
                           Dims sizes) {
  return tx::SliceOp::create(b, loc, type(sizes, dtypeOf(x)), x, ValueRange(),
                             offsets, strides);
}

Value TensorBuilder::sliceAlong(Value x, int64_t dim, int64_t offset, Dim size,
                                int64_t stride) {
  SmallVector<Dim> dims(dimsOf(x));
  if (offset == 0 && stride == 1 && dims[dim] == size)
    return x;
  dims[dim] = size;
  SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
  offsets[dim] = offset;
  strides[dim] = stride;
  return slice(x, offsets, strides, dims);
}

Value TensorBuilder::reverse(Value x, Numbers dims) {
  SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
  for (int64_t dim : dims) {
    offsets[dim] = *dimsOf(x)[dim].number() - 1;
    strides[dim] = -1;
  }
  return slice(x, offsets, strides, dimsOf(x));
}

Value TensorBuilder::concatenate(ArrayRef<Value> parts, int64_t dim) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Dim> dims(dimsOf(parts.front()));
  for (Value part : parts.drop_front())
    dims[dim] = dims[dim] + dimsOf(part)[dim];
  return tx::ConcatenateOp::create(b, loc, type(dims, dtypeOf(parts.front())),
                                   parts, dim);
}

Value TensorBuilder::take(Value x, Value indices, int64_t dim) {
  int64_t rank = rankOf(x);
  SmallVector<int64_t> sizes(rank, -1), offsets = allDimsBut(rank, dim);
  sizes[dim] = 1;
  SmallVector<Dim> dims(dimsOf(x));
  dims[dim] = dimsOf(indices)[0];
  return tx::GatherOp::create(b, loc, type(dims, dtypeOf(x)), x, indices,
                              offsets, dim, dim, 1, sizes);
}

Value TensorBuilder::flatIndices(Dims dims, Value indices, int64_t dim) {
  Value flat = full(0, DType::I64, dimsOf(indices));
  Dim stride = 1;
  for (int64_t i = rankOf(indices) - 1; i >= 0; --i) {
    Value place = i == dim ? indices : iota(DType::I64, dimsOf(indices), i);
    flat = add(flat, mul(place, size(stride, DType::I64)));
    stride = stride * dims[i];
  }
  return flat;
}

Value TensorBuilder::takeAlong(Value x, Value indices, int64_t dim) {
  Value flat = flatIndices(dimsOf(x), indices, dim);
  Value elements = reshape(x, shape::product(dimsOf(x)));
  return tx::GatherOp::create(
      b, loc, type(dimsOf(indices), dtypeOf(x)), elements, flat,
      /*offset_dims=*/ArrayRef<int64_t>(),
      /*collapsed_slice_dims=*/ArrayRef<int64_t>(0),
      /*start_index_map=*/ArrayRef<int64_t>(0),
      /*index_vector_dim=*/rankOf(indices), ArrayRef<int64_t>(1));
}

Value TensorBuilder::addAlong(Dims dims, Value updates, Value indices,
                              int64_t dim) {
  Value flat = flatIndices(dims, indices, dim);
  Value zeros = full(0, dtypeOf(updates), shape::product(dims));
  Value sums = tx::ScatterOp::create(
      b, loc, zeros.getType(), zeros, flat, updates, tx::UpdateKind::Add,
      /*update_window_dims=*/ArrayRef<int64_t>(),
      /*inserted_window_dims=*/ArrayRef<int64_t>(0),
      /*scatter_dims_to_operand_dims=*/ArrayRef<int64_t>(0),
      /*index_vector_dim=*/rankOf(indices));
  return reshape(sums, dims);
}

Value TensorBuilder::alongDim(Value x, int64_t dim, int64_t rank) {
  SmallVector<Dim> dims(rank - dim, Dim(1));
  dims[0] = dimsOf(x)[0];
  return reshape(x, dims);
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

Value TensorBuilder::makeReduction(StringRef name, Value x, Numbers dims,
                                   bool keepDims) {
  if (dims.empty())
    return x;
  OperationState state(loc, name);
  state.addOperands(x);
  state.addAttribute("dims", b.getDenseI64ArrayAttr(dims));
  state.addTypes(
      type(shape::inferReduction(dimsOf(x), dims, false).dims, dtypeOf(x)));
  Value result = b.create(state)->getResult(0);
  if (!keepDims)
    return result;
  SmallVector<Dim> kept(dimsOf(x));
  for (int64_t dim : dims)
    kept[dim] = 1;
  return reshape(result, kept);
}

Value TensorBuilder::dot(Value x, Value y, const shape::DotNumbers &numbers,
                         std::optional<DType> result) {
  auto dims = shape::inferDot(dimsOf(x), dimsOf(y), numbers).dims;
  auto isF8 = [](Value v) {
    return tx::isStorage(dtypeOf(v)) && tx::isFloat(dtypeOf(v));
  };
  DType dtype = DType::F32;
  if (!isF8(x) || !isF8(y)) {
    dtype = promote(dtypeOf(x), dtypeOf(y));
    x = convert(x, dtype);
    y = convert(y, dtype);
  }
  return tx::DotGeneralOp::create(b, loc, type(dims, result.value_or(dtype)), x,
                                  y, numbers.xBatch, numbers.yBatch,
                                  numbers.xContracting, numbers.yContracting);
}

} // namespace tensorc::builder
