//===- Composites.h - Recording composite ops -----------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H
#define TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H

#include "compiler/graph/ops/Builders.h"
#include "ir/library/Attributes.h"

namespace tensorc::graph {

/// Returns the dtype for computing with x: f32 for f16 and bf16, because sums
/// accumulate rounding errors.
inline DType wideOf(DType dtype) {
  return isFloat(dtype) && byteWidth(dtype) == 2 ? DType::F32 : dtype;
}
/// Checks that x is a float; reports an error that names the op otherwise.
bool needFloat(Recorder &r, const char *name, const NodeRef &x);
/// Returns a number as a rank-0 operand. Numbers that only enter arithmetic are
/// operands instead of attributes, so that kernels do not depend on their
/// values.
inline NodeRef number(Recorder &r, DType dtype, double value) {
  return full(r, dtype, {}, Scalar::of(value));
}

/// Makes a node of an op of ir/library. Its shape rule determines the shape, or
/// checks the requested one. Absent operands are null.
NodeRef compositeOf(Recorder &r, OpKind op, DType dtype,
                    llvm::ArrayRef<NodeRef> operands, Ints words,
                    Ints asked = {});
template <typename Attributes = tx::NoAttributes>
NodeRef composite(Recorder &r, OpKind op, DType dtype,
                  llvm::ArrayRef<NodeRef> operands,
                  const Attributes &attributes = {}, Ints asked = {}) {
  llvm::SmallVector<int64_t, 32> words(attributes.numWords());
  attributes.write(words.data());
  return compositeOf(r, op, dtype, operands, words, asked);
}
/// Returns a bit mask of the operands that are not null.
int64_t presenceOf(std::initializer_list<NodeRef> optional);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H
