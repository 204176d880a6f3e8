//===- Generator.h - Random programs --------------------------------------===//
#ifndef TENSORC_TESTS_FUZZ_GENERATOR_H
#define TENSORC_TESTS_FUZZ_GENERATOR_H

#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <limits>
#include <map>
#include <random>

namespace tensorc::fuzz {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A value of the program, and how far its elements may be from the
/// reference's: 0 means the same bits. Ops that amplify the error, or decide by
/// it (comparisons, float to integer), are only built where it is small or 0.
struct Entry {
  mlir::Value value;
  /// Maximum magnitude of the elements; infinity: NaN and inf may occur, too.
  double limit = 0;
  double error = 0;
};

struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  /// Sizes of the named dims for each run.
  std::vector<std::map<std::string, int64_t>> sizes;
  /// Of each output.
  std::vector<double> errors;
  /// Set if arguments contain NaN, infinities and the ends of ranges.
  std::vector<bool> special;
};

enum class Kind {
  Any,
  /// Set if all floats are f64 and finite, so that slopes can be estimated by
  /// differences.
  Smooth,
};

/// The range from which a program's number of ops is drawn. What is drawn as
/// one op may become several of the dialect.
struct OpCount {
  int64_t min = 3, max = 16;
};

/// The same program for the same seed, on every machine.
Program generate(mlir::MLIRContext &context, uint64_t seed,
                 Kind kind = Kind::Any, OpCount ops = {});

using shape::Dim;
using Dims = llvm::SmallVector<Dim>;

/// State that the makers of ops share. A maker returns none if its op is not
/// possible.
class Generator {
public:
  Generator(mlir::MLIRContext &context, uint64_t seed, Kind kind, OpCount ops);
  Program run();

private:
  using Maybe = std::optional<Entry>;
  uint64_t seed;
  Kind kind;
  OpCount ops;
  std::mt19937_64 random;
  mlir::OpBuilder builder;
  mlir::Location loc;
  shape::DimContext &names;
  std::vector<Entry> pool;
  /// Complex numbers, which few makers take.
  std::vector<Entry> complexes;
  /// Values that the program returns more often than others, used or not.
  llvm::SmallVector<mlir::Value> held;
  Dims programDims;
  bool isSymbolic = false;
  mlir::Value offset; // a slice start that changes from run to run
  std::vector<std::map<std::string, int64_t>> sizes;

  // Generator.cpp: choices, types and shapes.
  int64_t pick(int64_t count) { return random() % count; }
  bool chance(int percent) { return pick(100) < percent; }
  /// Chooses one of the last values half of the time, so that chains become
  /// long.
  const Entry &any();
  /// Prefers values of the same shape, so that fusions occur.
  const Entry &partner(const Entry &like);
  mlir::Type randomDType();
  /// This type, but f64 in smooth programs.
  mlir::Type floatOr64(mlir::Type type);
  Dims randomDims(unsigned maxRank);
  Dims dimsOf(const Entry &e);
  llvm::SmallVector<int64_t> sizesOf(Dim dim);
  /// The largest and the smallest size of any run.
  int64_t sizeOf(Dim dim);
  int64_t leastOf(Dim dim);
  int64_t elementsOf(llvm::ArrayRef<Dim> dims);
  double epsilonOf(mlir::Type element);
  /// Adds rounding to the error and clamps integers to their range.
  Maybe finish(mlir::Value value, double limit, double error, bool isRounded);
  void chooseDims();
  void makeArguments(mlir::func::FuncOp function, Program &program);
  void declareSymbols(mlir::func::FuncOp function);
  Maybe makeOp();
  void makeOps(int64_t count);
  void finishFunction(mlir::func::FuncOp function, Program &program);

  // Fit.cpp: making one value fit another.
  Maybe fit(const Entry &e, const Entry &like);
  Maybe fitDims(const Entry &e, llvm::ArrayRef<Dim> dims);
  Maybe broadcastTo(const Entry &e, llvm::ArrayRef<Dim> dims);
  Maybe cutTo(const Entry &e, llvm::ArrayRef<Dim> dims);
  Maybe growTo(const Entry &e, llvm::ArrayRef<Dim> dims);
  Maybe fitDType(const Entry &e, mlir::Type element);
  /// Returns an exact value for use as indices, scalar or not.
  Maybe asIndices(const Entry &e);
  Maybe scalarIndex();
  Entry splat(double value, mlir::Type likeTensor);

  // MakeElementwise.cpp
  Maybe makeExactBinary();
  Maybe makeDiv();
  Maybe makeUnary();
  Maybe makeMath();
  Maybe makePow();
  Maybe makeExactInteger();
  Maybe makeCompare();
  Maybe makeSelect();
  Maybe makeLogic();
  Maybe makeConvert();

  Maybe makeTernary();
  Maybe makeClass();

  // MakeMath.cpp
  mlir::Value above(const Entry &x, double c);
  Maybe makeGrowing();
  Maybe makeBounded();
  Maybe makeLogarithm();
  Maybe makeBinaryMath();

  // MakeAny.cpp
  Entry exactLike(const Entry &x);
  Maybe elementwiseOf(mlir::RegisteredOperationName op, const Entry &x);
  Maybe makeAnyElementwise();
  Maybe makeRandomBits();
  Maybe makeBitcast();

  // MakeComplex.cpp
  Maybe complexOf(const Entry &re, const Entry &im);
  Maybe complexLike(const Entry &z);
  Maybe rightOf(const Entry &z, double c);
  Maybe makeComplex();
  Maybe makeComplexRoot(const Entry &z);
  Maybe makeComplexBounded(const Entry &z);
  Maybe makeComplexArithmetic(const Entry &z);
  Maybe makeComplexMoved(const Entry &z);
  Maybe makeFourier(const Entry &z);
  Maybe makeFft(const Entry &z);
  Maybe makeOfComplex(const Entry &z);
  Maybe makeComplexStep();

  // MakeMatrices.cpp
  struct Matrix;
  Maybe unitOf(llvm::ArrayRef<Dim> dims);
  std::optional<Matrix> drawMatrix();
  Maybe rightHandSide(const Matrix &a);
  Maybe rowOf(mlir::Value x, int64_t row);
  Maybe makeFactor(const Matrix &a);
  Maybe makeSolution(const Matrix &a);
  Maybe makeSpectrum(const Matrix &a);
  Maybe makeTridiagonal();
  Maybe makeMatrices();

  // MakeExample.cpp
  Maybe tame(const Entry &x);
  Maybe exampleOf(mlir::Operation *op,
                  const llvm::DenseMap<int64_t, Dim> &sizes, mlir::Type f32);
  Maybe makeExample();
  Maybe makeSize();

  // MakeIndexing.cpp
  struct Vectors;
  std::optional<Vectors> drawVectors(const Entry &x);
  mlir::SmallVector<int64_t> sliceSizes(Dims &dims, bool keepWhole);
  Maybe makeRows();
  Maybe makeGather();
  Maybe makeScatter();
  Maybe makeDynamicSlice();
  Maybe makeDynamicUpdateSlice();

  // MakeWindows.cpp
  Maybe windowsOf(const Entry &x, llvm::ArrayRef<int64_t> dims);
  Maybe makeWindows();
  Maybe makePooling();
  Maybe makeConvolution();

  // MakeComposite.cpp
  Maybe makeSoftmax();
  Maybe makeQuantized();
  Maybe softmaxOf(Entry x);
  Maybe makeAttention();
  mlir::Value activationOf(mlir::Value x);
  Maybe makeComposite();

  // MakeRegions.cpp
  /// Of a block: what an entry says, without the value.
  struct Argument {
    mlir::Type type;
    double limit, error;
  };
  struct Body;
  static llvm::SmallVector<Argument> argumentsOf(llvm::ArrayRef<Entry> entries);
  Body bodyOver(llvm::ArrayRef<Argument> arguments, mlir::Type offsetType = {});
  std::optional<Argument> carriedAs(const Entry &e);
  Maybe carriedOn(const Entry &e, const Entry &argument);
  Maybe makeBranch();
  Maybe makeScanLoop();
  Maybe makeWhileLoop();

  // MakeShape.cpp
  Maybe makeConstant();
  Maybe makeIota();
  Maybe makeBroadcast();
  Maybe makeReshape();
  Maybe makeTranspose();
  Maybe makeSlice() { return sliceOf(any()); }
  Maybe makePad() { return padOf(any()); }
  Maybe makeConcatenate() { return concatenationOf(any()); }
  Maybe sliceOf(Entry x);
  Maybe padOf(Entry x);
  Maybe concatenationOf(Entry x);

  // MakeSharing.cpp
  Maybe companion(const Entry &like);
  Maybe newArgument(const Dims &dims, mlir::Type element);
  Maybe meet(const Entry &x);
  Maybe makeMeeting() { return meet(any()); }
  Maybe makeSharing();

  // MakeReduction.cpp
  Maybe makeReduction();
  Maybe makeBoolReduction();
  Maybe makeArgmax();
  Maybe makeScan();
  Maybe makeSort();
  Maybe makeDot();
  Maybe dotOf(const Entry &x, const Entry &y);
};

inline bool isFloat(const Entry &e) {
  return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(e.value));
}
inline bool isComplex(const Entry &e) {
  return llvm::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(e.value));
}
inline bool isBool(const Entry &e) {
  return mlir::getElementTypeOrSelf(e.value).isInteger(1);
}
inline bool isExact(const Entry &e) { return e.error == 0; }
inline mlir::Type elementOf(const Entry &e) {
  return mlir::getElementTypeOrSelf(e.value);
}

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_GENERATOR_H
