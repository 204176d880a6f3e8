//===- LinearAlgebra.cpp - Functions by name, for this processor ----------===//

#include "runtime/linalg/LinearAlgebra.h"

#include "runtime/linalg/Level.h"

using namespace tensorc::linalg;

static tensorc_rt_op_fn findFactorization(std::string_view name) {
#ifdef TENSORC_LINALG_LEVELS
  auto has = [](auto... features) { return (features && ...); };
  if (has(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
          __builtin_cpu_supports("avx512cd"),
          __builtin_cpu_supports("avx512dq"),
          __builtin_cpu_supports("avx512vl")))
    return v4::find(name);
  if (has(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"),
          __builtin_cpu_supports("bmi2")))
    return v3::find(name);
#endif
  return baseline::find(name);
}

tensorc_rt_op_fn tensorc_linalg_function(const char *name) {
  tensorc_rt_op_fn found = findFactorization(name);
  return found ? found : findSpectral(name);
}
