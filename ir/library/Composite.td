//===- Composite.td - The base class of composite ops ---------------------===//
#ifndef TENSORC_IR_LIBRARY_COMPOSITE_TD
#define TENSORC_IR_LIBRARY_COMPOSITE_TD

include "ir/library/Enums.td"

def Tx_CompositeInterface : OpInterface<"CompositeOpInterface"> {
  let description = "An op that is made of others.";
  let cppNamespace = "::tensorc::tx";
  let methods = [
    InterfaceMethod<"Builds the op's meaning where the builder is, and returns its result.",
                    "::mlir::Value", "expand", (ins "::mlir::OpBuilder &":$builder)>];
}

defvar Tx_IsRank0 = CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">;
/// A number that is used only in arithmetic.
def Tx_FloatNumber : Tx_ComputedTensor<Tx_Floats, "f16, bf16, f32 or f64, of rank 0", [Tx_IsRank0]>;
def Tx_IntNumber : Tx_ComputedTensor<Tx_Ints, "integers, of rank 0", [Tx_IsRank0]>;

/// A composite op. Its result has the dtype of the first operand, unless
/// `sameDType` is 0.
class Tx_Composite<string mnemonic, list<Trait> traits = []>
    : Tx_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<Tx_CompositeInterface>], traits)> {
  let category = "composite";
  let results = (outs Tx_ComputeTensor:$result);
  let shapeRule = "shape::inferSame(x)";
  /// Set if C and C++ functions with this name and these operands are
  /// generated, as for an element-wise op. Otherwise compiler/api/Api.td
  /// describes the function. `defaults` are the default values of the last
  /// parameters in C++.
  bit function = 0;
  list<string> defaults = [];
  bit sameDType = 1;
  /// C++ code for checks that are specific to this op.
  string extraVerification = "::llvm::success()";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      if (failed(::tensorc::tx::verifyComposite(getOperation(), }] # !if(sameDType, "true", "false") # [{)))
        return ::llvm::failure();
      return }] # extraVerification # [{;
    }
  }];
}

#endif // TENSORC_IR_LIBRARY_COMPOSITE_TD
