//===- IsolatedBody.h - Parses bodies that use no outer values ------------===//
#ifndef TENSORC_IR_TX_ISOLATEDBODY_H
#define TENSORC_IR_TX_ISOLATEDBODY_H

#include "mlir/IR/OpImplementation.h"

namespace tensorc::tx {

/// Parses a body with its own scope of names. In a shared scope, using an outer
/// value before its definition would create a placeholder in the body, which a
/// later error would free.
inline mlir::ParseResult parseIsolatedBody(mlir::OpAsmParser &parser,
                                           mlir::Region &body) {
  return parser.parseRegion(body, /*arguments=*/{},
                            /*enableNameShadowing=*/true);
}

inline void printIsolatedBody(mlir::OpAsmPrinter &printer, mlir::Operation *,
                              mlir::Region &body) {
  printer.printRegion(body);
}

/// Parses several bodies, separated by commas.
inline mlir::ParseResult parseIsolatedBodies(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &bodies) {
  return parser.parseCommaSeparatedList([&] {
    bodies.push_back(std::make_unique<mlir::Region>());
    return parseIsolatedBody(parser, *bodies.back());
  });
}

inline void printIsolatedBodies(mlir::OpAsmPrinter &printer, mlir::Operation *,
                                mlir::RegionRange bodies) {
  llvm::interleave(
      bodies, [&](mlir::Region *body) { printer.printRegion(*body); },
      [&] { printer << ", "; });
}

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_ISOLATEDBODY_H
