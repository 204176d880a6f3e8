//===- Tables.h - what code refers to by number -----------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_TABLES_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_TABLES_H

#include "compiler/output/package/Serialize.h"
#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/tx/Tx.h"
#include "runtime/abi/Bytecode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

namespace tensorc::compiler {

/// The constants of a package, each once, for all sections.
class ConstantTable {
public:
  explicit ConstantTable(llvm::ArrayRef<NamedConstant> named) : named(named) {}
  mlir::FailureOr<uint32_t> index(txp::ConstantBufferOp op);
  /// Of the constants, while the module lives.
  llvm::ArrayRef<llvm::StringRef> bytes() const { return contents; }

private:
  llvm::ArrayRef<NamedConstant> named;
  llvm::DenseMap<mlir::Attribute, uint32_t> known;
  std::vector<llvm::StringRef> contents;
  /// Of those that a module holds in another form.
  std::deque<std::string> converted;
};

/// The kernels, strings and functions of one section.
class SectionTables {
public:
  SectionTables(mlir::ModuleOp module, ConstantTable &constants);

  uint32_t string(llvm::StringRef text);
  /// Without `declared`, what the launch says of sizes is left out.
  mlir::FailureOr<uint32_t> kernel(txp::LaunchOp op, tx::DimsAttr declared);
  mlir::FailureOr<uint32_t> kernel(txp::LaunchGridOp op, tx::DimsAttr declared);
  uint32_t function(llvm::StringRef name) const {
    return functionIndex.lookup(name);
  }

  struct Kernel {
    std::string name;
    uint32_t arity;
    uint32_t image; // 0: the emitted kernels', i: images[i - 1]
    llvm::SmallVector<std::pair<uint8_t, rt::ArgRole>> args; // dtype and role
    tx::DimsAttr sizes;                                      // or none
    mlir::FileLineColLoc place;            // of its first launch, or none
    std::string order = {}, schedule = {}; // of emitted kernels, as words
  };
  ConstantTable &constants;
  std::vector<Kernel> kernels;
  std::vector<std::string> strings;
  llvm::SmallVector<txp::ImageOp> images;
  llvm::SmallVector<txp::FuncOp> functions;

private:
  mlir::FailureOr<uint32_t> kernel(mlir::Operation *launch, llvm::StringRef key,
                                   Kernel kernel);
  llvm::StringMap<uint32_t> functionIndex, stringIndex, imageIndex;
  /// One for each declaration that launches make of a kernel.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> kernelIndex;
};

/// The elements as the device sees them: dense, i1 a byte, i4 two to a byte.
/// They lie in the attribute, if that has them so, or in `converted`.
mlir::FailureOr<llvm::StringRef> constantBytes(mlir::Location loc,
                                               mlir::ElementsAttr value,
                                               std::string &converted);

} // namespace tensorc::compiler

#endif
