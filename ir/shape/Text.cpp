//===- Text.cpp - Sizes as text -------------------------------------------===//

#include "ir/shape/Dim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::shape {

static void print(raw_ostream &os, Dim dim, bool nested);

static void printProduct(raw_ostream &os, ArrayRef<Dim> factors,
                         int64_t coefficient) {
  bool alone = factors.size() == 1 && coefficient == 1;
  interleave(
      factors, os, [&](Dim factor) { print(os, factor, !alone); }, " * ");
  if (coefficient != 1)
    os << " * " << coefficient;
}

/// Prints n - m * 2 + 1 instead of n + m * -2 + 1.
static void printSum(raw_ostream &os, Dim dim) {
  for (auto [i, term] : enumerate(dim.terms())) {
    bool minus = i > 0 && term.coefficient < 0;
    if (i > 0)
      os << (minus ? " - " : " + ");
    printProduct(os, term.factors,
                 minus ? -term.coefficient : term.coefficient);
  }
  int64_t constant = dim.constant();
  if (constant != 0)
    os << (constant < 0 ? " - " : " + ")
       << (constant < 0 ? -constant : constant);
}

/// Prints a dim. If `nested`, everything except a number or a name is in
/// parentheses.
static void print(raw_ostream &os, Dim dim, bool nested) {
  DimKind kind = dim.kind();
  if (kind == DimKind::None) {
    os << "?";
    return;
  }
  if (kind == DimKind::Number) {
    os << dim.constant();
    return;
  }
  if (kind == DimKind::Symbol) {
    os << dim.name();
    return;
  }
  if (kind == DimKind::Min || kind == DimKind::Max) {
    os << (kind == DimKind::Min ? "min(" : "max(");
    interleaveComma(dim.operands(), os,
                    [&](Dim operand) { print(os, operand, false); });
    os << ")";
    return;
  }
  if (nested)
    os << "(";
  if (kind == DimKind::Sum) {
    printSum(os, dim);
  } else {
    print(os, dim.operands()[0], true);
    os << (kind == DimKind::FloorDiv  ? " floordiv "
           : kind == DimKind::CeilDiv ? " ceildiv "
                                      : " mod ");
    print(os, dim.operands()[1], true);
  }
  if (nested)
    os << ")";
}

std::string toString(Dim dim) {
  std::string text;
  raw_string_ostream os(text);
  print(os, dim, false);
  return text;
}

std::string toString(ArrayRef<Dim> dims) {
  std::string text;
  raw_string_ostream os(text);
  os << "[";
  interleaveComma(dims, os, [&](Dim dim) { print(os, dim, false); });
  os << "]";
  return text;
}

} // namespace tensorc::shape
