//===- NativeImage.h - places an ELF image of kernels -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_NATIVEIMAGE_H
#define TENSORC_RUNTIME_CORE_IMAGES_NATIVEIMAGE_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Places the image in executable memory and looks up the kernels.
Status loadNativeImage(std::span<const char> bytes,
                       std::span<const std::string> kernels,
                       std::unique_ptr<Image> &out);

/// Returns a kernel of such an image, or null.
const void *findNativeKernel(const Image &image, const char *name);

} // namespace tensorc::rt

#endif
