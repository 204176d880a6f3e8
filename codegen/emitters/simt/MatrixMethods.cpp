//===- MatrixMethods.cpp - Factorizations by the threads of a block -------===//
//
// Each thread computes pivots and reflectors redundantly. This takes no more
// reads than the elimination itself, and no communication. Barriers separate
// writes of one thread from reads of another.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/MatrixMethods.h"

#include "llvm/ADT/StringExtras.h"

#include <numbers>

using namespace mlir;

namespace tensorc::codegen::simt {

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

bool MatrixMethods::has(tx::CustomCallOp call, StringRef option) {
  SmallVector<StringRef> options;
  call.getConfig().value_or("").split(options, ' ');
  return llvm::is_contained(options, option);
}

MatrixMethods::MatrixMethods(KernelBuilder &kernel, tx::CustomCallOp call)
    : MatrixElements(
          kernel, cast<FloatType>(typeOf(call.getInputs()[0]).getElementType()),
          arePairs(call)),
      call(call) {
  auto matrixOf = [&](Value v) {
    return typeOf(v).getShape().drop_back(isComplex ? 1 : 0).take_back(2);
  };
  StringRef name = call.getName();
  ArrayRef<int64_t> matrix = matrixOf(call.getInputs()[0]);
  a.rows = matrix[0];
  a.columns = numColumns = matrix[1];
  lanes = llvm::PowerOf2Ceil(a.rows);
  if (call.getInputs().size() > 1) {
    y.rows = a.rows;
    y.columns = matrixOf(call.getInputs()[1])[1];
  } else if (name == "linalg.qr") {
    y.rows = a.rows;
    y.columns = has("complete") ? a.rows : std::min(a.rows, numColumns);
  }
  // The additional column holds the permutation of rows (LU) or the scalar
  // factors of the reflectors (QR).
  if (name == "linalg.lu" || name == "linalg.qr")
    ++a.columns;
  if (bytes() > kernel.target.getSharedMemoryBytes())
    a.isPadded = y.isPadded = false;
}

int64_t MatrixMethods::bytes() {
  return (a.elements() + y.elements()) * (type.getWidth() / 8) *
         (isComplex ? 2 : 1);
}

MatrixMethods::ElementAt MatrixMethods::run() {
  StringRef name = call.getName();
  if (name == "linalg.cholesky")
    return cholesky();
  if (name == "linalg.lu")
    return lu();
  if (name == "linalg.determinant")
    return determinant();
  if (name == "linalg.qr")
    return qr();
  if (name == "linalg.triangular_solve") {
    substitute(has("upper"), has("transposed"), has("unit"));
  } else {
    each(index(0), index(a.rows), 1, [&](Value k) { eliminate(k); });
    substitute(/*upper=*/true, /*transposed=*/false, /*unit=*/false);
  }
  return [this](Value i, Value j) { return get(y, i, j); };
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// Emits a Cholesky factorization, column by column. Every thread computes the
/// pivot itself (one more dot product) and keeps the pivot of its own row, so
/// that one barrier per column suffices.
MatrixMethods::ElementAt MatrixMethods::cholesky() {
  Value zero = index(0), one = index(1), rows = index(a.rows);
  Value largest =
      number(APFloat::getLargest(type.getFloatSemantics()).convertToDouble());
  // Carried values: the square root of the pivot, and the order of the first
  // leading minor that is not positive definite (0 if there is none).
  Values done = loop(
      zero, rows, 1, {number(1), number(0)}, [&](Value j, ValueRange carried) {
        Value mine = select(isRow, row, j); // no other thread writes it
        Values start{get(a, j, j).re};
        start.append(values(get(a, mine, j)));
        Values sums = loop(zero, j, 1, start, [&](Value k, ValueRange sums) {
          Element factor = get(a, j, k);
          Values next{lessSquare(sums[0], factor)};
          next.append(values(lessProduct(elementOf(sums.drop_front()),
                                         get(a, mine, k), conjugate(factor))));
          return next;
        });
        Value isGood = both(compare(Predicate::OGT, sums[0], number(0)),
                            compare(Predicate::OLE, sums[0], largest));
        Value pivot = root(select(isGood, sums[0], number(1)));
        where(both(isRow, isBelow(j, row)), [&] {
          set(a, row, j,
              divided(elementOf(ValueRange(sums).drop_front()), pivot));
        });
        barrier(kernel);
        Value block = numberOf(simt::add(kernel, j, one));
        Value isFirst = both(isZero(carried[1]), inverted(isGood));
        return Values{select(equal(kernel, row, j), pivot, carried[0]),
                      select(isFirst, block, carried[1])};
      });
  where(isRow, [&] { set(a, row, row, ofReal(done[0])); });
  barrier(kernel);
  Value info = done[1];
  return [this, info](Value i, Value j) {
    bool upper = has("upper");
    // The column of the `info` result is one past the columns of a.
    Value column = min(kernel, j, index(a.rows - 1));
    Element value = upper ? conjugate(get(a, column, i)) : get(a, i, column);
    Value isOutside = upper ? isBelow(j, i) : isBelow(i, j);
    value = select(isOutside, ofNumber(0), value);
    Value nan = number(std::numeric_limits<double>::quiet_NaN());
    value = select(isZero(info), value, {nan, isComplex ? nan : Value()});
    if (!has("info"))
      return value;
    Value first = select(equal(kernel, i, index(0)), info, number(0));
    return select(equal(kernel, j, index(a.rows)), ofReal(first), value);
  };
}

//===----------------------------------------------------------------------===//
// LU and determinant
//===----------------------------------------------------------------------===//

/// Returns the row, from row k on, with the largest element of column k.
/// Complex elements are compared by their squared moduli, after scaling by a
/// power of two.
Value MatrixMethods::pivotOf(Value k) {
  Value next = simt::add(kernel, k, index(1)), rows = index(a.rows), scale;
  if (isComplex) {
    Value maximum =
        loop(next, rows, 1, largerPart(get(a, k, k)),
             [&](Value i, ValueRange maximum) {
               return Values{larger(maximum[0], largerPart(get(a, i, k)))};
             })[0];
    scale = divide(number(1), powerBelow(maximum));
  }
  auto sizeOf = [&](Value i) {
    Element x = get(a, i, k);
    return isComplex ? negated(lessSquare(number(0), scaled(x, scale)))
                     : magnitude(x.re);
  };
  return loop(next, rows, 1, {k, sizeOf(k)}, [&](Value i, ValueRange best) {
    Value here = sizeOf(i);
    Value isLarger = compare(Predicate::OGT, here, best[1]);
    return Values{select(isLarger, i, best[0]),
                  select(isLarger, here, best[1])};
  })[0];
}

/// Swaps rows i and j from column `first` on.
void MatrixMethods::swapRows(const SharedMatrix &of, Value first, Value i,
                             Value j) {
  each(simt::add(kernel, first, row), index(of.columns), lanes, [&](Value c) {
    Element x = get(of, i, c), z = get(of, j, c);
    set(of, i, c, z);
    set(of, j, c, x);
  });
}

/// Emits one step of Gaussian elimination with partial pivoting. The eliminated
/// elements are replaced by the factors. Returns the row that was swapped with
/// row k.
Value MatrixMethods::eliminate(Value k) {
  Value pivot = pivotOf(k);
  bool hasSides = call.getInputs().size() > 1;
  barrier(kernel);
  // LU also swaps the factors in the columns before k, and the permutation in
  // the last column.
  swapRows(a, call.getName() == "linalg.lu" ? index(0) : k, k, pivot);
  if (hasSides)
    swapRows(y, index(0), k, pivot);
  barrier(kernel);
  where(both(isRow, isBelow(k, row)), [&] {
    Element diagonal = get(a, k, k);
    // If the pivot is 0, so are all elements below it. Dividing them by 1
    // leaves them 0.
    Element by = select(isZero(largerPart(diagonal)), ofNumber(1), diagonal);
    Element factor = quotient(get(a, row, k), by);
    set(a, row, k, factor);
    auto subtract = [&](const SharedMatrix &of, Value first, int64_t end) {
      each(first, index(end), 1, [&](Value c) {
        set(of, row, c, lessProduct(get(of, row, c), factor, get(of, k, c)));
      });
    };
    subtract(a, simt::add(kernel, k, index(1)), numColumns);
    if (hasSides)
      subtract(y, index(0), y.columns);
  });
  barrier(kernel);
  return pivot;
}

/// Solves in place in y, with the upper or lower triangle of a or its
/// transpose. `unit` is true if the diagonal is taken as 1.
void MatrixMethods::substitute(bool upper, bool transposed, bool unit) {
  upper ^= transposed;
  each(index(0), index(a.rows), 1, [&](Value step) {
    Value i = upper ? sub(kernel, index(a.rows - 1), step) : step;
    if (!unit) {
      each(row, index(y.columns), lanes, [&](Value c) {
        set(y, i, c, quotient(get(y, i, c), get(a, i, i)));
      });
      barrier(kernel);
    }
    Value isLeft = upper ? isBelow(row, i) : isBelow(i, row);
    where(both(isRow, isLeft), [&] {
      Element factor = transposed ? get(a, i, row) : get(a, row, i);
      each(index(0), index(y.columns), 1, [&](Value c) {
        set(y, row, c, lessProduct(get(y, row, c), factor, get(y, i, c)));
      });
    });
    barrier(kernel);
  });
}

/// Emits LU with partial pivoting. The last column of a holds the permutation.
MatrixMethods::ElementAt MatrixMethods::lu() {
  where(isRow, [&] { set(a, row, index(numColumns), ofReal(numberOf(row))); });
  each(index(0), index(std::min(a.rows, numColumns)), 1,
       [&](Value k) { eliminate(k); });
  return [this](Value i, Value j) { return get(a, i, j); };
}

/// Emits the determinant as a product of pivots that are scaled by powers of
/// two, plus a sum of exponents, so that the product neither overflows nor
/// underflows.
MatrixMethods::ElementAt MatrixMethods::determinant() {
  Value exponent;
  auto unscaled = [&](Element x) {
    Value power = powerBelow(largerPart(x));
    exponent = add(exponent, exponentOf(power));
    return scaled(x, divide(number(1), power));
  };
  Values start = values(ofNumber(1));
  start.push_back(number(0));
  Values done =
      loop(index(0), index(a.rows), 1, start, [&](Value k, ValueRange carried) {
        exponent = carried.back();
        Value swapped = eliminate(k);
        Element pivot = unscaled(get(a, k, k));
        pivot = select(equal(kernel, swapped, k), pivot, negated(pivot));
        Values next = values(unscaled(product(elementOf(carried), pivot)));
        next.push_back(exponent);
        return next;
      });
  Element result = elementOf(done);
  exponent = done.back();
  if (!has("logarithm")) {
    Element value = raised(result, exponent);
    return [value](Value, Value) { return value; };
  }
  Value size = modulus(result);
  Element sign = divided(result, select(isZero(size), number(1), size));
  // ln 2 is split in two parts. The high part has so few bits that its
  // multiples are exact.
  constexpr double ln2 = 45426.0 / 65536;
  Value rest =
      add(multiply(exponent, number(std::numbers::ln2 - ln2)), logarithm(size));
  Element sum = ofReal(add(multiply(exponent, number(ln2)), rest));
  return [this, sign, sum](Value, Value j) {
    return select(equal(kernel, j, index(0)), sign, sum);
  };
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

/// Computes the Householder reflector for column c from row c on, as LAPACK's
/// larfg: a vector v and a factor such that (1 - factor v v^H)^H maps the
/// column to a single real number. v is stored in the column, except that its
/// first element, which is 1, is replaced by that number. The factor is stored
/// in the last column of a. Squares neither overflow nor underflow.
void MatrixMethods::makeReflector(Value c) {
  Value next = simt::add(kernel, c, index(1)), rows = index(a.rows);
  Element first = get(a, c, c);
  Value largest =
      loop(next, rows, 1, larger(number(0), largerPart(first)),
           [&](Value i, ValueRange maximum) {
             return Values{larger(maximum[0], largerPart(get(a, i, c)))};
           })[0];
  Value power = powerBelow(largest), scale = divide(number(1), power);
  // `tail` is minus the sum of squares below the diagonal.
  Value tail = loop(next, rows, 1, number(0), [&](Value i, ValueRange sum) {
    return Values{lessSquare(sum[0], scaled(get(a, i, c), scale))};
  })[0];
  first = scaled(first, scale);
  Value length = root(negated(lessSquare(tail, first)));
  Value isDone = isZero(tail);
  if (isComplex)
    isDone = both(isDone, isZero(first.im));
  Value isNegative = compare(Predicate::OLT, first.re, number(0));
  Value left =
      select(isDone, first.re, select(isNegative, length, negated(length)));
  Element leading = difference(first, ofReal(left));
  Element by = select(isDone, ofNumber(1), leading);
  Element factor = divided(negated(leading), select(isDone, number(1), left));
  factor = select(isDone, ofNumber(0), factor);
  barrier(kernel);
  where(both(isRow, isBelow(c, row)),
        [&] { set(a, row, c, quotient(scaled(get(a, row, c), scale), by)); });
  where(equal(kernel, row, c), [&] {
    set(a, c, c, ofReal(multiply(left, power)));
    set(a, c, index(numColumns), factor);
  });
  barrier(kernel);
}

/// Replaces the thread's columns x, from `first` on, by x - factor v v^H x.
void MatrixMethods::reflect(const SharedMatrix &of, Value c, Value first,
                            int64_t end, Element factor) {
  Value next = simt::add(kernel, c, index(1)), rows = index(a.rows);
  each(row, index(end), lanes, [&](Value j) {
    where(inverted(isBelow(j, first)), [&] {
      Element top = get(of, c, j);
      Values sums = loop(
          next, rows, 1, values(negated(top)), [&](Value i, ValueRange sum) {
            return values(lessProduct(elementOf(sum), conjugate(get(a, i, c)),
                                      get(of, i, j)));
          });
      Element less = product(negated(factor), elementOf(sums));
      set(of, c, j, difference(top, less));
      each(next, rows, 1, [&](Value i) {
        set(of, i, j, lessProduct(get(of, i, j), get(a, i, c), less));
      });
    });
  });
}

MatrixMethods::ElementAt MatrixMethods::qr() {
  int64_t numReflectors = std::min(a.rows, numColumns);
  each(index(0), index(numReflectors), 1, [&](Value c) {
    makeReflector(c);
    Element factor = get(a, c, index(numColumns));
    reflect(a, c, simt::add(kernel, c, index(1)), numColumns,
            conjugate(factor));
    barrier(kernel);
  });
  // Q is the product of the reflectors. Each thread computes its columns of it.
  each(row, index(y.columns), lanes, [&](Value j) {
    each(index(0), index(a.rows), 1, [&](Value i) {
      set(y, i, j, select(equal(kernel, i, j), ofNumber(1), ofNumber(0)));
    });
  });
  each(index(0), index(numReflectors), 1, [&](Value step) {
    Value c = sub(kernel, index(numReflectors - 1), step);
    reflect(y, c, c, y.columns, get(a, c, index(numColumns)));
  });
  barrier(kernel);
  return [this](Value i, Value j) {
    Value isOfQ = isBelow(j, index(y.columns));
    Element q = get(y, i, min(kernel, j, index(y.columns - 1)));
    Value column = select(isOfQ, index(0), sub(kernel, j, index(y.columns)));
    Element r = get(a, i, column);
    r = select(isBelow(column, i), ofNumber(0), r);
    return select(isOfQ, q, r);
  };
}

} // namespace tensorc::codegen::simt
