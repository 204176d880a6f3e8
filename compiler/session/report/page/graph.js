// The view that shows the graph next to the source.

const foldedFrom = 120; // kernels; a larger graph begins folded

class GraphView {
  constructor(app) {
    this.app = app;
    this.folds = app.report.kernels.length >= foldedFrom;
    this.opened = new Set();
  }

  draw(root) {
    this.canvas = make('div', { class: 'canvas' });
    this.sourceBox = make('div');
    const toggle = make('button', { type: 'button', 'aria-pressed': String(this.folds), 'data-focus': 'fold', onclick: () => { this.folds = !this.folds; this.opened.clear(); this.app.show(); } }, 'Fold parts of the model');
    root.append(make('div', { class: 'split' },
      make('div', {}, make('h2', {}, 'Kernels'), this.app.report.kernels.length > 1 ? toggle : '', this.canvas),
      make('div', {}, make('h2', {}, 'Source'), this.sourceBox)));
    this.graph = foldGraph(this.app.report, this.folds, this.opened);
    const size = placeGraph(this.graph);
    this.svg = make('svg', { width: size.width, height: size.height + 16, role: 'group', 'aria-label': 'Graph of kernels' });
    this.canvas.append(this.svg);
    this.canvas.addEventListener('scroll', () => this.drawVisible());
    this.drawVisible();
    this.drawSource();
    this.select();
  }

  // Draws only elements near the visible part, so that large graphs scroll
  // smoothly.
  drawVisible() {
    const top = this.canvas.scrollTop - 400, bottom = this.canvas.scrollTop + (this.canvas.clientHeight || 900) + 400;
    const { nodes, edges } = this.graph, isIn = node => node.y + node.height > top && node.y < bottom;
    const focused = document.activeElement?.dataset?.node;
    const drawn = [];
    for (const edge of edges) {
      const from = nodes[edge.from], to = nodes[edge.to];
      if (Math.max(from.y, to.y) < top || Math.min(from.y, to.y) > bottom) continue;
      const x1 = from.x + from.width / 2 + 12, y1 = from.y + from.height + 8, x2 = to.x + to.width / 2 + 12, y2 = to.y + 8, bend = Math.max(20, (y2 - y1) / 2);
      const bytes = edge.values.reduce((sum, value) => sum + (this.app.number(value.bytes ?? 0) || 0), 0);
      const isSelected = this.isSelected(from) || this.isSelected(to);
      drawn.push(make('path', { class: 'edge' + (isSelected ? ' selected' : ''), d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`, 'stroke-width': 1 + Math.min(4, Math.log2(1 + bytes / 4096) / 3) },
        make('title', {}, edge.values.map(value => `${value.type}, ${this.app.quantity(value.bytes ?? 0, bytesText)}`).join('; '))));
    }
    nodes.forEach((node, i) => { if (isIn(node)) drawn.push(this.drawNode(node, i)); });
    this.svg.replaceChildren(...drawn);
    if (focused !== undefined) this.svg.querySelector(`[data-node="${focused}"]`)?.focus({ preventScroll: true });
  }

  isSelected(node) {
    const { selected } = this.app;
    return node.kernel !== undefined ? selected.has(node.kernel) : Boolean(node.kernels?.some(kernel => selected.has(kernel)));
  }

  drawNode(node, i) {
    const { app } = this, isKernel = node.kind === 'kernel', isGroup = node.kind === 'group';
    const press = () => {
      if (isGroup) { this.opened.add(node.name); app.show(); this.canvas.querySelector('.node[tabindex]')?.focus(); } else if (isKernel) app.select([node.kernel]);
    };
    const sub = isGroup ? `${node.kernels.length} kernels` : isKernel ? app.costOf(app.report.kernels[node.kernel]) : `${node.kind} ${node.type || ''}`;
    const isFound = isKernel ? app.matches(app.report.kernels[node.kernel]) : isGroup ? node.kernels.some(k => app.matches(app.report.kernels[k])) : !app.query;
    const fit = text => { const most = Math.floor((node.width - 16) / 6.6); return text.length > most ? text.slice(0, most - 1) + '\u2026' : text; };
    return make('g', {
      class: `node ${node.kind}${this.isSelected(node) ? ' selected' : ''}${isFound ? '' : ' hidden'}`, transform: `translate(${node.x + 12} ${node.y + 8})`, 'data-node': i,
      role: isKernel || isGroup ? 'button' : 'img', tabindex: isKernel || isGroup ? 0 : undefined, 'aria-label': `${node.kind} ${node.name}: ${sub}`,
      onclick: press, onkeydown: event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); press(); } } },
      make('rect', { width: node.width, height: node.height, rx: isKernel || isGroup ? 6 : 18 }),
      make('text', { x: 10, y: 17 }, fit(node.name)), make('text', { x: 10, y: 32, class: 'sub' }, fit(sub)), make('title', {}, `${node.name}: ${sub}`));
  }

  drawSource() {
    const { report } = this.app;
    if (!report.sources.length) {
      this.sourceBox.append(make('p', { class: 'dim' }, report.kernels.some(kernel => kernel.nodes) ? 'The model has no text. Each kernel names its nodes.' : 'The source is not at hand.'));
      return;
    }
    this.lines = new Map();
    const kernelsAt = new Map();
    report.kernels.forEach((kernel, i) => kernel.lines.forEach(line => {
      const key = line.join(':');
      kernelsAt.set(key, [...(kernelsAt.get(key) || []), i]);
    }));
    for (const source of report.sources) {
      const list = make('ol', { class: 'source', 'aria-label': source.name });
      source.text.split('\n').forEach((text, k) => {
        const kernels = kernelsAt.get(source.name + ':' + (k + 1)) || [];
        const gutter = kernels.length ? make('button', { type: 'button', 'aria-label': `Line ${k + 1}: select its kernels`, onclick: () => this.app.select(kernels) }, String(k + 1)) : make('span', {}, String(k + 1));
        const item = make('li', {}, gutter, make('code', {}, text));
        this.lines.set(source.name + ':' + (k + 1), item);
        list.append(item);
      });
      this.sourceBox.append(make('h3', {}, source.name), list);
    }
  }

  // Highlights the selection and scrolls to it.
  select(scrolls) {
    this.drawVisible();
    const chosen = new Set([...this.app.selected].flatMap(i => this.app.report.kernels[i].lines.map(([file, line]) => file + ':' + line)));
    let first;
    for (const [key, item] of this.lines || []) {
      item.classList.toggle('selected', chosen.has(key));
      if (chosen.has(key)) first ||= item;
    }
    if (!scrolls) return;
    first?.scrollIntoView({ block: 'nearest' });
    const node = this.graph.nodes.find(each => this.isSelected(each));
    if (node && (node.y < this.canvas.scrollTop || node.y + node.height > this.canvas.scrollTop + this.canvas.clientHeight))
      this.canvas.scrollTop = node.y - this.canvas.clientHeight / 2;
  }
}
