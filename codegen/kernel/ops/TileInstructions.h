//===- TileInstructions.h - Tiles in registers, bytes, wmma -----*- C++ -*-===//
//
// The ops are declared in TxkTiles.td.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TILEINSTRUCTIONS_H
#define TENSORC_CODEGEN_KERNEL_OPS_TILEINSTRUCTIONS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkTiles.h.inc"

#endif // TENSORC_CODEGEN_KERNEL_OPS_TILEINSTRUCTIONS_H
