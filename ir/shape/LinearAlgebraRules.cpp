//===- LinearAlgebraRules.cpp - Shape rules of factorizations -------------===//

#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tensorc::shape {

/// Checks that x has the two dims of a matrix.
static bool requireMatrix(InferredShape &result, Dims x) {
  return x.size() >= 2 ||
         result.refuse("needs matrices, so at least two dimensions, not " +
                       shapeText(x));
}

static bool requireSquare(InferredShape &result, Dims x) {
  return requireMatrix(result, x) &&
         result.requireEqual(x[x.size() - 2], x.back(), [&] {
           return "the last two dimensions differ: " + shapeText(x) +
                  "; matrices must be square";
         });
}

/// Sets the result's dims to x's batch, `rows` and `columns`.
static void setMatrix(InferredShape &result, Dims x, Dim rows, Dim columns) {
  append_range(result.dims, x.drop_back(2));
  result.dims.push_back(rows);
  result.dims.push_back(columns);
}

InferredShape inferSquare(Dims x) {
  InferredShape result;
  if (requireSquare(result, x))
    append_range(result.dims, x);
  return result;
}

/// Checks that b has `rows` rows and the batch of x.
static void inferRightHandSides(InferredShape &result, Dims x, Dim rows,
                                Dims b) {
  if (!requireMatrix(result, b))
    return;
  auto text = [&] {
    return "right-hand sides of shape " + shapeText(b) +
           " do not fit matrices of shape " + shapeText(x);
  };
  if (b.size() != x.size()) {
    result.refuse(text());
    return;
  }
  if (result.requireAllEqual(x.drop_back(2), b.drop_back(2), text) &&
      result.requireEqual(rows, b[b.size() - 2], text))
    append_range(result.dims, b);
}

InferredShape inferSolve(Dims matrix, Dims b) {
  InferredShape result;
  if (requireSquare(result, matrix))
    inferRightHandSides(result, matrix, matrix.back(), b);
  return result;
}

InferredShape inferTridiagonal(Dims diagonals, Dims b) {
  InferredShape result;
  if (requireMatrix(result, diagonals) &&
      result.requireEqual(diagonals[diagonals.size() - 2], 3, [&] {
        return "the diagonals must be three rows, not " + shapeText(diagonals);
      }))
    inferRightHandSides(result, diagonals, diagonals.back(), b);
  return result;
}

InferredShape inferCholesky(Dims x, bool hasInfo) {
  InferredShape result;
  if (requireSquare(result, x))
    setMatrix(result, x, x.back(), hasInfo ? x.back() + 1 : x.back());
  return result;
}

InferredShape inferLu(Dims x) {
  InferredShape result;
  if (requireMatrix(result, x))
    setMatrix(result, x, x[x.size() - 2], x.back() + 1);
  return result;
}

InferredShape inferDeterminant(Dims x, bool ofLogarithm) {
  InferredShape result;
  if (!requireSquare(result, x))
    return result;
  append_range(result.dims, x.drop_back(2));
  if (ofLogarithm)
    result.dims.push_back(2);
  return result;
}

InferredShape inferQr(Dims x, bool isComplete) {
  InferredShape result;
  if (!requireMatrix(result, x))
    return result;
  Dim m = x[x.size() - 2], n = x.back();
  setMatrix(result, x, m, (isComplete ? m : min(m, n)) + n);
  return result;
}

InferredShape inferSvd(Dims x) {
  InferredShape result;
  if (!requireMatrix(result, x))
    return result;
  Dim m = x[x.size() - 2], n = x.back();
  setMatrix(result, x, m + n + 1, min(m, n));
  return result;
}

InferredShape inferEigh(Dims x) {
  InferredShape result;
  if (requireSquare(result, x))
    setMatrix(result, x, x.back() + 1, x.back());
  return result;
}

InferredShape inferScaled(Dims x, Dims scale, OptionalDims zeroPoint) {
  InferredShape result;
  append_range(result.dims, x);
  if (zeroPoint && !result.requireAllEqual(scale, *zeroPoint, [&] {
        return "scale and zero point differ in shape: " + shapeText(scale) +
               " and " + shapeText(*zeroPoint);
      }))
    return result;
  if (scale.empty())
    return result;
  auto text = [&] {
    return "a scale of shape " + shapeText(scale) + " does not divide " +
           shapeText(x);
  };
  if (scale.size() != x.size()) {
    result.refuse(text());
    return result;
  }
  for (auto [dim, groups] : zip(x, scale)) {
    if (groups == 1 || groups == dim)
      continue;
    bool divides = dim.isNumber() && groups.isNumber() &&
                   *groups.number() > 0 &&
                   *dim.number() % *groups.number() == 0;
    if (!divides) {
      result.refuse(text());
      return result;
    }
  }
  return result;
}

} // namespace tensorc::shape
