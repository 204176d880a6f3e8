//===- TxShape.cpp - Verifiers and folders of shape ops -------------------===//

#include "ir/tx/DType.h"
#include "ir/tx/Dims.h"
#include "ir/tx/IsolatedBody.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tensorc::tx {

static LogicalResult verifyNamed(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto t = dyn_cast<RankedTensorType>(type);
    if (t && !t.hasStaticShape() && !t.getEncoding())
      return op->emitOpError("dynamic dimensions must be named: write "
                             "tensor<?xf32, #tx.dims<[n]>>");
  }
  return success();
}

/// Products of two of these do not overflow.
static constexpr int64_t maxWindow = int64_t(1) << 31;

static LogicalResult verifySameElement(Operation *op, Value x, Value result) {
  if (getElementTypeOrSelf(x) == getElementTypeOrSelf(result))
    return verifyNamed(op);
  return op->emitOpError("result dtype ")
         << getElementTypeOrSelf(result) << " differs from the operand's "
         << getElementTypeOrSelf(x);
}

LogicalResult ConstantOp::verify() {
  if (isa<DenseElementsAttr>(getValue()))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource)
    return emitOpError("value must be dense or dense_resource");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return emitOpError("resource '")
           << resource.getRawHandle().getKey() << "' has no data";
  int64_t given = blob->getData().size();
  auto bytes = staticBytes(getType());
  if (!bytes)
    return emitOpError("has more bytes than memory");
  if (given != *bytes)
    return emitOpError("resource '")
           << resource.getRawHandle().getKey() << "' has " << given
           << " bytes, not " << *bytes;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult IotaOp::verify() {
  int64_t rank = getType().getRank(), dim = getDim();
  if (dim < 0 || dim >= rank)
    return emitOpError("dim ") << dim << " is outside rank " << rank;
  return verifyNamed(*this);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto in = getX().getType(), out = getType();
  if (static_cast<int64_t>(getDims().size()) != in.getRank())
    return emitOpError("dims lists ")
           << getDims().size() << " dimensions for an operand of rank "
           << in.getRank();
  DimSpace space(getContext());
  SmallVector<AffineExpr> from = space.dims(in), to = space.dims(out);
  int64_t last = -1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (dim <= last || dim >= out.getRank())
      return emitOpError("dims must increase strictly and lie inside rank ")
             << out.getRank();
    last = dim;
    if (from[i] != to[dim] && from[i] != space.constant(1))
      return emitOpError("cannot broadcast ")
             << shapeString(in) << " to " << shapeString(out);
  }
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// reshape, transpose
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  DimSpace space(getContext());
  AffineExpr from = space.product(space.dims(getX().getType()));
  AffineExpr to = space.product(space.dims(getType()));
  // Two products over names may be equal for all values that occur; only two
  // constants are certain to differ.
  if (isa<AffineConstantExpr>(from) && isa<AffineConstantExpr>(to) &&
      from != to)
    return emitOpError("cannot reshape ")
           << shapeString(getX().getType()) << " to " << shapeString(getType());
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    getXMutable().assign(inner.getX());
    return getResult();
  }
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX()))
    if (getType().hasStaticShape())
      return value.reshape(getType());
  return {};
}

LogicalResult TransposeOp::verify() {
  auto in = getX().getType(), out = getType();
  ArrayRef<int64_t> permutation = getPermutation();
  if (static_cast<int64_t>(permutation.size()) != in.getRank() ||
      !isPermutationVector(permutation))
    return emitOpError("permutation is not one of ")
           << in.getRank() << " dimensions";
  DimSpace space(getContext());
  SmallVector<AffineExpr> from = space.dims(in), to = space.dims(out);
  if (to.size() != from.size())
    return emitOpError("result has rank ")
           << out.getRank() << ", not " << in.getRank();
  for (auto [i, p] : llvm::enumerate(permutation))
    if (to[i] != from[p])
      return emitOpError("result shape ")
             << shapeString(out) << " is not the permuted " << shapeString(in);
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity =
      llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank()));
  if (identity)
    return getX();
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> composed;
    for (int64_t p : getPermutation())
      composed.push_back(inner.getPermutation()[p]);
    setPermutation(composed);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// slice, pad, concatenate
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  auto in = getX().getType(), out = getType();
  size_t rank = in.getRank();
  if (out.getRank() != in.getRank() || getStaticOffsets().size() != rank ||
      getStrides().size() != rank)
    return emitOpError("needs one offset, stride and result dimension for each "
                       "of ")
           << rank << " dimensions";
  size_t dynamic = llvm::count(getStaticOffsets(), ShapedType::kDynamic);
  if (dynamic != getOffsets().size())
    return emitOpError("has ") << getOffsets().size() << " offset values for "
                               << dynamic << " dynamic offsets";
  for (size_t i = 0; i < rank; ++i) {
    int64_t offset = getStaticOffsets()[i], stride = getStrides()[i];
    int64_t size = out.getDimSize(i), extent = in.getDimSize(i);
    if (stride == 0)
      return emitOpError("stride of dimension ") << i << " is 0";
    if (ShapedType::isDynamic(offset))
      continue;
    int64_t last;
    bool overflow = ShapedType::isDynamic(size) || size == 0
                        ? (last = offset, false)
                        : llvm::MulOverflow(size - 1, stride, last) ||
                              llvm::AddOverflow(offset, last, last);
    bool outside = !ShapedType::isDynamic(extent) && size != 0 &&
                   (offset >= extent || last >= extent);
    if (overflow || offset < 0 || last < 0 || outside)
      return emitOpError("reads outside dimension ")
             << i << " of " << shapeString(in) << ": offset " << offset
             << ", stride " << stride << ", size " << size;
  }
  return verifySameElement(*this, getX(), getResult());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  bool whole =
      getX().getType() == getType() &&
      llvm::all_of(getStaticOffsets(), [](int64_t o) { return o == 0; }) &&
      llvm::all_of(getStrides(), [](int64_t s) { return s == 1; });
  if (whole)
    return getX();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (splat && getType().hasStaticShape())
    return splat.resizeSplat(getType());
  return {};
}

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

LogicalResult WindowsOp::verify() {
  auto in = getX().getType(), out = getType();
  size_t count = getDims().size();
  if (getSizes().size() != count || getStrides().size() != count ||
      getDilations().size() != count)
    return emitOpError("needs one size, stride and dilation for each of ")
           << count << " dims";
  if (out.getRank() != in.getRank() + static_cast<int64_t>(count))
    return emitOpError("result has rank ")
           << out.getRank() << ", not " << in.getRank() + count;
  DimSpace space(getContext());
  SmallVector<AffineExpr> expected = space.dims(in), to = space.dims(out);
  llvm::SmallBitVector seen(in.getRank());
  for (size_t i = 0; i < count; ++i) {
    int64_t dim = getDims()[i], size = getSizes()[i];
    int64_t stride = getStrides()[i], dilation = getDilations()[i];
    if (dim < 0 || dim >= in.getRank() || seen.test(dim))
      return emitOpError("dims must differ and lie inside rank ")
             << in.getRank();
    seen.set(dim);
    for (int64_t amount : {size, stride, dilation})
      if (amount < 1 || amount > maxWindow)
        return emitOpError("size, stride and dilation of dimension ")
               << dim << " must be positive and below 2^31";
    int64_t extent = (size - 1) * dilation + 1;
    if (!in.isDynamicDim(dim) && in.getDimSize(dim) < extent)
      return emitOpError("a window of ")
             << extent << " does not fit into dimension " << dim << " of "
             << shapeString(in);
    expected[dim] =
        space.simplify((expected[dim] - extent).floorDiv(stride) + 1);
    expected.push_back(space.constant(size));
  }
  for (auto [i, dim] : llvm::enumerate(expected))
    if (dim != to[i])
      return emitOpError("dimension ")
             << i << " of the result is " << toString(to[i], space.names())
             << " but the windows make it " << toString(dim, space.names());
  return verifySameElement(*this, getX(), getResult());
}

/// Beyond any tensor; sizes computed from smaller amounts do not wrap.
static constexpr int64_t maxPadding = int64_t(1) << 47;

LogicalResult PadOp::verify() {
  auto in = getX().getType(), out = getType();
  size_t rank = in.getRank();
  if (getValue().getType().getRank() != 0 ||
      getValue().getType().getElementType() != in.getElementType())
    return emitOpError("padding value must be of rank 0 and dtype ")
           << in.getElementType();
  if (out.getRank() != in.getRank() || getLow().size() != rank ||
      getHigh().size() != rank || getInterior().size() != rank)
    return emitOpError("needs low, high and interior padding for each of ")
           << rank << " dimensions";
  DimSpace space(getContext());
  SmallVector<AffineExpr> from = space.dims(in), to = space.dims(out);
  for (size_t i = 0; i < rank; ++i) {
    int64_t interior = getInterior()[i];
    if (interior < 0)
      return emitOpError("interior padding of dimension ")
             << i << " is negative";
    for (int64_t amount : {getLow()[i], getHigh()[i], interior})
      if (amount > maxPadding || amount < -maxPadding)
        return emitOpError("padding of dimension ")
               << i << " by " << amount << " is out of range";
    auto size = dyn_cast<AffineConstantExpr>(from[i]);
    // No gaps between the elements of an empty dimension.
    AffineExpr gaps =
        size && size.getValue() == 0 ? from[i] : (from[i] - 1) * interior;
    AffineExpr expected =
        space.simplify(from[i] + gaps + getLow()[i] + getHigh()[i]);
    if (expected != to[i])
      return emitOpError("dimension ")
             << i << " of the result is " << toString(to[i], space.names())
             << " but padding makes it " << toString(expected, space.names());
  }
  return verifySameElement(*this, getX(), getResult());
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs at least one operand");
  auto out = getType();
  int64_t dim = getDim();
  if (dim < 0 || dim >= out.getRank())
    return emitOpError("dim ") << dim << " is outside rank " << out.getRank();
  DimSpace space(getContext());
  SmallVector<AffineExpr> to = space.dims(out);
  AffineExpr total = space.constant(0);
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    auto in = cast<RankedTensorType>(input.getType());
    SmallVector<AffineExpr> from = space.dims(in);
    bool fits = from.size() == to.size();
    for (int64_t d = 0; fits && d < out.getRank(); ++d)
      fits = d == dim || from[d] == to[d];
    if (!fits)
      return emitOpError("operand ")
             << i << " of shape " << shapeString(in)
             << " does not fit the result " << shapeString(out);
    if (failed(verifySameElement(*this, input, getResult())))
      return failure();
    total = total + from[dim];
  }
  if (space.simplify(total) != to[dim])
    return emitOpError("sizes along dim ")
           << dim << " add up to "
           << toString(space.simplify(total), space.names()) << ", not "
           << toString(to[dim], space.names());
  return success();
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1)
    return getInputs()[0];
  return {};
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static ParseResult parsePadValueType(OpAsmParser &, Type x, Type &value) {
  value = RankedTensorType::get({}, getElementTypeOrSelf(x));
  return success();
}

static void printPadValueType(OpAsmPrinter &, Operation *, Type, Type) {}

} // namespace tensorc::tx

using namespace tensorc::tx;
#define GET_OP_CLASSES
#include "ir/tx/TxOps.cpp.inc"
