//===- Txk.h - The txk dialect of kernels ---------------------------------===//
//
// Types and ops are declared in TxkDialect.td and TxkOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXK_H
#define TENSORC_CODEGEN_KERNEL_OPS_TXK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "codegen/kernel/ops/TxkDialect.h.inc"
#include "codegen/kernel/ops/TxkEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "codegen/kernel/ops/TxkTypes.h.inc"

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkOps.h.inc"

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXK_H
