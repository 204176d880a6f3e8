//===- tune.hpp - schedules chosen by measurement -------------------------===//
//
//   tensorc::tune(forward, std::tie(weights, x), {.path = "net.tctune"});
//
// A schedule divides a kernel's work into tiles and threads. It never changes
// the results. docs/performance.md lists measured gains.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_TUNE_HPP
#define TENSORC_TUNE_HPP

#include "tensorc/tensorc.hpp"
#include "tensorc/tune.h"

namespace tensorc {

struct TuneOptions {
  /// Approximate duration of the search.
  double seconds = 60;
  /// Path of a tuning file to create or extend; empty for no file.
  std::string path = {};
};
using Tuned = tensorc_tuned;

/// Measures schedules of the kernels that an evaluation of this recorded value
/// would run on the cpu, without computing the value. From then on the process
/// compiles with the fastest schedules. See tensorc_tune.
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

/// The same for the operations that the function records for these arguments. A
/// function made by jit() would run immediately, so pass the original function.
template <typename F, typename... Args>
Tuned tune(F &&function, const std::tuple<Args...> &arguments,
           const TuneOptions &options = {}, Location at = Location::current()) {
  return tune(std::apply(function, arguments), options, at);
}

/// From now on, compiles with the schedules of a tuning file; an empty path
/// means none. See tensorc_set_tuning.
inline void set_tuning(const std::string &path,
                       Location at = Location::current()) {
  detail::check(tensorc_set_tuning(path.c_str()), at);
}

} // namespace tensorc

#endif // TENSORC_TUNE_HPP
