//===- KernelTimes.cpp - Measures the times of kernels --------------------===//

#include "tools/tensorc/KernelTimes.h"

#include "ir/text/Characters.h"
#include "tensorc/runtime.h"

namespace tensorc::tool {

KernelTimes::KernelTimes(TimeKind kind) : kind(kind) {
  tensorc_rt_set_launch_hook(
      [](void *user, const tensorc_rt_launch_record *record) {
        auto &times = *static_cast<KernelTimes *>(user);
        KernelTime &kernel =
            times.kernels[printable(record->kernel, /*isText=*/false)];
        ++kernel.launches;
        int64_t taken = times.kind == TimeKind::Cpu
                            ? record->cpu_ns
                            : record->end_ns - record->begin_ns;
        kernel.nanoseconds += taken;
        kernel.least = std::min(kernel.least, taken);
      },
      this);
}

KernelTimes::~KernelTimes() { tensorc_rt_set_launch_hook(nullptr, nullptr); }

} // namespace tensorc::tool
