//===- Multinomial.cpp - Multinomial random numbers -----------------------===//

#include "compiler/session/derive/Multinomial.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/random/Source.h"
#include "compiler/session/derive/ControlFlow.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::derive {

using namespace graph;

NodeRef multinomial(Recorder &r, const NodeRef &key, const Operand &n,
                    const NodeRef &given, DType dtype) {
  const char *op = "multinomial";
  if (!checkDraw(r, op, key, dtype, integerMask, "an integer"))
    return {};
  if (!given)
    return r.fail(op, "p is an undefined tensor");
  if (given->rank() == 0 || !isIn(given->dtype(), computeMask))
    return r.fail(op, "p must be vectors of probabilities, not " +
                          typeOf(*given.get()));
  Term p(r, astype(r, given, DType::F64));
  Shape batch(p->shape().drop_back());
  int64_t count = p->shape().back();
  if (count == 0)
    return full(r, dtype, p->shape(), Scalar::of(int64_t(0)));
  auto total = [&](const Term &x, OpKind reduction) {
    return Term(r, reduce(r, reduction, x, int64_t(-1), true));
  };
  constexpr double rounding = 1e-6; // rounding error of f32 probabilities
  Term rest = 1 - total(p, OpKind::Sum);
  Term isValid = total(p >= 0, OpKind::All) & (rest >= -rounding);
  Term last = equals(Term(r, iota(r, DType::I64, count, 0)), count - 1);
  p = select(last & (rest > rounding), p + rest, p);
  auto parameters = parametersOf(r, op, DType::F64, batch, n);
  if (parameters.empty() || !p)
    return {};
  // Draws one event after another from the remaining trials. The probability of
  // an event is its share of the remaining probability.
  Term remaining(
      r, graph::scan(r, OpKind::Cumsum, p, -1, /*reverse=*/true, false));
  Term share = min(select(remaining > 0, p / remaining, p * 0), 1.0);
  share = select(last, 1.0, share);
  Shape order{static_cast<int64_t>(batch.size())}, back;
  for (int64_t i : llvm::seq<int64_t>(0, batch.size())) {
    order.push_back(i);
    back.push_back(i + 1);
  }
  back.push_back(0);
  NodeRef shares = transpose(r, share, order);
  NodeRef keys = splitKey(r, key, count);
  if (!shares || !keys)
    return {};

  NodeRef number = placeholder(r, DType::I64, {});
  Term left(r, placeholder(r, DType::F64, batch));
  NodeRef eventKey = placeholder(r, DType::UI32, 2);
  Term eventShare(r, placeholder(r, DType::F64, batch));
  Term drawn = Source(r, op, eventKey, DType::F64).binomial(left, eventShare);
  if (!drawn)
    return {};
  auto made = derive::scan(r, {parameters[0].node}, {keys, shares}, count,
                           /*reverse=*/false,
                           {{number, left.node, eventKey, eventShare.node},
                            {(left - drawn).node, drawn.node}});
  if (made.size() != 2)
    return {};
  Term counts(r, transpose(r, made[1], back));
  return select(isValid, counts, -1.0).as(dtype).node;
}

} // namespace tensorc::derive
