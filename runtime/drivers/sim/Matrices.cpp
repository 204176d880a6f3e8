//===- Matrices.cpp - matrix instructions ---------------------------------===//
//
// The layouts of elements in lanes are taken from the vendors' manuals. They
// are implemented independently of the compiler's layouts, in order to check
// those.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

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

bool BlockRunner::needLanes(const Subgroup &subgroup, uint32_t lanes) {
  if (subgroup.size == lanes)
    return true;
  const Thread &first = threads[subgroup.begin];
  report("thread %u is in an operation of %u lanes on matrices, and its "
         "subgroup has %u (%s)",
         first.thread, lanes, subgroup.size, place(first.site).c_str());
  return false;
}

template <bool Checked>
void BlockRunner::loadMatrices(SimThread *self, void *token,
                               uint32_t *registers, uint32_t transposed,
                               uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  thread.row = static_cast<const char *>(token);
  if (Checked) {
    auto bits = reinterpret_cast<uint64_t>(token);
    uint32_t bytes = runner.grid->kernel.sites[site].bytes;
    thread.row = runner.check(thread, bits, bytes, site, SimOp::Read);
    runner.checkAlignment(thread, thread.row, bits, site);
  }
  thread.registers = registers;
  thread.transposed = transposed;
  runner.join(thread, Together::LoadMatrices, site);
}

template void BlockRunner::loadMatrices<true>(SimThread *, void *, uint32_t *,
                                              uint32_t, uint32_t) noexcept;
template void BlockRunner::loadMatrices<false>(SimThread *, void *, uint32_t *,
                                               uint32_t, uint32_t) noexcept;

/// ldmatrix: lane i holds the address of row i % 8 of matrix i / 8. It receives
/// elements 2 (i % 4) and 2 (i % 4) + 1 of row i / 4 of each matrix.
void BlockRunner::loadMatrices(const Subgroup &subgroup) {
  if (!needLanes(subgroup, 32))
    return;
  const Thread *lanes = &threads[subgroup.begin];
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      uint32_t packed = 0;
      for (unsigned i = 0; i < 2; ++i) {
        unsigned row = lane / 4, column = lane % 4 * 2 + i;
        if (lanes[0].transposed)
          std::swap(row, column);
        uint16_t bits;
        std::memcpy(&bits, lanes[matrix * 8 + row].row + 2 * column, 2);
        packed |= uint32_t(bits) << 16 * i;
      }
      lanes[lane].registers[matrix] = packed;
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

void BlockRunner::multiply(SimThread *self, uint32_t *registers,
                           SimMultiply kind, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  thread.registers = registers;
  thread.multiply = kind;
  thread.owner->join(thread, Together::Multiply, site);
}

void BlockRunner::multiply(const Subgroup &subgroup) {
  const Thread *lanes = &threads[subgroup.begin];
  SimMultiply kind = lanes[0].multiply;
  bool half = kind == SimMultiply::MmaF16 || kind == SimMultiply::MfmaF16;
  bool mma = kind == SimMultiply::MmaF16 || kind == SimMultiply::MmaBF16;
  if (!needLanes(subgroup, mma ? Mma::lanes : Mfma::lanes))
    return;
  auto registers = [&](unsigned lane) { return lanes[lane].registers; };
  if (mma)
    multiplyAs<Mma>(half, registers);
  else
    multiplyAs<Mfma>(half, registers);
}
