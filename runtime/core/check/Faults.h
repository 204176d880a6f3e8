//===- Faults.h - what is said before a kernel's fault ends the process ---===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_FAULTS_H
#define TENSORC_RUNTIME_CORE_CHECK_FAULTS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Starts reporting SIGSEGV, SIGBUS, SIGILL and SIGFPE in kernels on stderr,
/// with the kernel's name and the user's line, before the previous handler
/// runs. Only TENSORC_CHECK and tensorc_rt_report_faults call this, because a
/// library must not change its process' signal handlers by itself.
void reportFaults();

/// While it exists, fault reports name this launch, also for kernels that it
/// launches itself. `isHost` is true if its arguments are host addresses.
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
