//===- ShapeOps.cpp - Ops that create, move and index elements ------------===//

#include "ir/reference/Complex.h"
#include "ir/shape/Rules.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tensorc::reference {

static void copyElement(const Array &from, int64_t source, Array &to,
                        int64_t target) {
  std::copy_n(from.at(source), byteWidth(from.dtype), to.at(target));
}

static void constant(ElementsAttr value, Array &result) {
  // The op's verifier has checked the number of bytes.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const char *data = resource.getRawHandle().getBlob()->getData().data();
    return unpack(result, reinterpret_cast<const uint8_t *>(data));
  }
  if (tx::isComplex(result.dtype)) {
    std::vector<Complex> out;
    auto wide = [](APFloat x) {
      bool exact;
      x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
      return x.convertToDouble();
    };
    for (const std::complex<APFloat> &x :
         value.getValues<std::complex<APFloat>>())
      out.emplace_back(wide(x.real()), wide(x.imag()));
    return writeComplex(result, out);
  }
  if (isFloat(result.dtype)) {
    std::vector<double> out;
    for (APFloat x : value.getValues<APFloat>()) {
      // The conversion keeps the bits of f32 and f64 NaNs.
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

static void iota(tx::IotaOp op, Array &result) {
  std::vector<int64_t> values(result.size());
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    values[position] = at[op.getDim()];
  });
  if (!isFloat(result.dtype))
    return write<int64_t>(result, values);
  std::vector<double> reals(values.begin(), values.end());
  write<double>(result, reals);
}

static void broadcast(tx::BroadcastOp op, const Array &x, Array &result) {
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (auto [i, dim] : llvm::enumerate(op.getDims()))
      source += x.shape[i] == 1 ? 0 : at[dim] * strides[i];
    copyElement(x, source, result, position);
  });
}

static void transpose(tx::TransposeOp op, const Array &x, Array &result) {
  SmallVector<int64_t> strides = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (auto [i, p] : llvm::enumerate(op.getPermutation()))
      source += at[i] * strides[p];
    copyElement(x, source, result, position);
  });
}

static void windows(tx::WindowsOp op, const Array &x, Array &result) {
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

/// The shape rule has checked static offsets only, so dynamic offsets are
/// checked here.
static LogicalResult slice(tx::SliceOp op, Operands operands, Array &result) {
  const Array &x = *operands[0];
  SmallVector<int64_t> offsets(op.getStaticOffsets());
  size_t next = 1;
  for (int64_t &offset : offsets)
    if (ShapedType::isDynamic(offset))
      offset = read<int64_t>(*operands[next++])[0];
  ArrayRef<int64_t> strides = op.getStrides();
  auto rule = shape::inferSlice(shape::dimsOf(x.shape), offsets, strides,
                                shape::dimsOf(result.shape));
  if (rule.isRefused())
    return op.emitOpError(rule.refusal);
  SmallVector<int64_t> steps = stridesOf(x.shape);
  forEachIndex(result.shape, [&](int64_t position, ArrayRef<int64_t> at) {
    int64_t source = 0;
    for (size_t d = 0; d < at.size(); ++d)
      source += (offsets[d] + at[d] * strides[d]) * steps[d];
    copyElement(x, source, result, position);
  });
  return success();
}

static void pad(tx::PadOp op, const Array &x, const Array &value,
                Array &result) {
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

static void concatenate(tx::ConcatenateOp op, Operands inputs, Array &result) {
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

void addShapeOps(OpTable &table) {
  table.add<tx::ConstantOp>([](tx::ConstantOp op, Operands, Array &result) {
    constant(op.getValue(), result);
  });
  table.add<tx::IotaOp>(
      [](tx::IotaOp op, Operands, Array &result) { iota(op, result); });
  table.add<tx::BroadcastOp>([](tx::BroadcastOp op, Operands x, Array &result) {
    broadcast(op, *x[0], result);
  });
  table.add<tx::ReshapeOp>([](tx::ReshapeOp, Operands x, Array &result) {
    result.bytes = x[0]->bytes;
  });
  table.add<tx::TransposeOp>([](tx::TransposeOp op, Operands x, Array &result) {
    transpose(op, *x[0], result);
  });
  table.add<tx::SliceOp>(slice);
  table.add<tx::WindowsOp>([](tx::WindowsOp op, Operands x, Array &result) {
    windows(op, *x[0], result);
  });
  table.add<tx::PadOp>([](tx::PadOp op, Operands x, Array &result) {
    pad(op, *x[0], *x[1], result);
  });
  table.add<tx::ConcatenateOp>(concatenate);
}

} // namespace tensorc::reference
