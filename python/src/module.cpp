//===- module.cpp - The extension module tensorc._core --------------------===//
#include "core.h"
#include "interface.h"

namespace tcpy {
void addCommunicators(nb::module_ &m);
void addFunctions(nb::module_ &m);
void setPackageFolder(const std::string &folder);
} // namespace tcpy

NB_MODULE(_core, m) {
  using namespace tcpy;
  // Arrays stay in globals of modules until the process ends.
  nb::set_leak_warnings(false);
  m.attr("interface") = TENSORC_PYTHON_INTERFACE;
  m.def("set_package_folder", setPackageFolder);
  addErrors(m);
  addDTypes(m);
  addArray(m);
  addConversions(m);
  addLists(m);
  addDevices(m);
  addCommunicators(m);
  addTrees(m);
  addJit(m);
  addTransforms(m);
  addFiles(m);
  addWindows(m);
  addKernels(m);
  addExchange(m);
  addComposites(m);
  addOptimizers(m);
  addFunctions(m);
}
