//===- indexing.hpp - x.index({...}), x.at({...}); included by tensorc.hpp ===//
//
//   x.index({Slice(1, None, 2), -1, Ellipsis, None})     x[1::2, -1, ..., None]
//   x.index({rows, columns})                             tensors of integers
//   x.at({rows}).add(1)                                  a copy of x, updated
//   x.at({x < 0}).set(0)                                 where a mask is true
//
// NumPy's rules. An index below 0 counts from the end, once. One that is
// outside then is an Error where it is a number; in a tensor, a read takes the
// nearest element and a write is dropped.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_INDEXING_HPP
#define TENSORC_INDEXING_HPP

#include "tensorc/functions.hpp"
#include "tensorc/indexing.h"

#include <string_view>

namespace tensorc {

/// An absent bound of a Slice; as an index of its own a new axis.
struct NoneType {};
inline constexpr NoneType None{};
/// All axes that no other index is about; so is "...".
struct EllipsisType {};
inline constexpr EllipsisType Ellipsis{};

/// Python's start:stop:step.
class Slice {
public:
  struct Bound {
    int64_t value;
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    Bound(T value) : value(static_cast<int64_t>(value)) {}
    Bound(NoneType) : value(TENSORC_NONE) {}
  };
  Slice(Bound start = None, Bound stop = None, Bound step = None)
      : start(start.value), stop(stop.value),
        step(step.value == TENSORC_NONE ? 1 : step.value) {}
  int64_t start, stop, step;
};

/// One item of an index: a number, a Slice, Ellipsis, None (a new axis), a
/// tensor of integers, or in an update one of booleans.
class Index {
public:
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> &&
                                                    !std::is_same_v<T, bool>>>
  Index(T value) {
    item.kind = TENSORC_INDEX_INTEGER;
    item.start = static_cast<int64_t>(value);
  }
  Index(Slice slice)
      : item{TENSORC_INDEX_SLICE, slice.start, slice.stop, slice.step,
             nullptr} {}
  Index(EllipsisType) { item.kind = TENSORC_INDEX_ELLIPSIS; }
  Index(NoneType) { item.kind = TENSORC_INDEX_NEW_AXIS; }
  /// "..."
  Index(const char *dots, Location at = Location::current()) {
    if (std::string_view(dots) != "...")
      detail::fail("index",
                   "a text can only be \"...\", not \"" + std::string(dots) +
                       "\"",
                   at);
    item.kind = TENSORC_INDEX_ELLIPSIS;
  }
  Index(const Tensor &tensor) : owned(tensor) {
    item.kind = TENSORC_INDEX_TENSOR;
    item.tensor = owned.raw();
  }
  const tensorc_index_item &raw() const { return item; }

private:
  Tensor owned;
  tensorc_index_item item{TENSORC_INDEX_ELLIPSIS, 0, 0, 1, nullptr};
};

namespace detail {
inline std::vector<tensorc_index_item>
items(const std::vector<Index> &indices) {
  std::vector<tensorc_index_item> result;
  for (const Index &index : indices)
    result.push_back(index.raw());
  return result;
}
} // namespace detail

/// x[indices], to be updated: each gives a copy of x. The value is broadcast;
/// its dtype must be of the kind of x's. The places of a mask count as one: they
/// all take the same value.
class At {
public:
  At(Tensor x, std::vector<Index> indices)
      : x(std::move(x)), indices(std::move(indices)) {}
  /// Of several values at one place the last one.
  Tensor set(Arg value) const { return update(TENSORC_UPDATE_SET, value); }
  Tensor add(Arg value) const { return update(TENSORC_UPDATE_ADD, value); }
  Tensor mul(Arg value) const { return update(TENSORC_UPDATE_MUL, value); }
  Tensor min(Arg value) const { return update(TENSORC_UPDATE_MIN, value); }
  Tensor max(Arg value) const { return update(TENSORC_UPDATE_MAX, value); }

private:
  Tensor update(tensorc_update_kind kind, Arg &value) const {
    std::vector<tensorc_index_item> items = detail::items(indices);
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_index_update(
        x.raw(), static_cast<int32_t>(items.size()), items.data(), kind,
        value.raw(), value.at(), &out);
    value.drop();
    return detail::take(status, out);
  }
  Tensor x;
  std::vector<Index> indices;
};

inline Tensor Tensor::index(const std::vector<Index> &indices,
                            Location at) const {
  std::vector<tensorc_index_item> items = detail::items(indices);
  tensorc_tensor *out = nullptr;
  tensorc_status *status =
      tensorc_index(handle, static_cast<int32_t>(items.size()), items.data(),
                    at, &out);
  return detail::take(status, out);
}
inline At Tensor::at(std::vector<Index> indices) const {
  return At(*this, std::move(indices));
}

/// Where x is not 0: the indices of the first `size` elements along each axis,
/// and `fill` where there are not so many.
inline std::vector<Tensor> nonzero(Arg x, int64_t size, int64_t fill = 0) {
  std::vector<tensorc_tensor *> out(tensorc_tensor_rank(x.tensor("nonzero")));
  tensorc_status *status =
      tensorc_nonzero(x.tensor("nonzero"), size, fill, x.at(), out.data());
  x.drop();
  detail::check(status);
  std::vector<Tensor> result;
  for (tensorc_tensor *handle : out)
    result.push_back(Tensor::take(handle));
  return result;
}

/// The part of x of these sizes at starts, numbers or rank-0 tensors, that are
/// clamped so that it lies in x: dynamic_slice(x, {i, 0}, {1, 8}).
inline Tensor dynamic_slice(Arg x, const std::vector<Arg> &starts,
                            const Shape &sizes) {
  if (starts.size() != sizes.size())
    detail::fail("dynamic_slice",
                 std::to_string(starts.size()) + " starts for " +
                     std::to_string(sizes.size()) + " sizes",
                 x.at());
  std::vector<tensorc_arg> from = detail::raw(starts);
  return detail::unary("dynamic_slice", x, tensorc_dynamic_slice,
                       static_cast<int32_t>(from.size()), from.data(),
                       sizes.data());
}

/// x[indices] of all elements, flat.
inline Tensor take(Arg x, Arg indices) {
  return take(std::move(x), std::move(indices), TENSORC_NONE);
}

/// StableHLO's dimension numbers; docs/ops.md has the meaning.
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
/// Slices of x at indices, which are clamped; a slice size of -1 is the whole
/// axis.
inline Tensor gather(Arg x, Arg indices, const GatherNumbers &numbers,
                     const Shape &slice_sizes) {
  size_t rank = tensorc_tensor_rank(x.tensor("gather"));
  if (x.raw().value.tensor && slice_sizes.size() != rank)
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
/// x with windows updated at indices; what would lie outside is dropped.
inline Tensor scatter(Arg x, Arg indices, Arg updates, tensorc_update_kind kind,
                      const GatherNumbers &numbers) {
  tensorc_gather_numbers raw = detail::raw(numbers);
  Tensor result = detail::unary(
      "scatter", x, tensorc_scatter, indices.tensor("scatter"),
      updates.tensor("scatter"), kind,
      static_cast<const tensorc_gather_numbers *>(&raw));
  indices.drop();
  updates.drop();
  return result;
}

} // namespace tensorc

#endif
