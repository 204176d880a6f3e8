//===- Converter.h - From StableHLO to tx ---------------------------------===//
//
// One walk over the functions. An op has a row in a table: its handler makes tx
// ops from values. Functions that are called are converted where they are
// called, as tx has none. A region that is only element-wise can be applied to
// whole tensors: that is how reductions by any region are computed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H

#include "compiler/frontends/constants/Known.h"
#include "compiler/frontends/stablehlo/Attributes.h"
#include "ir/builder/TensorBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tensorc::tx {
class WhileOp;
}

namespace tensorc::stablehlo {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;
using builder::typeOf;
using mlir::Operation;
using mlir::Region;
using mlir::Value;
using shape::Dim;
using shape::Dims;
using shape::Numbers;
using tx::DType;

class Converter;

using Values = llvm::SmallVector<Value>;
/// None after a diagnostic.
using Results = llvm::FailureOr<Values>;

/// An op that is converted, with the values of its operands.
struct Call {
  Converter &converter;
  Operation *op;
  llvm::ArrayRef<Value> x;
  TensorBuilder b;
  /// The op is applied to whole tensors where its region has elements.
  bool lifted;

  mlir::InFlightDiagnostic refuse() const { return op->emitOpError(); }
  mlir::Attribute attribute(llvm::StringRef name) const {
    return attributeOf(op, name);
  }
  /// A number that must be there. None after a diagnostic.
  std::optional<int64_t> number(llvm::StringRef name) const;
  /// The list of `count` numbers of an attribute; without the attribute `count`
  /// times `otherwise`, if that is given. None after a diagnostic.
  std::optional<NumberList>
  numbers(llvm::StringRef name, size_t count,
          std::optional<int64_t> otherwise = {}) const;
  std::optional<NumberList> numbers(llvm::StringRef name) const;
  /// The type of a result as the text says.
  mlir::RankedTensorType declared(unsigned result = 0) const {
    return llvm::dyn_cast<mlir::RankedTensorType>(
        op->getResult(result).getType());
  }
  std::optional<DType> declaredDType(unsigned result = 0) const;
  /// Whether the last dims of the operands are numbers. A refusal where one is
  /// a name; 0: all of them.
  bool isStatic(size_t last = 0) const;
};

using Handler = Results (*)(Call &call);

/// What an op needs before its handler sees it.
struct Row {
  Handler handler;
  unsigned least, most; // operands
  unsigned regions = 0;
  /// All shapes of operands are one. May be lifted.
  bool isElementwise = false;
  /// May be in a region that is applied to whole tensors.
  bool isLiftable = false;
  /// An element-wise op computes 4-bit integers in 8 bits, and wraps around.
  bool widensPacked = true;
};
using Table = llvm::StringMap<Row>;
inline constexpr unsigned anyCount = ~0u;

void addElementwiseOps(Table &table);
void addMathOps(Table &table);
void addShapeOps(Table &table);
void addDynamicShapes(Table &table);
void addContractions(Table &table);
void addLinearAlgebra(Table &table);
void addReductions(Table &table);
void addWindows(Table &table);
void addIndexingOps(Table &table);
void addSortOps(Table &table);
void addControlOps(Table &table);
void addNormalizations(Table &table);
void addCustomCalls(Table &table);
void addTokens(Table &table);
void addRandomOps(Table &table);

/// Names for the dims of a program's arguments that have no size
/// (DynamicShapes.cpp).
class DimNames {
public:
  DimNames(mlir::ModuleOp module, mlir::func::FuncOp function);
  /// What a dim of an argument is called; equal dims have one name.
  std::string operator()(unsigned argument, int64_t dim) const;

private:
  using Place = std::pair<unsigned, int64_t>;
  llvm::DenseMap<Place, Place> same;
  llvm::DenseMap<Place, std::string> names;

  Place first(Place place) const;
};

class Converter {
public:
  explicit Converter(mlir::ModuleOp source);

  /// None after diagnostics: what cannot be converted, all of it.
  mlir::OwningOpRef<mlir::ModuleOp> convert();

  //===--- For handlers -------------------------------------------------===//

  /// The results of a function for these values.
  Results call(Operation *op, llvm::StringRef callee, llvm::ArrayRef<Value> x);
  /// A region as ops in the block where the builder is; its elements are these
  /// tensors, to whose dims its results are broadcast.
  Results lift(Region &region, llvm::ArrayRef<Value> elements);
  /// A block of tx for a region: the first arguments stand for the region's,
  /// the next ones for `captured`. There may be others.
  mlir::LogicalResult isolate(Region &source, llvm::ArrayRef<Value> captured,
                              mlir::TypeRange arguments, Region &result);
  /// The results of a loop that runs a known number of times, as a scan in its
  /// place; none of another loop.
  std::optional<Values> countLoop(tx::WhileOp loop);
  /// What the regions read from outside, without constants and sizes, which
  /// they make again.
  llvm::SmallVector<Value> capturedBy(mlir::MutableArrayRef<Region> regions);
  /// The elements of a list of sizes; none where they depend on more than
  /// sizes.
  const frontends::Known::Sizes *sizesIn(Value value) {
    return known.sizes(value);
  }
  /// The body of the one function that an op names as its computation; null:
  /// there is none.
  Region *calledComputation(Operation *op);
  /// Of values of the source; null of what was refused.
  Value valueOf(Value source) const { return values.lookup(source); }
  /// What the next effect in the current block happens after: the token of the
  /// one before it, or what its block depends on. Null: nothing.
  Value effectBefore() const;
  /// Says that an effect happened; the block's results will depend on its token.
  void setEffect(Value token) { effect = token; }

private:
  llvm::SmallVector<mlir::Type> inputTypes(mlir::func::FuncOp function);
  mlir::LogicalResult convertFunction(mlir::func::FuncOp function);
  /// Makes the results of a function or region depend on its last effect.
  mlir::LogicalResult tieEffect(Operation *parent,
                                llvm::MutableArrayRef<Value> results);
  /// The values that the block's terminator returns.
  Results convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(Operation &op);
  mlir::LogicalResult checkOperands(const Row &row, Operation &op,
                                    llvm::ArrayRef<Value> x);
  mlir::LogicalResult keep(Operation &op, llvm::ArrayRef<Value> results);
  void refuseUnknown(Operation &op);
  bool refuseQuantized(Operation &op);
  Results handle(const Row &row, Operation &op, llvm::MutableArrayRef<Value> x);
  /// Whether a value of the source depends on nothing but sizes.
  bool isSize(Value source);

  mlir::ModuleOp source;
  mlir::OpBuilder b;
  Table table;
  llvm::DenseMap<Value, Value> values;
  llvm::SmallVector<llvm::StringRef> callees; // that are being converted
  llvm::StringSet<> refused;                  // names of unknown ops
  frontends::Known known;
  Value effect; // the token of the last one in this block
  unsigned lifting = 0;
  int64_t budget = 1 << 20; // ops that calls may still become
  bool failed = false;
};

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H
