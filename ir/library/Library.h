//===- Library.h - Composite ops ------------------------------------------===//
//
// Softmax, attention, convolution and others: a .td file of this folder defines
// each op, and `expand` is in the .cpp file of the same name. This header is
// separate from Tx.h because few sources need the classes of these ops; most
// use CompositeOpInterface.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_LIBRARY_H
#define TENSORC_IR_LIBRARY_LIBRARY_H

#include "ir/library/Attributes.h"
#include "ir/shape/Rules.h"
#include "ir/tx/DType.h"
#include "ir/tx/TxDialect.h"

#include "ir/library/Composite.h.inc"

#define GET_OP_CLASSES
#include "ir/library/Library.h.inc"

namespace tensorc::tx {

/// Applies the shape rule of a composite to operands of these dims. If the
/// composite owns its shape, `result` is the requested shape.
shape::InferredShape inferComposite(mlir::Operation *op,
                                    llvm::ArrayRef<shape::Dims> operands,
                                    shape::Dims result = {});

/// True if the combiner can combine elements of this dtype from several ranks.
bool canCombine(Combiner combiner, DType dtype);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_LIBRARY_H
