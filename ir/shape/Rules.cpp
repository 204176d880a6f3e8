//===- Rules.cpp - Shape rules of ops that move elements ------------------===//

#include "ir/shape/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tensorc::shape {

std::string numbersText(Numbers numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? "," : "") + std::to_string(numbers[i]);
  return text + "]";
}

std::string shapeText(Dims dims) {
  std::string text;
  raw_string_ostream os(text);
  os << "[";
  interleave(dims, os, [&](Dim dim) { os << toString(dim); }, ",");
  os << "]";
  return text;
}

bool InferredShape::refuse(const Twine &text) {
  refusal = text.str();
  return false;
}

bool InferredShape::require(Condition::Relation relation, Dim a, Dim b,
                            Text text) {
  std::optional<bool> known = isEqual(a, b);
  if (known == false)
    return refuse(text());
  if (!known)
    conditions.push_back({relation, a, b, text()});
  return true;
}

bool InferredShape::requireEqual(Dim a, Dim b, Text text) {
  return require(Condition::Equal, a, b, text);
}

bool InferredShape::requireEqualInRun(Dim a, Dim b, Text text) {
  return require(Condition::EqualInRun, a, b, text);
}

bool InferredShape::requireAtMost(Dim a, Dim b, Text text) {
  std::optional<bool> more = isLess(b, a);
  if (more == true)
    return refuse(text());
  if (!more)
    conditions.push_back({Condition::AtMost, a, b, text()});
  return true;
}

bool InferredShape::requireAllEqual(Dims a, Dims b, Text text) {
  if (a.size() != b.size())
    return refuse(text());
  for (auto [x, y] : zip(a, b))
    if (!requireEqual(x, y, text))
      return false;
  return true;
}

/// Returns a result that has the requested dims.
static InferredShape asked(Dims dims) {
  InferredShape result;
  append_range(result.dims, dims);
  return result;
}

InferredShape inferBroadcast(Dims x, Numbers dims, Dims result) {
  InferredShape rule = asked(result);
  if (dims.size() != x.size()) {
    rule.refuse("dims lists " + Twine(dims.size()) +
                " dimensions for an operand of rank " + Twine(x.size()));
    return rule;
  }
  int64_t last = -1;
  for (auto [size, dim] : zip(x, dims)) {
    if (dim <= last || dim >= static_cast<int64_t>(result.size())) {
      rule.refuse("dims must increase strictly and lie inside rank " +
                  Twine(result.size()));
      return rule;
    }
    last = dim;
    auto text = [&] {
      return "cannot broadcast " + shapeText(x) + " to " + shapeText(result);
    };
    if (size != 1 && !rule.requireEqual(size, result[dim], text))
      return rule;
  }
  return rule;
}

InferredShape inferReshape(Dims x, Dims result) {
  InferredShape rule = asked(result);
  rule.requireEqualInRun(product(x), product(result), [&] {
    return "cannot reshape " + shapeText(x) + " to " + shapeText(result);
  });
  return rule;
}

/// Checks that the elements offset, offset + stride, ... are inside the extent,
/// unless there are no elements.
static bool requireInside(InferredShape &rule, Dim extent, int64_t offset,
                          int64_t stride, Dim count, InferredShape::Text text) {
  if (offset < 0)
    return rule.refuse(text());
  Dim last = (count - 1) * stride + offset, any = min(count, 1);
  if (count == 0)
    return true;
  if (last.isNone())
    return rule.refuse(text());
  if (stride < 0 && !rule.requireAtMost(0, any * last, text))
    return false;
  Dim end = (stride < 0 ? Dim(offset) : last) + 1;
  return isLess(extent, end) == false ||
         rule.requireAtMost(any * end, extent, text);
}

InferredShape inferSlice(Dims x, Numbers offsets, Numbers strides,
                         Dims result) {
  InferredShape rule = asked(result);
  if (result.size() != x.size() || offsets.size() != x.size() ||
      strides.size() != x.size()) {
    rule.refuse("needs one offset, stride and result dimension for each of " +
                Twine(x.size()) + " dimensions");
    return rule;
  }
  for (auto [i, extent] : enumerate(x)) {
    int64_t offset = offsets[i], stride = strides[i];
    if (stride == 0) {
      rule.refuse("stride of dimension " + Twine(i) + " is 0");
      return rule;
    }
    auto text = [&, i = i] {
      return ("reads outside dimension " + Twine(i) + " of " + shapeText(x) +
              ": offset " + Twine(offset) + ", stride " + Twine(stride) +
              ", size " + toString(result[i]))
          .str();
    };
    if (offset != dynamicOffset &&
        !requireInside(rule, extent, offset, stride, result[i], text))
      return rule;
  }
  return rule;
}

InferredShape inferTranspose(Dims x, Numbers permutation) {
  InferredShape result;
  SmallVector<int64_t> sorted(permutation);
  sort(sorted);
  if (!equal(sorted, seq<int64_t>(0, x.size()))) {
    result.refuse(numbersText(permutation) +
                  " is not a permutation of the dimensions of " + shapeText(x));
    return result;
  }
  for (int64_t dim : permutation)
    result.dims.push_back(x[dim]);
  return result;
}

/// Maximum padding, larger than any tensor. Sizes that are computed from
/// smaller amounts do not overflow.
static constexpr int64_t maxPadding = int64_t(1) << 47;

InferredShape inferPad(Dims x, const PadNumbers &numbers) {
  InferredShape result;
  if (numbers.low.size() != x.size() || numbers.high.size() != x.size() ||
      numbers.interior.size() != x.size()) {
    result.refuse(
        "needs low, high and interior padding for each dimension of " +
        shapeText(x));
    return result;
  }
  for (auto [i, size] : enumerate(x)) {
    int64_t low = numbers.low[i], high = numbers.high[i];
    int64_t interior = numbers.interior[i];
    for (int64_t amount : {low, high, interior})
      if (amount > maxPadding || amount < -maxPadding) {
        result.refuse("padding of dimension " + Twine(i) + " by " +
                      Twine(amount) + " is out of range");
        return result;
      }
    if (interior < 0) {
      result.refuse("interior padding of dimension " + Twine(i) +
                    " is negative");
      return result;
    }
    // An empty dimension has no gaps between elements.
    Dim gaps = size == 0 ? Dim(0) : (size - 1) * interior;
    Dim padded = size + gaps + low + high;
    auto text = [&, i = i] {
      return ("padding by " + Twine(low) + " and " + Twine(high) +
              " removes more than all of dimension " + Twine(i) + " of " +
              shapeText(x))
          .str();
    };
    if (!result.requireAtMost(0, padded, text))
      return result;
    result.dims.push_back(padded);
  }
  return result;
}

InferredShape inferConcatenate(ArrayRef<Dims> inputs, int64_t dim) {
  InferredShape result;
  if (inputs.empty()) {
    result.refuse("needs at least one operand");
    return result;
  }
  int64_t rank = inputs[0].size();
  if (dim < 0 || dim >= rank) {
    result.refuse("dimension " + Twine(dim) + " is outside " +
                  shapeText(inputs[0]));
    return result;
  }
  SmallVector<Dim> along;
  for (Dims input : inputs) {
    auto text = [&] {
      return ("shapes differ outside dimension " + Twine(dim) + ": " +
              shapeText(inputs[0]) + " x " + shapeText(input))
          .str();
    };
    if (static_cast<int64_t>(input.size()) != rank) {
      result.refuse(text());
      return result;
    }
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim && !result.requireEqual(input[d], inputs[0][d], text))
        return result;
    along.push_back(input[dim]);
  }
  append_range(result.dims, inputs[0]);
  result.dims[dim] = sum(along);
  return result;
}

/// Maximum of a window's size, stride or dilation. Products of two of them do
/// not overflow.
static constexpr int64_t maxWindow = (int64_t(1) << 31) - 1;

/// Checks the lists of a window against each other and against the rank of x.
static bool checkNumbers(InferredShape &result, Dims x,
                         const WindowNumbers &numbers) {
  size_t count = numbers.dims.size();
  if (numbers.sizes.size() != count || numbers.strides.size() != count ||
      numbers.dilations.size() != count)
    return result.refuse("needs one size, stride and dilation for each of " +
                         Twine(count) + " dims");
  SmallBitVector seen(x.size());
  for (auto [dim, size, stride, dilation] :
       zip(numbers.dims, numbers.sizes, numbers.strides, numbers.dilations)) {
    if (dim < 0 || dim >= static_cast<int64_t>(x.size()) || seen.test(dim))
      return result.refuse("dims must differ and lie inside rank " +
                           Twine(x.size()));
    seen.set(dim);
    for (int64_t amount : {size, stride, dilation})
      if (amount < 1 || amount > maxWindow)
        return result.refuse(
            "size, stride and dilation of dimension " + Twine(dim) +
            " must be positive and below 2^31, not " + Twine(amount));
  }
  return true;
}

InferredShape inferWindows(Dims x, const WindowNumbers &numbers) {
  InferredShape result;
  if (!checkNumbers(result, x, numbers))
    return result;
  append_range(result.dims, x);
  for (auto [dim, size, stride, dilation] :
       zip(numbers.dims, numbers.sizes, numbers.strides, numbers.dilations)) {
    int64_t extent = (size - 1) * dilation + 1;
    auto text = [&, dim = dim] {
      return ("a window of " + Twine(extent) + " does not fit into dimension " +
              Twine(dim) + " of " + shapeText(x))
          .str();
    };
    if (!result.requireAtMost(extent, x[dim], text))
      return result;
    result.dims[dim] = floorDiv(x[dim] - extent, stride) + 1;
    result.dims.push_back(size);
  }
  return result;
}

} // namespace tensorc::shape
