//===- Skeletons.cpp - Kernels for one thread of a grid -------------------===//

#include "codegen/emitters/simt/Skeletons.h"

namespace tensorc::codegen::simt {

SkeletonList listSkeletons() {
  static const Skeleton *const list[] = {&squares,
                                         &loop,
                                         &row,
                                         &column,
                                         &matrixContraction,
                                         &fmaContraction,
                                         &tiledAttention,
                                         &plainAttention,
                                         &scan,
                                         &sort,
                                         &scatter};
  return list;
}

} // namespace tensorc::codegen::simt
