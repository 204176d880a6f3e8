//===- TileOperands.h - Operands of matrix instructions of GPUs -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_TILEOPERANDS_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_TILEOPERANDS_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/kernel/TileTypes.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace tensorc::codegen {

class Dot;

/// Types in which the matrix instructions of a GPU would multiply.
struct TileOperands {
  mlir::Type x, y;
};

/// Returns f16 or bf16 for operands of that type; tf32 for f32 that is rounded
/// to it (tx::tf32Attr); i8 or ui8 for i32 within the range of bytes. Returns
/// nullopt for other operands, and if the target has no such instruction.
std::optional<TileOperands> tileOperands(const TargetInfo &target,
                                         const Dot &dot);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_TILEOPERANDS_H
