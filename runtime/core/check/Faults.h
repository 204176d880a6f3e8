//===- Faults.h - what is said before a kernel's fault ends the process ---===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_FAULTS_H
#define TENSORC_RUNTIME_CORE_CHECK_FAULTS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// From now on SIGSEGV, SIGBUS, SIGILL and SIGFPE in a kernel are reported on
/// stderr, with its name and the user's line, before the handler that was there
/// gets them. Nobody calls this but TENSORC_CHECK and who asks for it
/// (tensorc_rt_report_faults): a library leaves its process' signals alone.
void reportFaults();

/// What the thread runs; kernels that `launch` makes, where it lives longer.
/// `isHost`: its arguments are addresses of the host.
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
