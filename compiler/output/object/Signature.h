//===- Signature.h - an entry as C sees it ----------------------*- C++ -*-===//
//
// One description of an entry's C interface, from which both the header and
// the code are made: fields, their order and their types.
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
    Buffer,   // a pointer to the elements
    Scalar,   // a value, by its dtype
    Dim,      // the size of a named dim: int64_t
    Capacity, // bytes behind an output whose size only the run knows: int64_t
    RunDim,   // such a size, written by the run: int64_t
    Callback, // a custom call's function
    Context   // and the pointer that it gets
  };
  Kind kind;
  std::string name;  // as a C identifier, unique in its struct
  std::string label; // as the program calls it
  mlir::Type type;   // the tensor type of a buffer or scalar
};

/// A value's dims.
using ObjectDims = llvm::SmallVector<shape::Dim>;

class ObjectSignature {
public:
  /// Fails with a diagnostic on what C cannot be told. Custom calls are found
  /// in all functions that the entry may call.
  static mlir::FailureOr<ObjectSignature> of(txp::FuncOp func,
                                             llvm::StringRef prefix);

  mutable txp::FuncOp func; // ops are handles
  std::string prefix;
  std::vector<ObjectField> inputs, outputs;
  /// For each argument of the function, its field in `inputs`.
  std::vector<unsigned> argumentFields;
  /// For each result of the function, its pointer's field in `outputs`.
  std::vector<unsigned> resultFields;
  std::vector<ObjectDims> argumentDims, resultDims;
  /// The fields in `inputs` of the names that the caller gives, in the order in
  /// which functions take them.
  std::vector<unsigned> dimFields;
  /// Callback fields in `inputs` by custom call.
  llvm::StringMap<unsigned> callbacks;

  /// The position in `dimFields` of the symbol, if an argument gives it.
  std::optional<unsigned> dimOf(shape::Dim symbol) const;
  /// Whether the caller's dims determine the sizes.
  bool isGiven(llvm::ArrayRef<shape::Dim> dims) const;

private:
  mlir::LogicalResult addInputs();
  void addDims();
  mlir::LogicalResult addCallbacks();
  mlir::LogicalResult addOutputs();

  llvm::DenseMap<shape::Dim, unsigned> dimOfSymbol;
  unsigned unnamed = 0;
};

/// The C type of an element: "float", "uint16_t" for the bits of an f16.
llvm::StringRef cTypeOf(mlir::Type element);
/// "f32", "i1", ...
std::string dtypeText(mlir::Type element);
/// Bytes of a field's value as C stores it.
unsigned cBytesOf(mlir::Type element);
/// The text as a C identifier that is neither a keyword of C or C++ nor a name
/// of the C headers that the header comes with.
std::string cIdentifier(llvm::StringRef text);

/// The prefix of an entry's symbols: `stem` for `main` and for an entry of the
/// stem's name, else `stem_entry`.
std::string objectPrefix(llvm::StringRef stem, llvm::StringRef entry);

} // namespace tensorc::compiler

#endif
