//===- Skeletons.cpp - Skeletons of CPU targets ---------------------------===//

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
