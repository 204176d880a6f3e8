//===- Skeletons.cpp - Skeletons of GPU targets ---------------------------===//

#include "codegen/emitters/simt/Skeletons.h"

namespace tensorc::codegen::simt {

SkeletonList listSkeletons() {
  static const Skeleton *const list[] = {
#define SIMT_SKELETON(NAME) &NAME,
#include "codegen/emitters/Skeletons.def"
  };
  return list;
}

} // namespace tensorc::codegen::simt
