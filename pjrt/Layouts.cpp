//===- Layouts.cpp - The layouts extension --------------------------------===//
//
// Arrays are dense and row-major. Hosts read a layout as text, which lists the
// dimensions from the fastest-varying to the slowest-varying one, such as
// `{1,0}`.
//
//===----------------------------------------------------------------------===//

#include "pjrt/Compiled.h"
#include "pjrt/Table.h"

namespace tensorc::pjrt {

MemoryLayout rowMajor(size_t rank) {
  std::string text = "{";
  for (size_t i = rank; i-- > 0;)
    text += std::to_string(i) + (i ? "," : "");
  return {text + "}"};
}

/// Returns a layout that the host destroys.
static MemoryLayout *newRowMajor(size_t rank) {
  return new MemoryLayout(rowMajor(rank));
}

static Error *layoutSerialize(LayoutsMemoryLayoutSerialize &args) {
  args.serializedLayout = giveBytes(args.layout->text, args);
  args.serializedLayoutDeleter = deleteBytes;
  return nullptr;
}

template <class Args> static Error *defaultLayout(Args &args) {
  args.layout = newRowMajor(args.numDims);
  return nullptr;
}

static Error *bufferLayout(LayoutsPJRTBufferMemoryLayout &args) {
  args.layout = newRowMajor(args.buffer->dims.size());
  return nullptr;
}

static Error *outputLayouts(LayoutsPJRTExecutableGetOutputLayouts &args) {
  const LayoutList &layouts = args.executable->code->signature.resultLayouts;
  args.layouts = layouts.pointers.data();
  args.numOutputs = layouts.pointers.size();
  return nullptr;
}

static Error *parameterLayouts(LayoutsPJRTExecutableGetParameterLayouts &args) {
  const LayoutList &layouts = args.executable->code->signature.argumentLayouts;
  args.layouts = layouts.pointers.data();
  args.numParameters = layouts.pointers.size();
  return nullptr;
}

Extension *layoutsOf() {
  static LayoutsExtension extension = [] {
    LayoutsExtension made{};
    made.structSize = sizeof made;
    made.type = layoutsExtension;
    Table(made.functions)
        .set<destroy<&LayoutsMemoryLayoutDestroy::layout>, layoutSerialize,
             defaultLayout<LayoutsPJRTClientGetDefaultLayout>,
             defaultLayout<LayoutsPJRTTopologyGetDefaultLayout>, bufferLayout,
             outputLayouts, parameterLayouts>();
    return made;
  }();
  return &extension;
}

} // namespace tensorc::pjrt
