//===- Tables.h - constants, kernels and functions by index -----*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PACKAGE_TABLES_H
#define TENSORC_COMPILER_OUTPUT_PACKAGE_TABLES_H

#include "compiler/output/package/Serialize.h"
#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/tx/TxDialect.h"
#include "runtime/abi/Bytecode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

namespace tensorc::compiler {

/// The constants of a package, without duplicates, for all sections.
class ConstantTable {
public:
  explicit ConstantTable(llvm::ArrayRef<NamedConstant> named) : named(named) {}
  mlir::FailureOr<uint32_t> index(txp::ConstantBufferOp op);
  /// The bytes of the constants; valid while the module lives.
  llvm::ArrayRef<llvm::StringRef> bytes() const { return contents; }

private:
  llvm::ArrayRef<NamedConstant> named;
  llvm::DenseMap<mlir::Attribute, uint32_t> known;
  std::vector<llvm::StringRef> contents;
  /// Bytes of constants that the module stores in another form.
  std::deque<std::string> converted;
};

/// The kernels, strings and functions of one section.
class SectionTables {
public:
  /// With `lines`, launches refer to source lines, otherwise to numbers of ops
  /// (ir/tx/structure/OpOrdinals.h).
  SectionTables(mlir::ModuleOp module, ConstantTable &constants, bool lines);

  uint32_t string(llvm::StringRef text);
  /// Returns the index of the launched kernel. Without `declared` the sizes
  /// that the launch declares are omitted.
  mlir::FailureOr<uint32_t> kernel(txp::LaunchOp op, tx::DimsAttr declared);
  mlir::FailureOr<uint32_t> kernel(txp::LaunchGridOp op, tx::DimsAttr declared);
  uint32_t function(llvm::StringRef name) const {
    return functionIndex.lookup(name);
  }

  /// Returns the last operand of a launch or a custom call with this location.
  uint32_t opNumber(mlir::Location loc);

  struct Kernel {
    std::string name;
    uint32_t arity;
    uint32_t image; // 0 for the emitted kernels, i for images[i - 1]
    llvm::SmallVector<std::pair<uint8_t, rt::ArgRole>> args; // dtype and role
    tx::DimsAttr sizes; // null if undeclared
    // Set only for emitted kernels, as text.
    std::string order = {}, schedule = {};
  };
  ConstantTable &constants;
  std::vector<Kernel> kernels;
  // The file, as the number of a string, and the line.
  std::vector<std::pair<uint32_t, uint32_t>> lines;
  std::vector<std::string> strings;
  llvm::SmallVector<txp::ImageOp> images;
  llvm::SmallVector<txp::FuncOp> functions;

private:
  mlir::FailureOr<uint32_t> kernel(mlir::Operation *launch, llvm::StringRef key,
                                   Kernel kernel);
  const bool hasLines;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> lineIndex;
  llvm::StringMap<uint32_t> functionIndex, stringIndex, imageIndex;
  /// The indices of a kernel, one for each set of sizes that its launches
  /// declare.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> kernelIndex;
};

/// Returns the elements in the layout of devices: dense, i1 as a byte, two i4
/// in a byte. If the attribute has this layout, the bytes are its own; else
/// they are stored in `converted`.
mlir::FailureOr<llvm::StringRef> constantBytes(mlir::Location loc,
                                               mlir::ElementsAttr value,
                                               std::string &converted);

} // namespace tensorc::compiler

#endif
