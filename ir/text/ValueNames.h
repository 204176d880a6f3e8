//===- ValueNames.h - Definitions and uses of values in a text ------------===//
#ifndef TENSORC_IR_TEXT_VALUENAMES_H
#define TENSORC_IR_TEXT_VALUENAMES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tensorc {

/// Finds uses of values before their definition, where the definition is in a
/// region that does not contain the use. Such text is invalid. MLIR's parser
/// connects the two nevertheless, and after a later error it may free the
/// region while the use still points into it.
///
/// Ambiguous syntax is assumed to be harmless. A region's arguments are
/// recognized by the forms that ops of our dialects use: `@f(%x: f32)`, `(%i) =
/// (%a)`, `(%i) in (%a)`, `(%x = %a)`, `scf.for %i = %a`, and those of
/// StableHLO's reduce and while.
class ValueNames {
public:
  ValueNames();

  enum class Token {
    Word,
    String,
    Value,  // %x
    Block,  // ^bb
    Symbol, // @f
    Number,
    Open,  // one of ( [ {
    Close, // one of ) ] }
    Comma,
    Colon,
    Equal,
    Other
  };
  /// Adds the next word of the text, which begins at byte `at`.
  void add(Token token, llvm::StringRef word, size_t at);

  struct Escape {
    llvm::StringRef name;
    size_t use, definition; // offsets in the text
  };
  const std::optional<Escape> &escape() const { return found; }

private:
  struct Value {
    llvm::StringRef name;
    size_t at;
    Token next = Token::Other; // the token after it
  };
  using Values = llvm::SmallVector<Value, 4>;
  /// The content of a pair of brackets. Braces contain the operations of a
  /// region, or the entries of a dictionary, which name no values.
  struct Bracket {
    char open;
    bool hasValues = false;
    Values values; // values of this list that are not yet classified
    // The token and word before a ( or [.
    Token before = Token::Other;
    llvm::StringRef wordBefore;
    // Members for a region
    bool isIsolated = false;
    llvm::StringRef op; // the operation that is being read
    // Results of that operation; not visible in its own regions.
    Values results;
    Values arguments; // arguments of that operation's region
    llvm::DenseSet<llvm::StringRef> defined;
    llvm::DenseMap<llvm::StringRef, size_t> undefined;

    bool isRegion() const { return open == '{'; }
    bool defines(llvm::StringRef name) const;
  };

  Bracket &region() { return open[regions.back()]; }
  void use(const Value &value);
  void useAll(Values &values);
  void define(const Value &value);
  void beginOperation(llvm::StringRef op);
  void openBracket(char c);
  void closeBracket(char c);
  void closeRegion(Bracket &closed);
  void endGroup(Token next, llvm::StringRef word);
  void addToRegion(Token token, llvm::StringRef word, size_t at);

  llvm::SmallVector<Bracket, 8> open;
  llvm::SmallVector<unsigned, 8> regions; // of `open`
  // The pair ( ) that the last word closed.
  std::optional<Bracket> group;
  Token last = Token::Other;
  llvm::StringRef lastWord, listBefore;
  std::optional<Escape> found;
};

} // namespace tensorc

#endif // TENSORC_IR_TEXT_VALUENAMES_H
