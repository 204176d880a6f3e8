//===- Windows.h - Convolution, pooling, reductions of windows ------------===//
#ifndef TENSORC_COMPILER_GRAPH_NN_WINDOWS_H
#define TENSORC_COMPILER_GRAPH_NN_WINDOWS_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// A window that slides along the spatial dims, with one entry for each dim.
struct SlidingWindow {
  Shape size, stride, low, high, dilation;
};

struct Convolution {
  enum class Padding { Explicit, Same, Valid };

  unsigned dims = 2; // 1 to 3
  /// True for images [N, spatial, C] with kernels [spatial, C, O]; false for
  /// images [N, C, spatial] with kernels [O, C, spatial].
  bool channelsLast = false;
  int64_t groups = 1;
  Padding padding = Padding::Explicit;
  /// The window; `size` is set to the kernel's size.
  SlidingWindow window;
  Shape inputDilation;
  /// Only for transposed convolutions: elements added at the end of the result.
  Shape outputPadding;
};

/// PyTorch's conv1d to conv3d. An input dilation inserts zeros between the
/// elements of x. The bias may be null, and x may lack the batch dim.
NodeRef convolution(Recorder &r, const NodeRef &x, const NodeRef &kernel,
                    const NodeRef &bias, Convolution options);
/// PyTorch's conv_transpose1d to 3d, with kernels [C, O, spatial] or [spatial,
/// C, O].
NodeRef transposedConvolution(Recorder &r, const NodeRef &x,
                              const NodeRef &kernel, const NodeRef &bias,
                              Convolution options);

struct Pooling {
  unsigned dims = 2; // 1 to 3
  bool channelsLast = false;
  bool ceilMode = false;
  /// If set, averages count only elements of x, not of the padding.
  bool excludePadding = false;
  /// Divisor of a window's sum. 0 means the number of elements of the window.
  double divisor = 0;
  SlidingWindow window;
};

/// PyTorch's max_pool and avg_pool.
NodeRef maxPool(Recorder &r, const NodeRef &x, const Pooling &options);
NodeRef averagePool(Recorder &r, const NodeRef &x, const Pooling &options);

/// PyTorch's adaptive_max_pool and adaptive_avg_pool, to any size.
NodeRef adaptivePool(Recorder &r, const NodeRef &x, unsigned dims,
                     bool channelsLast, Ints size, bool isMax);
/// PyTorch's unfold: images [N, C, spatial] to [N, C * elements of a window,
/// windows].
NodeRef unfold(Recorder &r, const NodeRef &x, const SlidingWindow &window);

using tx::WindowReduction;
/// Reduces windows over all dims of x. Padding holds the reduction's identity;
/// a mean counts it as zeros.
NodeRef reduceWindow(Recorder &r, WindowReduction reduction, const NodeRef &x,
                     const SlidingWindow &window);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_NN_WINDOWS_H
