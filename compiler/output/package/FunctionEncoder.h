//===- FunctionEncoder.h - encodes a txp.func as bytecode -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_FUNCTIONENCODER_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_FUNCTIONENCODER_H

#include "compiler/output/package/OutputDims.h"
#include "compiler/output/package/Tables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/abi/Bytecode.h"

namespace tensorc::compiler {

/// The entry of a function in the package's table.
struct EncodedFunction {
  std::string name;
  uint32_t words = 0, buffers = 0, events = 0, hostBuffers = 0;
  uint32_t wordArgs = 0, bufferArgs = 0, wordResults = 0, bufferResults = 0;
  std::vector<uint32_t> code;
};

/// Encodes a function: assigns a register to each value and writes ops in
/// order.
class FunctionEncoder {
public:
  FunctionEncoder(txp::FuncOp func, SectionTables &tables)
      : func(func), tables(tables) {
    if (func.isEntry())
      names.emplace(func);
  }
  mlir::FailureOr<EncodedFunction> encode();

private:
  using Op = rt::Op;
  using Words = llvm::SmallVector<uint32_t, 16>;

  // Implemented in FunctionEncoder.cpp: registers and txp ops
  uint32_t newRegister(mlir::Type type);
  uint32_t define(mlir::Value value);
  uint32_t use(mlir::Value value) const { return registers.lookup(value); }
  void append(Words &words, mlir::ValueRange values) const;
  /// Registers of the grid's dims and of the size of shared memory.
  struct Grid {
    uint32_t y, z, shared, blockY = 1, blockZ = 1;
  };
  void appendGrid(Words &words, const Grid &grid) const;
  void appendMaps(Words &words, txp::LaunchOp op) const;
  template <typename LaunchOp>
  void appendArguments(Words &words, LaunchOp op,
                       llvm::ArrayRef<uint32_t> dims) const;
  mlir::LogicalResult emit(mlir::Operation *at, Op op,
                           llvm::ArrayRef<uint32_t> operands,
                           uint32_t queue = 0);
  uint32_t emitConstant(mlir::Operation *at, int64_t value);
  mlir::LogicalResult block(mlir::Block &body);
  mlir::LogicalResult operation(mlir::Operation &op);
  mlir::LogicalResult program(mlir::Operation &op);
  mlir::LogicalResult launch(txp::LaunchOp op);
  template <typename LaunchOp> tx::DimsAttr declaredSizes(LaunchOp op) const;
  mlir::FailureOr<Words> launchDims(mlir::Operation *op, tx::DimsAttr declared);
  uint32_t emitSize(mlir::Operation *at, Op op,
                    llvm::ArrayRef<uint32_t> operands);
  mlir::LogicalResult launchGrid(txp::LaunchGridOp op);
  mlir::LogicalResult call(txp::CallOp op);
  mlir::LogicalResult customCall(txp::CustomCallOp op);
  mlir::LogicalResult readScalar(txp::ReadScalarOp op);
  mlir::LogicalResult dim(txp::DimOp op);
  mlir::LogicalResult ret(txp::ReturnOp op);
  mlir::FailureOr<Words> outputDims(txp::ReturnOp op);

  // Implemented in EncodeArith.cpp
  mlir::LogicalResult arithmetic(mlir::Operation &op);
  mlir::LogicalResult compare(mlir::arith::CmpIOp op);
  mlir::LogicalResult select(mlir::arith::SelectOp op);

  // Implemented in EncodeControlFlow.cpp
  mlir::LogicalResult ifOp(mlir::scf::IfOp op);
  mlir::LogicalResult whileOp(mlir::scf::WhileOp op);
  mlir::LogicalResult forOp(mlir::scf::ForOp op);
  void move(mlir::Operation *at, llvm::ArrayRef<uint32_t> to,
            mlir::ValueRange from);
  void moveOne(mlir::Operation *at, uint32_t to, uint32_t from,
               mlir::Type type);
  /// Emits a forward jump and returns the position to patch.
  size_t jump(mlir::Operation *at, Op op, llvm::ArrayRef<uint32_t> condition);
  void landHere(size_t patch) { result.code[patch] = here(); }
  uint32_t here() const { return static_cast<uint32_t>(result.code.size()); }

  txp::FuncOp func;
  SectionTables &tables;
  EncodedFunction result;
  llvm::DenseMap<mlir::Value, uint32_t> registers;
  std::optional<EntryDims> names; // set for an entry
  /// Registers of symbolic sizes that all later instructions may read.
  llvm::DenseMap<shape::Dim, uint32_t> nameRegisters;
};

/// Encodes the sizes that a kernel declares, as a function of the symbols in
/// them.
mlir::FailureOr<EncodedFunction> encodeSizes(tx::DimsAttr sizes,
                                             mlir::Location loc);

/// Returns the runtime's code of an element type, or 0 if it has none.
uint8_t dtypeOf(mlir::Type element);

} // namespace tensorc::compiler

#endif
