//===- indexing.hpp - x[...], x(...), x.at({...}); included by tensorc.hpp ===//
//
//   x[0], x(0, -1), x(Slice(1, None, 2), Ellipsis, None) x[1::2, ..., None]
//   x(rows, columns)                                     tensors of integers
//   x[x > 0]                                             a mask of booleans
//   x[0] = y; x(0, Slice(1)) += 1; x[x < 0] = 0;         x is updated
//   x.at({rows}).add(1)                                  a copy of x, updated
//
// C++23 also has x[0, -1]. In earlier standards this means x[-1], and compilers
// warn. The rules are NumPy's. A negative index counts from the end. An index
// outside of x is an error if it is a number; an element of an index tensor
// outside of x reads the nearest element, or drops the write. The number of
// elements that a mask selects is computed when the shape or a value of x[mask]
// is needed; a traced function cannot know it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_INDEXING_HPP
#define TENSORC_INDEXING_HPP

#include "tensorc/functions.hpp"
#include "tensorc/indexing.h"

#include <limits>
#include <string_view>

namespace tensorc {

/// As a bound of a Slice: no bound. As an index: a new axis.
struct NoneType {};
inline constexpr NoneType None{};
/// Stands for all axes without another index, like "...".
struct EllipsisType {};
inline constexpr EllipsisType Ellipsis{};

/// Python's slice start:stop:step.
class Slice {
public:
  struct Bound {
    int64_t value;
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    Bound(T number) : value(clamped(number)) {}
    Bound(NoneType) : value(TENSORC_NONE) {}

  private:
    /// Clamps a bound. Sizes are below 2^63 - 1, so clamping does not change
    /// the meaning, and the number that equals TENSORC_NONE stays a number.
    template <typename T> static int64_t clamped(T number) {
      constexpr int64_t last = std::numeric_limits<int64_t>::max();
      if constexpr (std::is_unsigned_v<T>)
        return number > static_cast<uint64_t>(last)
                   ? last
                   : static_cast<int64_t>(number);
      else
        return number < -last ? -last : static_cast<int64_t>(number);
    }
  };
  Slice(Bound first = None, Bound end = None, Bound by = None)
      : start(first.value), stop(end.value),
        step(by.value == TENSORC_NONE ? 1 : by.value) {}
  int64_t start, stop, step;
};

/// One item of an index, with its source location: a number, a Slice, Ellipsis,
/// None, a tensor of integers, or a boolean mask of one or more axes.
class Index {
public:
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> &&
                                                    !std::is_same_v<T, bool>>>
  Index(T value, Location at = Location::current()) : place(at) {
    item.kind = TENSORC_INDEX_INTEGER;
    item.start = static_cast<int64_t>(value);
  }
  Index(Slice slice, Location at = Location::current())
      : place(at), item{TENSORC_INDEX_SLICE, slice.start, slice.stop,
                        slice.step, nullptr} {}
  Index(EllipsisType, Location at = Location::current()) : place(at) {
    item.kind = TENSORC_INDEX_ELLIPSIS;
  }
  Index(NoneType, Location at = Location::current()) : place(at) {
    item.kind = TENSORC_INDEX_NEW_AXIS;
  }
  /// "..."
  Index(const char *dots, Location at = Location::current()) : place(at) {
    if (std::string_view(dots) != "...")
      detail::fail(
          "index",
          "a text can only be \"...\", not \"" + std::string(dots) + "\"", at);
    item.kind = TENSORC_INDEX_ELLIPSIS;
  }
  Index(const Tensor &tensor, Location at = Location::current())
      : place(at), owned(tensor) {
    item.kind = TENSORC_INDEX_TENSOR;
    item.tensor = owned.operand("index", at);
  }
  const tensorc_index_item &raw() const { return item; }
  Location at() const { return place; }
  const Tensor &tensor() const { return owned; }
  bool is_mask() const { return owned.defined() && owned.dtype() == DType::i1; }

private:
  Location place;
  Tensor owned;
  tensorc_index_item item{TENSORC_INDEX_ELLIPSIS, 0, 0, 1, nullptr};
};

namespace detail {
inline const Index &indexOf(const Index &index, Location) { return index; }
template <typename T> Index indexOf(const T &item, Location at) {
  return Index(item, at);
}
inline std::vector<tensorc_index_item>
items(const std::vector<Index> &indices) {
  std::vector<tensorc_index_item> result;
  for (const Index &index : indices)
    result.push_back(index.raw());
  return result;
}
} // namespace detail

/// x[indices] for updates: each method returns an updated copy of x. The value
/// is broadcast, and its dtype must be of the same kind as x's. All elements
/// selected by a mask get the same value.
class At {
public:
  /// `op` is the operation in error messages, "at" by default.
  At(Tensor tensor, std::vector<Index> list, const char *op = nullptr)
      : x(std::move(tensor)), indices(std::move(list)), called(op) {}
  /// If several values are written to one element, the last one wins.
  Tensor set(Arg value) const { return update(TENSORC_UPDATE_SET, value); }
  Tensor add(Arg value) const { return update(TENSORC_UPDATE_ADD, value); }
  Tensor mul(Arg value) const { return update(TENSORC_UPDATE_MUL, value); }
  Tensor min(Arg value) const { return update(TENSORC_UPDATE_MIN, value); }
  Tensor max(Arg value) const { return update(TENSORC_UPDATE_MAX, value); }

private:
  Tensor update(tensorc_update_kind kind, Arg &value) const {
    std::vector<tensorc_index_item> items = detail::items(indices);
    tensorc_tensor *out = nullptr;
    const char *op = called ? called : "at";
    tensorc_status *status = tensorc_index_update(
        x.operand(op, value.at()), static_cast<int32_t>(items.size()),
        items.data(), kind, value.raw(op), value.at(), &out);
    value.drop();
    return detail::take(status, out, called);
  }
  Tensor x;
  std::vector<Index> indices;
  const char *called;
};

inline Tensor Tensor::index(const std::vector<Index> &indices,
                            Location at) const {
  std::vector<tensorc_index_item> items = detail::items(indices);
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_index(operand("index", at), static_cast<int32_t>(items.size()),
                    items.data(), at, &out);
  return detail::take(status, out);
}
inline At Tensor::at(std::vector<Index> indices) const {
  return At(*this, std::move(indices));
}

/// x[i] of a non-const tensor. It is a tensor, except that an assignment in the
/// same expression changes x: `x[i] = v` is `x = x.at({i}).set(v)`, and `x[i]
/// += v` is `x[i] = x[i] + v`.
class Element : public Tensor {
public:
  Element(const Element &) = default;
  Element(Element &&) = default;

  void operator=(const Arg &value) && { set(value); }
  void operator=(const Element &value) && {
    Location at = value.indices[0].at();
    set(Arg(value, at.file, at.line));
  }
  /// Assigning to a variable of this class changes only the variable, not x.
  Element &operator=(const Tensor &value) & {
    Tensor::operator=(value);
    return *this;
  }
  Element &operator=(const Element &value) & {
    Tensor::operator=(value);
    return *this;
  }
  using Tensor::operator+=, Tensor::operator-=, Tensor::operator*=,
      Tensor::operator/=, Tensor::operator%=, Tensor::operator&=,
      Tensor::operator|=, Tensor::operator^=;
  void operator+=(const Arg &y) &&;
  void operator-=(const Arg &y) &&;
  void operator*=(const Arg &y) &&;
  void operator/=(const Arg &y) &&;
  void operator%=(const Arg &y) &&;
  void operator&=(const Arg &y) &&;
  void operator|=(const Arg &y) &&;
  void operator^=(const Arg &y) &&;

  /// Applied to a temporary, these functions change x, too.
  using Tensor::copy_, Tensor::fill_, Tensor::zero_;
  void copy_(const Tensor &source, Location at = Location::current()) &&;
  void fill_(Arg value) &&;
  void zero_(Location at = Location::current()) &&;

  /// x[i][j]: assignments change x, too.
  using Tensor::operator[], Tensor::operator();
  Element operator[](const Index &index) && { return {*this, {index}}; }
  template <typename... Rest>
  Element operator()(const Index &first, const Rest &...rest) && {
    return {*this, {first, detail::indexOf(rest, first.at())...}};
  }

  /// Returns this tensor. Throws if it can be assigned to but not read.
  const Tensor &checked() const {
    if (!refusal.empty())
      throw Error(TENSORC_INVALID_ARGUMENT, refusal);
    return *this;
  }

private:
  friend class Tensor;
  Element(Tensor &tensor, std::vector<Index> list)
      : x(&tensor), indices(std::move(list)) {
    read();
  }
  Element(Element &element, std::vector<Index> list)
      : x(&element), outer(&element), indices(std::move(list)) {
    element.checked();
    read();
  }
  /// In a trace, reading x[mask] is an error, because the number of selected
  /// elements is unknown. The error is stored here and thrown when the element
  /// is read.
  void read() {
    std::vector<tensorc_index_item> items = detail::items(indices);
    Location at = indices[0].at();
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_index(x->operand("index", at),
                                           static_cast<int32_t>(items.size()),
                                           items.data(), at, &out);
    if (status && has_mask()) {
      refusal = tensorc_status_message(status);
      tensorc_status_free(status);
      return;
    }
    Tensor::operator=(detail::take(status, out));
  }
  bool has_mask() const {
    for (const Index &index : indices)
      if (index.is_mask())
        return true;
    return false;
  }
  void set(const Arg &value, const char *op = nullptr) {
    store(At(*x, indices, op).set(value), value.at());
  }
  void store(Tensor updated, Location at) {
    if (outer)
      outer->set(Arg(std::move(updated), at.file, at.line));
    else
      *x = std::move(updated);
  }
  void combine(Tensor (*op)(Arg, Arg), const Arg &y);
  /// With a mask, combine() selects between whole tensors, so the mask must be
  /// the only index.
  void checkAlone(Location at) const {
    if (indices.size() != 1)
      detail::fail("at",
                   "beside other indices a mask can be assigned to, or used by "
                   "x.at({...}).add(y)",
                   at);
  }

  Tensor *x;                // lives until the end of the expression
  Element *outer = nullptr; // the tensor that x is a part of, if any
  std::vector<Index> indices;
  std::string refusal;
};

inline Tensor::Tensor(const Element &element) : Tensor(element.checked()) {}
inline Tensor::Tensor(Element &&element) : Tensor(element.checked()) {}
inline Arg::Arg(const Element &element, const char *file, unsigned line)
    : Arg(element.checked(), file, line) {}
inline Arg::Arg(Element &&element, const char *file, unsigned line)
    : Arg(Tensor(element), file, line) {}
inline Located::Located(const Element &element, const char *file, unsigned line)
    : Located(element.checked(), file, line) {}

inline Element Tensor::operator[](const Index &index) & {
  return {*this, {index}};
}
inline Tensor Tensor::operator[](const Index &index) const & {
  return this->index({index}, index.at());
}
template <typename... Rest>
Element Tensor::operator()(const Index &first, const Rest &...rest) & {
  return {*this, {first, detail::indexOf(rest, first.at())...}};
}
template <typename... Rest>
Tensor Tensor::operator()(const Index &first, const Rest &...rest) const & {
  return index({first, detail::indexOf(rest, first.at())...}, first.at());
}
#ifdef __cpp_multidimensional_subscript
template <typename... Rest>
Element Tensor::operator[](const Index &first, const Index &second,
                           const Rest &...rest) & {
  return {*this, {first, second, detail::indexOf(rest, first.at())...}};
}
template <typename... Rest>
Tensor Tensor::operator[](const Index &first, const Index &second,
                          const Rest &...rest) const & {
  return index({first, second, detail::indexOf(rest, first.at())...},
               first.at());
}
#endif

/// Returns x[mask], where the mask covers x's first axes. The number of
/// selected elements is computed when the shape or a value is needed.
inline Tensor masked_select(Arg x, Arg mask) {
  const char *op = "masked_select";
  Location at = x.at();
  tensorc_index_item item{TENSORC_INDEX_TENSOR, 0, 0, 1, mask.tensor(op)};
  if (item.tensor && tensorc_tensor_dtype(item.tensor) != TENSORC_I1)
    detail::fail(
        op,
        std::string("the mask is ") +
            name(static_cast<DType>(tensorc_tensor_dtype(item.tensor))) +
            ", not i1",
        at);
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_index(x.tensor(op), 1, &item, at, &out);
  x.drop();
  mask.drop();
  return detail::take(status, out, op);
}

/// Returns the indices, along each axis, of the first `size` nonzero elements,
/// padded with `fill`. Without a size, returns the indices of all nonzero
/// elements; their number is computed when the shape or a value is needed.
inline std::vector<Tensor> nonzero(Arg x, int64_t size = TENSORC_NONE,
                                   int64_t fill = 0) {
  std::vector<tensorc_tensor *> out(
      static_cast<size_t>(tensorc_tensor_rank(x.tensor("nonzero"))));
  tensorc_status *status =
      tensorc_nonzero(x.tensor("nonzero"), size, fill, x.at(), out.data());
  x.drop();
  detail::check(status);
  std::vector<Tensor> result;
  for (tensorc_tensor *handle : out)
    result.push_back(Tensor::take(handle));
  return result;
}

/// Returns the slice of x with these sizes. The starts are numbers or rank-0
/// tensors and are clamped so that the slice is within x: dynamic_slice(x, {i,
/// 0}, {1, 8}).
inline Tensor dynamic_slice(Arg x, const std::vector<Arg> &starts,
                            const Shape &sizes) {
  if (starts.size() != sizes.size())
    detail::fail("dynamic_slice",
                 std::to_string(starts.size()) + " starts for " +
                     std::to_string(sizes.size()) + " sizes",
                 x.at());
  std::vector<tensorc_arg> from = detail::raw("dynamic_slice", starts);
  return detail::unary("dynamic_slice", x, tensorc_dynamic_slice,
                       static_cast<int32_t>(from.size()), from.data(),
                       sizes.data());
}

/// Returns elements of the flattened x.
inline Tensor take(Arg x, Arg indices) {
  return take(std::move(x), std::move(indices), TENSORC_NONE);
}

/// StableHLO's dimension numbers; docs/ops.md explains them.
struct GatherNumbers {
  Shape window_dims, dropped_dims, mapped_dims;
  int64_t index_vector_dim = 0;
};
namespace detail {
inline tensorc_gather_numbers raw(const GatherNumbers &numbers) {
  return {rankOf(numbers.window_dims),  numbers.window_dims.data(),
          rankOf(numbers.dropped_dims), numbers.dropped_dims.data(),
          rankOf(numbers.mapped_dims),  numbers.mapped_dims.data(),
          numbers.index_vector_dim};
}
} // namespace detail
/// StableHLO's gather: slices of x at indices, which are clamped. A slice size
/// of -1 means the whole axis.
inline Tensor gather(Arg x, Arg indices, const GatherNumbers &numbers,
                     const Shape &slice_sizes) {
  auto rank = static_cast<size_t>(tensorc_tensor_rank(x.tensor("gather")));
  if (x.tensor("gather") && slice_sizes.size() != rank)
    detail::fail("gather",
                 "needs " + std::to_string(rank) + " slice sizes, not " +
                     std::to_string(slice_sizes.size()),
                 x.at());
  tensorc_gather_numbers raw = detail::raw(numbers);
  Tensor result = detail::unary(
      "gather", x, tensorc_gather, indices.tensor("gather"),
      static_cast<const tensorc_gather_numbers *>(&raw), slice_sizes.data());
  indices.drop();
  return result;
}
/// StableHLO's scatter: returns x with windows updated at indices. Updates
/// outside of x are ignored.
inline Tensor scatter(Arg x, Arg indices, Arg updates, tensorc_update_kind kind,
                      const GatherNumbers &numbers) {
  tensorc_gather_numbers raw = detail::raw(numbers);
  Tensor result =
      detail::unary("scatter", x, tensorc_scatter, indices.tensor("scatter"),
                    updates.tensor("scatter"), kind,
                    static_cast<const tensorc_gather_numbers *>(&raw));
  indices.drop();
  updates.drop();
  return result;
}

} // namespace tensorc

#endif
