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
// Elements
//===----------------------------------------------------------------------===//

/// Returns element i of a lane's packed 16-bit elements.
static float element(const uint32_t *registers, unsigned i, bool half) {
  auto bits = static_cast<uint16_t>(registers[i / 2] >> (i % 2 ? 16 : 0));
  return half ? fromHalf(bits) : fromBits(uint32_t(bits) << 16);
}

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
// Multiplying
//===----------------------------------------------------------------------===//

namespace {
/// The unpacked matrices of one multiplication. Products are exact, and
/// accumulated in the order of K.
struct Matrices {
  static constexpr unsigned steps = 16;
  float left[16][steps], right[steps][16], sum[16][16];

  void multiply(unsigned columns) {
    for (unsigned r = 0; r < 16; ++r)
      for (unsigned k = 0; k < steps; ++k)
        for (unsigned c = 0; c < columns; ++c)
          sum[r][c] += left[r][k] * right[k][c];
  }
};

/// The layout of m16n8k16 in the PTX ISA: row and column of element i in a
/// lane's registers.
struct Mma {
  static constexpr unsigned lanes = 32, columns = 8, left = 8, right = 4,
                            leftWords = 4, rightWords = 2;
  static std::pair<unsigned, unsigned> leftAt(unsigned lane, unsigned i) {
    return {lane / 4 + (i / 2 % 2 ? 8 : 0), lane % 4 * 2 + i % 2 + i / 4 * 8};
  }
  static std::pair<unsigned, unsigned> rightAt(unsigned lane, unsigned i) {
    return {lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4};
  }
  static std::pair<unsigned, unsigned> sumAt(unsigned lane, unsigned i) {
    return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
  }
};

/// The layout of v_mfma_f32_16x16x16 in the CDNA3 ISA.
struct Mfma {
  static constexpr unsigned lanes = 64, columns = 16, left = 4, right = 4,
                            leftWords = 2, rightWords = 2;
  static std::pair<unsigned, unsigned> leftAt(unsigned lane, unsigned i) {
    return {lane % 16, lane / 16 * 4 + i};
  }
  static std::pair<unsigned, unsigned> rightAt(unsigned lane, unsigned i) {
    return {lane / 16 * 4 + i, lane % 16};
  }
  static std::pair<unsigned, unsigned> sumAt(unsigned lane, unsigned i) {
    return {lane / 16 * 4 + i, lane % 16};
  }
};

/// Multiplies the matrices whose parts are in the lanes' registers, which
/// `registersOf(lane)` returns.
template <typename Shape, typename Registers>
void multiplyAs(bool half, Registers registersOf) {
  Matrices m;
  for (unsigned lane = 0; lane < Shape::lanes; ++lane) {
    const uint32_t *words = registersOf(lane);
    for (unsigned i = 0; i < Shape::left; ++i) {
      auto [r, k] = Shape::leftAt(lane, i);
      m.left[r][k] = element(words, i, half);
    }
    words += Shape::leftWords;
    for (unsigned i = 0; i < Shape::right; ++i) {
      auto [k, c] = Shape::rightAt(lane, i);
      m.right[k][c] = element(words, i, half);
    }
    words += Shape::rightWords;
    for (unsigned i = 0; i < 4; ++i) {
      auto [r, c] = Shape::sumAt(lane, i);
      m.sum[r][c] = fromBits(words[i]);
    }
  }
  m.multiply(Shape::columns);
  for (unsigned lane = 0; lane < Shape::lanes; ++lane) {
    uint32_t *words = registersOf(lane) + Shape::leftWords + Shape::rightWords;
    for (unsigned i = 0; i < 4; ++i) {
      auto [r, c] = Shape::sumAt(lane, i);
      words[i] = toBits(m.sum[r][c]);
    }
  }
}
} // namespace

static bool isMma(SimMultiply kind) {
  return kind == SimMultiply::MmaF16 || kind == SimMultiply::MmaBF16;
}

uint32_t tensorc::rt::sim::matrixLanes(SimMultiply kind) {
  return isMma(kind) ? Mma::lanes : Mfma::lanes;
}

void tensorc::rt::sim::multiplyMatrices(std::span<Thread> lanes) {
  SimMultiply kind = lanes[0].matrix.multiply;
  bool half = kind == SimMultiply::MmaF16 || kind == SimMultiply::MfmaF16;
  auto registers = [&](unsigned lane) { return lanes[lane].matrix.registers; };
  if (isMma(kind))
    multiplyAs<Mma>(half, registers);
  else
    multiplyAs<Mfma>(half, registers);
}
