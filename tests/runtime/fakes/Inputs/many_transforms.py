"""Prints a program of transforms of 18 lengths, there and back."""

lengths = range(128, 128 + 18)
types = [f"tensor<2x2x{n}xf32>" for n in lengths]
print(f"func.func @main({', '.join(f'%x{n}: {t}' for n, t in zip(lengths, types))}) -> ({', '.join(types)}) {{")
for name, after, words in ("x", "y", ""), ("y", "z", " inverse"):
    for n, t in zip(lengths, types):
        print(f"  %{after}{n} = tx.fft %{name}{n} length = {n}{words} : {t}")
print(f"  return {', '.join(f'%z{n}' for n in lengths)} : {', '.join(types)}")
print("}")
