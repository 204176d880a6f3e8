//===- Signature.h - the C signature of an entry ----------------*- C++ -*-===//
//
// Describes an entry's C interface (fields, their order and types), from which
// both the header and the code are generated.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_SIGNATURE_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_SIGNATURE_H

#include "ir/program/Txp.h"
#include "ir/tx/Dims.h"

namespace tensorc::compiler {

/// A member of `PREFIX_inputs` or `PREFIX_outputs`.
struct ObjectField {
  enum Kind {
    Buffer,   // pointer to the elements
    Scalar,   // value, passed by its dtype
    Dim,      // the size of a symbolic dim: int64_t
    Capacity, // capacity in bytes of an output of dynamic size: int64_t
    RunDim,   // a dim of such an output, written by the run: int64_t
    Callback, // a custom call's function
    Context   // the context pointer of that function
  };
  Kind kind;
  std::string name;  // C identifier, unique in its struct
  std::string label; // name in the program
  mlir::Type type;   // the tensor type of a buffer or scalar
};

/// A value's dims.
using ObjectDims = llvm::SmallVector<shape::Dim>;

class ObjectSignature {
public:
  /// Builds the signature of an entry. Reports an error for types that C cannot
  /// express. Custom calls are collected from all functions that the entry may
  /// call.
  static mlir::FailureOr<ObjectSignature> of(txp::FuncOp func,
                                             llvm::StringRef prefix);

  mutable txp::FuncOp func; // mutable, because ops are handles
  std::string prefix;
  std::vector<ObjectField> inputs, outputs;
  /// For each argument, the number of its field in `inputs`.
  std::vector<unsigned> argumentFields;
  /// For each result, the number of the field in `outputs` with its pointer.
  std::vector<unsigned> resultFields;
  std::vector<ObjectDims> argumentDims, resultDims;
  /// For each symbolic size that the caller passes, in parameter order, the
  /// number of its field in `inputs`.
  std::vector<unsigned> dimFields;
  /// For each custom call, the number of its Callback field in `inputs`.
  llvm::StringMap<unsigned> callbacks;

  /// If an argument passes the symbol, returns its position in `dimFields`.
  std::optional<unsigned> dimOf(shape::Dim symbol) const;
  /// True if the sizes follow from dims that the caller passes.
  bool isGiven(llvm::ArrayRef<shape::Dim> dims) const;

private:
  mlir::LogicalResult addInputs();
  void addDims();
  mlir::LogicalResult addCallbacks();
  mlir::LogicalResult addOutputs();

  llvm::DenseMap<shape::Dim, unsigned> dimOfSymbol;
  unsigned unnamed = 0;
};

/// Returns the C type of an element, e.g. "float", or "uint16_t" for the bits
/// of an f16.
llvm::StringRef cTypeOf(mlir::Type element);
/// Returns the name of the dtype, e.g. "f32" or "i1".
std::string dtypeText(mlir::Type element);
/// Returns the size of a field's value in C.
unsigned cBytesOf(mlir::Type element);
/// Converts the text to a C identifier that is neither a keyword of C or C++
/// nor a name of the standard headers that the header includes.
std::string cIdentifier(llvm::StringRef text);

/// Returns the prefix of an entry's symbols: `stem` for `main` and for an entry
/// with the stem's name, else `stem_entry`.
std::string objectPrefix(llvm::StringRef stem, llvm::StringRef entry);

} // namespace tensorc::compiler

#endif
