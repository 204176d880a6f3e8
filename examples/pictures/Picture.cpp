//===- Picture.cpp - Writes tensors as pictures ---------------------------===//

#include "examples/pictures/Picture.h"

#include <fstream>
#include <stdexcept>

using tensorc::Tensor;

namespace pictures {

/// Interpolates linearly between colours at equal distances. The weight of a
/// colour is a hat function of the value, and weights times colours are a
/// matrix product.
Tensor colours(const Tensor &values) {
  Tensor anchors = tensorc::tensor({{0.03f, 0.02f, 0.16f},
                                    {0.36f, 0.07f, 0.43f},
                                    {0.79f, 0.20f, 0.28f},
                                    {0.98f, 0.60f, 0.13f},
                                    {0.99f, 0.98f, 0.72f}});
  int64_t last = anchors.size(0) - 1;
  Tensor places = tensorc::arange(last + 1, tensorc::f32);
  Tensor position = clamp(0, values, 1) * last;
  Tensor weights = maximum(0, 1 - abs(expand_dims(position, -1) - places));
  return matmul(weights, anchors);
}

void write(const std::string &path, const Tensor &picture) {
  Tensor bytes = astype(clamp(0, picture, 1) * 255 + 0.5f, tensorc::DType::ui8);
  std::vector<uint8_t> pixels = bytes.to_vector<uint8_t>();
  std::ofstream file(path, std::ios::binary);
  file << (picture.rank() == 3 ? "P6" : "P5") << "\n"
       << picture.size(1) << " " << picture.size(0) << "\n255\n";
  file.write(reinterpret_cast<const char *>(pixels.data()),
             static_cast<std::streamsize>(pixels.size()));
  if (!file.flush())
    throw std::runtime_error(path + ": cannot write");
}

} // namespace pictures
