//===- main.cpp - A sound, and the frequencies that it has over time ------===//
//
//   build/bin/spectrogram OUT.ppm
//
// Synthesizes three seconds of sound: a tone that rises, one that trembles, and
// five strokes of a bell. Writes its spectrogram, low frequencies below, and
// says which frequency is the loudest after one second. TENSORC_DEVICE
// chooses the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <cmath>
#include <iostream>

using namespace tensorc;

constexpr int64_t rate = 8192, count = 3 * rate, frame = 512, hop = 64;

/// Samples of a wave whose phase, in turns, is this.
static Tensor wave(const Tensor &turns) {
  // In f64, where turns have been many.
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
  // Decibels below the loudest, 70 of them as colours.
  Tensor power = square(real(spectra)) + square(imag(spectra));
  Tensor decibels = 10 * log10(power / max(power) + 1e-7f);
  pictures::write(path, pictures::colours(flip(decibels / 70 + 1, {0})));

  Tensor second = spectra.index({Slice(), rate / hop});
  Tensor loudest = take(rfftfreq(frame, 1.0 / rate), argmax(abs(second)), 0);
  // Back to a sound: nothing is lost.
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
