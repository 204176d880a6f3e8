// Runs compiled modules on inputs from .npy files, and compares the bits of their outputs with those of other .npy files.
// A line of JSON on stdin is a run: {"module": PATH, "method": NAME, "inputs": {NAME: PATH}, "outputs": {NAME: PATH}}.
// The answer is a line of JSON: {"wrong": TEXT or null}.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

// Modules are compiled once, by V8's fast compiler: the runs are too short for the optimizing one.
setFlagsFromString("--liftoff-only");

function readNpy(path) {
  const file = readFileSync(path), length = file.readUInt16LE(8);
  const header = file.toString("latin1", 10, 10 + length);
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(",").filter((size) => size.trim()).map(Number);
  return { shape, bytes: Uint8Array.prototype.slice.call(file, 10 + length) };
}

// Two elements of four bits to a byte; a .npy has a byte for each.
function pack(bytes) {
  const packed = new Uint8Array(Math.ceil(bytes.length / 2));
  bytes.forEach((value, i) => (packed[i >> 1] |= (value & 15) << (4 * (i & 1))));
  return packed;
}

const isNarrow = (type) => type === "i4" || type === "ui4";

const mantissas = { f16: 10, bf16: 7, f8E5M2: 2 };

function isNaN(type, value) {
  if (type === "f8E4M3FN")
    return (value & 0x7f) === 0x7f;
  const mantissa = mantissas[type];
  if (mantissa === undefined)
    return Number.isNaN(value);
  const exponent = (type === "f16" || type === "f8E5M2" ? 0x1f : 0xff) << mantissa;
  return (value & exponent) === exponent && (value & ((1 << mantissa) - 1)) !== 0;
}

const exponents = { f16: 5, bf16: 8, f8E4M3FN: 4, f8E5M2: 5 };

// The number that a scalar of a float type without a typed array takes, of its bits.
function scalar(type, bits) {
  if (!exponents[type])
    return bits;
  const width = mantissas[type] ?? 3, ofExponent = 2 ** exponents[type] - 1, bias = 2 ** (exponents[type] - 1) - 1;
  const exponent = (bits >> width) & ofExponent, fraction = bits & (2 ** width - 1), sign = bits >> (exponents[type] + width) ? -1 : 1;
  if (isNaN(type, bits))
    return NaN;
  if (exponent === ofExponent && type !== "f8E4M3FN")
    return sign * Infinity;
  return sign * (fraction + (exponent ? 2 ** width : 0)) * 2 ** (Math.max(exponent, 1) - bias - width);
}

// WebAssembly does not say which of its bits a NaN has.
function firstDifference(type, found, expected) {
  if (found.length !== expected.length)
    return `${found.length} words, expected ${expected.length}`;
  for (let i = 0; i < found.length; ++i)
    if (!Object.is(found[i], expected[i]) && !(isNaN(type, found[i]) && isNaN(type, expected[i])))
      return `word ${i} is ${found[i]}, expected ${expected[i]}`;
  return null;
}

const namesOf = (shape) => shape(new Proxy({}, { get: (_, name) => name }));

// The named sizes, from the shapes of the inputs or from inputs of their name.
function solveSizes(entry, arrays) {
  const sizes = {};
  for (const { name } of entry.sizes)
    if (arrays[name])
      sizes[name] = Number(new BigInt64Array(arrays[name].bytes.buffer)[0]);
  for (const input of entry.inputs)
    if (input.shape)
      namesOf(input.shape).forEach((name, i) => {
        if (entry.sizes.some((size) => size.name === name))
          sizes[name] = arrays[input.name].shape[i];
      });
  return sizes;
}

const programs = {}; // by the paths of their modules

async function run({ module, method, inputs, outputs }) {
  const { entries, elementTypes, load } = await import(pathToFileURL(module));
  const program = await (programs[module] ??= load()), entry = entries.find(({ name }) => name === method);
  const cName = (name) => [...entry.inputs, ...entry.outputs, ...entry.sizes].some((field) => field.name === name)
    ? name : name.replace(/\W/g, "_") + (/\W/.test(name) ? "" : "_");
  const arrays = {}, expected = {};
  for (const [name, path] of Object.entries(inputs))
    arrays[cName(name)] = readNpy(path);
  for (const [name, path] of Object.entries(outputs))
    expected[cName(name)] = readNpy(path);
  const given = solveSizes(entry, arrays);
  for (const input of entry.inputs) {
    const { bytes } = arrays[input.name], [Type] = elementTypes[input.type];
    const array = new Type((isNarrow(input.type) ? pack(bytes) : bytes).buffer);
    given[input.name] = input.shape ? array : scalar(input.type, array[0]);
  }
  for (const output of entry.outputs)
    if (output.capacity)
      given[output.capacity.name] = expected[output.name].bytes.length;
  const results = program[method](given);
  for (const output of entry.outputs) {
    const { shape, bytes } = expected[output.name], found = results[output.name];
    if (String(found.shape) !== String(shape))
      return `${output.name}: the shape is [${found.shape}], expected [${shape}]`;
    const packed = isNarrow(output.type) ? pack(bytes) : bytes;
    const difference = firstDifference(output.type, found, new found.constructor(packed.buffer));
    if (difference)
      return `${output.name}: ${difference}`;
  }
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  let wrong;
  try {
    wrong = await run(JSON.parse(line));
  } catch (error) {
    wrong = error.stack;
  }
  console.log(JSON.stringify({ wrong }));
}
