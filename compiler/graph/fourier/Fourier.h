//===- Fourier.h - Recording Fourier transforms and related functions -----===//
//
// Functions of NumPy's fft, SciPy's signal and PyTorch's stft. f16 and bf16 are
// computed in f32, and integers become f32, because there are no complex
// numbers of 16-bit floats.
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

/// Transforms x along the axes. If `axes` is empty, these are the last ones,
/// one per size, or all if there are no sizes. x is cropped or padded with
/// zeros to the sizes; -1 keeps its size. `norm` is backward, ortho or forward.
NodeRef fourier(Recorder &r, Transform transform, const NodeRef &x, Ints sizes,
                Ints axes, llvm::StringRef norm);
/// Returns the frequencies of an fft of n samples at distance `spacing`, or of
/// an rfft if `half`.
NodeRef frequencies(Recorder &r, int64_t n, double spacing, DType dtype,
                    bool half);
/// Moves frequency 0 to the middle of the axes, or back if `back`. If `axes` is
/// empty, moves it along all axes.
NodeRef fftshift(Recorder &r, const NodeRef &x, Ints axes, bool back);

//===----------------------------------------------------------------------===//
// Signals (Signals.cpp)
//===----------------------------------------------------------------------===//

/// Returns the window with this name: boxcar, hann, hamming or blackman. A
/// periodic window is the symmetric window of length + 1 without its last
/// element.
NodeRef windowFunction(Recorder &r, llvm::StringRef name, int64_t length,
                       bool periodic, DType dtype);

/// Options of stft and istft, which divide a signal into overlapping frames, as
/// in PyTorch.
struct Frames {
  int64_t length;
  /// Distance between the starts of frames; 0 means length / 4.
  int64_t hop;
  /// The window, at most as long as a frame. Null means ones.
  NodeRef window;
  /// If set, the signal is mirrored at its ends, so that frame i is centered at
  /// i * hop.
  bool center = true;
  /// If set (for real signals), only length / 2 + 1 frequencies are returned.
  bool oneSided = true;
};
/// Transforms [..., n] to [..., frequencies, frames].
NodeRef stft(Recorder &r, const NodeRef &x, const Frames &frames);
/// The inverse of stft, a signal of `size` elements; -1 means all elements that
/// the frames cover.
NodeRef istft(Recorder &r, const NodeRef &x, const Frames &frames,
              int64_t size);

/// SciPy's convolve or correlate over all axes. `mode` is full, same or valid.
/// `method` is direct, fft or auto, which picks the method that is probably
/// faster.
NodeRef convolve(Recorder &r, const NodeRef &x, const NodeRef &y,
                 llvm::StringRef mode, llvm::StringRef method,
                 bool isCorrelation);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_FOURIER_FOURIER_H
