//===- Attributes.h - Attributes of StableHLO's ops -----------------------===//
//
// The dialect's own attributes are kept as text: `dot<lhs_batching_dimensions =
// [0], ...>`, `comparison_direction LT`. These functions read it. Lists of
// numbers are array<i64: ...>, or dense<...> in older texts.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_ATTRIBUTES_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_ATTRIBUTES_H

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tensorc::stablehlo {

using NumberList = llvm::SmallVector<int64_t>;

/// Returns the attribute with this name, inherent or discardable, or null.
mlir::Attribute attributeOf(mlir::Operation *op, llvm::StringRef name);

std::optional<int64_t> numberIn(mlir::Attribute attribute);
/// Returns the numbers or booleans of an array attribute or of a dense
/// constant.
std::optional<NumberList> numbersIn(mlir::Attribute attribute);
/// Returns the word of an enum attribute or string, such as `LT` for
/// `#stablehlo<comparison_direction LT>`; else an empty string.
llvm::StringRef wordIn(mlir::Attribute attribute);

/// Parses the field `name = [1, 2]` or `name = 3` in the text of a dialect's
/// attribute. An absent field gives an empty list. Returns nullopt if the field
/// is not a list of numbers.
std::optional<NumberList> fieldIn(mlir::Attribute attribute,
                                  llvm::StringRef name);

/// Parses the algorithm of a product, `<lhs_precision_type = tf32, ...>` or an
/// attribute, and adds it as `algorithm`.
mlir::ParseResult parseDotAlgorithm(mlir::AsmParser &parser,
                                    mlir::NamedAttrList &attributes);
/// True if the algorithm is one product of operands rounded to tf32.
bool multipliesTF32(mlir::Attribute algorithm);

/// The meaning of the dims of a convolution's operand or result.
struct ImageDims {
  int64_t first = -1;  // batch, or the kernel's output features
  int64_t second = -1; // features, or the kernel's input features
  NumberList spatial;
};
struct ConvolutionDims {
  ImageDims input, kernel, output;
};
/// Parses `conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>`.
std::optional<ConvolutionDims> convolutionIn(mlir::Attribute attribute);

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_ATTRIBUTES_H
