//===- Faults.h - reports a kernel's fault before the process ends --------===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_FAULTS_H
#define TENSORC_RUNTIME_CORE_CHECK_FAULTS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Starts reporting SIGSEGV, SIGBUS, SIGILL and SIGFPE in kernels on stderr,
/// with the kernel's name and the user's line, before the previous handler
/// runs. Only TENSORC_CHECK and tensorc_rt_report_faults call this, because a
/// library must not change its process' signal handlers by itself.
void reportFaults();

/// While an object of this class exists, fault reports name its launch, even
/// for kernels that the launch itself starts. `isHost` is true if the arguments
/// are host addresses.
class FaultScope {
public:
  FaultScope(const Launch &launch, bool isHost);
  FaultScope(const FaultScope &) = delete;
  ~FaultScope();

private:
  const Launch *former;
  bool wasHost;
};

} // namespace tensorc::rt

#endif
