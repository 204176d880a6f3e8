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

  bool isWithin(int64_t least, int64_t most) const {
    return low >= least && high <= most;
  }
};

/// Returns the range of an integer value, derived from its dtype and from the
/// fusion's ops that compute it. Nullopt if it may need 32 bits.
std::optional<ElementRange> elementRange(mlir::Value v);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ELEMENTRANGE_H
