//===- Einsum.cpp - Einstein summation ------------------------------------===//
//
// Labels are characters. The labels of an ellipsis are numbers, counted from
// the right, so that they broadcast. Labels that occur in only one operand are
// summed first. Then pairs are contracted; the pair with the smallest result is
// first.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/linalg/LinearAlgebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace tensorc::graph {

namespace {
using Labels = llvm::SmallVector<int, 8>;

/// Returns the label of dim i of the ellipsis, counted from the right.
constexpr int ellipsisLabel(size_t i) { return 256 + static_cast<int>(i); }

struct EinsumTerm {
  NodeRef node;
  Labels labels;
};

class Einsum {
public:
  Einsum(Recorder &r, llvm::StringRef subscripts) : r(r), text(subscripts) {}
  NodeRef build(llvm::ArrayRef<NodeRef> operands);

private:
  bool parse(llvm::ArrayRef<NodeRef> operands);
  bool parseTerm(llvm::StringRef term, const NodeRef &x);
  bool parseOutput(llvm::StringRef term);
  bool split(llvm::StringRef term, llvm::StringRef &head, llvm::StringRef &tail,
             bool &ellipsis);
  void implicitOutput();
  bool takeDiagonals(EinsumTerm &term);
  bool dropOnes(EinsumTerm &term);
  bool sumOwn(size_t index);
  EinsumTerm contract(const EinsumTerm &x, const EinsumTerm &y,
                      const Labels &kept);
  EinsumTerm multiply(const EinsumTerm &x, const EinsumTerm &y,
                      const Labels &labels);
  Labels keptBy(size_t i, size_t j) const;
  double cost(size_t i, size_t j) const;
  NodeRef finish(EinsumTerm term);
  NodeRef fail(const llvm::Twine &message) {
    return r.fail("einsum", "\"" + text + "\": " + message);
  }

  Recorder &r;
  llvm::StringRef text;
  std::string clean;
  std::vector<EinsumTerm> terms;
  Labels output;
  size_t ellipsisRank = 0;
  bool hasEllipsis = false;
  std::map<int, int64_t> sizes;
};
} // namespace

bool Einsum::split(llvm::StringRef term, llvm::StringRef &head,
                   llvm::StringRef &tail, bool &ellipsis) {
  std::tie(head, tail) = term.split("...");
  ellipsis = head.size() != term.size();
  for (char c : (head + tail).str())
    if (!llvm::isAlpha(c)) {
      fail("'" + llvm::Twine(c) + "' is not a label");
      return false;
    }
  return true;
}

bool Einsum::parseTerm(llvm::StringRef term, const NodeRef &x) {
  llvm::StringRef head, tail;
  bool ellipsis = false;
  if (!split(term, head, tail, ellipsis))
    return false;
  size_t named = head.size() + tail.size();
  if (x->rank() < named || (x->rank() > named && !ellipsis)) {
    fail("\"" + term + "\" does not fit the rank of " +
         shapeString(x->shape()));
    return false;
  }
  size_t hidden = x->rank() - named;
  hasEllipsis |= ellipsis;
  ellipsisRank = std::max(ellipsisRank, hidden);
  EinsumTerm made{x, Labels(head.begin(), head.end())};
  for (size_t i = hidden; i-- > 0;)
    made.labels.push_back(ellipsisLabel(i));
  made.labels.append(tail.begin(), tail.end());
  for (auto [label, size] : llvm::zip(made.labels, x->shape())) {
    int64_t &known = sizes.try_emplace(label, 1).first->second;
    if (known != size && known != 1 && size != 1) {
      fail("sizes " + llvm::Twine(known) + " and " + llvm::Twine(size) +
           " differ" +
           (label < 256 ? " for '" + std::string(1, char(label)) + "'" : ""));
      return false;
    }
    if (size != 1)
      known = size;
  }
  terms.push_back(std::move(made));
  return true;
}

bool Einsum::parseOutput(llvm::StringRef term) {
  llvm::StringRef head, tail;
  bool ellipsis = false;
  if (!split(term, head, tail, ellipsis))
    return false;
  if (!ellipsis && ellipsisRank > 0) {
    fail("the output lacks the ellipsis");
    return false;
  }
  output.assign(head.begin(), head.end());
  for (size_t i = ellipsisRank; ellipsis && i-- > 0;)
    output.push_back(ellipsisLabel(i));
  output.append(tail.begin(), tail.end());
  for (auto [i, label] : llvm::enumerate(output)) {
    if (!sizes.contains(label)) {
      fail("'" + llvm::Twine(char(label)) + "' of the output is in no operand");
      return false;
    }
    if (llvm::is_contained(llvm::ArrayRef(output).take_front(i), label)) {
      fail("'" + llvm::Twine(char(label)) + "' is in the output twice");
      return false;
    }
  }
  return true;
}

/// Sets the implicit output: the ellipsis, then the labels that occur once, in
/// alphabetical order.
void Einsum::implicitOutput() {
  for (size_t i = ellipsisRank; i-- > 0;)
    output.push_back(ellipsisLabel(i));
  std::map<int, int> counts;
  for (const EinsumTerm &term : terms)
    for (int label : term.labels)
      ++counts[label];
  for (auto [label, count] : counts)
    if (count == 1 && label < 256)
      output.push_back(label);
}

bool Einsum::parse(llvm::ArrayRef<NodeRef> operands) {
  for (char c : text)
    if (c != ' ')
      clean.push_back(c);
  llvm::StringRef all(clean);
  size_t arrow = all.find("->");
  llvm::SmallVector<llvm::StringRef> parts;
  all.take_front(std::min(arrow, all.size())).split(parts, ',');
  if (parts.size() != operands.size()) {
    fail("names " + llvm::Twine(parts.size()) + " operands, not " +
         llvm::Twine(operands.size()));
    return false;
  }
  for (auto [part, x] : llvm::zip(parts, operands))
    if (!parseTerm(part, x))
      return false;
  if (arrow != llvm::StringRef::npos)
    return parseOutput(all.drop_front(arrow + 2));
  implicitOutput();
  return true;
}

/// Moves two dims with the same label next to each other and flattens them; the
/// diagonal is every (n + 1)th element of the result.
bool Einsum::takeDiagonals(EinsumTerm &term) {
  for (size_t i = 0; i < term.labels.size() && term.node; ++i) {
    for (size_t j = i + 1; j < term.labels.size();) {
      if (term.labels[i] != term.labels[j]) {
        ++j;
        continue;
      }
      Ints shape = term.node->shape();
      if (shape[i] != shape[j]) {
        fail("sizes " + llvm::Twine(shape[i]) + " and " +
             llvm::Twine(shape[j]) + " differ for '" +
             llvm::Twine(char(term.labels[i])) + "'");
        return false;
      }
      Shape order, joined;
      for (size_t d = 0; d < shape.size(); ++d)
        if (d != i && d != j) {
          order.push_back(d);
          joined.push_back(shape[d]);
        }
      int64_t size = shape[i], rank = joined.size();
      order.append({int64_t(i), int64_t(j)});
      joined.push_back(size * size);
      NodeRef rows = reshape(r, transpose(r, term.node, order), joined);
      Shape starts(rank + 1, openEnd), steps(rank + 1, 1), back;
      steps[rank] = size + 1;
      NodeRef picked = slice(r, rows, starts, starts, steps);
      // Moves the diagonal's dim to the position of the first of the two dims.
      for (int64_t d = 0; d < rank; ++d)
        back.push_back(d);
      back.insert(back.begin() + i, rank);
      term.node = transpose(r, picked, back);
      term.labels.erase(term.labels.begin() + j);
    }
  }
  return bool(term.node);
}

/// Drops dims of size 1 whose label has another size elsewhere: they are
/// broadcast.
bool Einsum::dropOnes(EinsumTerm &term) {
  Shape dropped;
  Labels rest;
  for (auto [i, label] : llvm::enumerate(term.labels)) {
    if (term.node->shape()[i] == 1 && sizes[label] != 1)
      dropped.push_back(i);
    else
      rest.push_back(label);
  }
  if (!dropped.empty())
    term.node = squeeze(r, term.node, dropped);
  term.labels = rest;
  return bool(term.node);
}

/// Sums over labels that occur in no other operand and not in the output.
bool Einsum::sumOwn(size_t index) {
  Labels kept = keptBy(index, index), rest;
  Shape axes;
  for (auto [i, label] : llvm::enumerate(terms[index].labels)) {
    if (llvm::is_contained(kept, label))
      rest.push_back(label);
    else
      axes.push_back(i);
  }
  if (axes.empty())
    return true;
  terms[index].node = reduce(r, OpKind::Sum, terms[index].node, axes, false);
  terms[index].labels = rest;
  return bool(terms[index].node);
}

/// Returns the labels that occur in the output or in operands other than these
/// two.
Labels Einsum::keptBy(size_t i, size_t j) const {
  Labels kept = output;
  for (auto [k, term] : llvm::enumerate(terms))
    if (k != i && k != j)
      llvm::append_range(kept, term.labels);
  return kept;
}

/// Returns the number of elements of the product of two operands, minus the
/// number of elements of both operands.
double Einsum::cost(size_t i, size_t j) const {
  Labels kept = keptBy(i, j), all = terms[i].labels;
  for (int label : terms[j].labels)
    if (!llvm::is_contained(all, label))
      all.push_back(label);
  double product = 1;
  for (int label : all)
    if (llvm::is_contained(kept, label))
      product *= static_cast<double>(sizes.at(label));
  return product - static_cast<double>(terms[i].node->numElements()) -
         static_cast<double>(terms[j].node->numElements());
}

/// Multiplies x and y, broadcast to these labels.
EinsumTerm Einsum::multiply(const EinsumTerm &x, const EinsumTerm &y,
                            const Labels &labels) {
  auto view = [&](const EinsumTerm &term) {
    Shape order, shape;
    for (int label : labels) {
      const auto *at = llvm::find(term.labels, label);
      shape.push_back(at == term.labels.end() ? 1 : sizes[label]);
      if (at != term.labels.end())
        order.push_back(at - term.labels.begin());
    }
    NodeRef permuted =
        order.empty() ? term.node : transpose(r, term.node, order);
    return permuted ? reshape(r, permuted, shape) : permuted;
  };
  return {elementwise(r, OpKind::Mul, {view(x), view(y)}), labels};
}

EinsumTerm Einsum::contract(const EinsumTerm &x, const EinsumTerm &y,
                            const Labels &kept) {
  Shape batch[2], sum[2];
  Labels shared, xFree, yFree;
  for (auto [i, label] : llvm::enumerate(x.labels)) {
    const auto *at = llvm::find(y.labels, label);
    if (at == y.labels.end()) {
      xFree.push_back(label);
      continue;
    }
    bool isBatch = llvm::is_contained(kept, label);
    (isBatch ? batch : sum)[0].push_back(i);
    (isBatch ? batch : sum)[1].push_back(at - y.labels.begin());
    if (isBatch)
      shared.push_back(label);
  }
  for (int label : y.labels)
    if (!llvm::is_contained(x.labels, label))
      yFree.push_back(label);
  Labels labels = shared;
  llvm::append_range(labels, xFree);
  llvm::append_range(labels, yFree);
  if (sum[0].empty())
    return multiply(x, y, labels);
  return {dotGeneral(r, x.node, y.node, batch[0], batch[1], sum[0], sum[1]),
          labels};
}

/// Arranges the dims as in the output. Adds dims of size 1 for labels that only
/// such dims had.
NodeRef Einsum::finish(EinsumTerm term) {
  if (!term.node)
    return {};
  Shape order;
  for (int label : output)
    order.push_back(llvm::find(term.labels, label) - term.labels.begin());
  return order.empty() ? term.node : transpose(r, term.node, order);
}

NodeRef Einsum::build(llvm::ArrayRef<NodeRef> operands) {
  if (operands.empty() || llvm::any_of(operands, [](auto &x) { return !x; }))
    return fail("an operand is an undefined tensor");
  for (const NodeRef &x : operands)
    if (!isIn(x->dtype(), numberMask | complexMask))
      return fail(llvm::Twine("dtype must be a number, not ") +
                  dtypeName(x->dtype()));
  if (!parse(operands))
    return {};
  for (EinsumTerm &term : terms)
    if (!takeDiagonals(term) || !dropOnes(term))
      return {};
  for (size_t i = 0; i < terms.size(); ++i)
    if (!sumOwn(i))
      return {};
  while (terms.size() > 1) {
    size_t first = 0, second = 1;
    for (size_t i = 0; i < terms.size(); ++i)
      for (size_t j = i + 1; j < terms.size(); ++j)
        if (cost(i, j) < cost(first, second))
          first = i, second = j;
    EinsumTerm product =
        contract(terms[first], terms[second], keptBy(first, second));
    if (!product.node)
      return {};
    terms[first] = std::move(product);
    terms.erase(terms.begin() + second);
    if (!sumOwn(first))
      return {};
  }
  return finish(std::move(terms[0]));
}

NodeRef einsum(Recorder &r, llvm::StringRef subscripts,
               llvm::ArrayRef<NodeRef> operands) {
  return Einsum(r, subscripts).build(operands);
}

} // namespace tensorc::graph
