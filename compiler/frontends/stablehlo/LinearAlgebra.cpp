//===- LinearAlgebra.cpp - Factorizations, and JAX's calls of LAPACK ------===//
// StableHLO has two ops, cholesky and triangular_solve. All other functions are
// JAX's custom calls of LAPACK. The table below contains LAPACK's names without
// the letter of the dtype; names for complex matrices are replaced by those for
// real ones. tx ops return the factors themselves. LAPACK's packed storage is
// computed from the factors, or omitted if only another such call reads it.
//===----------------------------------------------------------------------===//

#include "compiler/frontends/stablehlo/Words.h"
#include "ir/library/Library.h"
#include "ir/tx/Control.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::stablehlo {

/// Sizes of the last two dims: rows and columns.
struct Matrix {
  explicit Matrix(Value x)
      : rank(rankOf(x)), rows(typeOf(x).getDimSize(rank - 2)),
        columns(typeOf(x).getDimSize(rank - 1)) {}
  int64_t least() const { return std::min(rows, columns); }

  int64_t rank, rows, columns;
};

static char letterOf(Call &call, StringRef name) {
  auto config = dyn_cast_if_present<DictionaryAttr>(
      call.attribute("mhlo.backend_config"));
  auto letter = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  return letter ? static_cast<char>(letter.getValue().getZExtValue()) : 0;
}

static RankedTensorType withMatrix(Value x, int64_t rows, int64_t columns) {
  SmallVector<Dim> dims(dimsOf(x));
  dims[dims.size() - 2] = rows;
  dims[dims.size() - 1] = columns;
  return cast<RankedTensorType>(
      tx::tensorType(dims, typeOf(x).getElementType()));
}

static Value columnsOf(TensorBuilder &b, Value x, int64_t first,
                       int64_t count) {
  return b.sliceAlong(x, rankOf(x) - 1, first, count);
}

static Value rowsOf(TensorBuilder &b, Value x, int64_t first, int64_t count) {
  return b.sliceAlong(x, rankOf(x) - 2, first, count);
}

static Value transposed(TensorBuilder &b, Value x) {
  NumberList order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return b.transpose(x, order);
}

/// Returns x^H, which is the transpose of real matrices.
static Value adjoint(TensorBuilder &b, Value x) {
  return conjugate(b, transposed(b, x));
}

/// Reshapes a row or column of a matrix to a vector.
static Value flat(TensorBuilder &b, Value x, int64_t size) {
  SmallVector<Dim> dims(dimsOf(x).drop_back());
  dims.back() = size;
  return b.reshape(x, dims);
}

/// Returns LAPACK's `info`: 1 for each matrix without a result, whose elements
/// are NaN, else 0.
static Value failuresOf(TensorBuilder &b, Value x) {
  int64_t rank = rankOf(x);
  return b.largest(b.convert(b.test<tx::IsNanOp>({realPart(b, x)}), DType::I32),
                   {rank - 2, rank - 1});
}

static Value zerosOf(Call &call, unsigned result) {
  // The batch dims in front are those of the operand.
  SmallVector<Dim> dims;
  for (auto [d, size] : llvm::enumerate(call.declared(result).getShape()))
    dims.push_back(ShapedType::isDynamic(size) ? dimsOf(call.x[0])[d]
                                               : Dim(size));
  return call.b.full(0, *call.declaredDType(result), dims);
}

static Results cholesky(Call &call) {
  TensorBuilder &b = call.b;
  bool isUpper = letterOf(call, "uplo") == 'U';
  // The lower triangle is read.
  Value x = isUpper ? adjoint(b, call.x[0]) : call.x[0];
  Value factor = tx::CholeskyOp::create(b.b, b.loc, x.getType(), x, isUpper);
  return Values{factor, failuresOf(b, factor)};
}

static Results symmetricEigen(Call &call) {
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  if (letterOf(call, "uplo") == 'U')
    x = adjoint(b, x);
  int64_t n = Matrix(x).rows;
  Value both = tx::EighOp::create(b.b, b.loc, withMatrix(x, n + 1, n), x);
  Value vectors = rowsOf(b, both, 1, n);
  return Values{vectors, realPart(b, flat(b, rowsOf(b, both, 0, 1), n)),
                failuresOf(b, vectors)};
}

/// Extends the orthonormal columns of x to `count` orthonormal columns.
static Value completed(TensorBuilder &b, Value x, int64_t count) {
  Matrix size(x);
  if (count == size.columns)
    return x;
  Value all = tx::QrOp::create(
      b.b, b.loc, withMatrix(x, size.rows, size.rows + size.columns), x,
      /*complete=*/true);
  Value others = columnsOf(b, all, size.columns, count - size.columns);
  return b.concatenate({x, others}, size.rank - 1);
}

static Results singularValues(Call &call) {
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  Matrix size(x);
  int64_t k = size.least();
  Value parts = tx::SvdOp::create(
      b.b, b.loc, withMatrix(x, size.rows + 1 + size.columns, k), x);
  Value left = rowsOf(b, parts, 0, size.rows);
  Value right = rowsOf(b, parts, size.rows + 1, size.columns);
  Value values = realPart(b, rowsOf(b, parts, size.rows, 1)),
        failures = failuresOf(b, values);
  // A call that computes no singular vectors still has results for them.
  if (letterOf(call, "mode") == 'N')
    return Values{x, flat(b, values, k), zerosOf(call, 2), zerosOf(call, 3),
                  failures};
  left = completed(b, left, call.declared(2).getShape().back());
  right = completed(b, right, call.declared(3).getShape()[size.rank - 2]);
  return Values{x, flat(b, values, k), left, adjoint(b, right), failures};
}

/// Returns LAPACK's name for real matrices without the letter of the dtype:
/// `orgqr` for `lapack_zungqr_ffi`. Empty for other names.
static StringRef functionOf(StringRef name) {
  if (!name.consume_front("lapack_") || !name.consume_back("_ffi") ||
      name.empty() || !StringRef("sdcz").contains(name.front()))
    return {};
  name = name.drop_front();
  return llvm::StringSwitch<StringRef>(name)
      .Case("heevd", "syevd")
      .Case("ungqr", "orgqr")
      .Case("gesvd", "gesdd")
      .Default(name);
}

static StringRef targetOf(Operation *op) {
  auto name =
      op ? dyn_cast_if_present<StringAttr>(attributeOf(op, "call_target_name"))
         : StringAttr();
  return functionOf(name ? name.getValue() : StringRef());
}

/// Returns R. LAPACK's Householder vectors and their factors are replaced by
/// zeros. Only calls that make Q read them, and such a call is converted to
/// tx's Q.
static Results triangularFactor(Call &call) {
  TensorBuilder &b = call.b;
  for (Operation *user : call.op->getResult(1).getUsers())
    if (targetOf(user) != "orgqr")
      return call.refuse() << "of '" << targetOf(call.op)
                           << "' is supported where only 'orgqr' reads its "
                              "Householder vectors";
  Value x = call.x[0];
  Matrix size(x);
  int64_t k = size.least();
  Value both = tx::QrOp::create(b.b, b.loc,
                                withMatrix(x, size.rows, k + size.columns), x,
                                /*complete=*/false);
  return Values{columnsOf(b, both, k, size.columns), zerosOf(call, 1)};
}

static Results orthogonalFactor(Call &call) {
  TensorBuilder &b = call.b;
  Operation *source = call.op->getOperand(1).getDefiningOp();
  if (targetOf(source) != "geqrf")
    return call.refuse() << "of 'orgqr' is supported for the vectors of a "
                            "'geqrf' beside it";
  Value x = call.converter.valueOf(source->getOperand(0));
  if (!x)
    return failure();
  Matrix size(x);
  int64_t count = call.declared().getShape().back();
  bool complete = count > size.least();
  int64_t k = complete ? size.rows : size.least();
  Value both = tx::QrOp::create(
      b.b, b.loc, withMatrix(x, size.rows, k + size.columns), x, complete);
  return Values{columnsOf(b, both, 0, count)};
}

/// Returns the row, counted from 1, with which LAPACK swaps each of the first
/// rows, so that row i becomes row order[i].
static Value exchangesOf(TensorBuilder &b, Value order, int64_t count) {
  int64_t last = rankOf(order) - 1;
  // Slice i of the scanned tensor is the number of the row that comes to
  // position i.
  NumberList forward = llvm::to_vector(llvm::seq<int64_t>(0, last));
  forward.insert(forward.begin(), last);
  Value wanted = b.transpose(b.sliceAlong(order, last, 0, count), forward);
  SmallVector<Dim> dims(dimsOf(wanted)), step(dims);
  dims.push_back(1);
  wanted = b.reshape(wanted, dims);
  Value rows = b.iota(DType::I32, dimsOf(order), last);
  auto scan = tx::ScanOp::create(
      b.b, b.loc, TypeRange{rows.getType(), wanted.getType()},
      tx::DimsAttr::get(b.b.getContext(), Dim(count)), /*carried=*/1,
      /*scanned=*/1, Values{rows, wanted});
  {
    OpBuilder::InsertionGuard guard(b.b);
    Block *block = b.b.createBlock(&scan.getBody());
    Value i =
        block->addArgument(RankedTensorType::get({}, b.b.getI64Type()), b.loc);
    rows = block->addArgument(rows.getType(), b.loc);
    Type slice = tx::tensorType(Dims(dims).drop_front(), b.b.getI32Type());
    Value row = block->addArgument(slice, b.loc);
    Value places = b.iota(DType::I32, dimsOf(rows), last);
    Value found = b.equal(rows, row);
    Value isHere = b.equal(places, b.convert(i, DType::I32));
    Value here = b.sum(b.select(isHere, rows, 0), {last}, true);
    Value next =
        b.select(isHere, b.broadcast(row, dimsOf(rows)),
                 b.select(found, b.broadcast(here, dimsOf(rows)), rows));
    Value exchange = b.add(b.sum(b.select(found, places, 0), {last}, true), 1);
    tx::ReturnOp::create(b.b, b.loc, Values{next, exchange});
  }
  NumberList back = llvm::to_vector(llvm::seq<int64_t>(1, last + 1));
  back.push_back(0);
  return b.transpose(b.reshape(scan.getResult(1), step), back);
}

static Results triangularFactors(Call &call) {
  TensorBuilder &b = call.b;
  Value x = call.x[0];
  Matrix size(x);
  if (size.least() == 0)
    return Values{x, zerosOf(call, 1), zerosOf(call, 2)};
  Value both = tx::LuOp::create(b.b, b.loc,
                                withMatrix(x, size.rows, size.columns + 1), x);
  Value order =
      realPart(b, flat(b, columnsOf(b, both, size.columns, 1), size.rows));
  Value factors = columnsOf(b, both, 0, size.columns);
  return Values{factors,
                exchangesOf(b, b.convert(order, DType::I32), size.least()),
                zerosOf(call, 2)};
}

static Results triangularSystem(Call &call) {
  TensorBuilder &b = call.b;
  Value matrix = call.x[0], y = call.x[1];
  bool isRight = letterOf(call, "side") == 'R';
  bool isTransposed = letterOf(call, "trans_x") != 'N';
  if (letterOf(call, "trans_x") == 'C')
    matrix = conjugate(b, matrix);
  // Solves x m = y as m^T x^T = y^T.
  if (isRight)
    y = transposed(b, y);
  Value x = tx::TriangularSolveOp::create(
      b.b, b.loc, y.getType(), matrix, y, letterOf(call, "uplo") == 'U',
      isTransposed != isRight, letterOf(call, "diag") == 'U');
  return Values{isRight ? transposed(b, x) : x};
}

/// The first three results, LAPACK's factors, are not used by other calls.
static Results tridiagonalSystem(Call &call) {
  TensorBuilder &b = call.b;
  Value y = call.x[3];
  Values diagonals;
  for (Value diagonal : call.x.take_front(3)) {
    if (typeOf(diagonal).getShape() != typeOf(y).getShape().drop_back())
      return call.refuse() << "of 'gtsv' has diagonals of another shape than "
                              "the columns of the right side";
    SmallVector<Dim> dims(dimsOf(diagonal));
    dims.insert(dims.end() - 1, Dim(1));
    diagonals.push_back(b.reshape(diagonal, dims));
  }
  Value all = b.concatenate(diagonals, rankOf(diagonals[0]) - 2);
  Value x = tx::TridiagonalSolveOp::create(b.b, b.loc, y.getType(), all, y);
  return Values{call.x[0], call.x[1], call.x[2], x, failuresOf(b, x)};
}

//===----------------------------------------------------------------------===//
// StableHLO's ops
//===----------------------------------------------------------------------===//

/// Checks that the operands are matrices of floats or complex numbers. f16 and
/// bf16 are computed in f32.
static bool areMatrices(Call &call) {
  for (Value x : call.x) {
    DType dtype = dtypeOf(x);
    if (rankOf(x) < 2 || dtype != dtypeOf(call.x[0]))
      return call.refuse() << "needs matrices of one dtype", false;
    if (tx::isStorage(dtype) || !(tx::isFloat(dtype) || tx::isComplex(dtype)))
      return call.refuse() << "is not available for " << tx::dtypeName(dtype),
             false;
  }
  return true;
}

static Value widened(TensorBuilder &b, Value x) {
  return tx::isComplex(dtypeOf(x)) ? x : b.widen(x);
}

static Results choleskyOp(Call &call) {
  if (!areMatrices(call))
    return failure();
  TensorBuilder &b = call.b;
  bool isUpper = !numberIn(call.attribute("lower")).value_or(0);
  // The lower triangle is read.
  Value x = widened(b, call.x[0]);
  if (isUpper)
    x = adjoint(b, x);
  Value factor = tx::CholeskyOp::create(b.b, b.loc, x.getType(), x, isUpper);
  return Values{b.convertLike(factor, call.x[0])};
}

static Results triangularSolveOp(Call &call) {
  if (!areMatrices(call))
    return failure();
  TensorBuilder &b = call.b;
  auto flag = [&](StringRef name) {
    return numberIn(call.attribute(name)).value_or(0) != 0;
  };
  StringRef transpose = wordIn(call.attribute("transpose_a"));
  bool isRight = !flag("left_side");
  bool isTransposed = transpose == "TRANSPOSE" || transpose == "ADJOINT";
  Value matrix = widened(b, call.x[0]), y = widened(b, call.x[1]);
  if (transpose == "ADJOINT")
    matrix = conjugate(b, matrix);
  // Solves x m = y as m^T x^T = y^T.
  if (isRight)
    y = transposed(b, y);
  Value x = tx::TriangularSolveOp::create(
      b.b, b.loc, y.getType(), matrix, y, /*upper=*/!flag("lower"),
      isTransposed != isRight, flag("unit_diagonal"));
  return Values{b.convertLike(isRight ? transposed(b, x) : x, call.x[1])};
}

void addLinearAlgebra(Table &table) {
  table["stablehlo.cholesky"] = Row{choleskyOp, 1, 1};
  table["stablehlo.triangular_solve"] = Row{triangularSolveOp, 2, 2};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Results qr(Call &call) {
  if (call.x.size() != 1 || call.op->getNumResults() != 2 ||
      !areMatrices(call) || !call.isStatic(2))
    return call.refuse() << "of 'tensorc.qr' takes matrices, and gives two";
  TensorBuilder &b = call.b;
  Matrix size(call.x[0]);
  int64_t k = call.declared(0).getShape().back();
  if (k != size.rows && k != size.least())
    return call.refuse() << "of 'tensorc.qr' has " << k << " columns";
  Value both = tx::QrOp::create(
      b.b, b.loc, withMatrix(call.x[0], size.rows, k + size.columns), call.x[0],
      /*complete=*/k > size.least());
  return Values{columnsOf(b, both, 0, k),
                rowsOf(b, columnsOf(b, both, k, size.columns), 0, k)};
}

Results lapack(Call &given, StringRef name) {
  Call call = given;
  StringRef function = functionOf(name);
  auto handler = llvm::StringSwitch<Handler>(function)
                     .Case("potrf", cholesky)
                     .Case("syevd", symmetricEigen)
                     .Case("gesdd", singularValues)
                     .Case("geqrf", triangularFactor)
                     .Case("orgqr", orthogonalFactor)
                     .Case("getrf", triangularFactors)
                     .Case("trsm", triangularSystem)
                     .Case("gtsv", tridiagonalSystem)
                     .Default(nullptr);
  if (!handler)
    return call.refuse() << "of '" << name << "' has no meaning in tensorc";
  const bool isTridiagonal = function == "gtsv";
  unsigned operands = isTridiagonal                               ? 4
                      : function == "trsm" || function == "orgqr" ? 2
                                                                  : 1;
  // The other operands are the shapes of the results, if these are dynamic.
  if (auto shapes = numbersIn(call.attribute("indices_of_shape_operands")))
    if (call.x.size() == operands + shapes->size())
      call.x = call.x.take_front(operands);
  // A right-hand side has one axis more than the diagonals.
  if (call.x.size() != operands || rankOf(call.x[isTridiagonal ? 3 : 0]) < 2)
    return call.refuse() << "of '" << name << "' has other operands";
  if (!call.isStatic(/*last=*/function == "getrf" || isTridiagonal ? 0 : 2))
    return failure();
  Results results = handler(call);
  if (succeeded(results) && results->size() != call.op->getNumResults())
    return call.refuse() << "of '" << name << "' has other results";
  return results;
}

} // namespace tensorc::stablehlo
