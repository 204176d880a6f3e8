//===- EntryPoints.h - what a fake library adds of its own ------*- C++ -*-===//
#ifndef TENSORC_TESTS_RUNTIME_FAKES_ENTRYPOINTS_H
#define TENSORC_TESTS_RUNTIME_FAKES_ENTRYPOINTS_H

#include "FakeGpu.h"

#define FAKE_EXPORT __attribute__((visibility("default")))

namespace tensorc::fakes {

/// The thread's device; null if the library has none yet.
FakeDevice *currentDevice();
/// The device's attributes, by the library's numbers.
int attributeOf(int attribute);

} // namespace tensorc::fakes

#endif
