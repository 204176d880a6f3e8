//===- TileInstructionTest.cpp - What tdpbf16ps computes ------------------===//
//
// The order "chains" (ir/tx/TxSchedule.td) is that of the tile instruction of
// x86-64, except for subnormal numbers, which the instruction flushes. This
// test runs the instruction, where the machine has it and the kernel permits
// it, and compares bits: with a model that flushes, and with the order where no
// number can be subnormal.
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/MatrixTiles.h"

#include "gtest/gtest.h"

#if defined(__x86_64__) && defined(__linux__)

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <random>
#include <utility>

namespace {

constexpr int side = 16, pairs = 16, steps = 2 * pairs;

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float widen(uint16_t bf16) { return floatOf(uint32_t(bf16) << 16); }

struct Operands {
  alignas(64) uint16_t x[side][steps];
  /// As the instruction expects them: pairs of K steps are adjacent.
  alignas(64) uint16_t y[pairs][side][2];
  alignas(64) float sums[side][side];
};

__attribute__((target("amx-tile,amx-bf16"))) void multiply(Operands &all) {
  struct {
    uint8_t palette = 1, startRow = 0, reserved[14] = {};
    uint16_t rowBytes[16] = {64, 64, 64};
    uint8_t rows[16] = {16, 16, 16};
  } shapes;
  _tile_loadconfig(&shapes);
  _tile_loadd(0, all.sums, 64);
  _tile_loadd(1, all.x, 64);
  _tile_loadd(2, all.y, 64);
  _tile_dpbf16ps(0, 1, 2);
  _tile_stored(0, all.sums, 64);
  _tile_release();
}

/// Returns a subnormal number's zero if `flushes`, and other numbers unchanged.
float flush(float value, bool flushes) {
  bool isSubnormal = (bitsOf(value) & 0x7f800000) == 0;
  return flushes && isSubnormal ? std::copysign(0.0f, value) : value;
}

float sumOf(const Operands &all, float sum, int row, int column, bool flushes) {
  float chains[2] = {0, 0};
  for (int k = 0; k < steps; ++k) {
    float x = flush(widen(all.x[row][k]), flushes);
    float y = flush(widen(all.y[k / 2][column][k % 2]), flushes);
    chains[k % 2] = flush(std::fma(x, y, chains[k % 2]), flushes);
  }
  float chunk = flush(chains[0] + chains[1], flushes);
  return flush(flush(sum, flushes) + chunk, flushes);
}

bool areEqual(float a, float b) {
  return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b));
}

/// Fills the operands with bf16 of biased exponents in the given ranges.
class Draw {
public:
  explicit Draw(unsigned seed) : source(seed) {}

  uint16_t bf16(int first, int last) {
    return uint16_t(below(2) << 15 | (first + below(last - first + 1)) << 7 |
                    below(128));
  }
  float f32(int first, int last) {
    return floatOf(uint32_t(below(2)) << 31 |
                   uint32_t(first + below(last - first + 1)) << 23 |
                   uint32_t(below(1 << 23)));
  }
  unsigned below(unsigned n) { return source() % n; }

private:
  std::mt19937 source;
};

void fill(Draw &draw, Operands &all, int first, int last) {
  for (auto &row : all.x)
    for (uint16_t &value : row)
      value = draw.bf16(first, last);
  for (auto &row : all.y)
    for (auto &column : row)
      for (uint16_t &value : column)
        value = draw.bf16(first, last);
}

/// Returns the number of sums that differ from the model.
int countDifferent(const Operands &before, const Operands &after,
                   bool flushes) {
  int count = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      count += !areEqual(sumOf(before, before.sums[i][j], i, j, flushes),
                         after.sums[i][j]);
  return count;
}

class TileInstruction : public testing::Test {
protected:
  void SetUp() override {
    if (tensorc::rt::requestTiles() != tensorc::rt::TileAccess::Granted)
      GTEST_SKIP() << "this machine has no tiles of bf16";
  }
};

/// Biased exponents: any, subnormal numbers, products around the smallest
/// normal number, numbers near 1, overflow, infinities and NaN.
constexpr std::pair<int, int> exponents[] = {
    {0, 255}, {0, 2}, {52, 75}, {118, 132}, {180, 200}, {250, 255}};

} // namespace

TEST_F(TileInstruction, IsTheOrderWithFlushes) {
  Draw draw(1);
  for (auto [first, last] : exponents)
    for (int round = 0; round < 60; ++round) {
      Operands before;
      fill(draw, before, first, last);
      for (auto &row : before.sums)
        for (float &sum : row)
          sum = round % 3 == 0 ? std::copysign(0.0f, draw.f32(0, 1))
                               : draw.f32(first, last);
      Operands after = before;
      multiply(after);
      EXPECT_EQ(countDifferent(before, after, /*flushes=*/true), 0)
          << "exponents from " << first << " to " << last;
    }
}

// The condition under which kernels use the instruction. Exponents of x and y
// add up to the limit of 142 and more, where nothing is flushed.
TEST_F(TileInstruction, IsTheOrderIfNothingIsSubnormal) {
  Draw draw(2);
  for (int round = 0; round < 200; ++round) {
    Operands before;
    int first = 1 + draw.below(141);
    for (auto &row : before.x)
      for (uint16_t &value : row)
        value = draw.below(8) ? draw.bf16(first, first + 3) : 0;
    for (auto &row : before.y)
      for (auto &column : row)
        for (uint16_t &value : column)
          value = draw.below(8) ? draw.bf16(142 - first, 145 - first) : 0x8000;
    std::fill_n(&before.sums[0][0], side * side, 0.0f);
    Operands after = before;
    // The second product is added to sums of the first.
    for (int chunk = 0; chunk < 2; ++chunk) {
      Operands former = after;
      multiply(after);
      EXPECT_EQ(countDifferent(former, after, /*flushes=*/false), 0);
    }
  }
}

// One exponent less, and some sums are flushed: the condition is no stricter
// than needed.
TEST_F(TileInstruction, FlushesBelowTheLimit) {
  Draw draw(3);
  int different = 0;
  for (int round = 0; round < 200; ++round) {
    Operands before;
    fill(draw, before, 70, 71);
    std::fill_n(&before.sums[0][0], side * side, 0.0f);
    // Differences of nearly equal products have only the lowest bits.
    for (auto &row : before.x)
      for (int k = 2; k < steps; ++k)
        row[k] = k < 4 ? uint16_t(row[k - 2] ^ 0x8000 ^ draw.below(2)) : 0;
    for (int column = 0; column < side; ++column)
      for (int half = 0; half < 2; ++half)
        before.y[1][column][half] =
            before.y[0][column][half] ^ uint16_t(draw.below(2));
    Operands after = before;
    multiply(after);
    different += countDifferent(before, after, /*flushes=*/false);
  }
  EXPECT_GT(different, 0);
}

#endif
