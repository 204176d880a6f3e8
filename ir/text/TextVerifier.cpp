//===- TextVerifier.cpp - Rejects texts that would crash a parser ---------===//
//
// Makes one pass over the tokens of a text, like MLIR's lexer. Errors that the
// parser reports itself without recursion are left to the parser.
//
//===----------------------------------------------------------------------===//

#include "ir/text/TextVerifier.h"
#include "ir/text/Characters.h"
#include "ir/text/Place.h"
#include "ir/text/ValueNames.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tensorc {

namespace {
/// The sizes of the aliases of a text when they are expanded, including all
/// aliases that they use.
class AliasSizes {
public:
  struct Size {
    unsigned depth = 0; // of nested brackets
    uint64_t words = 0;
  };

  /// Begins a definition, which ends the one before.
  void begin(StringRef name) {
    end();
    defined = name;
  }
  void end() {
    if (!defined.empty())
      sizes[defined] = current;
    defined = {};
    current = {};
  }
  // Parts of the definition that is read, if any.
  void addWord() { ++current.words; }
  void addBrackets(unsigned depth) {
    current.depth = std::max(current.depth, depth);
  }
  /// Adds a use of an alias within `outer` brackets. Returns the size with
  /// these brackets, and the words of all uses so far; nullopt if the name is
  /// not defined.
  std::optional<Size> use(StringRef name, unsigned outer) {
    auto alias = sizes.find(name);
    if (alias == sizes.end())
      return std::nullopt;
    unsigned depth = outer + alias->second.depth;
    addBrackets(depth);
    current.words += alias->second.words;
    usedWords += alias->second.words;
    return Size{depth, usedWords};
  }

private:
  llvm::StringMap<Size> sizes;
  StringRef defined;
  Size current; // size of `defined` as far as it was read
  uint64_t usedWords = 0;
};

class Scanner {
public:
  Scanner(StringRef text, StringRef file, MLIRContext *context)
      : text(text), file(file), context(context) {}

  LogicalResult scan();

private:
  struct Bracket {
    char close;
    unsigned operators = 0, dimensions = 0; // since the last comma
  };
  enum class Kind { Word, Bracket, Unfinished, Other };
  using Token = ValueNames::Token;

  StringRef text, file;
  MLIRContext *context;
  size_t at = 0;
  SmallVector<Bracket> open;
  unsigned angles = 0;    // number of < in `open`
  unsigned operators = 0; // number of operators in all open brackets
  AliasSizes aliases;
  Kind last = Kind::Other;
  bool isLineStart = true;
  /// Number of tokens of `array<` that were just read. MLIR's parser crashes at
  /// `array<index`.
  unsigned arrayWords = 0;
  ValueNames values;

  InFlightDiagnostic refuse() {
    return emitError(placeOf(text, at, file, context));
  }
  StringRef rest() const { return text.drop_front(at); }
  StringRef take(llvm::function_ref<bool(char)> belongs) {
    StringRef word = rest().take_while(belongs);
    at += word.size();
    return word;
  }
  void note(Kind kind);
  LogicalResult token();
  LogicalResult comment();
  void string();
  LogicalResult number();
  LogicalResult word();
  LogicalResult resultNumber();
  LogicalResult symbol();
  LogicalResult use(StringRef name);
  LogicalResult openBracket(char close);
  void closeBracket(char close);
  void endElement();
  LogicalResult addOperator();
  LogicalResult addDimensions(unsigned count);
  LogicalResult punctuation();
  LogicalResult verifyValues();
};
} // namespace

static bool isOfWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}
static bool isOfName(char c) { return isOfWord(c) || c == '-'; }

/// Notes a token. The definition of an alias ends at a line whose first token
/// cannot continue it.
void Scanner::note(Kind kind) {
  if (isLineStart && open.empty() && kind == Kind::Word &&
      last != Kind::Unfinished)
    aliases.end();
  isLineStart = false;
  arrayWords = 0;
  last = kind;
  aliases.addWord();
}

/// Reads a comment. Rejects brackets and quotes in a comment within < >. MLIR
/// does not recognize comments when it searches the end of a dialect's
/// attribute, but its parser skips them, so the two would disagree.
LogicalResult Scanner::comment() {
  size_t end = std::min(text.find('\n', at), text.size());
  size_t found = text.slice(at, end).find_first_of("<>()[]{}\"");
  if (angles > 0 && found != StringRef::npos) {
    at += found;
    return refuse() << "a comment within < > must not contain '" << text[at]
                    << "'";
  }
  at = end;
  return success();
}

void Scanner::string() {
  note(Kind::Word);
  values.add(Token::String, {}, at);
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
      ++at;
  if (at < text.size() && text[at] == '"')
    ++at;
}

LogicalResult Scanner::number() {
  note(Kind::Other);
  values.add(Token::Number, {}, at);
  bool isHex = rest().starts_with("0x") && at + 2 < text.size() &&
               llvm::isHexDigit(text[at + 2]);
  size_t begin = at;
  if (isHex)
    at += 2;
  take([&](char c) {
    return isHex ? llvm::isHexDigit(c) : llvm::isDigit(c) || c == '.';
  });
  if (at - begin <= maxDigits)
    return addDimensions(1);
  at = begin;
  return refuse() << "a number of more than " << maxDigits << " digits";
}

/// Counts the sizes in a text that follows a first size. For `x3x4xf32` the
/// result is 2.
static unsigned countSizes(StringRef word) {
  unsigned count = 0;
  while (word.size() > 1 && word.front() == 'x' && llvm::isDigit(word[1])) {
    word = word.drop_front().drop_while(llvm::isDigit);
    ++count;
  }
  return count;
}

LogicalResult Scanner::word() {
  StringRef word = rest().take_while(isOfWord);
  if (arrayWords == 2 && word == "index")
    return refuse() << "an array has no elements of type index";
  bool isOperator = word == "floordiv" || word == "ceildiv" || word == "mod";
  // A vector's size may be in brackets: `[4]x8xf32`.
  unsigned inBrackets = last == Kind::Bracket && word.front() == 'x';
  note(Kind::Word);
  values.add(Token::Word, word, at);
  if ((isOperator && failed(addOperator())) ||
      failed(addDimensions(inBrackets + countSizes(word))))
    return failure();
  at += word.size();
  arrayWords = word == "array";
  return success();
}

LogicalResult Scanner::use(StringRef name) {
  std::optional<AliasSizes::Size> used =
      aliases.use(name, static_cast<unsigned>(open.size()));
  if (!used)
    return success();
  if (used->depth > maxBrackets)
    return refuse() << "brackets nest more than " << maxBrackets
                    << " deep, those of " << name << " included";
  if (used->words > maxAliasWords)
    return refuse() << "the aliases stand for more than " << maxAliasWords
                    << " words, each counted where it is used";
  return success();
}

/// Rejects a large result number, as in `%x#2147483647`. MLIR's parser
/// allocates memory for all results up to this number before it checks that
/// they exist.
LogicalResult Scanner::resultNumber() {
  if (!rest().starts_with("#"))
    return success();
  StringRef digits = rest().drop_front().take_while(llvm::isDigit);
  uint64_t number = 0;
  if (!digits.empty() &&
      (digits.getAsInteger(10, number) || number >= maxResults))
    return refuse() << "no operation has a result number " << digits;
  at += 1 + digits.size();
  return success();
}

/// Reads `%x`, `@f`, `^bb`, or an alias `#name` or `!name`, which may be
/// defined here.
LogicalResult Scanner::symbol() {
  char sigil = text[at];
  size_t begin = at++;
  StringRef name = take(isOfName);
  name = StringRef(name.begin() - 1, name.size() + 1);
  values.add(sigil == '%'   ? Token::Value
             : sigil == '@' ? Token::Symbol
             : sigil == '^' ? Token::Block
                            : Token::Other,
             name, begin);
  if (sigil != '#' && sigil != '!') {
    note(Kind::Word);
    return sigil == '%' ? resultNumber() : success();
  }
  bool isDefinition = open.empty() &&
                      rest().ltrim(" \t\r\n").starts_with("=") &&
                      !rest().ltrim(" \t\r\n").starts_with("==");
  if (isDefinition) {
    aliases.begin(name);
    note(Kind::Unfinished);
    return success();
  }
  size_t end = std::exchange(at, begin);
  if (failed(use(name)))
    return failure();
  at = end;
  note(Kind::Other);
  return success();
}

LogicalResult Scanner::openBracket(char close) {
  bool isArray = arrayWords == 1 && close == '>';
  note(Kind::Bracket);
  arrayWords = isArray ? 2 : 0;
  values.add(close == '>' ? Token::Other : Token::Open, text.substr(at, 1), at);
  open.push_back({close});
  angles += close == '>';
  aliases.addBrackets(static_cast<unsigned>(open.size()));
  if (open.size() > maxBrackets)
    return refuse() << "brackets nest more than " << maxBrackets << " deep";
  ++at;
  return success();
}

/// An unmatched closing bracket is left to the parser, which reports an error.
void Scanner::closeBracket(char close) {
  note(Kind::Bracket);
  values.add(close == '>' ? Token::Other : Token::Close, text.substr(at, 1),
             at);
  ++at;
  if (open.empty() || open.back().close != close)
    return;
  operators -= open.back().operators;
  angles -= close == '>';
  open.pop_back();
}

/// Counts an operator of an expression. Braces contain the operations of a
/// block or the entries of a dictionary, which are not expressions.
LogicalResult Scanner::addOperator() {
  if (open.empty() || open.back().close == '}')
    return success();
  ++open.back().operators;
  if (++operators > maxOperators)
    return refuse() << "more than " << maxOperators
                    << " operators in one expression";
  return success();
}

/// Counts sizes of a type, which are between < > and not separated by commas.
LogicalResult Scanner::addDimensions(unsigned count) {
  if (open.empty() || open.back().close != '>')
    return success();
  open.back().dimensions += count;
  if (open.back().dimensions > maxDimensions)
    return refuse() << "more than " << maxDimensions << " dimensions";
  return success();
}

void Scanner::endElement() {
  if (open.empty())
    return;
  operators -= std::exchange(open.back().operators, 0);
  open.back().dimensions = 0;
}

/// Classifies a character between values. `==` is an operator that compares
/// sizes.
static ValueNames::Token tokenOf(char before, StringRef rest) {
  using Token = ValueNames::Token;
  switch (rest.front()) {
  case ',':
    return Token::Comma;
  case ':':
    return Token::Colon;
  case '=':
    return before == '=' || rest.starts_with("==") ? Token::Other
                                                   : Token::Equal;
  default:
    return Token::Other;
  }
}

LogicalResult Scanner::punctuation() {
  switch (text[at]) {
  case '(':
    return openBracket(')');
  case '[':
    return openBracket(']');
  case '{':
    return openBracket('}');
  case '<':
    if (!rest().starts_with("<="))
      return openBracket('>');
    break;
  case ')':
  case ']':
  case '}':
  case '>':
    closeBracket(text[at]);
    return success();
  case ',':
    endElement();
    break;
  case '+':
  case '*':
  case '-':
    if (rest().starts_with("->"))
      ++at; // the > of an arrow is not a bracket
    else if (failed(addOperator()))
      return failure();
    break;
  case '?':
    if (failed(addDimensions(1)))
      return failure();
    break;
  default:
    break;
  }
  note(Kind::Unfinished);
  values.add(tokenOf(at ? text[at - 1] : ' ', rest()), {}, at);
  ++at;
  return success();
}

LogicalResult Scanner::token() {
  char c = text[at];
  if (c == '\n')
    isLineStart = true;
  if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
    ++at;
    return success();
  }
  if (rest().starts_with("//"))
    return comment();
  if (c == '"') {
    string();
    return success();
  }
  if (llvm::isDigit(c))
    return number();
  if (isOfWord(c) && c != '.' && c != '$')
    return word();
  if (c == '%' || c == '@' || c == '^' || c == '#' || c == '!')
    return symbol();
  return punctuation();
}

LogicalResult Scanner::verifyValues() {
  const std::optional<ValueNames::Escape> &escape = values.escape();
  if (!escape)
    return success();
  at = escape->use;
  return refuse() << "use of " << escape->name << ", which line "
                  << text.take_front(escape->definition).count('\n') + 1
                  << " defines within another region";
}

LogicalResult Scanner::scan() {
  while (at < text.size())
    if (failed(token()) || failed(verifyValues()))
      return failure();
  return success();
}

static LogicalResult verifyCharacters(StringRef text, StringRef file,
                                      MLIRContext *context) {
  if (text.starts_with("\xef\xbb\xbf"))
    return emitError(placeOf(text, 0, file, context))
           << "begins with a byte order mark (U+FEFF): save the file as UTF-8 "
           << "without one";
  std::optional<BadCharacter> bad = findBadCharacter(text, /*isText=*/true);
  if (!bad)
    return success();
  return emitError(placeOf(text, bad->at, file, context))
         << bad->what << ": a program's text is UTF-8 without control "
         << "characters";
}

LogicalResult verifyText(StringRef text, StringRef file, MLIRContext *context) {
  if (text.size() > maxTextBytes)
    return emitError(placeOf(text, 0, file, context))
           << "a text of more than " << maxTextBytes << " bytes";
  if (failed(verifyCharacters(text, file, context)))
    return failure();
  return Scanner(text, file, context).scan();
}

} // namespace tensorc
