//===- TransformApi.cpp - a vendor's Fourier transforms -------------------===//
#include "runtime/drivers/gpu/math/TransformApi.h"

#include "runtime/drivers/gpu/math/MathApi.h"

#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <string>

using namespace tensorc::rt::gpu;

/// Maximum number of cached plans, because plans own tables on the device.
static constexpr size_t maxPlans = 16;

static bool findAll(const TransformNames &names, TransformEntryPoints &call) {
  void *library = openLibrary(names.files, std::size(names.files));
  if (!library)
    return false;
  static constexpr EntryPoint points[] = {
#define X(member, name, parameters)                                            \
  {name, offsetof(TransformEntryPoints, member)},
      TENSORC_TRANSFORM_ENTRY_POINTS(X)
#undef X
  };
  for (const EntryPoint &point : points) {
    void *address =
        dlsym(library, (names.prefix + std::string(point.name)).c_str());
    if (!address)
      return false;
    std::memcpy(reinterpret_cast<char *>(&call) + point.offset, &address,
                sizeof(address));
  }
  int version = 0;
  return call.version(&version) == success;
}

const TransformEntryPoints *
TransformLibrary::open(const TransformNames &names) {
  std::call_once(asked,
                 [&] { isFound = wantsLibraries() && findAll(names, call); });
  return isFound ? &call : nullptr;
}

const TransformPlan *TransformLibrary::find(int64_t length, int64_t rows,
                                            bool isDouble, int &failed,
                                            const char *&function) {
  for (auto plan = plans.begin(); plan != plans.end(); ++plan) {
    if (plan->length != length || plan->rows != rows ||
        plan->isDouble != isDouble)
      continue;
    plans.splice(plans.begin(), plans, plan);
    return &plans.front();
  }
  TransformPlan plan{length, rows, isDouble};
  long long n = length;
  function = "Create";
  failed = call.create(&plan.handle);
  if (failed != success)
    return nullptr;
  function = "SetAutoAllocation";
  failed = call.allocateItself(plan.handle, 0);
  if (failed == success) {
    function = "MakePlanMany64";
    failed = call.makePlan(plan.handle, 1, &n, nullptr, 1, n, nullptr, 1, n,
                           isDouble ? pairsOfDouble : pairsOfFloat, rows,
                           &plan.workSize);
  }
  if (failed != success) {
    call.destroy(plan.handle);
    return nullptr;
  }
  // `destroy` waits for the plan's work.
  if (plans.size() == maxPlans) {
    call.destroy(plans.back().handle);
    plans.pop_back();
  }
  plans.push_front(plan);
  return &plans.front();
}
