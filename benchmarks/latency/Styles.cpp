//===- Styles.cpp - Compares named steps with nested expressions ----------===//
//
// Ten small programs are written in two styles: with a name for every step,
// where all named values are still held when the result is evaluated, and as
// one expression.
//
//===----------------------------------------------------------------------===//

#include "benchmarks/harness/Harness.h"

#include "tensorc/tensorc.hpp"

using namespace bench;
using namespace tensorc;

namespace {

constexpr int repetitions = 9;

/// A program in both styles. Each style is a function of a [rows, 256] tensor,
/// whose result is small or has the same size.
struct Program {
  const char *name;
  Tensor (*named)(const Tensor &x);
  Tensor (*nested)(const Tensor &x);
};

const Program programs[] = {
    {"chain",
     [](const Tensor &x) {
       Tensor a = x * 2;
       Tensor b = tanh(a);
       Tensor c = b + 1;
       Tensor d = c * c;
       Tensor e = sum(d);
       e.eval();
       return e;
     },
     [](const Tensor &x) {
       Tensor e = sum((tanh(x * 2) + 1) * (tanh(x * 2) + 1));
       e.eval();
       return e;
     }},
    {"gelu",
     [](const Tensor &x) {
       Tensor scaled = x * 0.70710678f;
       Tensor bell = erf(scaled);
       Tensor weight = (bell + 1) * 0.5f;
       Tensor y = x * weight;
       y.eval();
       return y;
     },
     [](const Tensor &x) {
       Tensor y = x * ((erf(x * 0.70710678f) + 1) * 0.5f);
       y.eval();
       return y;
     }},
    {"huber",
     [](const Tensor &x) {
       Tensor size = abs(x);
       Tensor quadratic = 0.5f * x * x;
       Tensor linear = size - 0.5f;
       Tensor loss = where(size < 1, quadratic, linear);
       Tensor total = mean(loss);
       total.eval();
       return total;
     },
     [](const Tensor &x) {
       Tensor total = mean(where(abs(x) < 1, 0.5f * x * x, abs(x) - 0.5f));
       total.eval();
       return total;
     }},
    {"entropy",
     [](const Tensor &x) {
       Tensor p = sigmoid(x);
       Tensor q = 1 - p;
       Tensor left = p * log(p);
       Tensor right = q * log(q);
       Tensor total = -sum(left + right, {1});
       total.eval();
       return total;
     },
     [](const Tensor &x) {
       Tensor total = -sum(sigmoid(x) * log(sigmoid(x)) +
                               (1 - sigmoid(x)) * log(1 - sigmoid(x)),
                           {1});
       total.eval();
       return total;
     }},
    {"rms_norm",
     [](const Tensor &x) {
       Tensor squares = x * x;
       Tensor power = mean(squares, {1}, true);
       Tensor scale = rsqrt(power + 1e-6f);
       Tensor y = x * scale;
       y.eval();
       return y;
     },
     [](const Tensor &x) {
       Tensor y = x * rsqrt(mean(x * x, {1}, true) + 1e-6f);
       y.eval();
       return y;
     }},
    {"soft_threshold",
     [](const Tensor &x) {
       Tensor magnitude = abs(x);
       Tensor less = magnitude - 0.1f;
       Tensor kept = maximum(less, 0);
       Tensor y = sign(x) * kept;
       y.eval();
       return y;
     },
     [](const Tensor &x) {
       Tensor y = sign(x) * maximum(abs(x) - 0.1f, 0);
       y.eval();
       return y;
     }},
    {"halves",
     [](const Tensor &x) {
       Tensor left = slice(x, {{}, {0, 128}});
       Tensor right = slice(x, {{}, {128, 256}});
       Tensor gate = sigmoid(right);
       Tensor y = left * gate;
       y.eval();
       return y;
     },
     [](const Tensor &x) {
       Tensor y =
           slice(x, {{}, {0, 128}}) * sigmoid(slice(x, {{}, {128, 256}}));
       y.eval();
       return y;
     }},
    {"polynomial",
     [](const Tensor &x) {
       Tensor square = x * x;
       Tensor cube = square * x;
       Tensor y = 1 + x + 0.5f * square;
       Tensor z = y + cube / 6;
       z.eval();
       return z;
     },
     [](const Tensor &x) {
       Tensor z = 1 + x + 0.5f * (x * x) + x * x * x / 6;
       z.eval();
       return z;
     }},
    {"transposed",
     [](const Tensor &x) {
       Tensor shifted = x + 1;
       Tensor turned = transpose(shifted);
       Tensor logs = log1p(turned * turned);
       Tensor total = sum(logs, {0});
       total.eval();
       return total;
     },
     [](const Tensor &x) {
       Tensor total = sum(log1p(transpose((x + 1) * (x + 1))), {0});
       total.eval();
       return total;
     }},
    {"clip_and_scale",
     [](const Tensor &x) {
       Tensor clipped = clip(x, -1, 1);
       Tensor moved = clipped + 1;
       Tensor scaled = moved * 127.5f;
       Tensor bytes = astype(scaled, ui8);
       bytes.eval();
       return bytes;
     },
     [](const Tensor &x) {
       Tensor bytes = astype((clip(x, -1, 1) + 1) * 127.5f, ui8);
       bytes.eval();
       return bytes;
     }},
};

void registerAll() {
  for (const Program &program : programs)
    for (bool isNamed : {true, false})
      add(std::string("styles/") + program.name +
              (isNamed ? "/named" : "/nested"),
          repetitions, [&program, isNamed](benchmark::State &state) {
            Tensor x = full({bench::size(16384, 64), 256}, 0.25f) + 0;
            x.eval();
            auto *run = isNamed ? program.named : program.nested;
            run(x);
            for (auto _ : state) {
              Tensor result = run(x);
              benchmark::DoNotOptimize(result);
            }
          });
}

} // namespace

int main(int argc, char **argv) { return bench::run(argc, argv, registerAll); }
