//===- Matrices.cpp - matrix instructions ---------------------------------===//
//
// The layouts of elements in lanes are taken from the vendors' manuals. They
// are implemented independently of the compiler's layouts, in order to check
// those.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/block/Matrices.h"

#include "runtime/drivers/sim/Elements.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// ldmatrix: lane i holds the address of row i % 8 of matrix i / 8. It receives
/// elements 2 (i % 4) and 2 (i % 4) + 1 of row i / 4 of each matrix.
void tensorc::rt::sim::loadMatrices(std::span<Thread> lanes) {
  for (unsigned lane = 0; lane < matrixLoadLanes; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      uint32_t packed = 0;
      for (unsigned i = 0; i < 2; ++i) {
        unsigned row = lane / 4, column = lane % 4 * 2 + i;
        if (lanes[0].matrix.transposed)
          std::swap(row, column);
        uint16_t bits;
        std::memcpy(&bits, lanes[matrix * 8 + row].matrix.row + 2 * column, 2);
        packed |= uint32_t(bits) << 16 * i;
      }
      lanes[lane].matrix.registers[matrix] = packed;
    }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Types of elements: their size, the type of their sums, and element i of a
/// lane's registers, as a number of that type.
struct Half {
  static constexpr unsigned bytes = 2;
  using Sum = float;
  static float at(const uint32_t *registers, unsigned i) {
    return fromHalf(uint16_t(registers[i / 2] >> (i % 2 ? 16 : 0)));
  }
};
struct BFloat {
  static constexpr unsigned bytes = 2;
  using Sum = float;
  static float at(const uint32_t *registers, unsigned i) {
    return fromBits(registers[i / 2] >> (i % 2 ? 16 : 0) << 16);
  }
};
/// The unit does not read the lower 13 bits.
struct TF32 {
  static constexpr unsigned bytes = 4;
  using Sum = float;
  static float at(const uint32_t *registers, unsigned i) {
    return fromBits(registers[i] >> 13 << 13);
  }
};
/// Sums wrap, so they are added as unsigned numbers.
template <typename T> struct Byte {
  static constexpr unsigned bytes = 1;
  using Sum = uint32_t;
  static uint32_t at(const uint32_t *registers, unsigned i) {
    return uint32_t(int32_t(T(registers[i / 4] >> 8 * (i % 4))));
  }
};
} // namespace

static uint32_t sumBits(float sum) { return toBits(sum); }
static uint32_t sumBits(uint32_t sum) { return sum; }
static void setSum(float &sum, uint32_t bits) { sum = fromBits(bits); }
static void setSum(uint32_t &sum, uint32_t bits) { sum = bits; }

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

namespace {
struct ElementPlace {
  unsigned outer, step; // row or column; K step
};
struct SumPlace {
  unsigned row, column;
};

/// The layouts of m16n8k8, m16n8k16 and m16n8k32 in the PTX ISA: place of
/// element i in a lane's registers. A register has `perWord` elements. An
/// operation takes as long as one on f16, times `timeBytes` / 2.
template <unsigned bytes> struct Mma {
  static constexpr unsigned perWord = 4 / bytes;
  static constexpr unsigned lanes = 32, columns = 8, steps = 8 * perWord,
                            leftWords = 4, rightWords = 2, sums = 4,
                            timeBytes = bytes;
  static unsigned step(unsigned lane, unsigned i, unsigned high) {
    return lane % 4 * perWord + i % perWord + high * 4 * perWord;
  }
  static ElementPlace leftAt(unsigned lane, unsigned i) {
    unsigned word = i / perWord;
    return {lane / 4 + word % 2 * 8, step(lane, i, word / 2)};
  }
  static ElementPlace rightAt(unsigned lane, unsigned i) {
    return {lane / 4, step(lane, i, i / perWord)};
  }
  static SumPlace sumAt(unsigned lane, unsigned i) {
    return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
  }
};

/// The layouts of v_mfma_f32_16x16x16 and v_mfma_i32_16x16x32 in the CDNA3 ISA.
template <unsigned bytes> struct Mfma {
  static constexpr unsigned lanes = 64, columns = 16, steps = 32 / bytes,
                            leftWords = 2, rightWords = 2, sums = 4,
                            timeBytes = bytes;
  static ElementPlace leftAt(unsigned lane, unsigned i) {
    return {lane % 16, lane / 16 * (steps / 4) + i};
  }
  static ElementPlace rightAt(unsigned lane, unsigned i) {
    return leftAt(lane, i);
  }
  static SumPlace sumAt(unsigned lane, unsigned i) {
    return {lane / 16 * 4 + i, lane % 16};
  }
};

/// The layout of v_wmma_*_16x16x16 in the RDNA3 ISA. Lanes 16 to 31 hold the
/// same rows and columns as lanes 0 to 15. Bytes take as long as f16.
template <unsigned bytes> struct WmmaRows {
  static constexpr unsigned lanes = 32, columns = 16, steps = 16,
                            leftWords = 4 * bytes, rightWords = 4 * bytes,
                            sums = 8, timeBytes = 2;
  static ElementPlace leftAt(unsigned lane, unsigned i) {
    return {lane % 16, i};
  }
  static ElementPlace rightAt(unsigned lane, unsigned i) {
    return leftAt(lane, i);
  }
  static SumPlace sumAt(unsigned lane, unsigned i) {
    return {i * 2 + lane / 16, lane % 16};
  }
};

/// The layout of v_wmma_*_16x16x16 in the RDNA4 ISA.
template <unsigned bytes> struct WmmaHalfRows {
  static constexpr unsigned lanes = 32, columns = 16, steps = 16,
                            leftWords = 2 * bytes, rightWords = 2 * bytes,
                            sums = 8, timeBytes = bytes;
  static ElementPlace leftAt(unsigned lane, unsigned i) {
    return {lane % 16, lane / 16 * 8 + i};
  }
  static ElementPlace rightAt(unsigned lane, unsigned i) {
    return leftAt(lane, i);
  }
  static SumPlace sumAt(unsigned lane, unsigned i) {
    return {lane / 16 * 8 + i, lane % 16};
  }
};

/// A multiplication of a subgroup.
struct Multiplication {
  uint32_t lanes;
  uint64_t flopsPerLane;
  void (*loadLeft)(std::span<Thread> lanes, void *to);
  void (*loadRight)(std::span<Thread> lanes, void *to);
  void (*run)(std::span<Thread> lanes, const Multiplication &how);
};
} // namespace

/// Loads the left matrix from the lanes' registers into Sum[16][steps].
template <typename Shape, typename Left>
[[gnu::cold]] static void loadLeft(std::span<Thread> lanes, void *to) {
  auto &left = *static_cast<typename Left::Sum(*)[16][Shape::steps]>(to);
  for (unsigned lane = 0; lane < Shape::lanes; ++lane)
    for (unsigned i = 0; i < Shape::leftWords * (4 / Left::bytes); ++i) {
      ElementPlace at = Shape::leftAt(lane, i);
      left[at.outer][at.step] = Left::at(lanes[lane].matrix.registers, i);
    }
}

/// Loads the right matrix from the lanes' registers into Sum[steps][16].
template <typename Shape, typename Right>
[[gnu::cold]] static void loadRight(std::span<Thread> lanes, void *to) {
  auto &right = *static_cast<typename Right::Sum(*)[Shape::steps][16]>(to);
  for (unsigned lane = 0; lane < Shape::lanes; ++lane)
    for (unsigned i = 0; i < Shape::rightWords * (4 / Right::bytes); ++i) {
      ElementPlace at = Shape::rightAt(lane, i);
      right[at.step][at.outer] =
          Right::at(lanes[lane].matrix.registers + Shape::leftWords, i);
    }
}

/// Multiplies the matrices whose parts are in the lanes' registers. Products are
/// exact, and added in the order of K.
template <typename Shape, typename Sum>
[[gnu::cold]] static void multiplyAs(std::span<Thread> lanes,
                                     const Multiplication &how) {
  Sum left[16][Shape::steps], right[Shape::steps][16], sums[16][16];
  constexpr unsigned sumWord = Shape::leftWords + Shape::rightWords;
  how.loadLeft(lanes, &left);
  how.loadRight(lanes, &right);
  for (unsigned lane = 0; lane < Shape::lanes; ++lane)
    for (unsigned i = 0; i < Shape::sums; ++i) {
      SumPlace at = Shape::sumAt(lane, i);
      setSum(sums[at.row][at.column],
             lanes[lane].matrix.registers[sumWord + i]);
    }
  for (unsigned r = 0; r < 16; ++r)
    for (unsigned k = 0; k < Shape::steps; ++k)
      for (unsigned c = 0; c < Shape::columns; ++c)
        sums[r][c] += left[r][k] * right[k][c];
  for (unsigned lane = 0; lane < Shape::lanes; ++lane)
    for (unsigned i = 0; i < Shape::sums; ++i) {
      SumPlace at = Shape::sumAt(lane, i);
      lanes[lane].matrix.registers[sumWord + i] =
          sumBits(sums[at.row][at.column]);
    }
}

template <template <unsigned> typename Unit, typename Left,
          typename Right = Left>
static constexpr Multiplication ofTypes() {
  using Shape = Unit<Left::bytes>;
  return {Shape::lanes,
          uint64_t(16) * Shape::columns * Shape::steps * Shape::timeBytes /
              Shape::lanes,
          loadLeft<Shape, Left>, loadRight<Shape, Right>,
          multiplyAs<Shape, typename Left::Sum>};
}

using Signed = Byte<int8_t>;
using Unsigned = Byte<uint8_t>;

/// In the order of SimMultiply.
static constexpr Multiplication multiplications[] = {
    ofTypes<Mma, Half>(),
    ofTypes<Mma, BFloat>(),
    ofTypes<Mma, TF32>(),
    ofTypes<Mma, Signed>(),
    ofTypes<Mma, Signed, Unsigned>(),
    ofTypes<Mma, Unsigned, Signed>(),
    ofTypes<Mma, Unsigned>(),
    ofTypes<Mfma, Half>(),
    ofTypes<Mfma, BFloat>(),
    ofTypes<Mfma, Signed>(),
    ofTypes<WmmaRows, Half>(),
    ofTypes<WmmaRows, BFloat>(),
    ofTypes<WmmaRows, Signed>(),
    ofTypes<WmmaRows, Signed, Unsigned>(),
    ofTypes<WmmaRows, Unsigned, Signed>(),
    ofTypes<WmmaRows, Unsigned>(),
    ofTypes<WmmaHalfRows, Half>(),
    ofTypes<WmmaHalfRows, BFloat>(),
    ofTypes<WmmaHalfRows, Signed>(),
    ofTypes<WmmaHalfRows, Signed, Unsigned>(),
    ofTypes<WmmaHalfRows, Unsigned, Signed>(),
    ofTypes<WmmaHalfRows, Unsigned>(),
};
static_assert(std::size(multiplications) ==
              static_cast<uint32_t>(SimMultiply::WmmaHalfRowsUU) + 1);

static const Multiplication &findMultiplication(SimMultiply kind) {
  return multiplications[static_cast<uint32_t>(kind)];
}

uint32_t tensorc::rt::sim::matrixLanes(SimMultiply kind) {
  return findMultiplication(kind).lanes;
}
uint64_t tensorc::rt::sim::matrixFlopsPerLane(SimMultiply kind) {
  return findMultiplication(kind).flopsPerLane;
}

void tensorc::rt::sim::multiplyMatrices(std::span<Thread> lanes) {
  const Multiplication &how = findMultiplication(lanes[0].matrix.multiply);
  how.run(lanes, how);
}
