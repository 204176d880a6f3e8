//===- Skeletons.cpp - Kernels for a range of work items ------------------===//

#include "codegen/emitters/simd/Skeletons.h"

namespace tensorc::codegen::simd {

SkeletonList listSkeletons() {
  static const Skeleton *const list[] = {
#define SIMD_SKELETON(NAME) &NAME,
#include "codegen/emitters/Skeletons.def"
  };
  return list;
}

} // namespace tensorc::codegen::simd
