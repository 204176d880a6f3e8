//===- TxDialect.h - The tx dialect without its ops -------------*- C++ -*-===//
//
// This header has attributes, traits and names. Sources that need the classes
// of ops include Tx.h; only those sources are recompiled after a change of an
// op.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_TXDIALECT_H
#define TENSORC_IR_TX_TXDIALECT_H

#include "ir/shape/Dim.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/tx/OpAttributes.h"

#include "ir/tx/TxDialect.h.inc"

namespace tensorc::tx {
/// A number of a schedule, with its name.
using ScheduleValue = std::pair<mlir::StringAttr, int64_t>;
} // namespace tensorc::tx

#define GET_ATTRDEF_CLASSES
#include "ir/tx/TxAttributes.h.inc"

namespace tensorc::tx {

mlir::LogicalResult verifyInOrderedBlock(mlir::Operation *op);

/// Checks that an op comes after the definitions of its operands.
template <typename Op>
struct InOrderedBlock : mlir::OpTrait::TraitBase<Op, InOrderedBlock> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInOrderedBlock(op);
  }
};

/// Marks ops whose operands and result have the same shape.
template <typename Op>
struct Elementwise : mlir::OpTrait::TraitBase<Op, Elementwise> {};

/// Marks element-wise ops that are so expensive that their values are stored if
/// they are used several times.
template <typename Op> struct Costly : mlir::OpTrait::TraitBase<Op, Costly> {};

/// Marks ops that combine the elements along their `dims`.
template <typename Op>
struct Reduction : mlir::OpTrait::TraitBase<Op, Reduction> {};

/// Marks ops that combine the elements up to each position along their `dim`.
template <typename Op> struct Scan : mlir::OpTrait::TraitBase<Op, Scan> {};

/// Marks ops that sort the elements along their `dim`.
template <typename Op> struct Sort : mlir::OpTrait::TraitBase<Op, Sort> {};

mlir::LogicalResult verifyElementwise(mlir::Operation *op);
mlir::LogicalResult verifyReduction(mlir::Operation *op, bool keepsDType);
mlir::LogicalResult verifyShape(mlir::Operation *op);

/// Returns the type with the same shape and dim names and another element type.
mlir::RankedTensorType withElementType(mlir::Type tensor, mlir::Type element);

/// Names of attributes of functions and their arguments.
inline constexpr llvm::StringLiteral nameAttr = "tx.name";
inline constexpr llvm::StringLiteral scalarAttr = "tx.scalar";
inline constexpr llvm::StringLiteral symbolAttr = "tx.symbol";
/// Attribute of an argument that the caller donates.
inline constexpr llvm::StringLiteral donatedAttr = "tx.donated";
/// Attribute of an argument or result of a program for several ranks: the part
/// of the whole tensor that each rank has, in XLA's notation.
inline constexpr llvm::StringLiteral shardingAttr = "tx.sharding";
inline constexpr llvm::StringLiteral symbolsAttr = "tx.symbols";
inline constexpr llvm::StringLiteral targetAttr = "tx.target";
/// Attribute of an op that comes from the expansion of a composite: the
/// composite's name.
inline constexpr llvm::StringLiteral fromAttr = "tx.from";

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_TXDIALECT_H
