//===- Txp.h - The host program dialect -------------------------*- C++ -*-===//
//
// Ops and types are declared in TxpDialect.td and TxpOps.td.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_PROGRAM_TXP_H
#define TENSORC_IR_PROGRAM_TXP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/program/TxpDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/program/TxpTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/program/TxpAttributes.h.inc"

#define GET_OP_CLASSES
#include "ir/program/TxpOps.h.inc"

#endif
