//===- MatmulPrecision.h - Rounding of operands of f32 products -*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_MATMULPRECISION_H
#define TENSORC_COMPILER_GRAPH_OPS_MATMULPRECISION_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

/// Precision to which the operands of a product are rounded. Products of
/// rounded numbers are exact in f32, in which they are accumulated.
enum class MatmulPrecision : uint8_t { Highest, TF32, BF16 };

/// "highest", "tf32", "bf16".
const char *nameOf(MatmulPrecision precision);
std::optional<MatmulPrecision> matmulPrecisionFrom(llvm::StringRef name);

/// Returns the calling thread's precision, which is initially the highest.
MatmulPrecision matmulPrecision();
void setMatmulPrecision(MatmulPrecision precision);

/// While an object of this class exists, rounding is disabled in this thread.
/// For ops that use products internally.
class ExactProducts {
public:
  ExactProducts() : former(matmulPrecision()) {
    setMatmulPrecision(MatmulPrecision::Highest);
  }
  ExactProducts(const ExactProducts &) = delete;
  ~ExactProducts() { setMatmulPrecision(former); }

private:
  MatmulPrecision former;
};

/// Rounds an operand of f32 to the thread's precision: to bf16, or to f32 whose
/// last 13 bits are 0. Other dtypes are not changed.
NodeRef asFactor(Recorder &r, const NodeRef &x);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_MATMULPRECISION_H
