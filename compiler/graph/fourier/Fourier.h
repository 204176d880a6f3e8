//===- Fourier.h - Recording Fourier transforms and what uses them --------===//
//
// As NumPy's fft, SciPy's signal and PyTorch's stft have them. Halves are
// computed in f32, integers become f32: complex numbers of two halves there are
// none.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_FOURIER_FOURIER_H
#define TENSORC_COMPILER_GRAPH_FOURIER_FOURIER_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Transforms (Fourier.cpp)
//===----------------------------------------------------------------------===//

enum class Transform { Fft, Ifft, Rfft, Irfft, Hfft, Ihfft };

/// Transforms along the axes: without axes along the last ones that sizes are
/// given for, or along all. x is cropped, or padded with zeros, to the sizes;
/// -1: its own size. `norm`: backward, ortho or forward.
NodeRef fourier(Recorder &r, Transform transform, const NodeRef &x, Ints sizes,
                Ints axes, llvm::StringRef norm);
/// The frequencies of an fft of n elements that are `spacing` apart; `half`: of
/// an rfft.
NodeRef frequencies(Recorder &r, int64_t n, double spacing, DType dtype,
                    bool half);
/// The frequency 0 to the middle of the axes, or back; none: of all axes.
NodeRef fftshift(Recorder &r, const NodeRef &x, Ints axes, bool back);

//===----------------------------------------------------------------------===//
// Signals (Signals.cpp)
//===----------------------------------------------------------------------===//

/// boxcar, hann, hamming or blackman; `periodic`: as for one element more.
NodeRef windowFunction(Recorder &r, llvm::StringRef name, int64_t length,
                       bool periodic, DType dtype);

/// PyTorch's stft and istft, which divide a signal into overlapping frames.
struct Frames {
  int64_t length;
  /// Stride of the frames; 0: length / 4.
  int64_t hop;
  /// The window, at most as long as a frame; null: ones.
  NodeRef window;
  /// The signal is mirrored at its ends, so that frame i is around i hop.
  bool center = true;
  /// Real signals: length / 2 + 1 frequencies.
  bool oneSided = true;
};
/// [..., n] to [..., frequencies, frames].
NodeRef stft(Recorder &r, const NodeRef &x, const Frames &frames);
/// The inverse, to a signal of `size` elements; -1: the known ones.
NodeRef istft(Recorder &r, const NodeRef &x, const Frames &frames,
              int64_t size);

/// SciPy's convolve, or correlate: over all axes; `mode`: full, same or valid;
/// `method`: direct, fft, or auto, the one that is likely faster.
NodeRef convolve(Recorder &r, const NodeRef &x, const NodeRef &y,
                 llvm::StringRef mode, llvm::StringRef method,
                 bool isCorrelation);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_FOURIER_FOURIER_H
