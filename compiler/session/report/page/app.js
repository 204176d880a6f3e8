// The page: selection, views, and details of a kernel.

class App {
  constructor(report) {
    this.report = report;
    this.selected = new Set();
    this.query = '';
    this.numbers = new Map();
    report.kernels.forEach(({ name }, i) => { if (!this.numbers.has(name)) this.numbers.set(name, i); });
    this.sizes = Object.fromEntries(namedSizes(report).map(name => [name, 1024]));
    this.isMeasured = [...report.kernels, ...report.loops].some(part => part.measured);
    this.number = formula => evaluate(formula, this.sizes);
    this.bytesOf = kernel => this.number(kernel.bytes_read) + this.number(kernel.bytes_written);
    // Times are those of kernels and of loops, which are one function each.
    this.timeOf = part => part.measured ? part.measured.seconds * part.measured.launches : NaN;
    this.totalTime = ({ kernels, loops }) => [...kernels, ...loops].reduce((sum, part) => sum + (this.timeOf(part) || 0), 0);
    this.loopOf = kernel => report.loops.find(loop => loop.kernels.includes(kernel.compiled_as || kernel.name));
    this.shareOf = kernel => kernel.measured?.bound_seconds ? kernel.measured.bound_seconds / kernel.measured.seconds : 0;
    this.views = [['Graph', new GraphView(this)], ['Kernels', new KernelsView(this)], ['Memory', new MemoryView(this)], ['Why separate', new SeparateView(this)], ['Compilation', new StagesView(this)], ['Compare', new CompareView(this)]];
    this.current = 0;
  }

  quantity(formula, text) {
    const value = text(this.number(formula));
    return typeof formula === 'number' ? value : `${value} (${formula})`;
  }
  costOf(kernel) {
    return this.isMeasured ? secondsText(this.timeOf(kernel)) : bytesText(this.bytesOf(kernel));
  }
  // The kernel of this name, or with the longest name before a `_` in it; -1 if
  // there is none.
  kernelNamed(name) {
    for (let at = name.length; at > 0; at = name.lastIndexOf('_', at - 1)) {
      const found = this.numbers.get(name.slice(0, at));
      if (found !== undefined) return found;
    }
    return -1;
  }
  // The name of a kernel as a button that selects it.
  link(name) {
    const i = this.kernelNamed(name);
    return i < 0 ? name : make('button', { type: 'button', class: 'link', onclick: () => this.select([i]) }, name);
  }
  matches(kernel) {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const text = [kernel.name, kernel.kind, ...kernel.ops, ...(kernel.nodes || []), ...kernel.lines.map(line => line.join(':'))].join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  }

  start() {
    const { report } = this, byId = id => document.getElementById(id);
    document.title = `${report.program}: tensorc report`;
    byId('title').textContent = report.program;
    this.summarize();
    this.showSizes();
    byId('sizes').addEventListener('submit', event => event.preventDefault());
    let pause;
    byId('search').addEventListener('input', event => {
      this.query = event.target.value;
      clearTimeout(pause);
      pause = setTimeout(() => this.show(), 150);
    });
    byId('theme').addEventListener('click', () => {
      const isDark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      document.documentElement.dataset.theme = isDark ? 'light' : 'dark';
    });
    byId('keys').addEventListener('click', () => { byId('help').hidden = !byId('help').hidden; byId('keys').setAttribute('aria-expanded', String(!byId('help').hidden)); });
    byId('other').addEventListener('change', event => this.compare(event.target.files[0]));
    document.addEventListener('keydown', event => this.press(event));
    this.tabs = this.views.map(([name], i) => make('button', { type: 'button', role: 'tab', 'aria-controls': 'view', onclick: () => { this.current = i; this.show(); } }, name));
    byId('views').append(...this.tabs);
    this.show();
    this.showDetails();
  }

  // A field for each named size, of this report and of the other one.
  showSizes() {
    const form = document.getElementById('sizes'), names = Object.keys(this.sizes);
    form.hidden = !names.length;
    form.replaceChildren(...names.map(name => make('label', {}, name + ' = ', make('input', { type: 'number', min: 0, value: Number.isNaN(this.sizes[name]) ? '' : this.sizes[name],
      oninput: event => { this.setSize(name, event.target); this.summarize(); this.show(); this.showDetails(); } }))), make('span', { id: 'wrong-size', class: 'dim', role: 'status' }));
  }

  // Without a size, the quantities that need it are unknown.
  setSize(name, field) {
    const size = field.value === '' ? NaN : Number(field.value), isSize = Number.isSafeInteger(size) && size >= 0;
    const isWrong = !isSize && (field.value !== '' || field.validity.badInput);
    this.sizes[name] = isSize ? size : NaN;
    field.setAttribute('aria-invalid', String(isWrong));
    document.getElementById('wrong-size').textContent = isWrong ? `${name} is not an integer from 0 on` : '';
  }

  summarize() {
    const { report } = this, sum = get => report.kernels.reduce((total, kernel) => total + get(kernel), 0), count = report.kernels.length;
    const parts = [`${report.entry} for ${report.target}`, `${count} kernel${count === 1 ? '' : 's'}`, `${bytesText(sum(this.bytesOf))} read and written`, `${countText(sum(kernel => this.number(kernel.flops)))} flops`];
    if (report.memory) parts.push(`${bytesText(this.number(report.memory.peak))} of outputs and temporaries`);
    if (this.isMeasured) parts.push(`${secondsText(this.totalTime(report))} in kernels on ${report.machine}`);
    parts.push(report.compiler);
    document.getElementById('summary').textContent = parts.join(' \u00b7 ') + (report.sources.length ? '. This page contains the source.' : '');
  }

  show() {
    this.tabs.forEach((tab, i) => { tab.setAttribute('aria-selected', String(i === this.current)); tab.tabIndex = i === this.current ? 0 : -1; });
    const root = document.getElementById('view'), focus = document.activeElement?.dataset?.focus;
    root.replaceChildren();
    this.views[this.current][1].draw(root);
    if (focus) root.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  select(kernels) {
    this.selected = new Set(kernels);
    this.views[this.current][1].select(true);
    this.showDetails();
    document.getElementById('status').textContent = kernels.map(i => this.report.kernels[i].name).join(', ');
    if (kernels.length && innerWidth <= 800) document.getElementById('details').scrollIntoView();
  }

  press(event) {
    if (event.target.matches('input') && event.key !== 'Escape' || event.ctrlKey || event.metaKey || event.altKey) return;
    const view = this.views[this.current][1], order = view.order || this.report.kernels.map((_, i) => i).filter(i => this.matches(this.report.kernels[i]));
    const count = order.length, last = order.indexOf([...this.selected].pop());
    if (event.key === '/') { event.preventDefault(); document.getElementById('search').focus(); }
    else if (event.key === 'j' && count) this.select([order[Math.min(count - 1, last + 1)]]);
    else if (event.key === 'k' && count) this.select([order[Math.max(0, last - 1)]]);
    else if (event.key === 'Escape') { event.target.blur?.(); this.select([]); }
    else if (event.key >= '1' && event.key <= String(this.views.length)) { this.current = Number(event.key) - 1; this.show(); }
    else if (['ArrowLeft', 'ArrowRight'].includes(event.key) && event.target.matches('[role=tab]')) {
      this.current = (this.current + (event.key === 'ArrowRight' ? 1 : this.views.length - 1)) % this.views.length;
      this.show();
      this.tabs[this.current].focus();
    }
  }

  async compare(file) {
    if (!file) return;
    try {
      const data = new DOMParser().parseFromString(await file.text(), 'text/html').getElementById('data');
      if (!data) throw new Error('it is no report of tensorc');
      const other = await decode(data);
      if (other.format !== this.report.format) throw new Error('it is of another version');
      this.other = other;
      for (const name of namedSizes(other)) this.sizes[name] ??= 1024;
      this.showSizes();
    } catch (error) {
      alert(`${file.name} cannot be compared: ${error.message}`);
      return;
    }
    this.current = this.views.length - 1;
    this.show();
  }

  showDetails() {
    const box = document.getElementById('details');
    box.replaceChildren();
    if (!this.selected.size) { box.append(make('p', { class: 'dim' }, 'Select a kernel in the graph, in the table, or by its line.')); return; }
    if (this.selected.size > 1) {
      box.append(make('h2', {}, `${this.selected.size} kernels`), make('ul', {}, [...this.selected].map(i => make('li', {}, make('button', { type: 'button', class: 'link', onclick: () => this.select([i]) }, this.report.kernels[i].name)))));
      return;
    }
    const [index] = this.selected, kernel = this.report.kernels[index], loop = this.loopOf(kernel);
    const rows = [['kind', kernel.kind], ['branch', kernel.branch], ['ops', kernel.ops.join(' ')], ['nodes', kernel.nodes?.filter(node => !/^op\d+$/.test(node)).join(' ')],
      ['reads', `${kernel.inputs.join(' ')}: ${this.quantity(kernel.bytes_read, bytesText)}`], ['writes', `${kernel.outputs.join(' ')}: ${this.quantity(kernel.bytes_written, bytesText)}`],
      ['flops', this.quantity(kernel.flops, countText)], ['flops per byte', ratioText(this.number(kernel.flops) / this.bytesOf(kernel))], ['order', kernel.order], ['schedule', kernel.schedule], ['compiled as', kernel.compiled_as && kernel.compiled_as + ', whose body is equal'], ['key', kernel.key]];
    if (kernel.measured) rows.push(['measured', this.measuredText(kernel)], ['bound', kernel.measured.bound_seconds ? `${kernel.measured.bound}: ${secondsText(kernel.measured.bound_seconds)}, reached ${(100 * this.shareOf(kernel)).toFixed(0)} %` : 'unknown']);
    box.append(make('h2', {}, kernel.name), make('dl', {}, rows.filter(([, text]) => text).flatMap(([title, text]) => [make('dt', {}, title), make('dd', {}, text)])));
    if (kernel.lines.length) box.append(make('h3', {}, 'Lines'), make('p', {}, kernel.lines.map(([file, line]) => `${file}:${line}`).join(', ')));
    if (kernel.tried) box.append(make('h3', {}, 'Schedules that tuning tried'), make('table', { id: 'tried' }, make('tbody', {}, kernel.tried.map(({ schedule, seconds }) => make('tr', {}, make('td', {}, schedule), make('td', { class: 'number' }, secondsText(seconds)))))));
    if (kernel.why_not.length) box.append(make('h3', {}, 'Why its neighbours are not fused'), make('ul', {}, kernel.why_not.map(note => make('li', {}, note))));
    this.showNeighbours(box, index);
    this.showTexts(box, kernel, loop);
    if (!loop) return;
    box.append(make('h3', {}, 'Its loop'), make('p', {}, `${loop.name} is one function. ${loop.measured ? this.measuredText(loop) : ''}`));
    this.showTexts(box, loop);
  }

  measuredText({ measured }) { return `${secondsText(measured.seconds)} a launch, ${Number(measured.launches.toFixed(2))} in a run`; }

  showNeighbours(box, index) {
    const { nodes, edges } = this.report.graph, node = nodes.findIndex(each => each.kernel === index);
    const list = (title, others) => {
      if (!others.length) return;
      box.append(make('h3', {}, title), make('ul', {}, [...new Map(others.map(([id, edge]) => [id, edge]))].map(([id, edge]) => {
        const other = nodes[id], text = `${other.kind === 'kernel' ? '' : other.kind + ' '}${other.name}`;
        return make('li', {}, other.kernel === undefined ? text : make('button', { type: 'button', class: 'link', onclick: () => this.select([other.kernel]) }, text), `: ${edge.type}`);
      })));
    };
    list('Reads what these make', edges.filter(edge => edge.to === node).map(edge => [edge.from, edge]));
    list('Read by', edges.filter(edge => edge.from === node).map(edge => [edge.to, edge]));
  }

  // Assembly, in which a mark `# FILE:LINE` is followed by the text of that line.
  withSource(assembly) {
    const texts = Object.fromEntries(this.report.sources.map(({ name, text }) => [name, text.split('\n')]));
    return assembly.split('\n').flatMap(line => {
      const [, file, number] = line.match(/^# (.*):(\d+)$/) || [];
      if (!file) return [line + '\n'];
      const text = texts[file]?.[number - 1]?.trim();
      return [make('span', { class: 'mark' }, text ? `${number}: ${text}` : `${file}:${number}`), '\n'];
    });
  }

  // A kernel of a loop may have no code of its own.
  showTexts(box, kernel, loop) {
    const titles = { fuse: 'Ops', emit: 'Loops', lower: 'Lowered' };
    for (const { name, text } of kernel.texts)
      box.append(make('details', { ontoggle: event => { if (event.target.open && !event.target.querySelector('pre')) event.target.append(make('pre', { tabindex: 0 }, titles[name] ? this.report.texts[text] : this.withSource(this.report.texts[text]))); } },
        make('summary', {}, `${titles[name] || 'Assembly'} (${name})`)));
    if (!loop && !kernel.texts.some(({ name }) => !titles[name])) box.append(make('p', { class: 'dim' }, `The target ${this.report.target} prints no assembly of it.`));
  }
}

decode(document.getElementById('data')).then(report => {
  window.app = new App(report);
  window.app.start();
}, error => { document.getElementById('summary').textContent = 'The data of this report cannot be read: ' + error.message; });
