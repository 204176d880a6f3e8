//===- SumLayout.h - Lanes that hold a tile of sums -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_SUMLAYOUT_H
#define TENSORC_CODEGEN_KERNEL_SUMLAYOUT_H

#include "codegen/kernel/TargetInfo.h"

#include <array>
#include <optional>

namespace tensorc::codegen {

/// How the lanes of a subgroup hold a tile of 16 x 16 sums, if they hold a left
/// tile of 16-bit elements in the same way. Sums can then become an operand of
/// the next product in registers.
///
/// Lane l holds, as its element i, the sum at
///   row     l / lanesPerRow + rowOf(i)
///   column  pair * (l mod lanesPerRow) + columnOf(i)
struct SumLayout {
  static constexpr int64_t elements = 8, pair = 2, lanesPerRow = 4;
  /// Number of rows of a lane, and the distance between them.
  static constexpr int64_t rows = 2, rowDistance = 8;

  static constexpr int64_t numberOfRow(int64_t i) { return i / pair % rows; }
  static constexpr int64_t rowOf(int64_t i) {
    return numberOfRow(i) * rowDistance;
  }
  static constexpr int64_t columnOf(int64_t i) {
    return i % pair + i / (pair * rows) * pair * lanesPerRow;
  }
};

/// True if the unit holds sums in the SumLayout.
inline bool hasSumLayout(MatrixUnit unit) {
  return unit == MatrixUnit::Mma16x8x16;
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_SUMLAYOUT_H
