//===- Json.cpp - JSON of untrusted files ---------------------------------===//

#include "compiler/frontends/files/Json.h"

using namespace llvm;

namespace tensorc::files {

static constexpr size_t maxNesting = 64;

namespace {
struct Outline {
  size_t depth = 0, keys = 0;
};
} // namespace

/// Determines the nesting and the keys of text that may be malformed.
static Outline outlineOf(StringRef text) {
  Outline outline;
  size_t depth = 0;
  bool isText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isText) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        isText = false;
    } else if (c == '"') {
      isText = true;
    } else if (c == '{' || c == '[') {
      outline.depth = std::max(outline.depth, ++depth);
    } else if (c == '}' || c == ']') {
      depth -= depth > 0;
    } else if (c == ':' && depth == 1) {
      ++outline.keys;
    }
  }
  return outline;
}

Expected<json::Value> parseJson(StringRef text) {
  if (!json::isUTF8(text))
    return createStringError(inconvertibleErrorCode(), "is not UTF-8");
  if (outlineOf(text).depth > maxNesting)
    return createStringError(inconvertibleErrorCode(),
                             "is nested deeper than " + Twine(maxNesting) +
                                 " levels");
  return json::parse(text);
}

size_t countKeys(StringRef text) { return outlineOf(text).keys; }

} // namespace tensorc::files
