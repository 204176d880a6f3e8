//===- ElementRange.h - Value range of integer tensors --------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ELEMENTRANGE_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ELEMENTRANGE_H

#include "mlir/IR/Value.h"
#include <cstdint>
#include <optional>

namespace tensorc::codegen {

/// A range of integers that includes both ends.
struct ElementRange {
  int64_t low, high;

  bool isWithin(int64_t min, int64_t max) const {
    return low >= min && high <= max;
  }
};

/// Returns a range that contains every element of an integer tensor. It is the
/// range of the dtype if that has at most 16 bits; for i32 it is derived from
/// the ops that compute the tensor. Returns nullopt if no range is known or if
/// it exceeds 16 bits.
std::optional<ElementRange> elementRange(mlir::Value v);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ELEMENTRANGE_H
