//===- ToSpirv.h - The parts of the conversion to spirv ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H
#define TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H

#include "codegen/lowering/spirv/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/SPIRVConversion.h"

namespace tensorc::codegen {

/// PrepareKernel.cpp. Rewrites a gpu.func to what the patterns can convert:
/// makes block sizes constants, and removes views of workgroup memory and
/// tables of constants.
mlir::LogicalResult prepareKernel(mlir::gpu::GPUFuncOp kernel);

/// A kernel as a spirv.func. `status` is the address of a 32-bit word that a
/// Shader sets if a loop was cut short. It is null in a Kernel.
struct MovedKernel {
  mlir::spirv::FuncOp function;
  mlir::Value status;
};

/// Moves the body of a gpu.func to a new spirv.func at the insertion point.
/// There is a 64-bit word per argument, as a parameter (Kernel) or push
/// constant (Shader). A Shader has one more word, the address of its status. If
/// there are more than maxPushedWords, a Shader gets only the address of all
/// words.
MovedKernel moveToFunction(mlir::OpBuilder &b, mlir::gpu::GPUFuncOp kernel,
                           SpirvFlavour flavour);
/// Maximum number of words as push constants. Vulkan guarantees 128 bytes.
constexpr size_t maxPushedWords = 16;

/// MemoryToSpirv.cpp. Memrefs without a memory space are converted to 64-bit
/// addresses, and memrefs in workgroup or private memory to pointers to arrays.
void addMemoryConversion(mlir::SPIRVTypeConverter &converter);
/// Returns the type that represents an element in memory: a byte for i1, 64
/// bits for index.
mlir::Type getSpirvStorageType(mlir::Type element);
void populateMemoryToSpirv(const mlir::SPIRVTypeConverter &converter,
                           SpirvFlavour flavour,
                           mlir::RewritePatternSet &patterns);

/// MathToSpirv.cpp. Adds patterns for ops that upstream's patterns for arith,
/// math and vector do not support, or round differently.
void populateMathToSpirv(const mlir::SPIRVTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

/// KeepFloats.cpp. Makes Vulkan drivers round after each op, and preserve NaN,
/// infinities and the sign of zero.
void keepFloats(mlir::spirv::FuncOp function, bool hasDoubles);
/// Returns an i32 that is 0 but not known to the driver. If specialization
/// constant 0 is 0, the driver is trusted and may fold it.
mlir::Value createHiddenZero(mlir::OpBuilder &b, mlir::Location loc);

/// ControlToSpirv.cpp. Converts scf ops, whose types have been converted, to
/// structured loops and selections. Carried values become variables of the
/// function, which are initialized before a loop begins. A Shader with loops
/// sets its status if a loop ended although its condition still held: Mesa's
/// lavapipe ends all loops once a thread has executed 65,535 iterations.
void structureControl(const MovedKernel &kernel);

/// Adds a variable at the start of the function that contains the insertion
/// point.
mlir::Value createVariable(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Type type, mlir::Value initializer = {});

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H
