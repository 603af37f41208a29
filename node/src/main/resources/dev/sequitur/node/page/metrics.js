// Prometheus' text, and what has become of its figures since the page was opened.

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** `[{name, labels, value}]`. */
export function parse(text) {
  return text.split('\n').flatMap((line) => {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, labels: Object.fromEntries([...(labels ?? '').matchAll(LABEL)].map(([, l, v]) => [l, v])), value: Number(value) }];
  });
}

/** The sum of a figure over all of its labels but those named; undefined if the node has no such figure. */
export function sum(figures, name, wanted = {}) {
  const of = figures.filter(
    (figure) => figure.name === name && Object.entries(wanted).every(([l, v]) => figure.labels[l] === v),
  );
  return of.length === 0 ? undefined : of.reduce((total, { value }) => total + value, 0);
}

const MOST = 600;

/** Keeps the newest samples: `add(at, figures)`, `times`, `columns` in the order of `lines`. */
export class Samples {
  constructor(lines) {
    this.lines = lines;
    this.times = [];
    this.columns = lines.map(() => []);
    this.last = undefined;
  }

  add(at, figures) {
    const seen = this.lines.map(({ figure, labels, unit = 1 }) => {
      const value = sum(figures, figure, labels);
      return value === undefined ? undefined : value / unit;
    });
    const { last } = this;
    this.last = { at, seen };
    if (this.lines.some(({ rate }) => rate) && !last) return;
    this.times.push(at / 1000);
    this.lines.forEach(({ rate }, i) => this.columns[i].push(rate ? perSecond(last, at, seen, i) : (seen[i] ?? null)));
    if (this.times.length > MOST) [this.times, ...this.columns].forEach((column) => column.shift());
  }
}

/** A counter that is smaller than before began anew with its process. */
function perSecond(last, at, seen, i) {
  if (seen[i] === undefined || last.seen[i] === undefined || seen[i] < last.seen[i]) return null;
  return (seen[i] - last.seen[i]) / ((at - last.at) / 1000);
}
