//===- Links.h - Predicts the step of one of many ranks -------------------===//
//
// A model of devices and of the links between them, from a file. Links form
// levels: each connects blocks of consecutive ranks, such as the 8 GPUs of a
// machine, then all machines.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_LINKS_H
#define TENSORC_COMPILER_SESSION_REPORT_LINKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tensorc::report {

struct LinkModel {
  double flopsPerSecond = 0, bytesPerSecond = 0; // of a device
  struct Level {
    std::string name;
    int64_t ranks = 0; // size of the blocks that it connects
    double bytesPerSecond = 0, latency = 0;
  };
  std::vector<Level> levels; // innermost first
};

/// Parses a model such as {"device": {"flops_per_s": 1e15, "bytes_per_s":
/// 3e12}, "links": [{"name": "nvlink", "ranks": 8, "bytes_per_s": 4e11,
/// "latency_s": 3e-6}]}.
llvm::Expected<LinkModel> parseLinks(llvm::StringRef text);

/// What a step costs a rank, in bytes and seconds. Bodies of loops count once.
struct LinkFacts {
  int64_t ranks = 0, collectives = 0, bytesSent = 0;
  /// Sums over the kernels and over the collectives.
  double compute = 0, communication = 0;
  /// Time of a step whose collectives overlap with kernels that do not need
  /// their results, and the part of it in which no kernel runs.
  double overlapped = 0, exposed = 0;
  struct Level {
    std::string name;
    int64_t ranks = 0, bytes = 0; // sent by the rank that sends most
    double seconds = 0;
  };
  std::vector<Level> levels;
};

/// Predicts a function after the stage fuse, which ranks [0, ranks) execute.
llvm::Expected<LinkFacts> predictLinks(mlir::func::FuncOp function,
                                       int64_t ranks, const LinkModel &model);
llvm::json::Object toJson(const LinkFacts &facts);
/// `memory` is the peak of a rank's memory.
void print(llvm::raw_ostream &os, const LinkFacts &facts,
           llvm::StringRef memory);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_LINKS_H
