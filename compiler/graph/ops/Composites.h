//===- Composites.h - Recording ops that are made of others ---------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H
#define TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H

#include "compiler/graph/ops/Builders.h"
#include "ir/library/Attributes.h"

namespace tensorc::graph {

/// Halves are computed in f32, as sums accumulate.
inline DType wideOf(DType dtype) {
  return isFloat(dtype) && byteWidth(dtype) == 2 ? DType::F32 : dtype;
}
/// Refuses what is not a float, in the name of the op.
bool needFloat(Recorder &r, const char *name, const NodeRef &x);
/// A number that only enters arithmetic is an operand, so that another number
/// is not another kernel.
inline NodeRef number(Recorder &r, DType dtype, double value) {
  return full(r, dtype, {}, Scalar::of(value));
}

/// Makes a node of an op of ir/library. Its rule determines the shape, or
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
/// A bit for each of the operands that are there.
int64_t presenceOf(std::initializer_list<NodeRef> optional);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_COMPOSITES_H
