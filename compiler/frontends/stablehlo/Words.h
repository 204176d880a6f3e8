//===- Words.h - What several handlers say --------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H

#include "compiler/frontends/stablehlo/Converter.h"

namespace tensorc::stablehlo {

/// Integers in the order that IEEE 754 calls total (Elementwise.cpp).
Value totalOrderKey(TensorBuilder &b, Value x);
/// The float of this dtype that has the key.
Value fromTotalOrderKey(TensorBuilder &b, Value key, DType dtype);
/// Of complex numbers, on other numbers themselves.
Value conjugate(TensorBuilder &b, Value x);
/// By `LT`, `GE`, ...; null of an unknown direction.
Value compareValues(TensorBuilder &b, llvm::StringRef direction, Value x,
                    Value y);

/// Whether the value is a constant of equal elements, and these are +0 or 0, 1,
/// the lowest or the highest of the dtype.
enum class Special { None, Zero, One, Lowest, Highest };
bool isSpecial(Value value, Special special);
/// The lowest or highest value of the dtype: infinite if it is a float.
Value extremeOf(TensorBuilder &b, DType dtype, bool lowest, Dims dims = {});

/// A loop whose count is known as a scan, in front of it: its results.
std::optional<Values> countedLoop(TensorBuilder b, tx::WhileOp loop,
                                  frontends::Known &known);

/// What a region of two scalars does with them.
enum class Combiner { Add, Mul, Min, Max, And, Or, Sub, Second, Other };
Combiner combinerOf(Region &region);
/// What changes nothing; none of what is no reduction of tx.
Special identityOf(Combiner combiner);

/// Whether the operands of a reduction are tensors of one shape, and then an
/// element for each.
mlir::LogicalResult checkInputs(Call &call, llvm::ArrayRef<Value> inputs);
/// The elements along the last `count` dims of tensors of one shape, combined
/// by a region, and with the initial values.
Results reduceLast(Call &call, Region &region, Values x, int64_t count,
                   llvm::ArrayRef<Value> initial);
/// Whether the value of the text compares these two in this direction.
bool isCompare(Value value, llvm::StringRef direction, Value x, Value y);
/// Where the largest or smallest element along the dim is.
Value choose(TensorBuilder &b, bool largest, Value x, int64_t dim, DType index);

/// A gather with these sizes of slices, of which -1 is a whole dim.
Results gatherSlices(Call &call, NumberList sizes);
/// A reduce_window whose numbers are operands and whose region is a function.
Results dynamicReduceWindow(Call &call);

/// A token of the text, which orders effects (calls/HostCalls.cpp).
bool isToken(mlir::Type type);
/// What callers pass for a token, as JAX does: an empty tensor.
mlir::Type passedToken(mlir::MLIRContext *context);
/// Makes tokens between ops bytes that nobody reads. Types of functions keep
/// them.
void replaceTokens(mlir::ModuleOp source);

/// A custom call of a function of the host.
Results hostCallback(Call &call);
/// A custom call of this name, `lapack_spotrf_ffi` (LinearAlgebra.cpp).
Results lapack(Call &call, llvm::StringRef name);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_WORDS_H
