//===- NpyFile.h - Reads .npy files ---------------------------------------===//
#ifndef EXAMPLES_DIGITS_NPYFILE_H
#define EXAMPLES_DIGITS_NPYFILE_H

#include "tensorc/tensorc.hpp"

#include <string>

namespace digits {

/// The array in a file that NumPy saved: f32 or i32, row-major, little-endian.
/// Throws std::runtime_error with the file's name.
tensorc::Tensor readNpy(const std::string &path);

} // namespace digits

#endif // EXAMPLES_DIGITS_NPYFILE_H
