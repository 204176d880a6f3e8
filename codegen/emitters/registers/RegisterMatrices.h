//===- RegisterMatrices.h - Small linear algebra in registers ---*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMATRICES_H
#define TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMATRICES_H

#include "codegen/emitters/registers/RegisterValues.h"
#include "ir/tx/Tx.h"

#include <optional>

namespace tensorc::codegen {

/// Returns the number of instructions of a call of `linalg.lu`, `solve` or
/// `triangular_solve` for one small matrix of f32 or f64; nullopt for other
/// calls.
std::optional<int64_t> matrixCost(tx::CustomCallOp call);

/// Emits such a call. The result has the same bits as that of the library
/// (runtime/linalg/SmallMatrices.h).
RegisterValue matrixInRegisters(RegisterBuilder &r, tx::CustomCallOp call,
                                llvm::ArrayRef<RegisterValue> inputs);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_REGISTERS_REGISTERMATRICES_H
