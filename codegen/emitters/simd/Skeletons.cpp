//===- Skeletons.cpp - Kernels for a range of work items ------------------===//

#include "codegen/emitters/simd/Skeletons.h"

namespace tensorc::codegen::simd {

SkeletonList listSkeletons() {
  static const Skeleton *const list[] = {&turnedLoop, &loop,   &windows,
                                         &row,        &column, &contraction,
                                         &scan,       &sort,   &scatter};
  return list;
}

} // namespace tensorc::codegen::simd
