//===- Arguments.h - The command line of a subcommand ---------------------===//
#ifndef TENSORC_TOOLS_TENSORC_ARGUMENTS_H
#define TENSORC_TOOLS_TENSORC_ARGUMENTS_H

#include "tools/process/Limits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::tool {

/// Exit statuses, as documented for the tools.
enum ExitStatus { Success = 0, Refused = 1, BadUsage = 2 };

struct Flag {
  enum Kind { Switch, Value, OptionalValue };
  /// Name without dashes. A name of one letter has one dash (`-o FILE`).
  llvm::StringRef name;
  Kind kind;
  /// Placeholder of the value in the help text: `FILE`.
  llvm::StringRef value;
  llvm::StringRef help;
  /// Returns the allowed values; null if any value is allowed.
  llvm::ArrayRef<llvm::StringRef> (*choices)() = nullptr;
  /// Returns examples of values, for the help text.
  llvm::ArrayRef<llvm::StringRef> (*examples)() = nullptr;
};

/// A subcommand, for dispatch and for `--help`.
class Arguments;
struct Command {
  llvm::StringRef name;
  llvm::StringRef summary;
  /// `IN [options]`.
  llvm::StringRef usage;
  /// Flags in addition to those of the limits, which every command with an
  /// input has.
  llvm::ArrayRef<Flag> flags;
  llvm::StringRef examples;
  bool takesInput;
  int (*run)(const Arguments &arguments);
};

class Arguments {
public:
  /// Returns nullopt after reporting bad usage.
  static std::optional<Arguments> parse(const Command &command,
                                        llvm::ArrayRef<llvm::StringRef> words);

  /// Returns IN: a path, or `-` for stdin.
  llvm::StringRef input() const { return in; }
  bool has(llvm::StringRef flag) const { return values.contains(flag); }
  /// Returns the flag's last value, or the default.
  llvm::StringRef get(llvm::StringRef flag,
                      llvm::StringRef otherwise = "") const;
  /// Returns all values of a flag that may be repeated.
  llvm::ArrayRef<std::string> all(llvm::StringRef flag) const;
  bool wantsHelp() const { return help; }
  /// Returns the values of --max-memory, --max-time, --max-ops and
  /// --memory-limit.
  Limits limits() const;

private:
  std::string in;
  bool help = false;
  llvm::StringMap<std::vector<std::string>> values;

  bool add(const Command &command, llvm::StringRef word,
           llvm::ArrayRef<llvm::StringRef> &rest);
};

/// Returns the flags of a command, including those of the limits if it has an
/// input.
llvm::SmallVector<Flag> flagsOf(const Command &command);
/// Returns the flag with its dashes.
std::string spelled(const Flag &flag);

/// Print `tensorc: error: ...` on stderr and return BadUsage or Refused.
int badUsage(const llvm::Twine &message);
int refuse(const llvm::Twine &message);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_ARGUMENTS_H
