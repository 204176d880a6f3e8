//===- ExpandF8.cpp - Convert 64 8-bit floats at a time -------------------===//
//
// %r0 = arith.extf (vector.load %m[%i])      : vector<16xf8E4M3FN> to
//                                              vector<16xf32>
// ...
// %r3 = arith.extf (vector.load %m[%i + 48])
// ->
// %v = vector.load %m[%i] : vector<64xi8>
// %low = vpermi2b (low bytes of bf16), %v
// %high = vpermi2b (high bytes of bf16), %v | (%v & 0x80)
// %p = vector.shuffle %low, %high : vector<64xi8>          // 32 values of bf16
// %r0 = %p << 16, %r1 = %p & 0xffff0000
// %q, %r2, %r3 likewise
//
// bf16 represents every 8-bit float, so two bytes are looked up for each of
// them. This takes 9 instructions for 64 floats. By arithmetic it would take 11
// for 16 floats, because of subnormal numbers and NaN. The lowest 7 bits index
// a table of 128 bytes, for which AVX-512 VBMI has an instruction.
//
// The pass also matches the four bytes of 32-bit words, `arith.trunci
// (arith.shrui %w, 8 * byte)`, which are columns of a transposed block.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDF8PASS
#include "codegen/lowering/Passes.h.inc"

namespace {

constexpr int64_t lanes = 16, parts = 4, bytes = lanes * parts;
constexpr int64_t tableSize = 128, byteBits = 8;

/// A quarter of a group of 64 floats. It is either 16 contiguous floats that
/// begin at `position` (0, 16, ...), or byte `position` (0, 1, ...) of each of
/// 16 words.
struct Part {
  arith::ExtFOp op;
  Type from;
  /// The words, or null if the floats are loaded from `buffer`, at an index
  /// that is the sum of `terms` and `position`.
  Value words, buffer;
  SmallVector<Value> terms;
  int64_t position = 0;

  int64_t apart() const { return words ? 1 : lanes; }
  bool isBeside(const Part &first, int64_t number) const {
    return from == first.from && words == first.words &&
           buffer == first.buffer && terms == first.terms &&
           position == first.position + number * apart();
  }
};

/// Splits an index into a sum of terms, in a fixed order, and a constant.
void splitIndex(Value index, SmallVectorImpl<Value> &terms, int64_t &number) {
  APInt known;
  if (auto add = index.getDefiningOp<arith::AddIOp>()) {
    splitIndex(add.getLhs(), terms, number);
    splitIndex(add.getRhs(), terms, number);
  } else if (matchPattern(index, m_ConstantInt(&known))) {
    number += known.getSExtValue();
  } else {
    terms.push_back(index);
  }
}

std::optional<Part> partOf(arith::ExtFOp op) {
  auto from = dyn_cast<VectorType>(op.getIn().getType());
  auto to = dyn_cast<VectorType>(op.getType());
  if (!from || !to || !to.getElementType().isF32() ||
      to.getShape() != ArrayRef(lanes) ||
      !isa<Float8E4M3FNType, Float8E5M2Type>(from.getElementType()))
    return std::nullopt;
  Part part{op, from, {}, {}, {}, 0};
  if (auto load = op.getIn().getDefiningOp<vector::LoadOp>()) {
    if (load->getBlock() != op->getBlock() || load.getIndices().size() != 1)
      return std::nullopt;
    part.buffer = load.getBase();
    splitIndex(load.getIndices().front(), part.terms, part.position);
    llvm::sort(part.terms, [](Value v, Value w) {
      return v.getAsOpaquePointer() < w.getAsOpaquePointer();
    });
    return part;
  }
  auto cast = op.getIn().getDefiningOp<arith::BitcastOp>();
  auto byte =
      cast ? cast.getIn().getDefiningOp<arith::TruncIOp>() : arith::TruncIOp();
  if (!byte || !getElementTypeOrSelf(byte.getIn().getType()).isInteger(32))
    return std::nullopt;
  part.words = byte.getIn();
  APInt count;
  if (auto shift = part.words.getDefiningOp<arith::ShRUIOp>())
    if (matchPattern(shift.getRhs(), m_ConstantInt(&count)) &&
        count.urem(byteBits) == 0) {
      part.words = shift.getLhs();
      part.position = static_cast<int64_t>(count.udiv(byteBits).getZExtValue());
    }
  return part;
}

/// Looks up the bf16 values of 64 bytes, and returns them as four vectors of
/// f32.
class Lookup {
public:
  Lookup(OpBuilder &builder, Location loc, Type from) : b(loc, builder) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(from).getFloatSemantics();
    for (int64_t i = 0; i < tableSize; ++i) {
      llvm::APFloat value(semantics, APInt(byteBits, i));
      bool isInexact;
      value.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                    &isInexact);
      uint64_t bits = value.bitcastToAPInt().getZExtValue();
      table[0].push_back(static_cast<int8_t>(bits & 0xff));
      table[1].push_back(static_cast<int8_t>(bits >> byteBits));
    }
  }

  /// Expands the 64 bytes of `v`. `byteOf(part, lane)` returns the index of the
  /// byte for a lane of a part.
  SmallVector<Value> emit(Value v,
                          function_ref<int64_t(int64_t, int64_t)> byteOf) {
    Value sign = arith::AndIOp::create(b, v, splat(v.getType(), 0x80));
    Value low = lookUp(table[0], v);
    Value high = arith::OrIOp::create(b, lookUp(table[1], v), sign);
    auto words = VectorType::get({lanes}, b.getI32Type());
    auto floats = VectorType::get({lanes}, b.getF32Type());
    SmallVector<Value> results;
    for (int64_t part = 0; part < parts; part += 2) {
      SmallVector<int64_t> from;
      for (int64_t lane = 0; lane < lanes; ++lane)
        for (int64_t half : {0, 1})
          for (int64_t isHigh : {0, 1})
            from.push_back(byteOf(part + half, lane) + isHigh * bytes);
      Value pair = vector::BitCastOp::create(
          b, words, vector::ShuffleOp::create(b, low, high, from));
      Value first = arith::ShLIOp::create(b, pair, splat(words, 16));
      Value second = arith::AndIOp::create(b, pair, splat(words, 0xffff0000));
      for (Value bits : {first, second})
        results.push_back(arith::BitcastOp::create(b, floats, bits));
    }
    return results;
  }

private:
  Value splat(Type type, uint64_t value) {
    APInt bits(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), value);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(cast<ShapedType>(type), bits));
  }

  Value lookUp(ArrayRef<int8_t> values, Value indices) {
    auto type = cast<VectorType>(indices.getType());
    auto half = [&](ArrayRef<int8_t> part) -> Value {
      return arith::ConstantOp::create(b, DenseElementsAttr::get(type, part));
    };
    return LLVM::CallIntrinsicOp::create(
               b, type, b.getStringAttr("llvm.x86.avx512.vpermi2var.qi.512"),
               ValueRange{half(values.take_front(bytes)), indices,
                          half(values.drop_front(bytes))})
        .getResults();
  }

  ImplicitLocOpBuilder b;
  SmallVector<int8_t> table[2];
};

void expand(SmallVector<Part> group) {
  arith::ExtFOp first = group.front().op;
  OpBuilder b(first);
  Location loc = first.getLoc();
  auto type = VectorType::get({bytes}, b.getI8Type());
  auto from = cast<VectorType>(first.getIn().getType());
  Value words = group.front().words, v;
  if (words) {
    v = vector::BitCastOp::create(b, loc, type, words);
  } else {
    auto load = first.getIn().getDefiningOp<vector::LoadOp>();
    v = vector::LoadOp::create(b, loc, type.clone(from.getElementType()),
                               load.getBase(), load.getIndices());
    v = arith::BitcastOp::create(b, loc, type, v);
  }
  SmallVector<Value> values =
      Lookup(b, loc, from.getElementType())
          .emit(v, [&](int64_t part, int64_t lane) {
            return words ? lane * parts + part : part * lanes + lane;
          });
  for (auto &&[part, value] : llvm::zip_equal(group, values)) {
    Operation *read = part.op.getIn().getDefiningOp();
    part.op.getResult().replaceAllUsesWith(value);
    part.op.erase();
    if (read->use_empty())
      read->erase();
  }
}

bool mayWrite(Operation &op) {
  if (isa<memref::PrefetchOp>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects ? effects.hasEffect<MemoryEffects::Write>()
                 : !isMemoryEffectFree(&op);
}

/// True if the parts are a group of 64 floats.
bool isFull(ArrayRef<Part> group) {
  const Part &first = group.front();
  for (auto [number, part] : llvm::enumerate(group))
    if (!part.isBeside(first, static_cast<int64_t>(number)))
      return false;
  return !first.words || first.position == 0;
}

/// Expands the conversions in a block. The parts of a group must be in order,
/// with no write to memory between their loads.
void expandBlock(Block &block) {
  SmallVector<Part> found;
  Operation *lastWrite = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (mayWrite(op)) {
      lastWrite = &op;
      found.clear();
    }
    auto extend = dyn_cast<arith::ExtFOp>(op);
    std::optional<Part> part = extend ? partOf(extend) : std::nullopt;
    if (!part || (part->buffer && lastWrite &&
                  !lastWrite->isBeforeInBlock(extend.getIn().getDefiningOp())))
      continue;
    found.push_back(std::move(*part));
    if (found.size() < parts)
      continue;
    SmallVector<Part> last(ArrayRef(found).take_back(parts));
    if (isFull(last)) {
      expand(std::move(last));
      found.clear();
    }
  }
}

struct ExpandF8 : impl::ExpandF8PassBase<ExpandF8> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) { expandBlock(*block); });
  }
};

} // namespace

} // namespace tensorc::codegen
