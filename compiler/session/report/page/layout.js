// Arranges a graph in layers from top to bottom.

// Returns the scope of each kernel, by which large graphs are folded. A scope
// is the common prefix of the kernel's node names, or a sequence of kernels in
// which no source line repeats, such as one iteration of a loop. Long sequences
// are split.
const longestRun = 40; // kernels, more than a layer has
function scopesOf(report) {
  const seen = new Set();
  let run = [], last = '', count = 0;
  const scopes = new Array(report.kernels.length).fill('');
  const close = () => {
    if (!run.length) return;
    const lines = run.flatMap(i => report.kernels[i].lines.map(([, line]) => line));
    const file = report.kernels[run[0]].lines[0][0].split('/').pop(), low = Math.min(...lines), high = Math.max(...lines);
    const name = `${++count}: ${file}:${low}${high > low ? '-' + high : ''}`;
    for (const i of run) scopes[i] = name;
    run = [];
    seen.clear();
  };
  report.kernels.forEach((kernel, i) => {
    const folder = folderOf(kernel);
    if (folder || !kernel.lines.length) { close(); scopes[i] = folder; return; }
    const line = kernel.lines[0].join(':');
    if (line !== last && seen.has(line) || run.length === longestRun) close();
    seen.add(last = line);
    run.push(i);
  });
  close();
  return scopes;
}

function folderOf(kernel) {
  const names = (kernel.nodes || []).map(name => name.split('/').filter(Boolean).slice(0, -1));
  if (!names.length) return '';
  let shared = names[0];
  for (const name of names) {
    let i = 0;
    while (i < shared.length && shared[i] === name[i]) ++i;
    shared = shared.slice(0, i);
  }
  return shared.join('/');
}

// Returns the nodes and edges to draw. Constants are omitted. A scope that is
// not in `opened` is drawn as one node, together with arguments that only this
// scope reads.
function foldGraph(report, folds, opened) {
  const { nodes, edges } = report.graph;
  const shown = [], place = new Array(nodes.length), groups = new Map(), counts = new Map();
  const scopes = folds ? scopesOf(report) : [];
  for (const scope of scopes) counts.set(scope, (counts.get(scope) || 0) + 1);
  const isFolded = scope => scope && !opened.has(scope) && counts.get(scope) > 1;
  const scopeAt = node => node.kind === 'kernel' && folds ? scopes[node.kernel] : '';
  const groupOf = (key, make) => {
    if (!groups.has(key)) groups.set(key, shown.push(make()) - 1);
    return groups.get(key);
  };
  const readers = nodes.map(() => new Set());
  if (folds) for (const { from, to } of edges) readers[from].add(isFolded(scopeAt(nodes[to])) ? scopeAt(nodes[to]) : to);
  nodes.forEach((node, i) => {
    if (node.kind === 'constant') return;
    const scope = scopeAt(node);
    const [only] = node.kind === 'argument' && readers[i].size === 1 ? readers[i] : [];
    if (isFolded(scope)) {
      place[i] = groupOf(scope, () => ({ kind: 'group', name: scope, kernels: [], id: i }));
      shown[place[i]].kernels.push(node.kernel);
    } else if (typeof only === 'string') {
      place[i] = groupOf('arguments of ' + only, () => ({ kind: 'argument', name: '', count: 0, id: i }));
      const count = ++shown[place[i]].count;
      shown[place[i]].name = count === 1 ? node.name : `${count} arguments`;
      shown[place[i]].type = count === 1 ? node.type : '';
    } else place[i] = shown.push({ ...node, id: i }) - 1;
  });
  const links = new Map();
  for (const edge of edges) {
    const from = place[edge.from], to = place[edge.to];
    if (from === undefined || to === undefined || from === to) continue;
    const key = from + ' ' + to;
    if (links.has(key)) links.get(key).values.push(edge);
    else links.set(key, { from, to, values: [edge] });
  }
  return { nodes: shown, edges: [...links.values()] };
}

// Sets x, y, width and height of the nodes; returns the size of the drawing.
function placeGraph(graph) {
  const { nodes, edges } = graph, gapX = 24, gapY = 44, height = 40;
  const before = nodes.map(() => []), after = nodes.map(() => []);
  for (const { from, to } of edges) { after[from].push(to); before[to].push(from); }
  // A later node is never above an earlier one. An edge to an earlier node
  // closes a loop.
  nodes.forEach((node, i) => { node.layer = Math.max(-1, ...before[i].filter(j => j < i).map(j => nodes[j].layer)) + 1; });
  // Arguments are placed directly above their first reader.
  nodes.forEach((node, i) => {
    if (node.kind === 'argument' && after[i].length) node.layer = Math.max(0, Math.min(...after[i].map(j => nodes[j].layer)) - 1);
  });
  const first = Math.min(...nodes.map(node => node.layer), 0), layers = [];
  nodes.forEach((node, i) => {
    node.width = Math.max(90, Math.min(260, 7.2 * Math.max(node.name.length, node.kind.length + (node.type || '').length) + 24));
    node.height = height;
    (layers[node.layer - first] ||= []).push(i);
  });
  // Orders each layer by the mean position of the neighbours of its nodes,
  // first downwards, then upwards.
  const rank = new Array(nodes.length).fill(0);
  const number = layer => layer.forEach((i, k) => { rank[i] = k; });
  layers.forEach(number);
  for (let sweep = 0; sweep < 4; ++sweep) {
    const near = sweep % 2 ? after : before, order = sweep % 2 ? [...layers].reverse() : layers;
    for (const layer of order) {
      const mean = new Map(layer.map(i => [i, near[i].length ? near[i].reduce((sum, j) => sum + rank[j], 0) / near[i].length : rank[i]]));
      layer.sort((a, b) => mean.get(a) - mean.get(b));
      number(layer);
    }
  }
  const widths = layers.map(layer => layer.reduce((sum, i) => sum + nodes[i].width + gapX, -gapX));
  const width = Math.max(...widths, 200);
  layers.forEach((layer, k) => {
    let x = (width - widths[k]) / 2;
    for (const i of layer) { nodes[i].x = x; nodes[i].y = k * (height + gapY); x += nodes[i].width + gapX; }
  });
  return { width: width + 24, height: layers.length * (height + gapY) };
}
