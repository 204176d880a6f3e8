//===- QuantizationOps.cpp - ONNX's quantized ops -------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"
#include "compiler/frontends/quantize/QuantizedStorage.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::onnx {

/// Returns the range of numbers of a dtype.
static std::pair<double, double> rangeOf(DType dtype) {
  if (tx::isFloat(dtype))
    return dtype == DType::F8E4M3FN ? std::pair(-448.0, 448.0)
                                    : std::pair(-57344.0, 57344.0);
  auto bits = static_cast<int>(dtype == DType::I1 ? 1 : tx::bitWidth(dtype));
  if (tx::isUnsigned(dtype))
    return {0, std::ldexp(1.0, bits) - 1};
  return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

/// Broadcasts a scale or zero point to x. It is a scalar, has one element per
/// index along the axis, or has one element per block of elements along it.
static Value spread(NodeImport &n, Value q, Value x, int64_t axis,
                    int64_t block) {
  if (n.isRefused())
    return Value();
  int64_t rank = rankOf(x);
  if (rankOf(q) == 0 || (rankOf(q) == 1 && dimsOf(q)[0] == 1 && block == 0))
    return n.reshape(q, {});
  axis = n.axis(axis, rank);
  if (block == 0 && rankOf(q) == 1)
    return n.alongDim(q, axis, rank);
  if (n.isRefused() || rankOf(q) != rank)
    return n.refuse("the scale has another rank than the input");
  if (block == 0) // derived from the sizes
    block = n.numberOf(shape::ceilDiv(dimsOf(x)[axis], dimsOf(q)[axis]),
                       "the size of a block");
  if (n.isRefused() || block < 1)
    return n.refuse("block_size is not positive");
  SmallVector<Dim> own(dimsOf(q)), one(own), wide, flat(own);
  one.insert(one.begin() + axis + 1, Dim(1));
  wide = one;
  wide[axis + 1] = block;
  flat[axis] = own[axis] * block;
  Value y = n.reshape(n.broadcast(n.reshape(q, one), wide), flat);
  if (n.isRefused() || flat[axis] == dimsOf(x)[axis])
    return y;
  // The last block may be smaller.
  SmallVector<int64_t> offsets(rank, 0), strides(rank, 1);
  flat[axis] = dimsOf(x)[axis];
  return n.slice(y, offsets, strides, flat);
}

/// Returns round(x / scale) + zero, clamped to the dtype's range.
static Value quantized(NodeImport &n, Value x, Value scale, Value zero,
                       DType dtype) {
  if (n.isRefused())
    return Value();
  DType wide = DType::F32;
  Value y = n.div(n.convert(x, wide), n.convert(scale, wide));
  auto [low, high] = rangeOf(dtype);
  if (tx::isFloat(dtype))
    return n.convert(n.min(n.max(y, low), high), dtype);
  y = n.isRefused() ? Value() : n.map<tx::RoundEvenOp>({y});
  if (zero)
    y = n.add(y, n.convert(zero, wide));
  y = n.min(n.max(y, low), high);
  // A storage dtype is converted from a wider integer.
  return n.convert(n.convert(y, DType::I32), dtype);
}

static void quantizeLinear(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), zero = n.optional(2);
  if (n.isRefused())
    return;
  DType dtype = zero ? dtypeOf(zero) : DType::UI8;
  if (int64_t number = n.integer("output_dtype", 0)) {
    auto given = dtypeFrom(number);
    if (!given) {
      n.refuse("to the dtype " + dtypeText(number) +
               ", which tensorc does not have");
      return;
    }
    dtype = *given;
  }
  int64_t axis = n.integer("axis", 1), block = n.integer("block_size", 0);
  scale = spread(n, scale, x, axis, block);
  if (zero)
    zero = spread(n, n.convert(zero, DType::F32), x, axis, block);
  n.set(quantized(n, x, scale, tx::isFloat(dtype) ? Value() : zero, dtype));
}

/// Returns the scales in a form that tx.dequantize takes: of rank 0, or of x's
/// rank with dims that are 1, equal to x's, or the number of blocks. Returns
/// null if they have another form.
static Value scalesOf(NodeImport &n, Value scale, Value x, int64_t axis,
                      int64_t block) {
  if (n.isRefused())
    return Value();
  int64_t rank = rankOf(x);
  if (llvm::all_of(dimsOf(scale), [](Dim dim) { return dim == 1; }))
    return n.reshape(scale, {});
  if (axis < -rank || axis >= rank)
    return Value();
  axis += axis < 0 ? rank : 0;
  if (block == 0) {
    SmallVector<Dim> dims(rank, Dim(1));
    dims[axis] = dimsOf(x)[axis];
    bool fits = rankOf(scale) == 1 && dimsOf(scale)[0] == dims[axis];
    return fits ? n.reshape(scale, dims) : Value();
  }
  // The blocks must fill the dim exactly.
  if (rankOf(scale) != rank)
    return Value();
  for (int64_t d = 0; d < rank; ++d) {
    auto whole = dimsOf(x)[d].number(), groups = dimsOf(scale)[d].number();
    int64_t each = d == axis ? block : 1;
    if (!whole || !groups || *groups * each != *whole)
      return Value();
  }
  return scale;
}

static void dequantizeLinear(NodeImport &n) {
  Value x = n.in(0), scale = n.in(1), zero = n.optional(2);
  if (n.isRefused())
    return;
  DType result = dtypeOf(scale);
  if (int64_t number = n.integer("output_dtype", 0))
    result = dtypeFrom(number).value_or(result);
  int64_t axis = n.integer("axis", 1), block = n.integer("block_size", 0);
  // Uses the op that is fused into contractions (docs/design/0061).
  bool isPlain = dtypeOf(scale) == DType::F32 && result == DType::F32 &&
                 tx::bitWidth(dtypeOf(x)) <= 16 &&
                 (!zero || dtypeOf(zero) == dtypeOf(x));
  Value scales = isPlain ? scalesOf(n, scale, x, axis, block) : Value();
  Value zeros = scales && zero && !tx::isFloat(dtypeOf(x))
                    ? scalesOf(n, zero, x, axis, block)
                    : Value();
  if (scales && bool(zeros) == (zero && !tx::isFloat(dtypeOf(x))) &&
      !n.isRefused())
    return n.set(n.make<tx::DequantizeOp>(result, x, scales, zeros));
  scale = n.convert(spread(n, scale, x, axis, block), DType::F32);
  Value y = n.convert(x, DType::F32);
  if (zero && !tx::isFloat(dtypeOf(x))) {
    // The difference of 32-bit integers is computed in f64, in which it is
    // exact.
    bool isWide = tx::bitWidth(dtypeOf(x)) > 16;
    DType wide = isWide ? DType::F64 : DType::F32;
    zero = spread(n, n.convert(zero, wide), x, axis, block);
    y = n.convert(n.sub(n.convert(x, wide), zero), DType::F32);
  }
  n.set(n.convert(n.mul(y, scale), result));
}

/// Quantizes to ui8. The range is that of the values, extended to include 0.
static void dynamicQuantizeLinear(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  Value low = n.min(n.reduce<tx::ReduceMinOp>(x, all), 0),
        high = n.max(n.reduce<tx::ReduceMaxOp>(x, all), 0);
  Value scale = n.div(n.sub(high, low), 255.0);
  // If all values are 0, the scale does not matter.
  scale = n.select(n.equal(scale, 0), n.full(1, DType::F32), scale);
  Value zero = quantized(n, n.neg(low), scale, Value(), DType::UI8);
  n.set(0, quantized(n, x, scale, zero, DType::UI8));
  n.set(1, scale);
  n.set(2, zero);
}

/// Returns x as i32 minus its zero point, of which there may be one per row or
/// per column.
static Value centered(NodeImport &n, Value x, Value zero, int64_t axis) {
  Value y = n.convert(x, DType::I32);
  if (!zero || n.isRefused())
    return y;
  zero = n.convert(zero, DType::I32);
  if (!n.isRefused() && rankOf(zero) == 1 && dimsOf(zero)[0] == 1)
    zero = n.reshape(zero, {});
  if (!n.isRefused() && rankOf(zero) == 1)
    zero = n.alongDim(zero, axis, rankOf(x));
  return n.sub(y, zero);
}

static void matmulInteger(NodeImport &n) {
  Value a = n.in(0), b = n.in(1), aZero = n.optional(2), bZero = n.optional(3);
  if (n.isRefused())
    return;
  n.set(n.matmul(centered(n, a, aZero, std::max<int64_t>(0, rankOf(a) - 2)),
                 centered(n, b, bZero, rankOf(b) - 1)));
}

/// Reshapes a scale so that it broadcasts. It is a scalar, or has one element
/// per index along `axis`.
static Value scaleAlong(NodeImport &n, Value scale, int64_t axis,
                        int64_t rank) {
  if (n.isRefused())
    return Value();
  if (rankOf(scale) == 1 && dimsOf(scale)[0] == 1)
    return n.reshape(scale, {});
  return rankOf(scale) == 1 ? n.alongDim(scale, axis, rank) : scale;
}

static void qLinearMatmul(NodeImport &n) {
  Value a = n.in(0), aScale = n.in(1), aZero = n.in(2), b = n.in(3),
        bScale = n.in(4), bZero = n.in(5), yScale = n.in(6), yZero = n.in(7);
  if (n.isRefused())
    return;
  int64_t rowOfA = std::max<int64_t>(0, rankOf(a) - 2);
  Value y = n.matmul(centered(n, a, aZero, rowOfA),
                     centered(n, b, bZero, rankOf(b) - 1));
  if (n.isRefused())
    return;
  int64_t rank = rankOf(y);
  Value scale = n.mul(scaleAlong(n, n.convert(aScale, DType::F32),
                                 std::max<int64_t>(0, rank - 2), rank),
                      scaleAlong(n, n.convert(bScale, DType::F32),
                                 std::max<int64_t>(0, rank - 1), rank));
  y = n.mul(n.convert(y, DType::F32), scale);
  n.set(quantized(n, y,
                  scaleAlong(n, yScale, std::max<int64_t>(0, rank - 2), rank),
                  scaleAlong(n, yZero, std::max<int64_t>(0, rank - 2), rank),
                  dtypeOf(yZero)));
}

static void convInteger(NodeImport &n) {
  Value x = n.in(0), w = n.in(1), xZero = n.optional(2), wZero = n.optional(3);
  if (!n.isRefused())
    n.set(convolution(n, centered(n, x, xZero, 1), centered(n, w, wZero, 0),
                      Value()));
}

static void qLinearConv(NodeImport &n) {
  Value x = n.in(0), xScale = n.in(1), xZero = n.in(2), w = n.in(3),
        wScale = n.in(4), wZero = n.in(5), yScale = n.in(6), yZero = n.in(7),
        bias = n.optional(8);
  if (n.isRefused())
    return;
  Value y =
      convolution(n, centered(n, x, xZero, 1), centered(n, w, wZero, 0), bias);
  if (n.isRefused())
    return;
  Value scale =
      n.mul(n.reshape(xScale, {}), scaleAlong(n, wScale, 1, rankOf(y)));
  y = n.mul(n.convert(y, DType::F32), n.convert(scale, DType::F32));
  n.set(quantized(n, y, n.reshape(yScale, {}), n.reshape(yZero, {}),
                  dtypeOf(yZero)));
}

namespace {
/// The packed weights of com.microsoft's ops, with 4 or 8 bits per weight, in
/// the shape [N, blocks, bytes per block], the low nibble first. Each block of
/// a row has a scale.
struct NBits {
  int64_t k, columns, bits, block, blocks;
};
} // namespace

/// Returns constant rows, each of which begins at a byte boundary, as signed
/// integers centered at 0. Returns null if the value is not a constant or is a
/// splat.
static Value signedRows(NodeImport &n, Value packed, int64_t bits, int64_t rows,
                        int64_t columns) {
  ArrayRef<char> bytes = frontends::bytesOf(packed);
  int64_t rowBytes = (columns * bits + 7) / 8;
  if (bytes.empty() || static_cast<int64_t>(bytes.size()) != rows * rowBytes)
    return Value();
  std::vector<char> own(bytes.begin(), bytes.end());
  for (char &byte : own)
    byte = static_cast<char>(byte ^ (bits == 4 ? 0x88 : 0x80));
  if (columns * bits % 8) {
    // In the result rows follow each other without gaps.
    std::vector<char> dense((rows * columns + 1) / 2);
    for (int64_t i = 0; i < rows * columns; ++i) {
      int64_t row = i / columns, column = i % columns;
      int nibble = own[row * rowBytes + column / 2] >> (column % 2 * 4) & 15;
      dense[i / 2] = static_cast<char>(dense[i / 2] | nibble << (i % 2 * 4));
    }
    own = std::move(dense);
  }
  auto type = RankedTensorType::get(
      {rows, columns},
      tx::elementType(n.b.getContext(), bits == 4 ? DType::I4 : DType::I8));
  return tx::ConstantOp::create(
      n.b, n.loc, type,
      DenseResourceElementsAttr::get(
          type, "weight",
          HeapAsmResourceBlob::allocateAndCopyWithAlign(ArrayRef(own), 64)));
}

/// Unpacks bytes that hold one or two integers each, and converts them to i32.
static Value unpacked(NodeImport &n, Value bytes, int64_t bits, Dims dims) {
  Value wide = n.convert(bytes, DType::I32);
  if (bits == 8 || n.isRefused())
    return n.reshape(wide, dims);
  SmallVector<Dim> one(dimsOf(wide));
  one.push_back(1);
  auto last = static_cast<int64_t>(one.size()) - 1;
  Value low = n.map<tx::AndOp>({wide, 15}),
        high = n.map<tx::ShrLogicalOp>({wide, 4});
  return n.reshape(
      n.concatenate({n.reshape(low, one), n.reshape(high, one)}, last), dims);
}

/// Returns the zero points as [N, blocks], or null if they are the middle of
/// the range.
static Value zerosOf(NodeImport &n, Value zeros, const NBits &w) {
  SmallVector<Dim> rows{Dim(w.columns), Dim(w.blocks)};
  if (n.isRefused() || tx::isFloat(dtypeOf(zeros)))
    return n.reshape(zeros, rows);
  // Each row begins at a byte boundary.
  int64_t bytes = w.bits == 8 ? w.blocks : (w.blocks + 1) / 2;
  SmallVector<Dim> packed{Dim(w.columns), Dim(bytes)},
      all{Dim(w.columns), Dim(w.bits == 8 ? bytes : bytes * 2)};
  return n.part(unpacked(n, n.reshape(zeros, packed), w.bits, all), 1, 0,
                w.blocks);
}

static void matmulNBits(NodeImport &n) {
  Value a = n.in(0), packed = n.in(1), scales = n.in(2), zeros = n.optional(3),
        bias = n.optional(5);
  NBits w{n.integer("K", 0), n.integer("N", 0), n.integer("bits", 4),
          n.integer("block_size", 0), 0};
  if (n.isRefused())
    return;
  if ((w.bits != 4 && w.bits != 8) || w.block < 1 || w.k < 1 || w.columns < 1 ||
      n.has(4))
    return void(n.refuse("is supported with 4 or 8 bits and without g_idx"));
  w.blocks = (w.k + w.block - 1) / w.block;
  SmallVector<Dim> perBlock{Dim(w.columns), Dim(w.blocks)};
  Value scale = n.convertLike(n.reshape(scales, perBlock), a);
  double middle = w.bits == 4 ? 8 : 128;
  Value y, zero;
  // Contractions read whole blocks of integers efficiently.
  bool isWhole = !n.isRefused() && w.k == w.blocks * w.block &&
                 !(zeros && tx::isFloat(dtypeOf(zeros)));
  if (isWhole && zeros)
    zero = signedRows(n, zeros, w.bits, w.columns, w.blocks);
  if (isWhole && bool(zero) == bool(zeros))
    y = signedRows(n, packed, w.bits, w.columns, w.k);
  if (y) {
    y = n.make<tx::DequantizeOp>(dtypeOf(a), y, scale, zero);
  } else {
    SmallVector<Dim> shape{Dim(w.columns), Dim(w.blocks), Dim(w.block)},
        one{Dim(w.columns), Dim(w.blocks), Dim(1)},
        flat{Dim(w.columns), Dim(w.blocks * w.block)};
    zero = n.full(middle, DType::F32);
    if (zeros)
      zero = n.reshape(n.convert(zerosOf(n, zeros, w), DType::F32), one);
    y = n.sub(n.convert(unpacked(n, packed, w.bits, shape), DType::F32), zero);
    y = n.mul(y, n.reshape(n.convert(scale, DType::F32), one));
    y = n.convertLike(n.part(n.reshape(y, flat), 1, 0, w.k), a);
  }
  if (n.isRefused())
    return;
  y = n.dot(a, y, {{}, {}, rankOf(a) - 1, int64_t(1)});
  n.set(bias ? n.add(y, bias) : y);
}

ArrayRef<OpVersion> quantizationOps() {
  static constexpr OpVersion ops[] = {
      {"ConvInteger", 10, convInteger},
      {"DequantizeLinear", 10, dequantizeLinear},
      {"DynamicQuantizeLinear", 11, dynamicQuantizeLinear},
      {"MatMulInteger", 10, matmulInteger},
      {"QLinearConv", 10, qLinearConv},
      {"QLinearMatMul", 10, qLinearMatmul},
      {"QuantizeLinear", 10, quantizeLinear},
      {"com.microsoft.DequantizeLinear", 1, dequantizeLinear},
      {"com.microsoft.MatMulNBits", 1, matmulNBits},
      {"com.microsoft.QuantizeLinear", 1, quantizeLinear},
  };
  return ops;
}

} // namespace tensorc::onnx
