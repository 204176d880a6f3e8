//===- AttentionRoute.h - How an attention is computed ----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONROUTE_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONROUTE_H

#include "codegen/emitters/AttentionPattern.h"
#include "codegen/kernel/TargetInfo.h"

namespace tensorc::codegen::simt {

/// What a block works on, by dtypes and sizes that have no name.
struct AttentionRoute {
  /// Zero rows: it does not fit, and runs as kernels of their own.
  int64_t rows = 0, keys = 0;
  /// Columns of v, with what pads them.
  int64_t columns = 0;
  /// By instructions on tiles, or one multiply-add per element and step.
  bool onTiles = false;
  /// "tiles of f16", or why it does not fit.
  std::string why;

  bool fits() const { return rows != 0; }
};

AttentionRoute chooseRoute(const AttentionPattern &pattern,
                           const TargetInfo &target);

/// Between rows of elements in shared memory beyond their own; of tiles, and of
/// sums.
constexpr int64_t tilePadding = 8, sumPadding = 4;
/// Threads of a block without tiles, and subgroups of one with them.
constexpr int64_t plainThreads = 256, tileSubgroups = 4;

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_ATTENTIONROUTE_H
