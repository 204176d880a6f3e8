//===- tune.hpp - schedules chosen by measurement -------------------------===//
//
//   tensorc::tune(forward, std::tie(weights, x), {.path = "net.tctune"});
//
// A schedule says how a kernel shares out its work. It never changes a bit of
// the results. docs/performance.md says what tuning gains.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TUNE_HPP
#define TENSORC_TUNE_HPP

#include "tensorc/tensorc.hpp"
#include "tensorc/tune.h"

namespace tensorc {

struct TuneOptions {
  /// How long to search, about.
  double seconds = 60;
  /// A tuning file, which is made or added to; empty: none.
  std::string path = {};
};
using Tuned = tensorc_tuned;

/// Measures the schedules of the kernels that an evaluation of this recorded
/// value (a tensor, or what holds some) would run on the cpu; computes nothing.
/// From then on the process compiles by the fastest. See tensorc_tune.
template <typename T>
Tuned tune(const T &value, const TuneOptions &options = {},
           Location at = Location::current()) {
  std::vector<tensorc_tensor *> handles;
  for_each_tensor(value, [&](const Tensor &x) {
    if (tensorc_tensor *handle = x.operand("tune", at))
      handles.push_back(handle);
  });
  tensorc_tune_options raw{sizeof raw, options.seconds, options.path.c_str()};
  Tuned tuned{};
  tuned.struct_size = sizeof tuned;
  detail::check(tensorc_tune(handles.data(),
                             static_cast<int32_t>(handles.size()), &raw,
                             &tuned),
                at);
  return tuned;
}

/// The same of what a function of tensors records for these arguments, which it
/// takes in their order. A function that jit() has made computes at once, so
/// give its function.
template <typename F, typename... Args>
Tuned tune(F &&function, const std::tuple<Args...> &arguments,
           const TuneOptions &options = {},
           Location at = Location::current()) {
  return tune(std::apply(function, arguments), options, at);
}

/// Compiles from now on by a tuning file; empty: by none. See
/// tensorc_set_tuning.
inline void set_tuning(const std::string &path,
                       Location at = Location::current()) {
  detail::check(tensorc_set_tuning(path.c_str()), at);
}

} // namespace tensorc

#endif // TENSORC_TUNE_HPP
