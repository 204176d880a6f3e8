'use strict';
// Reads a report: its data, formulas over named sizes, and numbers as text.

async function decode(element) {
  const text = element.textContent.trim();
  if (element.dataset.encoding !== 'deflate') return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// Returns a number for a number or a formula such as `(n ceildiv 8) * 4 + 16`;
// NaN if a size is unknown.
function evaluate(formula, sizes) {
  if (typeof formula === 'number') return formula;
  const tokens = String(formula).match(/\d+|[A-Za-z_][\w.]*|[^\s]/g) || [];
  let at = 0;
  const take = (...words) => words.includes(tokens[at]) ? tokens[at++] : undefined;
  const factor = () => {
    if (take('-')) return -factor();
    if (take('(')) { const value = sum(); take(')'); return value; }
    const token = tokens[at++];
    if (token === undefined) return NaN;
    if ((token === 'max' || token === 'min') && take('(')) {
      const values = [sum()];
      while (take(',')) values.push(sum());
      take(')');
      return Math[token](...values);
    }
    return /^\d/.test(token) ? Number(token) : sizes[token] ?? NaN;
  };
  const apply = { '*': (a, b) => a * b, 'floordiv': (a, b) => Math.floor(a / b), 'ceildiv': (a, b) => Math.ceil(a / b), 'mod': (a, b) => a - b * Math.floor(a / b) };
  const product = () => {
    let value = factor();
    for (let op; (op = take('*', 'floordiv', 'ceildiv', 'mod'));) value = apply[op](value, factor());
    return value;
  };
  const sum = () => {
    let value = product();
    for (let op; (op = take('+', '-'));) { const more = product(); value = op === '+' ? value + more : value - more; }
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : NaN;
}

// Returns the names in the formulas of a report, in order.
function namedSizes(report) {
  const names = new Set();
  const all = new Proxy({}, { get: (_, name) => { names.add(name); return 1; } });
  const visit = formula => { if (typeof formula === 'string' && formula !== '?') evaluate(formula, all); };
  for (const kernel of report.kernels) for (const key of ['bytes_read', 'bytes_written', 'flops']) visit(kernel[key]);
  for (const edge of report.graph.edges) visit(edge.bytes);
  const { steps, temporaries = [], results = [], ...sums } = report.memory || {};
  for (const slot of [...temporaries, ...results]) { visit(slot.bytes); visit(slot.offset); }
  Object.values(sums).forEach(visit);
  return [...names];
}

function scaled(value, units, base) {
  if (!Number.isFinite(value)) return '?';
  let i = 0;
  while (Math.abs(value) >= base && i < units.length - 1) { value /= base; ++i; }
  return (i === 0 ? String(Math.round(value)) : value.toPrecision(3)) + ' ' + units[i];
}
const bytesText = value => scaled(value, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024);
const countText = value => scaled(value, ['', 'k', 'M', 'G', 'T'], 1000).trim();
const ratioText = value => Number.isFinite(value) ? value.toPrecision(3) : '?';
const secondsText = value => !Number.isFinite(value) ? '?' : value >= 1 ? value.toFixed(2) + ' s' : value >= 1e-3 ? (value * 1e3).toFixed(2) + ' ms' : value >= 1e-7 ? (value * 1e6).toFixed(1) + ' \u00b5s' : (value * 1e9).toFixed(0) + ' ns';

// Returns a table body that draws its rows when they come into view: thousands
// of rows take seconds. drawUpTo(i) draws the rows before and with row i.
const rowsAtOnce = 200;
function makeRows(items, draw) {
  const body = make('tbody'), watched = new IntersectionObserver(seen => { if (seen.some(entry => entry.isIntersecting)) body.drawUpTo(drawn); }, { rootMargin: '600px' });
  let drawn = 0;
  body.drawUpTo = i => {
    if (i < drawn || drawn === items.length) return;
    watched.disconnect();
    const end = Math.min(items.length, Math.max(i + 1, drawn + rowsAtOnce));
    body.append(...items.slice(drawn, end).map(draw));
    drawn = end;
    if (drawn < items.length) watched.observe(body.lastElementChild);
  };
  body.drawUpTo(0);
  return body;
}

// Creates an element with attributes and children. Children are texts or
// elements.
function make(name, attributes, ...children) {
  const isSvg = /^(svg|g|rect|path|text|title|line)$/.test(name);
  const element = isSvg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== null));
  return element;
}
