//===- Words.h - Helpers that several handlers share ----------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H

#include "compiler/frontends/stablehlo/Converter.h"

namespace tensorc::stablehlo {

/// Returns the dtype in which elements of a source's type are kept, or nullopt
/// for a type that tensors of tx cannot have. 2-bit integers are kept in 4
/// bits.
std::optional<DType> dtypeIn(mlir::Type element);
bool isTwoBits(mlir::Type element);
/// Converts a value to the dtype in which elements of the source type are kept.
/// Integers wrap around.
Value convertTo(TensorBuilder &b, Value x, mlir::Type element);

/// Maps floats to integers in the order of IEEE 754's total order
/// (Elementwise.cpp).
Value totalOrderKey(TensorBuilder &b, Value x);
/// Returns the float of this dtype that totalOrderKey maps to the key.
Value fromTotalOrderKey(TensorBuilder &b, Value key, DType dtype);
/// Returns the real part of complex numbers, and other numbers unchanged.
Value realPart(TensorBuilder &b, Value x);
/// Returns the conjugate of complex numbers, and other numbers unchanged.
Value conjugate(TensorBuilder &b, Value x);
/// Returns the imaginary part of complex numbers.
Value imagOf(TensorBuilder &b, Value x);
/// Compares by a direction such as `LT` or `GE`. Returns null for an unknown
/// direction.
Value compareValues(TensorBuilder &b, llvm::StringRef direction, Value x,
                    Value y);

/// Kinds of splat constants: zero, one, and the lowest or highest value of the
/// dtype.
enum class Special { None, Zero, One, Lowest, Highest };
bool isSpecial(Value value, Special special);
/// Returns the lowest or highest value of the dtype; infinite for a float.
Value extremeOf(TensorBuilder &b, DType dtype, bool lowest, Dims dims = {});

/// Builds a scan before a loop whose number of iterations is known, and returns
/// its results.
std::optional<Values> countedLoop(TensorBuilder b, tx::WhileOp loop,
                                  frontends::Known &known);

/// The ways in which a region combines two scalars. Second returns the second
/// one.
enum class Combiner { Add, Mul, Min, Max, And, Or, Sub, Second, Other };
Combiner combinerOf(Region &region);
/// Returns the neutral element of a combiner; None if tx has no reduction for
/// it.
Special identityOf(Combiner combiner);

/// Returns the kind of update that a combiner corresponds to, in a scatter to
/// the op's first operand, or failure after a diagnostic.
llvm::FailureOr<tx::UpdateKind> updateOf(Call &call, Combiner combiner);

/// Checks that the operands of a reduction are tensors of one shape, followed
/// by one initial element per tensor.
mlir::LogicalResult checkInputs(Call &call, llvm::ArrayRef<Value> inputs);
/// Reduces the last `count` dims of tensors of equal shapes with a region and
/// initial values.
Results reduceLast(Call &call, Region &region, Values x, int64_t count,
                   llvm::ArrayRef<Value> initial);
/// True if the source value is a comparison of these two values in this
/// direction.
bool isCompare(Value value, llvm::StringRef direction, Value x, Value y);
/// Returns the source op that makes the value if the op has this name, else
/// null.
mlir::Operation *opNamed(Value value, llvm::StringRef name);
/// Returns the index of the largest or smallest element along a dim.
Value choose(TensorBuilder &b, bool largest, Value x, int64_t dim, DType index);

/// Converts a gather with these slice sizes; -1 means the whole dim.
Results gatherSlices(Call &call, NumberList sizes);
/// Converts a reduce_window whose window parameters are operands and whose
/// region is a function.
Results dynamicReduceWindow(Call &call);

/// True for the type of a token in the source, which orders effects
/// (calls/HostCalls.cpp).
bool isToken(mlir::Type type);
/// Returns the type of tokens within a program.
mlir::Type tokenType(mlir::MLIRContext *context);
/// Returns the type that callers pass for a token, as JAX does: an empty tensor.
mlir::Type passedToken(mlir::MLIRContext *context);
/// Replaces tokens between ops by bytes that are never read. The types of
/// functions keep tokens.
void replaceTokens(mlir::ModuleOp source);

/// Converts a custom call of a function in the host process.
Results hostCallback(Call &call);
/// Converts the custom call `ApproxTopK` (Sorting.cpp).
Results approximateTopK(Call &call);
/// Converts a custom call of LAPACK, such as `lapack_spotrf_ffi`
/// (LinearAlgebra.cpp).
Results lapack(Call &call, llvm::StringRef name);
/// Converts `tensorc.qr`, which returns the factors Q and R of a matrix.
Results qr(Call &call);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H
