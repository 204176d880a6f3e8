// The precompiled header of what is built on our dialects: MLIR as the folder
// `ir` sees it, the dialects of kernels, and ours without the ops of tx: most
// sources know none of these.
#include "cmake/pch_mlir.h"

#include "codegen/kernel/ops/Txk.h"
#include "ir/program/Txp.h"
#include "ir/tx/Structure.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
