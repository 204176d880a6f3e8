//===- Picture.h - Tensors as pictures ------------------------------------===//
#ifndef EXAMPLES_PICTURES_PICTURE_H
#define EXAMPLES_PICTURES_PICTURE_H

#include "tensorc/tensorc.hpp"

#include <string>

namespace pictures {

/// [h, w] in 0...1 as colours [h, w, 3], dark blue over red to light yellow.
tensorc::Tensor colours(const tensorc::Tensor &values);

/// Grey [h, w] or colours [h, w, 3] in 0...1, clamped, as a binary PGM or PPM.
/// Throws std::runtime_error with the file's name.
void write(const std::string &path, const tensorc::Tensor &picture);

} // namespace pictures

#endif // EXAMPLES_PICTURES_PICTURE_H
