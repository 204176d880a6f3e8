//===- MatrixOps.cpp - ONNX's products of matrices ------------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

static void matmul(NodeImport &n) {
  Value x = n.in(0), y = n.in(1);
  n.set(n.matmul(x, y));
}

/// Computes alpha op(a) op(b) + beta c.
static void gemm(NodeImport &n) {
  Value a = n.in(0), b = n.in(1), c = n.optional(2);
  if (n.isRefused())
    return;
  if (rankOf(a) != 2 || rankOf(b) != 2) {
    n.refuse("the factors are not matrices");
    return;
  }
  bool flipsA = n.flag("transA"), flipsB = n.flag("transB");
  double alpha = n.real("alpha", 1), beta = n.real("beta", 1);
  Value y =
      n.dot(a, b, {{}, {}, int64_t(flipsA ? 0 : 1), int64_t(flipsB ? 1 : 0)});
  if (alpha != 1)
    y = n.mul(y, n.full(alpha, n.isRefused() ? DType::F32 : dtypeOf(y)));
  if (c && beta != 1)
    c = n.mul(c, n.full(beta, n.isRefused() ? DType::F32 : dtypeOf(c)));
  n.set(c ? n.add(y, c) : y);
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// A tensor and the letters of its dims.
struct Named {
  Value value;
  std::string dims;
};
} // namespace

/// Returns the letters of a term. The dims of an ellipsis get capital letters
/// that the equation does not use; the last dim always gets the same letter.
static std::optional<std::string> lettersOf(StringRef term, int64_t rank,
                                            StringRef spare) {
  size_t dots = term.find("...");
  if (dots == StringRef::npos)
    return rank < 0 || static_cast<int64_t>(term.size()) == rank
               ? std::optional(term.str())
               : std::nullopt;
  StringRef before = term.take_front(dots), after = term.drop_front(dots + 3);
  int64_t count = rank - static_cast<int64_t>(before.size() + after.size());
  if (count < 0 || count > static_cast<int64_t>(spare.size()))
    return std::nullopt;
  return (before + spare.take_back(count) + after).str();
}

/// Returns the diagonal of a tensor over dims i and j (i < j), which have the
/// same letter.
static Value diagonal(NodeImport &n, Value x, int64_t i, int64_t j) {
  SmallVector<Dim> dims(dimsOf(x));
  Value same =
      n.equal(n.iota(DType::I64, dims, i), n.iota(DType::I64, dims, j));
  if (dims[i] != dims[j])
    return n.refuse("two dims of one name differ");
  Value kept = n.select(same, x, 0);
  return n.sum(kept, {j});
}

static Named simplified(NodeImport &n, Named x, StringRef needed) {
  for (size_t i = 0; i < x.dims.size(); ++i)
    for (size_t j = i + 1; j < x.dims.size();)
      if (!n.isRefused() && x.dims[i] == x.dims[j]) {
        x.value = diagonal(n, x.value, i, j);
        x.dims.erase(j, 1);
      } else {
        ++j;
      }
  SmallVector<int64_t> summed;
  std::string kept;
  for (auto [d, letter] : llvm::enumerate(x.dims))
    if (needed.contains(letter))
      kept += letter;
    else
      summed.push_back(static_cast<int64_t>(d));
  return {n.sum(x.value, summed), kept};
}

/// Multiplies two tensors and contracts the letters that are not in `needed`,
/// that is, neither in the result nor in a later term.
static Named product(NodeImport &n, const Named &x, const Named &y,
                     StringRef needed) {
  SmallVector<int64_t> xBatch, yBatch, xSummed, ySummed;
  std::string batch, xFree, yFree;
  if (n.isRefused())
    return x;
  // A dim of size 1 broadcasts, so the tensor is treated as if it did not have
  // the letter.
  auto isOne = [](const Named &t, size_t d) { return dimsOf(t.value)[d] == 1; };
  Named a = x, b = y;
  auto dropOnes = [&](Named &from, const Named &other) {
    for (size_t d = 0; d < from.dims.size();) {
      size_t at = other.dims.find(from.dims[d]);
      if (at != std::string::npos && isOne(from, d) && !isOne(other, at)) {
        from.value = n.squeeze(from.value, {static_cast<int64_t>(d)});
        from.dims.erase(d, 1);
        if (n.isRefused())
          return;
      } else {
        ++d;
      }
    }
  };
  dropOnes(a, b);
  if (!n.isRefused())
    dropOnes(b, a);
  for (auto [d, letter] : llvm::enumerate(a.dims)) {
    size_t at = b.dims.find(letter);
    if (at == std::string::npos) {
      xFree += letter;
    } else if (needed.contains(letter)) {
      batch += letter;
      xBatch.push_back(d), yBatch.push_back(at);
    } else {
      xSummed.push_back(d), ySummed.push_back(at);
    }
  }
  for (char letter : b.dims)
    if (!StringRef(a.dims).contains(letter))
      yFree += letter;
  return {n.dot(a.value, b.value, {xBatch, yBatch, xSummed, ySummed}),
          batch + xFree + yFree};
}

static void einsum(NodeImport &n) {
  std::string equation;
  for (char c : n.text("equation", ""))
    if (c != ' ')
      equation += c;
  auto [left, right] = StringRef(equation).split("->");
  bool isImplicit = !StringRef(equation).contains("->");
  SmallVector<Value> inputs = n.all();
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (n.isRefused())
    return;
  if (terms.size() != inputs.size()) {
    n.refuse("the equation has another number of terms than the node inputs");
    return;
  }
  std::string spare;
  for (char c = 'A'; c <= 'Z'; ++c)
    if (!StringRef(equation).contains(c))
      spare += c;
  SmallVector<Named> operands;
  std::string ellipsis;
  for (auto [term, value] : llvm::zip(terms, inputs)) {
    auto letters = lettersOf(term, rankOf(value), spare);
    if (!letters) {
      n.refuse("the term '" + term + "' does not fit rank " +
               llvm::Twine(rankOf(value)));
      return;
    }
    if (term.contains("...") &&
        letters->size() - (term.size() - 3) > ellipsis.size())
      ellipsis =
          StringRef(spare).take_back(letters->size() - (term.size() - 3)).str();
    operands.push_back({value, *letters});
  }
  std::string result;
  if (isImplicit) {
    // An implicit result has the ellipsis, followed by the letters that occur
    // once, in alphabetical order.
    std::string all, once;
    for (StringRef term : terms)
      for (char c : term)
        if (c != '.')
          all += c;
    for (char c : all)
      if (llvm::count(all, c) == 1)
        once += c;
    llvm::sort(once);
    result = ellipsis + once;
  } else {
    size_t dots = right.find("...");
    result =
        dots == StringRef::npos
            ? right.str()
            : (right.take_front(dots) + ellipsis + right.drop_front(dots + 3))
                  .str();
  }
  for (char c : result)
    if (llvm::count(result, c) > 1 ||
        llvm::none_of(operands, [&](const Named &operand) {
          return StringRef(operand.dims).contains(c);
        })) {
      n.refuse("the result of the equation names a dim that no term has, or "
               "twice");
      return;
    }
  Named all;
  for (size_t i = 0; i < operands.size() && !n.isRefused(); ++i) {
    auto neededBehind = [&](size_t next) {
      std::string needed = result;
      for (const Named &operand : ArrayRef(operands).drop_front(next))
        needed += operand.dims;
      return needed;
    };
    std::string others = neededBehind(i + 1) + all.dims;
    Named next = simplified(n, operands[i], others);
    all = i == 0 ? next : product(n, all, next, neededBehind(i + 1));
  }
  if (n.isRefused())
    return;
  all = simplified(n, all, result);
  SmallVector<int64_t> permutation;
  for (char c : result)
    permutation.push_back(static_cast<int64_t>(all.dims.find(c)));
  n.set(n.transpose(all.value, permutation));
}

static void determinant(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  if (!tx::isFloat(dtypeOf(x)) || rank < 2 ||
      dimsOf(x)[rank - 1] != dimsOf(x)[rank - 2])
    return void(n.refuse("the input is not a square matrix of floats"));
  n.set(n.make<tx::DeterminantOp>(dtypeOf(x), x));
}

ArrayRef<OpVersion> matrixOps() {
  static constexpr OpVersion ops[] = {
      {"Det", 11, determinant},
      {"Einsum", 12, einsum},
      {"Gemm", 1, gemm},
      {"MatMul", 1, matmul},
  };
  return ops;
}

} // namespace tensorc::onnx
