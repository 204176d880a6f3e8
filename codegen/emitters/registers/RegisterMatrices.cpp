//===- RegisterMatrices.cpp - Small linear algebra in registers -----------===//
//
// The loops of runtime/linalg/SmallMatrices.h for one matrix, unrolled. An
// element is a scalar, and pivoting consists of selects. The order of
// operations is that of the library, which is compiled with FMAs for all
// targets that have loops in registers.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/registers/RegisterMatrices.h"
#include "codegen/kernel/RegisterLoopCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tensorc::codegen {

static SmallVector<StringRef> wordsOf(tx::CustomCallOp call) {
  SmallVector<StringRef> words;
  call.getConfig().value_or("").split(words, ' ', -1, /*KeepEmpty=*/false);
  return words;
}

static bool hasWord(tx::CustomCallOp call, StringRef word) {
  return llvm::is_contained(wordsOf(call), word);
}

std::optional<int64_t> matrixCost(tx::CustomCallOp call) {
  StringRef name = call.getName();
  bool isLu = name == "linalg.lu";
  if ((!isLu && name != "linalg.solve" && name != "linalg.triangular_solve") ||
      call.getInputs().size() != (isLu ? 1 : 2) || call->getNumResults() != 1)
    return std::nullopt;
  // Other options, such as "info", have results of another form.
  if (llvm::any_of(wordsOf(call), [&](StringRef word) {
        return name != "linalg.triangular_solve" ||
               !llvm::is_contained({"upper", "transposed", "unit"}, word);
      }))
    return std::nullopt;
  auto result = cast<RankedTensorType>(call->getResult(0).getType());
  Type element = result.getElementType();
  int64_t moved = elementsOf(result);
  for (Value input : call.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!(element.isF32() || element.isF64()) || !type.hasStaticShape() ||
        type.getElementType() != element || type.getRank() != 2 ||
        llvm::any_of(type.getShape(), [](int64_t size) {
          return size < 1 || size > loopCosts::maxMatrixRows;
        }))
      return std::nullopt;
    moved += elementsOf(type);
  }
  int64_t rows = shapeOf(call.getInputs()[0])[0], sides = result.getDimSize(1);
  // For each pivot: two selects and an FMA per element of the lower rows.
  return moved + 3 * rows * rows * sides;
}

namespace {
/// A matrix of scalars.
struct Matrix {
  int64_t columns;
  SmallVector<Value> elements;

  int64_t rows() const {
    return static_cast<int64_t>(elements.size()) / columns;
  }
  Value &at(int64_t i, int64_t j) { return elements[i * columns + j]; }
};

class MatrixEmitter {
public:
  MatrixEmitter(RegisterBuilder &r, Type element)
      : r(r), b(r.b), element(element) {}

  Matrix load(Value tensor, const RegisterValue &value);
  RegisterValue store(const Matrix &matrix);

  Matrix lu(Matrix x);
  void solve(Matrix &x, Matrix &z);
  void solveTriangle(Matrix &a, Matrix &z, bool isUpper, bool isUnit);

private:
  RegisterBuilder &r;
  ImplicitLocOpBuilder &b;
  Type element;

  Value number(double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(element, value));
  }
  Value magnitude(Value x) {
    Value isNegative =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, number(0));
    return arith::SelectOp::create(b, isNegative, arith::NegFOp::create(b, x),
                                   x);
  }
  /// Returns z - x * y, rounded once.
  Value minusProduct(Value z, Value x, Value y) {
    return math::FmaOp::create(b, arith::NegFOp::create(b, x), y, z);
  }
  /// For the rows below k: true if the row is the pivot row of column k. At most
  /// one is; if none is, row k is the pivot row.
  using Pivot = SmallVector<Value>;
  Pivot pivotOf(Matrix &a, int64_t k);
  void swapRows(Matrix &a, int64_t k, const Pivot &pivot, int64_t column);
  Pivot eliminate(Matrix &a, int64_t columns, int64_t k);
  void subtract(Matrix &a, int64_t k, Matrix &factors, int64_t column);
};
} // namespace

Matrix MatrixEmitter::load(Value tensor, const RegisterValue &value) {
  Matrix made{shapeOf(tensor)[1], {}};
  for (int64_t i = 0; i < value.count; ++i)
    made.elements.push_back(r.move(1, [&](int64_t) {
                               return RegisterBuilder::Source{&value, i};
                             }).parts[0]);
  return made;
}

RegisterValue MatrixEmitter::store(const Matrix &matrix) {
  SmallVector<RegisterValue> scalars;
  for (Value each : matrix.elements)
    scalars.push_back({1, {each}});
  return r.move(static_cast<int64_t>(scalars.size()), [&](int64_t i) {
    return RegisterBuilder::Source{&scalars[i], 0};
  });
}

MatrixEmitter::Pivot MatrixEmitter::pivotOf(Matrix &a, int64_t k) {
  Value largest = magnitude(a.at(k, k));
  SmallVector<Value> isLarger; // than all rows before it
  for (int64_t i = k + 1; i < a.rows(); ++i) {
    Value here = magnitude(a.at(i, k));
    isLarger.push_back(
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, here, largest));
    largest = arith::SelectOp::create(b, isLarger.back(), here, largest);
  }
  // The last row that is larger than those before it is the pivot row.
  Pivot pivot(isLarger.size());
  Value isLater;
  for (size_t i = isLarger.size(); i-- > 0;) {
    Value no = isLater ? Value(arith::XOrIOp::create(
                             b, isLater,
                             arith::ConstantIntOp::create(b, b.getI1Type(), 1)))
                       : Value();
    pivot[i] =
        no ? Value(arith::AndIOp::create(b, isLarger[i], no)) : isLarger[i];
    isLater = isLater ? Value(arith::OrIOp::create(b, isLater, isLarger[i]))
                      : isLarger[i];
  }
  return pivot;
}

/// Swaps row k of a column with the pivot row.
void MatrixEmitter::swapRows(Matrix &a, int64_t k, const Pivot &pivot,
                             int64_t column) {
  Value before = a.at(k, column);
  for (auto [i, isPivot] : llvm::enumerate(pivot)) {
    Value &x = a.at(k + 1 + static_cast<int64_t>(i), column);
    Value &top = a.at(k, column);
    top = arith::SelectOp::create(b, isPivot, x, top);
    x = arith::SelectOp::create(b, isPivot, before, x);
  }
}

/// Subtracts multiples of row k from the rows below.
void MatrixEmitter::subtract(Matrix &a, int64_t k, Matrix &factors,
                             int64_t column) {
  for (int64_t i = k + 1; i < a.rows(); ++i)
    a.at(i, column) =
        minusProduct(a.at(i, column), factors.at(i, k), a.at(k, column));
}

MatrixEmitter::Pivot MatrixEmitter::eliminate(Matrix &a, int64_t columns,
                                              int64_t k) {
  Pivot pivot = pivotOf(a, k);
  for (int64_t j = k; j < columns; ++j)
    swapRows(a, k, pivot, j);
  // If the pivot is 0, all elements below it are 0 and stay 0.
  Value isNothing = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                                          magnitude(a.at(k, k)), number(0));
  Value divisor = arith::SelectOp::create(b, isNothing, number(1), a.at(k, k));
  for (int64_t i = k + 1; i < a.rows(); ++i)
    a.at(i, k) = arith::DivFOp::create(b, a.at(i, k), divisor);
  for (int64_t j = k + 1; j < columns; ++j)
    subtract(a, k, a, j);
  return pivot;
}

/// Returns the factors, and the order of the rows in one more column.
Matrix MatrixEmitter::lu(Matrix x) {
  int64_t n = x.columns;
  Matrix z{n + 1, {}};
  for (int64_t i = 0; i < x.rows(); ++i) {
    for (int64_t j = 0; j < n; ++j)
      z.elements.push_back(x.at(i, j));
    z.elements.push_back(number(static_cast<double>(i)));
  }
  for (int64_t k = 0; k < std::min(x.rows(), n); ++k) {
    Pivot pivot = eliminate(z, n, k);
    for (int64_t j = 0; j < k; ++j)
      swapRows(z, k, pivot, j);
    swapRows(z, k, pivot, n);
  }
  return z;
}

void MatrixEmitter::solve(Matrix &x, Matrix &z) {
  for (int64_t k = 0; k < x.rows(); ++k) {
    Pivot pivot = eliminate(x, x.columns, k);
    for (int64_t j = 0; j < z.columns; ++j) {
      swapRows(z, k, pivot, j);
      subtract(z, k, x, j);
    }
  }
  solveTriangle(x, z, /*isUpper=*/true, /*isUnit=*/false);
}

void MatrixEmitter::solveTriangle(Matrix &a, Matrix &z, bool isUpper,
                                  bool isUnit) {
  int64_t n = a.rows();
  auto row = [&](int64_t step) { return isUpper ? n - 1 - step : step; };
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = row(step);
    for (int64_t j = 0; j < z.columns; ++j) {
      for (int64_t before = 0; before < step; ++before) {
        int64_t k = row(before);
        z.at(i, j) = minusProduct(z.at(i, j), a.at(i, k), z.at(k, j));
      }
      if (!isUnit)
        z.at(i, j) = arith::DivFOp::create(b, z.at(i, j), a.at(i, i));
    }
  }
}

RegisterValue matrixInRegisters(RegisterBuilder &r, tx::CustomCallOp call,
                                ArrayRef<RegisterValue> inputs) {
  MatrixEmitter emitter(r, inputs[0].element());
  Matrix x = emitter.load(call.getInputs()[0], inputs[0]);
  if (call.getName() == "linalg.lu")
    return emitter.store(emitter.lu(std::move(x)));
  Matrix z = emitter.load(call.getInputs()[1], inputs[1]);
  if (call.getName() == "linalg.solve") {
    emitter.solve(x, z);
    return emitter.store(z);
  }
  bool isTransposed = hasWord(call, "transposed");
  if (isTransposed)
    for (int64_t i = 0; i < x.rows(); ++i)
      for (int64_t j = 0; j < i; ++j)
        std::swap(x.at(i, j), x.at(j, i));
  emitter.solveTriangle(x, z, hasWord(call, "upper") != isTransposed,
                        hasWord(call, "unit"));
  return emitter.store(z);
}

} // namespace tensorc::codegen
