//===- Signals.td - Fourier transforms, frames, convolution ---------------===//
//
// Included by Api.td. The place of the include matters, because headers declare
// functions in the order of their definitions.
//
//===----------------------------------------------------------------------===//

class FourierOf<string function, string constant, string comment>
    : Wrapper<function, (params Tensor:$x, Int<"-1">:$n, Int<"-1">:$axis, TextOr<"\"backward\"">:$norm),
              ["TENSORC_" # constant, "x", "n == -1 ? 0 : 1, &n", "1, &axis", "norm"], comment>;
class FourierOfTwo<string function, string constant, string comment>
    : Wrapper<function, (params Tensor:$x, Ints<"size_count", "{}">:$sizes, Axes<"{-2, -1}", "axis_count">:$axes, TextOr<"\"backward\"">:$norm),
              ["TENSORC_" # constant, "x", "sizes", "axes", "norm"], comment>;
class FourierOfAll<string function, string constant, string comment>
    : Wrapper<function, (params Tensor:$x, Ints<"size_count", "{}">:$sizes, Axes<"{}", "axis_count">:$axes, TextOr<"\"backward\"">:$norm),
              ["TENSORC_" # constant, "x", "sizes", "axes", "norm"], comment>;

let section = "Fourier transforms and signals", header = "arrays" in {
def Fourier : Function<"fourier",
    (params Selector<FourierTransformEnum>:$transform, Tensor:$x, Ints<"size_count", "{}">:$sizes,
            Axes<"{}", "axis_count">:$axes, TextOr<"\"backward\"">:$norm)> {
  let examples = [
    "fourier(fft, [1, 2, 3, 4], norm='ortho') == [5 + 0j, -1 + 1j, -1 + 0j, -1 + -1j]",
    "fourier(irfft, [10 + 0j, -2 + 2j, -2 + 0j], [4], [-1], 'backward') == [1, 2, 3, 4]"];
  let composites = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2",
                    "hfft2", "ihfft2", "fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"];
  let comment = [{
    Discrete Fourier transforms along the axes; a half spectrum is halved along the last of them. x is cropped, or padded
    with zeros at the end, to the sizes (-1: that of x); no sizes: those of x. No axes: as many of the last ones as there are
    sizes, or all. f64 and c128 are computed in f64, all other dtypes in f32. The norm "backward" divides inverse transforms
    by the number of elements, "forward" the others, and "ortho" divides both by its square root.
  }];
  let builder = "fourierBy";
  let wrappers = [
    FourierOf<"fft", "FFT", "The discrete Fourier transform of n elements (-1: all) along an axis: element k is the sum of x[j] exp(-2 pi i j k / n).">,
    FourierOf<"ifft", "IFFT", "Its inverse.">,
    FourierOf<"rfft", "RFFT", "The first n / 2 + 1 elements of the transform of real numbers; the others are the conjugates of these.">,
    FourierOf<"irfft", "IRFFT", "The inverse of rfft: n real numbers (-1: an even number).">,
    FourierOf<"hfft", "HFFT", "The real transform of a signal given by its first half; the other half is the mirrored conjugate.">,
    FourierOf<"ihfft", "IHFFT", "Its inverse.">,
    FourierOfTwo<"fft2", "FFT", "fft along two axes.">, FourierOfTwo<"ifft2", "IFFT", "Its inverse.">,
    FourierOfTwo<"rfft2", "RFFT", "rfft along the last of two axes, fft along the other.">,
    FourierOfTwo<"irfft2", "IRFFT", "Its inverse.">,
    FourierOfTwo<"hfft2", "HFFT", "hfft along the last of two axes, fft along the other.">,
    FourierOfTwo<"ihfft2", "IHFFT", "Its inverse.">,
    FourierOfAll<"fftn", "FFT", "fft along axes; no axes: along all, or along the last ones if there are sizes.">,
    FourierOfAll<"ifftn", "IFFT", "Its inverse.">,
    FourierOfAll<"rfftn", "RFFT", "rfft along the last of the axes, fft along the others.">,
    FourierOfAll<"irfftn", "IRFFT", "Its inverse.">,
    FourierOfAll<"hfftn", "HFFT", "hfft along the last of the axes, fft along the others.">,
    FourierOfAll<"ihfftn", "IHFFT", "Its inverse.">];
}
def Fftfreq : Function<"fftfreq", (params Int<>:$n, Real<"1">:$spacing, DType<"default_dtype()">:$dtype)> {
  let examples = ["fftfreq(4, 1, f32) == [0, 0.25, -0.5, -0.25]"];
  let comment = "The frequencies of the n elements of an fft, for samples that are `spacing` apart.";
  let builder = "graph::frequencies";
  let builderArguments = "n, spacing, dtype, false";
}
def Rfftfreq : Function<"rfftfreq", (params Int<>:$n, Real<"1">:$spacing, DType<"default_dtype()">:$dtype)> {
  let examples = ["rfftfreq(4, 1, f32) == [0, 0.25, 0.5]"];
  let comment = "The frequencies of the elements of an rfft of n samples.";
  let builder = "graph::frequencies";
  let builderArguments = "n, spacing, dtype, true";
}
def Fftshift : Function<"fftshift", (params Tensor:$x, Axes<"{}">:$axes)> {
  let examples = ["fftshift([1, 2, 3]) == [3, 1, 2]"];
  let comment = "Moves the frequency 0 to the middle of the axes; no axes: all of them.";
  let builderArguments = "x, axes, false";
}
def Ifftshift : Function<"ifftshift", (params Tensor:$x, Axes<"{}">:$axes)> {
  let examples = ["ifftshift([3, 1, 2]) == [1, 2, 3]"];
  let comment = "Undoes fftshift.";
  let builder = "graph::fftshift";
  let builderArguments = "x, axes, true";
}
def WindowFunction : Function<"window", (params Text:$name, Int<>:$length, Flag<"true">:$periodic, DType<"default_dtype()">:$dtype)> {
  let examples = ["window('hann', 4, 1, f32) == [0, 0.5, 1, 0.5]"];
  let comment = [{
    A window for a signal: "boxcar", "hann", "hamming", "blackman", "nuttall", "blackmanharris" or "flattop". With
    `periodic`, it is the window of length + 1 without its last element, as transforms need it.
  }];
  let builder = "graph::windowFunction";
}
def Stft : Function<"stft", (params Tensor:$x, Int<>:$length, Int<"0">:$hop, OptionalTensor:$window, Flag<"true">:$center,
                                    Flag<"true">:$one_sided)> {
  let examples = ["stft([1, 2, 3, 4], 4, 4, None, 0, 1) == [[10 + 0j], [-2 + 2j], [-2 + 0j]]"];
  let comment = [{
    The transforms of the frames of a signal: [..., n] to [..., frequencies, frames]. Frames have `length` elements,
    begin `hop` apart (0: length / 4), and are multiplied by the window, which may be NULL. With `center`, the middle of
    frame i is at i hop, and the signal is mirrored at its ends. With `one_sided`, there are only length / 2 + 1
    frequencies, for real signals. Like PyTorch's stft.
  }];
  let builderArguments = "x, {length, hop, window, center, one_sided}";
}
def Istft : Function<"istft", (params Tensor:$x, Int<>:$length, Int<"0">:$hop, OptionalTensor:$window, Flag<"true">:$center,
                                      Flag<"true">:$one_sided, Int<"-1">:$size)> {
  let examples = ["istft([[10 + 0j], [-2 + 2j], [-2 + 0j]], 4, 4, None, 0, 1, -1) == [1, 2, 3, 4]"];
  let comment = "The signal with these transforms: the inverse of stft. It has `size` elements (-1: as many as the frames cover), and is 0 where all windows are 0.";
  let builderArguments = "x, {length, hop, window, center, one_sided}, size";
}
def Convolve : Function<"convolve", (params Tensor:$x, Tensor:$y, TextOr<"\"full\"">:$mode, TextOr<"\"auto\"">:$method)> {
  let examples = ["convolve([1, 2, 3], [1, 1], 'full', 'auto') == [1, 3, 5, 3]"];
  let comment = [{
    The convolution over all axes. The mode "full" gives all results, "same" the middle ones (as many as x has
    elements), "valid" only those that need no zeros around x. The method is "direct", "fft", or "auto": the one that
    needs fewer operations. Like SciPy's convolve.
  }];
  let builderArguments = "x, y, mode, method, false";
}
def Correlate : Function<"correlate", (params Tensor:$x, Tensor:$y, TextOr<"\"full\"">:$mode, TextOr<"\"auto\"">:$method)> {
  let examples = ["correlate([1, 2, 3], [1, 0], 'full', 'direct') == [0, 1, 2, 3]"];
  let comment = "The convolution of x with y mirrored and conjugated, like SciPy's correlate.";
  let builder = "graph::convolve";
  let builderArguments = "x, y, mode, method, true";
}
} // section
