//===- ValueNames.cpp - Definitions and uses of values in a text ----------===//

#include "ir/text/ValueNames.h"

using llvm::StringRef;

namespace tensorc {

ValueNames::ValueNames() {
  open.emplace_back();
  open.back().open = '{';
  regions.push_back(0);
}

bool ValueNames::Bracket::defines(StringRef name) const {
  return defined.contains(name) ||
         llvm::any_of(results, [&](auto &it) { return it.name == name; });
}

void ValueNames::use(const Value &value) {
  if (region().defines(value.name))
    return;
  for (unsigned i = regions.size(); i-- > 0;) {
    if (open[regions[i]].defined.contains(value.name))
      return;
    if (open[regions[i]].isIsolated)
      break;
  }
  region().undefined.try_emplace(value.name, value.at);
}

void ValueNames::useAll(Values &values) {
  for (const Value &value : values)
    use(value);
  values.clear();
}

void ValueNames::define(const Value &value) {
  for (unsigned i = regions.size(); i-- > 1 && !open[regions[i]].isIsolated;) {
    const Bracket &around = open[regions[i - 1]];
    auto it = around.undefined.find(value.name);
    if (it != around.undefined.end() && !found)
      found = Escape{value.name, it->second, value.at};
  }
  region().undefined.erase(value.name);
  region().defined.insert(value.name);
}

void ValueNames::beginOperation(StringRef op) {
  Bracket &block = region();
  for (const Value &result : std::exchange(block.results, {}))
    define(result);
  block.arguments.clear();
  block.op = op;
}

void ValueNames::openBracket(char c) {
  Bracket bracket;
  bracket.open = c;
  bracket.before = last;
  bracket.wordBefore = lastWord;
  Values arguments;
  if (c == '{' && open.back().isRegion()) {
    // The regions of these ops have their own scopes of value names; see their
    // parsers.
    bracket.isIsolated = open.back().op == "tx.fusion";
    arguments = open.back().arguments;
  }
  open.push_back(std::move(bracket));
  if (c != '{')
    return;
  regions.push_back(open.size() - 1);
  for (const Value &argument : arguments)
    define(argument);
}

/// Ends a region. A value that it uses but does not define may be defined later
/// in the region around it.
void ValueNames::closeRegion(Bracket &closed) {
  Bracket &around = region();
  // Both regions of this op get the op's arguments.
  if (closed.hasValues && around.op != "stablehlo.while")
    around.arguments.clear();
  if (!closed.isIsolated)
    for (auto [name, at] : closed.undefined)
      if (!around.defines(name))
        around.undefined.try_emplace(name, at);
}

/// An unmatched closing bracket is left to the parser, which reports an error.
void ValueNames::closeBracket(char c) {
  char opener = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (open.size() == 1 || open.back().open != opener)
    return;
  if (opener == '{')
    beginOperation({});
  Bracket closed = open.pop_back_val();
  open.back().hasValues |= closed.hasValues;
  if (opener == '{') {
    regions.pop_back();
    closeRegion(closed);
  } else {
    group = std::move(closed);
  }
}

/// Classifies the values between ( ), once the token after them is known.
void ValueNames::endGroup(Token next, StringRef word) {
  Bracket list = std::move(*group);
  group.reset();
  bool isBlock = list.before == Token::Block && next == Token::Colon;
  bool isBound = next == Token::Equal || (next == Token::Word && word == "in");
  bool isSignature =
      list.before == Token::Symbol || list.wordBefore == "workgroup" ||
      list.wordBefore == "private" || region().op == "stablehlo.reduce";
  if (isBlock)
    beginOperation({});
  for (const Value &value : list.values) {
    bool isTyped = value.next == Token::Colon;
    if (isBlock && isTyped)
      define(value);
    else if (isBound || value.next == Token::Equal || (isSignature && isTyped))
      region().arguments.push_back(value);
    else
      use(value);
  }
}

/// The values in `%a, %b:2 = op` are results, `%i` in `scf.for %i = ` is an
/// argument, and the values in other lists are operands.
void ValueNames::addToRegion(Token token, StringRef word, size_t at) {
  Bracket &block = open.back();
  switch (token) {
  case Token::Value:
    if (last != Token::Comma)
      useAll(block.values);
    if (block.values.empty())
      listBefore = last == Token::Word ? lastWord : StringRef();
    block.values.push_back({word, at});
    return;
  case Token::Comma:
  case Token::Colon:
    return;
  case Token::Number:
    if (last == Token::Colon)
      return;
    break;
  case Token::Equal:
    if (listBefore.ends_with("for") || listBefore == "unsigned") {
      block.arguments.append(block.values);
    } else if (!block.values.empty()) {
      beginOperation({});
      block.results = block.values;
    }
    block.values.clear();
    return;
  default:
    break;
  }
  useAll(block.values);
  if (token != Token::Word || !word.contains('.'))
    return;
  if (last == Token::Equal)
    block.op = word;
  else
    beginOperation(word);
}

void ValueNames::add(Token token, StringRef word, size_t at) {
  if (token == Token::String && last == Token::Symbol && lastWord == "@")
    return; // the name of @"f"
  if (group)
    endGroup(token, word);
  Bracket &bracket = open.back();
  if (last == Token::Value && !bracket.values.empty())
    bracket.values.back().next = token;
  if (token == Token::Value)
    bracket.hasValues = true;
  if (bracket.isRegion())
    addToRegion(token, word, at);
  else if (token == Token::Value)
    bracket.values.push_back({word, at});
  if (token == Token::Open)
    openBracket(word.front());
  else if (token == Token::Close)
    closeBracket(word.front());
  last = token;
  lastWord = word;
}

} // namespace tensorc
