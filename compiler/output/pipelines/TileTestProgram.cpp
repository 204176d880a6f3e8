//===- TileTestProgram.cpp - A program that tests tiles -------------------===//

#include "compiler/output/pipelines/TileTestProgram.h"

#include "codegen/kernel/ops/Txk.h"
#include "runtime/abi/TileTest.h"

using namespace mlir;

namespace tensorc::compiler {

UsedTiles findUsedTiles(ModuleOp emitted) {
  UsedTiles used;
  emitted.walk([&](Operation *op) {
    used.any |= isa<txk::TileMmaOp, txk::NvWgmmaOp>(op);
    auto mma = dyn_cast<txk::TileMmaOp>(op);
    if (!mma)
      return;
    Type element =
        cast<txk::FragmentType>(mma.getLeft().getType()).getElement();
    used.bytes |= element.isInteger(8);
    used.tf32 |= element.isTF32();
  });
  return used;
}

static_assert(rt::tiletest::numSteps == 320 && rt::tiletest::numColumns == 256);

/// The product of f16.
static constexpr const char first[] = R"(
func.func @main(%x: tensor<?x320xf16, #tx.dims<[m, 320]>>,
                %y: tensor<320x256xf16>)
    -> tensor<?x256xf16, #tx.dims<[m, 256]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x320xf16, #tx.dims<[m, 320]>>, tensor<320x256xf16>)
     -> tensor<?x256xf16, #tx.dims<[m, 256]>>
)";
/// The product of operands that are converted to NARROW, and then to WIDE.
/// NEXT is BEFORE where they are equal, and otherwise 4096, which the product
/// does not contain.
static constexpr const char another[] = R"(
  NEXT_a = tx.convert %x : tensor<?x320xf16, #tx.dims<[m, 320]>>
      -> tensor<?x320xNARROW, #tx.dims<[m, 320]>>
  NEXT_b = tx.convert %y : tensor<320x256xf16> -> tensor<320x256xNARROW>
  NEXT_x = tx.convert NEXT_a : tensor<?x320xNARROW, #tx.dims<[m, 320]>>
      -> tensor<?x320xWIDE, #tx.dims<[m, 320]>>
  NEXT_y = tx.convert NEXT_b : tensor<320x256xNARROW> -> tensor<320x256xWIDE>
  NEXT_p = tx.dot_general NEXT_x, NEXT_y batch = [] x [] contracting = [1] x [0]
      ATTRIBUTES
      : (tensor<?x320xWIDE, #tx.dims<[m, 320]>>, tensor<320x256xWIDE>)
     -> tensor<?x256xWIDE, #tx.dims<[m, 256]>>
  NEXT_h = tx.convert NEXT_p : tensor<?x256xWIDE, #tx.dims<[m, 256]>>
      -> tensor<?x256xf16, #tx.dims<[m, 256]>>
  NEXT_same = tx.eq NEXT_h, BEFORE : tensor<?x256xf16, #tx.dims<[m, 256]>>
  NEXT_number = tx.constant dense<4096.0> : tensor<f16>
  NEXT_wrong = tx.broadcast NEXT_number dims = [] : tensor<f16>
      -> tensor<?x256xf16, #tx.dims<[m, 256]>>
  NEXT = tx.select NEXT_same, BEFORE, NEXT_wrong
      : tensor<?x256xi1, #tx.dims<[m, 256]>>,
        tensor<?x256xf16, #tx.dims<[m, 256]>>
)";

using Replacement = std::pair<StringRef, StringRef>;

static std::string replaced(std::string text, ArrayRef<Replacement> all) {
  for (auto [from, to] : all)
    for (size_t at = 0; (at = text.find(from, at)) != text.npos;
         at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

std::string tileTestProgram(const UsedTiles &used) {
  std::string text = first;
  StringRef last = "%0";
  auto add = [&](StringRef next, StringRef narrow, StringRef wide,
                 StringRef attributes = "") {
    text += replaced(another, {{"NEXT", next},
                               {"BEFORE", last},
                               {"NARROW", narrow},
                               {"WIDE", wide},
                               {"ATTRIBUTES", attributes}});
    last = next;
  };
  if (used.bytes)
    add("%bytes", "i8", "i32");
  if (used.tf32)
    add("%words", "bf16", "f32", "{tx.tf32}");
  return replaced(text + R"(
  return LAST : tensor<?x256xf16, #tx.dims<[m, 256]>>
})",
                  {{"LAST", last}});
}

} // namespace tensorc::compiler
