//===- LinearAlgebra.cpp - Functions by name, for this processor ----------===//

#include "runtime/linalg/LinearAlgebra.h"

#include "runtime/linalg/Level.h"

#include <array>
#include <utility>

using namespace tensorc::linalg;

using Find = tensorc_rt_op_fn(std::string_view name);

/// Returns the lookup functions for this processor, for real and for complex
/// matrices.
static std::pair<Find *, Find *> factorizations() {
#ifdef TENSORC_LINALG_LEVELS
  auto has = [](auto... features) { return (features && ...); };
  if (has(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
          __builtin_cpu_supports("avx512cd"),
          __builtin_cpu_supports("avx512dq"),
          __builtin_cpu_supports("avx512vl")))
    return {v4::find, v4::findComplex};
  if (has(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"),
          __builtin_cpu_supports("bmi2")))
    return {v3::find, v3::findComplex};
#endif
  return {baseline::find, baseline::findComplex};
}

static constexpr std::array kNames{"cholesky",  "triangular_solve",
                                   "solve",     "tridiagonal_solve",
                                   "lu",        "determinant",
                                   "cofactors", "qr",
                                   "svd",       "eigh",
                                   "eig"};

/// Calls the function with this name for the call's dtype.
template <size_t index>
static tensorc_rt_status *dispatch(const tensorc_rt_op_call *call) {
  static const tensorc_rt_op_fn ofReal = factorizations().first(kNames[index]);
  static const tensorc_rt_op_fn ofComplex =
      factorizations().second(kNames[index]);
  static const tensorc_rt_op_fn ofSingle = findSingleSpectral(kNames[index]);
  static const tensorc_rt_op_fn ofDouble = findDoubleSpectral(kNames[index]);
  auto refused = [](const char *why) {
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT, why);
  };
  if (call->input_count < 1 || call->output_count != 1 ||
      call->inputs[0].rank < 2)
    return refused("needs matrices and one result");
  switch (call->inputs[0].dtype) {
  case TENSORC_RT_F32:
    return (ofReal ? ofReal : ofSingle)(call);
  case TENSORC_RT_F64:
    return (ofReal ? ofReal : ofDouble)(call);
  case TENSORC_RT_C64:
    return (ofComplex ? ofComplex : ofSingle)(call);
  case TENSORC_RT_C128:
    return (ofComplex ? ofComplex : ofDouble)(call);
  default:
    return refused("needs f32, f64, c64 or c128");
  }
}

tensorc_rt_op_fn tensorc_linalg_function(const char *name) {
  tensorc_rt_op_fn found = nullptr;
  auto look = [&]<size_t... index>(std::index_sequence<index...>) {
    ((name == std::string_view(kNames[index]) ? void(found = dispatch<index>)
                                              : void()),
     ...);
  };
  look(std::make_index_sequence<kNames.size()>());
  return found;
}
