//===- main.cpp - A sound and its spectrogram -----------------------------===//
//
//   build/bin/spectrogram OUT.ppm
//
// Synthesizes three seconds of sound: a rising tone, a tone with vibrato, and
// five strokes of a bell. Writes its spectrogram with low frequencies at the
// bottom, and prints the loudest frequency after one second. TENSORC_DEVICE
// selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <cmath>
#include <iostream>

using namespace tensorc;

constexpr int64_t rate = 8192, count = 3 * rate, frame = 512, hop = 64;

/// Returns the samples of a wave with this phase, in turns.
static Tensor wave(const Tensor &turns) {
  // The phase is reduced in f64, because it may be many turns.
  return astype(sin(2 * M_PI * (turns - floor(turns))), f32);
}

static Tensor sound() {
  Tensor t = arange(0, count, 1, f64) / rate;
  // The frequency is the derivative of the phase: 300 + 400 t.
  Tensor rising = 0.5f * wave(300 * t + 200 * t * t);
  Tensor trembling = 0.3f * wave(2600 * t + 12 * sin(2 * M_PI * 5 * t));
  Tensor bell = zeros({count});
  for (double start : {0.25, 0.8, 1.35, 1.9, 2.45}) {
    Tensor since = t - start;
    Tensor loudness = where(since < 0, 0, exp(-9 * since));
    for (double partial : {1.0, 1.52, 2.41})
      bell = bell + 0.3f * astype(loudness, f32) * wave(1180 * partial * since);
  }
  return rising + trembling + bell;
}

static void run(const std::string &path) {
  Tensor spectra = stft(sound(), frame, hop, window("hann", frame));
  // Converts power to decibels below the maximum, and shows a range of 70
  // decibels as colours.
  Tensor power = square(real(spectra)) + square(imag(spectra));
  Tensor decibels = 10 * log10(power / max(power) + 1e-7f);
  pictures::write(path, pictures::colours(flip(decibels / 70 + 1, {0})));

  Tensor second = spectra.index({Slice(), rate / hop});
  Tensor loudest = take(rfftfreq(frame, 1.0 / rate), argmax(abs(second)), 0);
  // The inverse transform recovers the sound without loss.
  Tensor again =
      istft(spectra, frame, hop, window("hann", frame), true, true, count);
  float error = max(abs(again - sound())).item<float>();
  std::cout << "wrote " << path << ", " << spectra.size(1) << " spectra of "
            << spectra.size(0)
            << " frequencies\nafter a second the loudest is at "
            << loudest.item<float>() << " Hz; the sound "
            << (error < 1e-4f ? "comes back" : "is lost") << "\n";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: spectrogram OUT.ppm\n";
    return 2;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "spectrogram: " << error.what() << "\n";
    return 1;
  }
}
