//===- Txk.cpp - The txk dialect of kernels -------------------------------===//
#include "codegen/kernel/ops/Txk.h"
#include "codegen/kernel/ops/Amx.h"
#include "codegen/kernel/ops/TileInstructions.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tensorc::txk;

#include "codegen/kernel/ops/TxkDialect.cpp.inc"
#include "codegen/kernel/ops/TxkEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "codegen/kernel/ops/TxkTypes.cpp.inc"

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkOps.cpp.inc"

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkAmx.cpp.inc"

#define GET_OP_CLASSES
#include "codegen/kernel/ops/TxkTiles.cpp.inc"

void TxkDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "codegen/kernel/ops/TxkTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/ops/TxkOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/ops/TxkAmx.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "codegen/kernel/ops/TxkTiles.cpp.inc"
      >();
}
