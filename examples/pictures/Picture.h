//===- Picture.h - Writes tensors as pictures -----------------------------===//
#ifndef EXAMPLES_PICTURES_PICTURE_H
#define EXAMPLES_PICTURES_PICTURE_H

#include "tensorc/tensorc.hpp"

#include <string>

namespace pictures {

/// Converts values [h, w] in 0...1 to colours [h, w, 3], from dark blue over
/// red to light yellow.
tensorc::Tensor colours(const tensorc::Tensor &values);

/// Writes grey values [h, w] or colours [h, w, 3] in 0...1, clamped, as a
/// binary PGM or PPM file. Throws std::runtime_error with the name of the file.
void write(const std::string &path, const tensorc::Tensor &picture);

} // namespace pictures

#endif // EXAMPLES_PICTURES_PICTURE_H
