//===- tensorc.hpp - record, compile and run tensor expressions -----------===//
//
//   tensorc::Tensor x = tensorc::tensor({1.0f, 2.0f, 3.0f});
//   tensorc::Tensor y = tensorc::softmax(x * 2 + 1);   // nothing has run
//   std::cout << y;                                    // now it has
//
// C++17, header only, over the C interface. Errors are tensorc::Error, thrown
// in the caller's object code where the expression is built, with its file and
// line. For threads see tensorc.h. Like a shared_ptr, a single Tensor object
// must not be accessed by several threads if one of them changes it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TENSORC_HPP
#define TENSORC_TENSORC_HPP

#include "tensorc/devices.hpp"
#include "tensorc/functions.hpp"
#include "tensorc/indexing.hpp"
#include "tensorc/ops.h"
#include "tensorc/structure.hpp"
#include "tensorc/tensor.hpp"

#include <algorithm>
#include <cmath>

namespace tensorc {

//===----------------------------------------------------------------------===//
// Element-wise operations, which ir/tx defines
//===----------------------------------------------------------------------===//

#include "tensorc/ops.hpp"

/// Selects x where the predicate is true, y elsewhere.
inline Tensor where(Arg pred, Arg x, Arg y) {
  tensorc_tensor *out = nullptr;
  auto *status = tensorc_select(pred.raw("where"), x.raw("where"),
                                y.raw("where"), pred.at(), &out);
  for (Arg *arg : {&pred, &x, &y})
    arg->drop();
  return detail::take(status, out, "where");
}

/// Implements x[...] op= y. With a mask, applies op to all of x and selects
/// between the result and the former elements.
inline void Element::combine(Tensor (*op)(Arg, Arg), const Arg &y) {
  Location at = y.at();
  auto here = [&](const Tensor &tensor) {
    return Arg(tensor, at.file, at.line);
  };
  if (!has_mask()) {
    Tensor result = op(here(*this), y);
    set(here(result));
    return;
  }
  checkAlone(at);
  Tensor all = op(here(*x), y), mask = indices[0].tensor();
  if (is_float(all.dtype()) != is_float(x->dtype()))
    detail::fail("at",
                 std::string("a value of ") + name(all.dtype()) +
                     " is not of the kind of " + name(x->dtype()),
                 at);
  Shape dims = mask.shape();
  dims.resize(static_cast<size_t>(x->rank()), 1);
  store(tensorc::where(here(mask.reshape(dims, at)),
                       here(all.astype(x->dtype(), at)), here(*x)),
        at);
}
inline void Element::operator+=(const Arg &y) && { combine(tensorc::add, y); }
inline void Element::operator-=(const Arg &y) && { combine(tensorc::sub, y); }
inline void Element::operator*=(const Arg &y) && { combine(tensorc::mul, y); }
inline void Element::operator/=(const Arg &y) && { combine(tensorc::div, y); }
inline void Element::operator%=(const Arg &y) && { combine(tensorc::mod, y); }
inline void Element::operator&=(const Arg &y) && {
  combine(tensorc::bitwise_and, y);
}
inline void Element::operator|=(const Arg &y) && {
  combine(tensorc::bitwise_or, y);
}
inline void Element::operator^=(const Arg &y) && {
  combine(tensorc::bitwise_xor, y);
}

} // namespace tensorc

#include "tensorc/creation.hpp"

namespace tensorc {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Swaps two axes.
inline Tensor transpose(Arg x, int64_t first, int64_t second) {
  int64_t a = detail::axisOf("transpose", x, first),
          b = detail::axisOf("transpose", x, second);
  Shape axes;
  for (int64_t i = 0; i < tensorc_tensor_rank(x.tensor("transpose")); ++i)
    axes.push_back(i == a ? b : i == b ? a : i);
  return transpose(std::move(x), axes);
}
namespace detail {
inline Tensor matrixTransposed(Arg x) {
  if (int32_t rank = tensorc_tensor_rank(x.tensor("t")); rank > 2)
    detail::fail("t",
                 "needs a rank of at most 2, not " + std::to_string(rank) +
                     "; name the axes with transpose or permute",
                 x.at());
  return transpose(std::move(x));
}
} // namespace detail
/// Merges the axes `first` to `last` into one.
inline Tensor flatten(Arg x, int64_t first = 0, int64_t last = -1) {
  const tensorc_tensor *tensor = x.tensor("flatten");
  if (tensor && tensorc_tensor_rank(tensor) == 0)
    return reshape(std::move(x), {1});
  int64_t from = detail::axisOf("flatten", x, first),
          to = detail::axisOf("flatten", x, last);
  if (from > to)
    detail::fail("flatten",
                 "axis " + std::to_string(first) + " is behind axis " +
                     std::to_string(last),
                 x.at());
  const int64_t *dims = tensorc_tensor_dims(tensor);
  Shape shape(dims, dims + from);
  shape.push_back(1);
  for (int64_t i = from; i <= to; ++i)
    shape.back() *= dims[i];
  shape.insert(shape.end(), dims + to + 1, dims + tensorc_tensor_rank(tensor));
  return reshape(std::move(x), shape);
}
/// slice(x, {{0, 2}, {}, {Range::none, Range::none, -1}})
inline Tensor slice(Arg x, const std::vector<Range> &ranges) {
  Shape starts, stops, steps;
  for (const Range &range : ranges) {
    starts.push_back(range.start);
    stops.push_back(range.stop);
    steps.push_back(range.step);
  }
  return detail::unary("slice", x, tensorc_slice, detail::rankOf(starts),
                       starts.data(), stops.data(), steps.data());
}
inline Tensor pad(Arg x, const Shape &low, const Shape &high, Arg value = 0,
                  const Shape &interior = {}) {
  auto rank = static_cast<size_t>(tensorc_tensor_rank(x.tensor("pad")));
  if (x.tensor("pad") && (low.size() != rank || high.size() != rank ||
                          (!interior.empty() && interior.size() != rank)))
    detail::fail("pad",
                 "needs " + std::to_string(rank) +
                     " paddings, one per axis, not " +
                     std::to_string(low.size()) + " low, " +
                     std::to_string(high.size()) + " high, " +
                     std::to_string(interior.size()) + " interior",
                 x.at());
  Tensor result = detail::unary("pad", x, tensorc_pad, low.data(), high.data(),
                                interior.empty() ? nullptr : interior.data(),
                                value.raw("pad"));
  value.drop();
  return result;
}
//===----------------------------------------------------------------------===//
// Reductions, contractions, composites
//===----------------------------------------------------------------------===//

struct TopK {
  Tensor values, indices;
};
/// Returns the k largest (or smallest) elements in order, and their i64
/// indices. NaN is the largest; of equal elements the first is preferred.
inline TopK top_k(Arg x, int64_t k, int64_t axis = -1, bool largest = true) {
  tensorc_tensor *values = nullptr, *indices = nullptr;
  tensorc_status *status = tensorc_top_k(x.tensor("top_k"), k, axis, largest,
                                         x.at(), &values, &indices);
  x.drop();
  Tensor first = detail::take(status, values);
  return {std::move(first), detail::take(nullptr, indices)};
}

//===----------------------------------------------------------------------===//
// Evaluation, counters
//===----------------------------------------------------------------------===//

namespace detail {
/// The first argument of eval(), and the location of the call.
class Evaluated {
public:
  template <typename T>
  Evaluated(const T &value, const char *file = __builtin_FILE(),
            unsigned line = __builtin_LINE())
      : at{file, line} {
    add(value);
  }
  Evaluated(std::initializer_list<Tensor> tensors,
            const char *file = __builtin_FILE(),
            unsigned line = __builtin_LINE())
      : at{file, line} {
    for (const Tensor &x : tensors)
      add(x);
  }
  template <typename T> void add(const T &value) {
    // Undefined tensors of optional members are skipped.
    for_each_tensor(value, [&](const Tensor &x) {
      if (x.operand("eval", at) || std::is_base_of_v<Tensor, T>)
        handles.push_back(x.raw());
    });
  }
  void eval() const {
    check(tensorc_eval(handles.data(), static_cast<int32_t>(handles.size())),
          at);
  }

private:
  std::vector<tensorc_tensor *> handles;
  Location at;
};
} // namespace detail

/// Evaluates several values together: tensors, or values that contain tensors
/// (tensorc/structure.hpp). Shared work is done once.
template <typename... Rest>
void eval(detail::Evaluated first, const Rest &...rest) {
  (first.add(rest), ...);
  first.eval();
}

inline std::ostream &operator<<(std::ostream &os, const Located &x) {
  return os << x.tensor.to_string(x.at);
}

using CompileStats = tensorc_compile_stats;
inline CompileStats compile_stats() {
  CompileStats stats{};
  stats.struct_size = sizeof stats;
  tensorc_get_compile_stats(&stats);
  return stats;
}
inline void reset_compile_stats(bool forget_kernels = false) {
  tensorc_reset_compile_stats(forget_kernels);
}
/// Folders in which compilations are kept for other processes; see
/// tensorc_disk_cache_options.
struct DiskCache {
  std::string folder;
  std::string read_only_folder = {};
  uint64_t size_limit = 0;
};
inline void set_disk_cache(const DiskCache &cache) {
  tensorc_disk_cache_options options{sizeof options, cache.folder.c_str(),
                                     cache.read_only_folder.c_str(),
                                     cache.size_limit};
  detail::check(tensorc_set_disk_cache(&options));
}
/// Returns the folder to which compilations are written; empty if there is
/// none.
inline std::string disk_cache_folder() {
  char *text = nullptr;
  tensorc_status *status = tensorc_disk_cache_folder(&text);
  return detail::text(status, text);
}
/// Turns the progress line of long compilations on or off; see
/// tensorc_set_progress.
inline void set_progress(bool on) { tensorc_set_progress(on); }
/// If on, evaluations also store every intermediate tensor that has a handle;
/// see tensorc_set_store_intermediates.
inline void set_store_intermediates(bool on) {
  tensorc_set_store_intermediates(on);
}
/// If on, each operation is evaluated by itself when it is recorded; see
/// tensorc_set_op_by_op.
inline void set_op_by_op(bool on) { tensorc_set_op_by_op(on); }
/// Returns the names of the kernels of the last run, in order.
inline std::vector<std::string> last_kernels() {
  char *text = nullptr;
  tensorc_status *status = tensorc_last_kernels(&text);
  std::string all = detail::text(status, text);
  std::vector<std::string> names;
  for (size_t begin = 0, end; begin < all.size(); begin = end + 1) {
    end = std::min(all.find('\n', begin), all.size());
    names.push_back(all.substr(begin, end - begin));
  }
  return names;
}

} // namespace tensorc

#include "tensorc/arrays.hpp"
#include "tensorc/custom.hpp"
#include "tensorc/files.hpp"
#include "tensorc/jit.hpp"
#include "tensorc/kernel.hpp"
#include "tensorc/names.hpp"
#include "tensorc/nn.hpp"
#include "tensorc/package.hpp"
#include "tensorc/random.hpp"
#include "tensorc/streams.hpp"
#include "tensorc/windows.hpp"

// Defines the methods that call functions declared above.
#include "tensorc/methods.hpp"

#endif
