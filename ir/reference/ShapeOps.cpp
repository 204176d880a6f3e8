//===- ShapeOps.cpp - Ops that make, move and index elements --------------===//

#include "ir/reference/Ops.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tensorc::reference {

static void copyElement(const Array &from, int64_t source, Array &to,
                        int64_t target) {
  std::copy_n(from.at(source), byteWidth(from.dtype), to.at(target));
}

void constant(ElementsAttr value, Array &result) {
  // The op's verifier has seen to the size.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const char *data = resource.getRawHandle().getBlob()->getData().data();
    return unpack(result, reinterpret_cast<const uint8_t *>(data));
  }
  if (isFloat(result.dtype)) {
    std::vector<double> out;
    for (APFloat x : value.getValues<APFloat>()) {
      // Bits of f32 and f64 NaNs are kept by the conversion.
      bool exact;
      x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
      out.push_back(x.convertToDouble());
    }
    return write<double>(result, out);
  }
  std::vector<uint64_t> out;
  for (const APInt &x : value.getValues<APInt>())
    out.push_back(x.getZExtValue());
  write<uint64_t>(result, out);
}

void iota(tx::IotaOp op, Array &result) {
  std::vector<int64_t> values(result.size());
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    values[position] = at[op.getDim()];
  });
  if (!isFloat(result.dtype))
    return write<int64_t>(result, values);
  std::vector<double> reals(values.begin(), values.end());
  write<double>(result, reals);
}

void broadcast(tx::BroadcastOp op, const Array &x, Array &result) {
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      source += x.shape[i] == 1 ? 0 : at[dim] * strides[i];
    copyElement(x, source, result, position);
  });
}

LogicalResult reshape(tx::ReshapeOp op, const Array &x, Array &result) {
  if (x.bytes.size() != result.bytes.size())
    return op.emitOpError("cannot reshape ")
           << typeString(x.dtype, x.shape) << " to "
           << typeString(result.dtype, result.shape);
  result.bytes = x.bytes;
  return success();
}

void transpose(tx::TransposeOp op, const Array &x, Array &result) {
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (auto [i, p] : llvm::enumerate(op.getPermutation()))
      source += at[i] * strides[p];
    copyElement(x, source, result, position);
  });
}

void windows(tx::WindowsOp op, const Array &x, Array &result) {
  SmallVector<int64_t> steps = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    SmallVector<int64_t> index(at.take_front(x.shape.size()));
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      index[dim] = index[dim] * op.getStrides()[i] +
                   at[x.shape.size() + i] * op.getDilations()[i];
    int64_t source = 0;
    for (size_t d = 0; d < index.size(); ++d)
      source += index[d] * steps[d];
    copyElement(x, source, result, position);
  });
}

LogicalResult slice(tx::SliceOp op, ArrayRef<int64_t> offsets, const Array &x,
                    Array &result) {
  ArrayRef<int64_t> strides = op.getStrides();
  for (auto [d, size] : llvm::enumerate(result.shape)) {
    // Overflow of the last index is outside as well.
    int64_t last;
    bool overflow = llvm::MulOverflow(size - 1, strides[d], last) ||
                    llvm::AddOverflow(offsets[d], last, last);
    auto inside = [&](int64_t i) { return i >= 0 && i < x.shape[d]; };
    if (size != 0 && (overflow || !inside(offsets[d]) || !inside(last)))
      return op.emitOpError("reads outside dimension ")
             << d << " of " << typeString(x.dtype, x.shape) << ": offset "
             << offsets[d] << ", stride " << strides[d] << ", size " << size;
  }
  SmallVector<int64_t> steps = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (size_t d = 0; d < at.size(); ++d)
      source += (offsets[d] + at[d] * strides[d]) * steps[d];
    copyElement(x, source, result, position);
  });
  return success();
}

void pad(tx::PadOp op, const Array &x, const Array &value, Array &result) {
  for (int64_t i = 0; i < result.size(); ++i)
    copyElement(value, 0, result, i);
  SmallVector<int64_t> strides = stridesOf(result.shape);
  forEachIndex(x.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t target = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      int64_t i = op.getLow()[d] + at[d] * (op.getInterior()[d] + 1);
      // Negative padding removes elements.
      if (i < 0 || i >= result.shape[d])
        return;
      target += i * strides[d];
    }
    copyElement(x, position, result, target);
  });
}

void concatenate(tx::ConcatenateOp op, ArrayRef<const Array *> inputs,
                 Array &result) {
  SmallVector<int64_t> strides = stridesOf(result.shape);
  int64_t start = 0;
  for (const Array *input : inputs) {
    forEachIndex(input->shape, [&](int64_t position, ArrayRef<int64_t> at) {
      int64_t target = start * strides[op.getDim()];
      for (size_t d = 0; d < at.size(); ++d)
        target += at[d] * strides[d];
      copyElement(*input, position, result, target);
    });
    start += input->shape[op.getDim()];
  }
}

} // namespace tensorc::reference
