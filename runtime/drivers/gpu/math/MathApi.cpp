//===- MathApi.cpp - a vendor's linear algebra library --------------------===//
#include "runtime/drivers/gpu/math/MathApi.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <string>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

bool gpu::wantsLibraries() {
  static const bool wants = readSwitch("TENSORC_GPU_LIBRARIES", true);
  return wants;
}

/// Creates a handle, and looks up the function that sets its stream.
static bool start(void *library, const std::string &prefix, const char *newer,
                  MathHandle &handle, int (*&setStream)(MathHandle, Stream_t)) {
  auto create = reinterpret_cast<int (*)(MathHandle *)>(
      dlsym(library, (prefix + "Create" + newer).c_str()));
  setStream = reinterpret_cast<int (*)(MathHandle, Stream_t)>(
      dlsym(library, (prefix + "SetStream" + newer).c_str()));
  return create && setStream && create(&handle) == success;
}

bool MathLibrary::find(const MathLibraries &names) {
  auto open = [](const char *const(&files)[2]) {
    return openLibrary(files, std::size(files));
  };
  void *solvers = open(names.solverFiles), *products = open(names.blasFiles);
  if (!solvers || !products)
    return false;
  static constexpr struct {
    const char *ofReal, *ofComplex;
    Part part;
    size_t offset;
  } points[] = {
#define X(member, name, complexName, part, parameters)                         \
  {name, complexName, Part::part, offsetof(MathEntryPoints, member)},
      TENSORC_MATH_ENTRY_POINTS(X)
#undef X
  };
  for (const auto &point : points) {
    for (size_t type = 0; type < 4; ++type) {
      bool isSolver = point.part == Part::Solver;
      std::string name = isSolver ? names.solver : names.blas;
      name += "SDCZ"[type];
      name += type < 2 ? point.ofReal : point.ofComplex;
      if (point.part == Part::NewerBlas)
        name += names.newer;
      void *address = dlsym(isSolver ? solvers : products, name.c_str());
      if (!address)
        return false;
      std::memcpy(reinterpret_cast<char *>(&call) + point.offset +
                      type * sizeof(address),
                  &address, sizeof(address));
    }
  }
  return start(solvers, names.solver, "", solver, setSolverStream) &&
         start(products, names.blas, names.newer, blas, setBlasStream);
}

const MathEntryPoints *MathLibrary::open(const MathLibraries &names) {
  if (!isAsked) {
    isAsked = true;
    isFound = wantsLibraries() && find(names);
  }
  return isFound ? &call : nullptr;
}
