import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const path = process.argv[2];
const { load } = await import(pathToFileURL(path));
const module = new WebAssembly.Module(readFileSync(path.replace(/js$/, "wasm")));
console.log("imports", WebAssembly.Module.imports(module).length);
console.log("exports", WebAssembly.Module.exports(module).filter(({ kind }) => kind === "memory").map(({ name }) => name).join());

function show(name, array) {
  console.log(name, array.constructor.name, `[${array.shape}]:`, array.join(" "));
}

const program = await load(module);
const x = BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n), h = Uint16Array.of(0x3c00, 0xbc00); // 1 and -1
const { y, z } = program.scale({ x, k: 6n, h, n: 2 });
show("y", y);
show("z", z);
show("y", program.scale({ x: x.slice(0, 0), k: 6n, h: h.slice(0, 0), n: 0 }).y);
const { v, w } = (await load()).run({ i: 9007199254740993n, b: 0, f: Float64Array.of(-3.5) });
console.log("w", w.constructor.name, `[${w.shape}]:`, v[0], w[0]);

const numbers = [1, 0.1, 65504, 65520, -Infinity, NaN, -0, 2 ** -24, 2 ** -25, 1 + 2 ** -11, 1 + 3 * 2 ** -11];
const scalars = (x, more) => program.scalars({ a: x, b: x, c: x, d: x, e: -128, i: 1n, t: true, ...more });
for (const type of ["f16", "bf16", "f8E4M3FN", "f8E5M2"])
  console.log(`${type}:`, numbers.map((x) => scalars(x)[type][0].toString(16)).join(" "));
const { i8, i1 } = scalars(1);
console.log(`i8 ${i8}, i1 ${i1}`);
for (const more of [{ e: 300 }, { e: 1.5 }, { e: NaN }, { i: 2n ** 64n }, { t: 2 }, { a: undefined }]) {
  try {
    scalars(1, more);
    console.log("accepted");
  } catch (error) {
    console.log(String(error));
  }
}

for (const inputs of [{ x, k: 6n, h }, { x, k: 6, h, n: 2 }, { x: new Int32Array(6), k: 6n, h, n: 2 }, { x: x.slice(2), k: 6n, h, n: 2 }]) {
  try {
    program.scale(inputs);
    console.log("accepted");
  } catch (error) {
    console.log(String(error));
  }
}
// More than an address of 32 bits reaches, which the arrays need not have.
const large = { constructor: { name: "BigInt64Array" }, byteLength: 24 * 2 ** 28, length: 3 * 2 ** 28 };
const halves = { constructor: { name: "Uint16Array" }, byteLength: 2 * 2 ** 28, length: 2 ** 28 };
try {
  program.scale({ x: large, k: 6n, h: halves, n: 2 ** 28 });
} catch (error) {
  console.log(String(error));
}
