//===- Tuning.h - Tuning files with measured schedules ----------*- C++ -*-===//
//
//   {"tensorc_tuning": 1,
//    "kernels": [
//     {"kernel": "dot_general", "key": "1b67...", "target": "cpu",
//      "cpu": "znver4", "threads": 8, "schedule": "panel rows=7 vectors=4",
//      "usual": "panel rows=14 vectors=2", "gain": 1.21}]}
//
// A record applies to kernels that compute the same (compiler::keyOfBody), for
// one target, on one kind of CPU, with one number of threads. `kernel`, `usual`
// and `gain` are informative.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_TUNING_TUNING_H
#define TENSORC_COMPILER_SESSION_TUNING_TUNING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tensorc::tuning {

/// The machine on which a record was measured.
struct Machine {
  std::string target, cpu;
  int64_t threads = 0;

  bool operator==(const Machine &) const = default;
  /// Returns the machine on which this process runs, as the runtime uses it.
  static Machine here(llvm::StringRef target);
  /// Returns e.g. "cpu on znver4 with 8 threads".
  std::string toString() const;
};

struct Record {
  std::string kernel, key;
  Machine machine;
  std::string schedule, usual;
  double gain = 1;
};

/// The contents of a tuning file.
class Tuning {
public:
  /// Reads a tuning file. Errors name the problem and its position.
  static llvm::Expected<Tuning> read(llvm::StringRef path);
  static llvm::Expected<Tuning> parse(llvm::StringRef text);
  std::string text() const;

  /// Adds a record, replacing one for the same kernel and machine.
  void add(Record record);
  void remove(llvm::StringRef key, const Machine &machine);
  llvm::ArrayRef<Record> get() const { return records; }

  /// Returns the schedules that were measured on this kind of machine, in the
  /// form of compiler::CompileOptions::schedules.
  std::vector<std::string> schedules() const;
  /// Returns the reason why no schedule applies although the file has records,
  /// or an empty string.
  std::string whyNone() const;

private:
  std::vector<Record> records;
};

} // namespace tensorc::tuning

#endif // TENSORC_COMPILER_SESSION_TUNING_TUNING_H
