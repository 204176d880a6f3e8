//===- Calls.cpp - the functions that kernels call ------------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

// The callbacks of a profile do nothing without counters.
static void countNothing(SimThread *, uint32_t) {}
static void branchUncounted(SimThread *, uint32_t, uint32_t) {}
static void radixUncounted(SimThread *, uint64_t, uint64_t, uint32_t) {}

const SimCalls tensorc::rt::sim::checkedCalls = {calls::access,
                                                 calls::accessMasked,
                                                 calls::barrier,
                                                 calls::shuffle,
                                                 calls::loadMatrices<true>,
                                                 calls::multiply,
                                                 calls::copyAsync<true>,
                                                 calls::commitCopies,
                                                 calls::waitForCopies,
                                                 calls::mbarrierInit,
                                                 calls::mbarrierFence,
                                                 calls::mbarrierArrive,
                                                 calls::mbarrierWait,
                                                 calls::tensorCopy,
                                                 calls::namedBarrier,
                                                 calls::sharedAddress,
                                                 calls::wgmma,
                                                 calls::wgmmaWait,
                                                 countNothing,
                                                 branchUncounted,
                                                 radixUncounted};
const SimCalls tensorc::rt::sim::uncheckedCalls = {calls::accessUnchecked,
                                                   calls::accessMaskedUnchecked,
                                                   calls::barrier,
                                                   calls::shuffle,
                                                   calls::loadMatrices<false>,
                                                   calls::multiply,
                                                   calls::copyAsync<false>,
                                                   calls::commitCopies,
                                                   calls::waitForCopies,
                                                   calls::mbarrierInit,
                                                   calls::mbarrierFence,
                                                   calls::mbarrierArrive,
                                                   calls::mbarrierWait,
                                                   calls::tensorCopy,
                                                   calls::namedBarrier,
                                                   calls::sharedAddress,
                                                   calls::wgmma,
                                                   calls::wgmmaWait,
                                                   countNothing,
                                                   branchUncounted,
                                                   radixUncounted};
