//===- Converter.h - Conversion of StableHLO to tx ------------------------===//
//
// The conversion walks over the functions once. A table maps each op to a
// handler, which makes tx ops from values. Called functions are inlined,
// because tx has no calls. A region that contains only element-wise ops can be
// applied to whole tensors: this is how reductions with arbitrary regions are
// computed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H
#define TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H

#include "compiler/frontends/constants/Known.h"
#include "compiler/frontends/stablehlo/Attributes.h"
#include "compiler/frontends/stablehlo/calls/OpProgress.h"
#include "compiler/frontends/stablehlo/devices/Distribution.h"
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
/// The values to which an op is converted, or failure after a diagnostic.
using Results = llvm::FailureOr<Values>;

/// An op to convert, with the values of its operands.
struct Call {
  Converter &converter;
  Operation *op;
  llvm::ArrayRef<Value> x;
  TensorBuilder b;
  /// True if the op belongs to a region of elements that is converted to ops on
  /// whole tensors.
  bool lifted;

  mlir::InFlightDiagnostic refuse() const { return op->emitOpError(); }
  mlir::Attribute attribute(llvm::StringRef name) const {
    return attributeOf(op, name);
  }
  /// Returns a required number; nullopt after a diagnostic.
  std::optional<int64_t> number(llvm::StringRef name) const;
  /// Returns the `count` numbers of a list attribute. If the attribute is
  /// missing and `otherwise` is given, returns a list of `count` numbers equal
  /// to `otherwise`. Returns nullopt after a diagnostic.
  std::optional<NumberList>
  numbers(llvm::StringRef name, size_t count,
          std::optional<int64_t> otherwise = {}) const;
  std::optional<NumberList> numbers(llvm::StringRef name) const;
  /// Returns the type that the text declares for a result. Its dtype is the one
  /// in which tensorc stores such elements, if there is one.
  mlir::RankedTensorType declared(unsigned result = 0) const;
  std::optional<DType> declaredDType(unsigned result = 0) const;
  /// Checks that the last `last` dims of the operands (all dims if `last` is 0)
  /// have constant sizes. Reports an error if a size is named.
  bool isStatic(size_t last = 0) const;
};

using Handler = Results (*)(Call &call);

/// The handler of an op, and the checks that are performed before it is called.
struct Row {
  Handler handler;
  unsigned least, most; // operands
  unsigned regions = 0;
  /// True if all operands have the same shape. Such an op may occur in a lifted
  /// region.
  bool isElementwise = false;
  /// True if a region that contains the op can be converted to ops on whole
  /// tensors.
  bool isLiftable = false;
  /// True for element-wise ops that compute dtypes without arithmetic in a wider
  /// one: 4-bit integers in 8 bits, after which they wrap around, and floats of
  /// 8 bits in f32, after which they are rounded.
  bool widensStorage = true;
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
void addCollectives(Table &table);
void addShardings(Table &table);
void addControlOps(Table &table);
void addNormalizations(Table &table);
void addCustomCalls(Table &table);
void addTokens(Table &table);
void addRandomOps(Table &table);

/// The names of the dynamic dims of a program's arguments (DynamicShapes.cpp).
class DimNames {
public:
  DimNames(mlir::ModuleOp module, mlir::func::FuncOp function);
  /// Returns the name of a dim of an argument. Dims that must be equal have the
  /// same name.
  std::string operator()(unsigned argument, int64_t dim) const;

private:
  using Place = std::pair<unsigned, int64_t>;
  llvm::DenseMap<Place, Place> same;
  llvm::DenseMap<Place, std::string> names;

  Place first(Place place) const;
};

/// The order of calls of the host that have effects (calls/HostCalls.cpp).
struct Effects {
  Value last;         // the token of the last effect in the current block
  unsigned count = 0; // number of effects in all blocks so far

  void add(Value token) {
    last = token;
    ++count;
  }
  /// Returns the token after which the next effect at the insertion point must
  /// happen. This is the token of the previous effect, or the one that the
  /// block depends on. Null if there is none.
  Value before(mlir::OpBuilder &b) const;
  /// Returns the value, which becomes available once the last effect of the
  /// block has happened.
  Value after(mlir::OpBuilder &b, Value value) const;
  /// Orders an op whose regions have effects: it waits for the last effect
  /// before it, and later effects wait for the op.
  void addOp(mlir::OpBuilder &b, Operation *op);
  /// Makes the results of a block depend on its last effect, and begins another
  /// block.
  void endBlock(mlir::OpBuilder &b, llvm::MutableArrayRef<Value> results);
};

class Converter {
public:
  /// `progress` counts the ops that are converted.
  Converter(mlir::ModuleOp source, Progress &progress);

  /// Converts the module. Reports all errors together, and then returns null.
  mlir::OwningOpRef<mlir::ModuleOp> convert();

  //===--- For handlers -------------------------------------------------===//

  /// Converts a call: returns the results of the function for these values.
  Results call(Operation *op, llvm::StringRef callee, llvm::ArrayRef<Value> x);
  /// Converts a region of elements to ops on whole tensors at the builder's
  /// insertion point. The tensors replace its arguments, and results are
  /// broadcast to their dims. Values that the region captures are replaced by
  /// those in `captured`, if it has them.
  Results lift(Region &region, llvm::ArrayRef<Value> elements,
               const llvm::DenseMap<Value, Value> &captured =
                   llvm::DenseMap<Value, Value>());
  /// Converts a region to a block of tx ops. The block takes `arguments`: the
  /// region's own, then one for each of `captured`; further ones are unused. A
  /// region without results returns a value of tokenType.
  mlir::LogicalResult isolate(Region &source, llvm::ArrayRef<Value> captured,
                              mlir::TypeRange arguments, Region &result);
  /// If the number of iterations of `loop` is known, replaces the loop by a scan
  /// and returns the results of the scan. Otherwise returns nullopt.
  std::optional<Values> countLoop(tx::WhileOp loop);
  /// Returns the values that the regions capture, except constants and sizes,
  /// which are created again inside.
  llvm::SmallVector<Value> capturedBy(mlir::MutableArrayRef<Region> regions);
  /// Returns the elements of a list of sizes; null if they depend on more than
  /// sizes.
  const frontends::Known::Sizes *sizesIn(Value value) {
    return known.sizes(value);
  }
  /// Returns the body of the function that an op names as its computation, or
  /// null.
  Region *calledComputation(Operation *op);
  /// Converts the ops of a region in place of the op that contains the region.
  /// `values` replace the region's arguments. Returns the values that the
  /// region returns.
  Results inlined(Region &region, llvm::ArrayRef<Value> x);

  /// How tensors are split over the ranks, if there are several.
  Distribution distribution;

  /// Returns the converted value of a source value, or null if it was refused.
  Value valueOf(Value source) const { return values.lookup(source); }
  /// The state of the order of effects.
  Effects effects;

private:
  llvm::SmallVector<mlir::Type> inputTypes(mlir::func::FuncOp function,
                                           llvm::ArrayRef<Tiling> parts);
  /// Returns the functions to convert.
  llvm::SmallVector<mlir::func::FuncOp> entries();
  mlir::LogicalResult convertFunction(mlir::func::FuncOp function);
  /// Converts a block and returns the values that its terminator returns.
  Results convertBlock(mlir::Block &block);
  mlir::LogicalResult convertOp(Operation &op);
  mlir::LogicalResult checkOperands(const Row &row, Operation &op,
                                    llvm::ArrayRef<Value> x);
  mlir::LogicalResult keep(Operation &op, llvm::ArrayRef<Value> results);
  void refuseUnknown(Operation &op);
  bool refuseQuantized(Operation &op);
  Results handle(const Row &row, Operation &op, llvm::MutableArrayRef<Value> x);
  /// True if a source value depends only on the sizes of arguments.
  bool isSize(Value source);

  mlir::ModuleOp source;
  mlir::OpBuilder b;
  Table table;
  llvm::DenseMap<Value, Value> values;
  llvm::SmallVector<llvm::StringRef> callees; // being converted
  llvm::StringSet<> refused;                  // names of unknown ops
  frontends::Known known;
  unsigned lifting = 0;
  OpProgress ops;
  bool failed = false;
};

} // namespace tensorc::stablehlo

#endif // TENSORC_COMPILER_FRONTENDS_STABLEHLO_CONVERTER_H
