//===- Skeletons.cpp - Kernels for a range of work items ------------------===//

#include "codegen/emitters/range/Skeletons.h"

namespace tensorc::codegen::range {

SkeletonList listSkeletons() {
  static const Skeleton *const list[] = {&loop, &row,  &column, &contraction,
                                         &scan, &sort, &scatter};
  return list;
}

} // namespace tensorc::codegen::range
