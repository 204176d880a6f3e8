//===- Shapes.cpp - StableHLO's ops that create and rearrange elements ----===//

#include "compiler/frontends/stablehlo/Words.h"
#include "ir/builder/NamedSlices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::stablehlo {

static RankedTensorType ofType(Dims dims, Value like) {
  return tx::tensorType(dims, typeOf(like).getElementType());
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// Makes an op with the result type that the text declares. The op's verifier
/// checks the type.
template <typename Op, typename... Arguments>
static Results make(Call &call, Arguments &&...arguments) {
  RankedTensorType type = call.declared();
  if (!type || !type.hasStaticShape() || !call.declaredDType())
    return call.refuse() << "has a result of type "
                         << call.op->getResult(0).getType()
                         << ", whose sizes it does not say";
  return Values{Op::create(call.b.b, call.b.loc, type,
                           std::forward<Arguments>(arguments)...)};
}

static Results broadcastInDim(Call &call) {
  Value x = call.x[0];
  auto places = call.numbers("broadcast_dimensions", rankOf(x));
  if (!places)
    return failure();
  RankedTensorType type = call.declared();
  if (call.lifted) // a single element, which the op's users broadcast
    return Values{x};
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  llvm::sort(order,
             [&](int64_t a, int64_t b) { return (*places)[a] < (*places)[b]; });
  x = call.b.transpose(x, order);
  llvm::sort(*places);
  if (type && type.getShape() == typeOf(x).getShape() &&
      llvm::equal(*places, llvm::seq<int64_t>(0, rankOf(x))))
    return Values{x};
  return make<tx::BroadcastOp>(call, x, *places);
}

static Results reshape(Call &call) {
  RankedTensorType type = call.declared();
  if (type && type == call.x[0].getType())
    return Values{call.x[0]};
  return make<tx::ReshapeOp>(call, call.x[0]);
}

static Results transpose(Call &call) {
  auto permutation = call.numbers("permutation", rankOf(call.x[0]));
  if (!permutation)
    return failure();
  auto rule = shape::inferTranspose(dimsOf(call.x[0]), *permutation);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return Values{call.b.transpose(call.x[0], *permutation)};
}

static Results slice(Call &call) {
  size_t rank = rankOf(call.x[0]);
  auto starts = call.numbers("start_indices", rank);
  auto limits = call.numbers("limit_indices", rank);
  auto strides = call.numbers("strides", rank);
  if (!starts || !limits || !strides)
    return failure();
  SmallVector<Dim> dims;
  for (size_t i = 0; i < rank; ++i) {
    if ((*strides)[i] < 1 || (*starts)[i] < 0 || (*limits)[i] < (*starts)[i])
      return call.refuse() << "has wrong limits or strides";
    dims.push_back(
        shape::ceilDiv(Dim((*limits)[i]) - (*starts)[i], (*strides)[i]));
  }
  return Values{call.b.slice(call.x[0], *starts, *strides, dims)};
}

static Results reverse(Call &call) {
  Value x = call.x[0];
  auto dims = call.numbers("dimensions");
  if (!dims)
    return failure();
  SmallVector<int64_t> numbers;
  for (int64_t dim : *dims) {
    if (dim < 0 || dim >= rankOf(x))
      return call.refuse() << "has no dimension " << dim;
    Dim size = dimsOf(x)[dim];
    if (!size.isNumber())
      x = builder::reverseAlong(call.b, x, dim);
    else if (shape::isLess(1, size) == true)
      numbers.push_back(dim);
  }
  return Values{numbers.empty() ? x : call.b.reverse(x, numbers)};
}

static Results pad(Call &call) {
  size_t rank = rankOf(call.x[0]);
  auto low = call.numbers("edge_padding_low", rank);
  auto high = call.numbers("edge_padding_high", rank);
  auto interior = call.numbers("interior_padding", rank);
  if (!low || !high || !interior)
    return failure();
  if (rankOf(call.x[1]) != 0)
    return call.refuse() << "needs one element as padding";
  auto isZero = [](int64_t number) { return number == 0; };
  if (llvm::all_of(*low, isZero) && llvm::all_of(*high, isZero) &&
      llvm::all_of(*interior, isZero))
    return Values{call.x[0]};
  auto rule = shape::inferPad(dimsOf(call.x[0]), {*low, *high, *interior});
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return Values{tx::PadOp::create(call.b.b, call.b.loc,
                                  ofType(rule.dims, call.x[0]), call.x[0],
                                  call.x[1], *low, *high, *interior)};
}

static Results concatenateAll(Call &call) {
  auto dim = call.number("dimension");
  if (!dim)
    return failure();
  if (call.x.size() == 1)
    return Values{call.x[0]};
  SmallVector<Dims> shapes;
  for (Value x : call.x)
    shapes.push_back(dimsOf(x));
  auto rule = shape::inferConcatenate(shapes, *dim);
  if (rule.isRefused())
    return call.refuse() << rule.refusal;
  return Values{call.b.concatenate(call.x, *dim)};
}

static Results iota(Call &call) {
  auto dim = call.number("iota_dimension");
  std::optional<DType> dtype = call.declaredDType();
  if (!dim || !dtype)
    return failure();
  // For dtypes that tx.iota does not support, counts in a wider dtype and
  // converts.
  if (tx::isPacked(*dtype) || tx::isComplex(*dtype))
    return Values{call.b.convert(
        call.b.iota(DType::I64, tx::dimsOf(call.declared()), *dim), *dtype)};
  return make<tx::IotaOp>(call, *dim);
}

/// Returns the unsigned dtype in which so many bits are computed.
static DType wordOf(int64_t bits) {
  return bits <= 8    ? DType::UI8
         : bits == 16 ? DType::UI16
         : bits == 32 ? DType::UI32
                      : DType::UI64;
}

/// Returns the bits as unsigned integers.
static Value bitsOf(TensorBuilder &b, Value x) {
  DType dtype = dtypeOf(x);
  if (!tx::isPacked(dtype))
    return b.bitcast(x, wordOf(tx::bitWidth(dtype)));
  Value wide = tx::isUnsigned(dtype)
                   ? b.convert(x, DType::UI8)
                   : b.bitcast(b.convert(x, DType::I8), DType::UI8);
  return b.map<tx::AndOp>({wide, 15});
}

/// Returns the elements of a dtype that have these bits.
static Value fromBits(TensorBuilder &b, Value bits, DType dtype) {
  if (!tx::isPacked(dtype))
    return b.bitcast(bits, dtype);
  if (tx::isUnsigned(dtype))
    return b.convert(bits, dtype);
  Value high = b.bitcast(b.map<tx::ShlOp>({bits, 4}), DType::I8);
  return b.convert(b.map<tx::ShrArithOp>({high, 4}), dtype);
}

/// Splits wide elements into parts along a new last dim, the lowest bits first.
static Value split(TensorBuilder &b, Value x, DType dtype) {
  int64_t width = tx::bitWidth(dtype), wide = tx::bitWidth(dtypeOf(x));
  SmallVector<Dim> dims(dimsOf(x));
  dims.push_back(1);
  Value words = b.reshape(bitsOf(b, x), dims);
  dims.back() = wide / width;
  Value shift = b.mul(b.iota(wordOf(wide), dims, dims.size() - 1), width);
  Value parts = b.map<tx::ShrLogicalOp>({words, shift});
  if (tx::isPacked(dtype))
    parts = b.map<tx::AndOp>({parts, 15});
  return fromBits(b, b.convert(parts, wordOf(width)), dtype);
}

/// Joins the parts along the last dim to wide elements, the lowest bits first.
static Value join(TensorBuilder &b, Value x, DType dtype) {
  int64_t width = tx::bitWidth(dtypeOf(x)), wide = tx::bitWidth(dtype);
  int64_t last = rankOf(x) - 1;
  Value words = b.convert(bitsOf(b, x), wordOf(wide));
  Value shift = b.mul(b.iota(wordOf(wide), dimsOf(x), last), width);
  return b.bitcast(b.sum(b.map<tx::ShlOp>({words, shift}), last), dtype);
}

static Results bitcastConvert(Call &call) {
  std::optional<DType> dtype = call.declaredDType();
  if (!dtype)
    return failure();
  Value x = call.x[0];
  DType from = dtypeOf(x);
  if (from == *dtype)
    return Values{x};
  for (Type type :
       {call.op->getOperand(0).getType(), call.op->getResult(0).getType()})
    if (Type element = getElementTypeOrSelf(type);
        element.isInteger(1) || isTwoBits(element))
      return call.refuse() << "is not available for " << element;
  int64_t width = tx::bitWidth(from), wanted = tx::bitWidth(*dtype);
  if (width == wanted)
    return Values{fromBits(call.b, bitsOf(call.b, x), *dtype)};
  if (width > wanted)
    return Values{split(call.b, x, *dtype)};
  if (rankOf(x) == 0 || dimsOf(x).back() != Dim(wanted / width))
    return call.refuse() << "needs " << wanted / width
                         << " elements along the last dimension";
  return Values{join(call.b, x, *dtype)};
}

static Results identity(Call &call) {
  return Values(call.x.begin(), call.x.end());
}

void addShapeOps(Table &table) {
  auto add = [&](StringRef name, Handler handler, unsigned least,
                 unsigned most) {
    table[("stablehlo." + name).str()] = Row{handler, least, most};
  };
  add("broadcast_in_dim", broadcastInDim, 1, 1);
  table["stablehlo.broadcast_in_dim"].isLiftable = true;
  add("reshape", reshape, 1, 1);
  add("transpose", transpose, 1, 1);
  add("slice", slice, 1, 1);
  add("reverse", reverse, 1, 1);
  add("pad", pad, 2, 2);
  add("concatenate", concatenateAll, 1, anyCount);
  add("iota", iota, 0, 0);
  add("bitcast_convert", bitcastConvert, 1, 1);
  add("optimization_barrier", identity, 0, anyCount);
}

} // namespace tensorc::stablehlo
