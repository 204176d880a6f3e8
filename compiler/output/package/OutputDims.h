//===- OutputDims.h - encodes sizes of entries ------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_OUTPUTDIMS_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_OUTPUTDIMS_H

#include "ir/program/Txp.h"
#include "ir/tx/Dims.h"
#include "runtime/abi/Bytecode.h"

#include <map>

namespace tensorc::compiler {

/// Writes the instructions that compute sizes, without duplicates.
class SizeEncoder {
public:
  /// Writes an instruction whose result is a new register, and whose other
  /// operands are given. Returns this register.
  using Emit = llvm::function_ref<uint32_t(rt::Op, llvm::ArrayRef<uint32_t>)>;
  /// Returns the register of a symbol, or nullopt if it has none.
  using Leaf = llvm::function_ref<std::optional<uint32_t>(shape::Dim)>;

  SizeEncoder(Emit emit, Leaf leaf) : emit(emit), leaf(leaf) {}
  /// Returns the register with the size, or nullopt if a symbol has no
  /// register.
  std::optional<uint32_t> encode(shape::Dim dim);

private:
  uint32_t instruction(rt::Op op, uint32_t a, uint32_t b);

  Emit emit;
  Leaf leaf;
  std::map<std::tuple<rt::Op, uint32_t, uint32_t>, uint32_t> known;
};

/// Binds the symbols in the dims of an entry's inputs and outputs to its
/// arguments.
class EntryDims {
public:
  explicit EntryDims(txp::FuncOp func);

  llvm::SmallVector<shape::Dim> dims(mlir::RankedTensorType type) {
    return tx::namedDims(type, unnamed);
  }

  using Use = llvm::function_ref<uint32_t(mlir::BlockArgument)>;
  /// Returns the register with the size.
  mlir::FailureOr<uint32_t> evaluate(shape::Dim dim, mlir::Location loc,
                                     SizeEncoder::Emit emit, Use use) const;
  bool isBound(shape::Dim name) const { return bindings.contains(name); }

private:
  struct Binding {
    mlir::BlockArgument value;
    std::optional<uint32_t> dim; // nullopt if the value itself is the size
  };
  llvm::DenseMap<shape::Dim, Binding> bindings;
  unsigned unnamed = 0;
};

} // namespace tensorc::compiler

#endif
