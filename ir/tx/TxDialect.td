//===- TxDialect.td - Tensor expressions: dialect, types, op bases --------===//
//
// This is the only definition of every op. mlir-tblgen generates the dialect
// from it; tools/opgen generates the lazy graph's builders, the emitters'
// scalar table and docs/ops.md from the same records.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_TXDIALECT_TD
#define TENSORC_IR_TX_TXDIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tx_Dialect : Dialect {
  let name = "tx";
  let cppNamespace = "::tensorc::tx";
  let summary = "Tensor expressions with named symbolic dimensions";
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Returns the owner of the sizes in types of this MLIR context.
    ::tensorc::shape::DimContext &getDims() { return dims; }
  private:
    ::tensorc::shape::DimContext dims;
  public:
  }];
}

//===----------------------------------------------------------------------===//
// Element types and tensors
//===----------------------------------------------------------------------===//

defvar Tx_Floats = [F16, BF16, F32, F64];
defvar Tx_Ints = [I8, I16, I32, I64, UI8, UI16, UI32, UI64];
/// Complex numbers. They are replaced by two real tensors before fusions are
/// made.
defvar Tx_Complexes = [Complex<F32>, Complex<F64>];
/// Types that can be moved and converted, but not used in computations.
defvar Tx_Storage = [I<4>, UI<4>, F8E4M3FN, F8E5M2];

/// `what` is the name of the element types in messages.
class Tx_ComputedTensor<list<Type> elements, string what, list<Pred> more = []>
    : Type<And<[RankedTensorOf<elements>.predicate] # more>, "ranked tensor of " # what #
           " (i4, ui4 and f8 are storage: tx.convert first)", "::mlir::RankedTensorType">;

def Tx_Tensor : RankedTensorOf<!listconcat([I1], Tx_Ints, Tx_Floats, Tx_Storage, Tx_Complexes)>;
def Tx_StoredNumberTensor : RankedTensorOf<!listconcat(Tx_Ints, Tx_Floats, Tx_Storage)>;
def Tx_ComputeTensor : Tx_ComputedTensor<!listconcat([I1], Tx_Ints, Tx_Floats), "i1, integers or floats">;
def Tx_NumberTensor : Tx_ComputedTensor<!listconcat(Tx_Ints, Tx_Floats), "integers or floats">;
def Tx_FloatTensor : Tx_ComputedTensor<Tx_Floats, "f16, bf16, f32 or f64">;
def Tx_ComputeOrComplexTensor : Tx_ComputedTensor<!listconcat([I1], Tx_Ints, Tx_Floats, Tx_Complexes),
                                                  "i1, integers, floats or complex numbers">;
def Tx_NumberOrComplexTensor : Tx_ComputedTensor<!listconcat(Tx_Ints, Tx_Floats, Tx_Complexes),
                                                 "integers, floats or complex numbers">;
/// Operands of contractions. Products of 8-bit floats are exact in f32.
def Tx_FactorTensor : RankedTensorOf<!listconcat(Tx_Ints, Tx_Floats, Tx_Complexes, [F8E4M3FN, F8E5M2])>;
def Tx_FloatOrComplexTensor : Tx_ComputedTensor<!listconcat(Tx_Floats, Tx_Complexes),
                                                "f16, bf16, f32, f64 or complex numbers">;
def Tx_ComplexTensor : RankedTensorOf<Tx_Complexes>;
/// A tensor of the real or the imaginary parts of complex numbers.
def Tx_PlaneTensor : RankedTensorOf<[F32, F64]>;
def Tx_BoolTensor : RankedTensorOf<[I1]>;
def Tx_I64Tensor : RankedTensorOf<[I64]>;
def Tx_IndexTensor : Type<RankedTensorOf<[I32, I64]>.predicate, "ranked tensor of i32 or i64",
                          "::mlir::RankedTensorType">;
def Tx_IntTensor : Tx_ComputedTensor<Tx_Ints, "integers">;
def Tx_Words : RankedTensorOf<[UI32]>;
def Tx_WordsOrDoubleWords : RankedTensorOf<[UI32, UI64]>;
def Tx_BitsTensor : Tx_ComputedTensor<!listconcat([I1], Tx_Ints), "i1 or integers">;

//===----------------------------------------------------------------------===//
// Op bases
//===----------------------------------------------------------------------===//

/// Rejects an op that is its own operand. MLIR allows that in a module outside
/// of functions, and simplification would not terminate.
def Tx_InOrderedBlock : NativeOpTrait<"InOrderedBlock"> {
  let cppNamespace = "::tensorc::tx";
}

/// Base of all ops, with fields that tools/opgen reads in addition to those of
/// ODS. An element-wise op has derivatives: one expression per operand, over
/// the operands' names, `result`, and the incoming gradient `g`. Another op has
/// a rule in compiler/transforms/autodiff. Otherwise the op declares that it is
/// not differentiable.
class Tx_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tx_Dialect, mnemonic, traits # [Tx_InOrderedBlock]> {
  string category = "";
  list<string> derivatives = [];
  bit gradientRule = 0;
  bit notDifferentiable = 0;
  /// Name of a struct in OpAttributes.h that ops with the same attributes
  /// share. Empty if the op has a struct of its own.
  string sharedAttributes = "";
  /// The shape rule, as C++ code over the operands' names and `a`, the op's
  /// struct of attributes. Empty if the op has no rule, or if all shapes are
  /// equal. If an op owns its shape, the operands do not determine it, and the
  /// rule gets the requested shape as `result`.
  string shapeRule = "";
  bit ownsShape = 0;
  /// For a composite of element-wise ops: approximate number of ops in its
  /// expansion.
  int elementwiseOps = 0;
  /// Set if the lazy API offers the op as a function. Not set for ops that only
  /// the compiler creates.
  bit inApi = 1;
  /// Set if the op supports only complex numbers. It then has neither scalar
  /// ops nor derivatives, because ops on real numbers replace it before
  /// differentiation and code generation.
  bit ofComplex = 0;
}

/// An op whose verifier calls its shape rule.
class Tx_ShapedOp<string mnemonic, list<Trait> traits = []> : Tx_Op<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tensorc::tx::verifyShape(getOperation());
    }
  }];
}

def Tx_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::tensorc::tx";
}

/// Marks ops that are so expensive that a value is stored instead of being
/// computed twice.
def Tx_Costly : NativeOpTrait<"Costly"> {
  let cppNamespace = "::tensorc::tx";
}

/// An element-wise op, whose operands and result have the same shape. `float`,
/// `signed`, `unsigned` and `bool` name its scalar op for each kind of element:
/// an op class ("arith::AddFOp") or a function of
/// codegen/emitters/scalar/ScalarOps.h ("floatToInt"). Empty if the op does not
/// support the kind.
class Tx_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Tx_Op<mnemonic, !listconcat([Pure, Tx_Elementwise], traits)> {
  let category = "element-wise";
  string float = "";
  string signed = "";
  string unsigned = "";
  string bool = "";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tensorc::tx::verifyElementwise(getOperation());
    }
  }];
}

class Tx_UnaryOp<string mnemonic, Type type = Tx_NumberTensor,
                 list<Trait> traits = []>
    : Tx_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

class Tx_BinaryOp<string mnemonic, Type type = Tx_NumberTensor,
                  list<Trait> traits = []>
    : Tx_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}

/// A reduction or scan that combines elements by the scalar op of an element-wise
/// op. Combining an element with `neutral` does not change it: Zero, One, or the
/// Lowest or Highest value of the dtype.
class Tx_Combining<Tx_ElementwiseOp by, string element> {
  string combines = by.opName;
  string neutral = element;
  string float = by.float;
  string signed = by.signed;
  string unsigned = by.unsigned;
  string bool = by.bool;
}

class Tx_TernaryOp<string mnemonic, Type type = Tx_NumberTensor,
                   list<Trait> traits = []>
    : Tx_ElementwiseOp<mnemonic, !listconcat([SameOperandsAndResultType], traits)> {
  let results = (outs type:$result);
}

/// An element-wise op whose result is i1 for operands of any dtype.
class Tx_PredicateOp<string mnemonic, list<Trait> traits = []>
    : Tx_ElementwiseOp<mnemonic, !listconcat([InferTypeOpAdaptor], traits)> {
  let results = (outs Tx_BoolTensor:$result);
  let notDifferentiable = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tensorc::tx::verifyElementwise(getOperation());
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      types.push_back(::tensorc::tx::withElementType(adaptor.getX().getType(),
          ::mlir::IntegerType::get(adaptor.getX().getContext(), 1)));
      return ::mlir::success();
    }
  }];
}

class Tx_CompareOp<string mnemonic, Type type = Tx_ComputeTensor>
    : Tx_PredicateOp<mnemonic, [SameTypeOperands]> {
  let arguments = (ins type:$x, type:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

class Tx_TestOp<string mnemonic> : Tx_PredicateOp<mnemonic> {
  let arguments = (ins Tx_ComputeOrComplexTensor:$x);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

#endif // TENSORC_IR_TX_TXDIALECT_TD
