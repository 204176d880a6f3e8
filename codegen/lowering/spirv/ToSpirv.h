//===- ToSpirv.h - The parts of the conversion to spirv ---------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H
#define TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H

#include "codegen/lowering/spirv/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/SPIRVConversion.h"

namespace tensorc::codegen {

/// PrepareKernel.cpp. Makes of a gpu.func what the patterns convert: block
/// sizes are constants, views of workgroup memory and tables of constants are
/// gone.
mlir::LogicalResult prepareKernel(mlir::gpu::GPUFuncOp kernel);

/// A kernel as a spirv.func. `status` is the address of a 32-bit word that a
/// Shader sets if a loop was cut short; null in a Kernel.
struct MovedKernel {
  mlir::spirv::FuncOp function;
  mlir::Value status;
};

/// Moves the body of a gpu.func to a new spirv.func at the builder's position.
/// Its parameters (Kernel) or push constants (Shader) are a 64-bit word per
/// argument, and in a Shader the address of its status. More than
/// maxPushedWords are read through the address that is pushed instead.
MovedKernel moveToFunction(mlir::OpBuilder &b, mlir::gpu::GPUFuncOp kernel,
                           SpirvFlavour flavour);
/// Vulkan guarantees 128 bytes.
constexpr size_t maxPushedWords = 16;

/// MemoryToSpirv.cpp. Memrefs without a memory space become 64-bit addresses.
/// Memrefs in workgroup or private memory become pointers to arrays.
void addMemoryConversion(mlir::SPIRVTypeConverter &converter);
/// Returns the type of an element in memory: a byte for i1, 64 bits for index.
mlir::Type getSpirvStorageType(mlir::Type element);
void populateMemoryToSpirv(const mlir::SPIRVTypeConverter &converter,
                           SpirvFlavour flavour,
                           mlir::RewritePatternSet &patterns);

/// MathToSpirv.cpp. What upstream's patterns for arith, math and vector lack,
/// or round otherwise.
void populateMathToSpirv(const mlir::SPIRVTypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

/// KeepFloats.cpp. Makes drivers of Vulkan round each operation by itself, and
/// keep NaN, infinities and the sign of zero.
void keepFloats(mlir::spirv::FuncOp function, bool hasDoubles);
/// Returns a zero of i32 that a driver does not know. If the module's
/// specialization constant 0 is 0, the driver is trusted and knows it.
mlir::Value createHiddenZero(mlir::OpBuilder &b, mlir::Location loc);

/// ControlToSpirv.cpp. Turns scf ops, whose types are converted, into structured
/// loops and selections. Values that they carry are variables of the function,
/// which hold their initial values before a loop begins. If a Shader has loops,
/// it sets its status if one of them ended although it should go on: Mesa's
/// lavapipe ends all loops once a thread has run 65,535 iterations.
void structureControl(const MovedKernel &kernel);

/// Adds a variable at the beginning of the function that holds `b`'s position.
mlir::Value createVariable(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Type type, mlir::Value initializer = {});

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_SPIRV_TOSPIRV_H
