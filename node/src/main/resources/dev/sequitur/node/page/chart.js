// One chart of a few lines over time.

import { html, useEffect, useRef } from './lib/htm.js';
import uPlot from './lib/uplot.js';

const HEIGHT = 170;
const COLORS = ['--m0', '--m1', '--m2', '--m3'];

function options(title, lines, width, style) {
  const color = (name) => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--quiet'), grid: { stroke: color('--line') }, ticks: { stroke: color('--line') } };
  return {
    title,
    width,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [axis, { ...axis, size: 62 }],
    series: [{}, ...lines.map(({ label }, i) => ({ label, stroke: color(COLORS[i % COLORS.length]), width: 2 }))],
  };
}

/** Draws the samples as they are; `turn` differs when there are more. */
export function Chart({ title, samples, turn }) {
  const place = useRef();
  const chart = useRef();
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      chart.current?.destroy();
      const width = Math.max(280, place.current.clientWidth);
      const data = [samples.times, ...samples.columns];
      chart.current = new uPlot(options(title, samples.lines, width, getComputedStyle(place.current)), data, place.current);
    };
    draw();
    const sized = new ResizeObserver(([{ contentRect }]) =>
      chart.current.setSize({ width: Math.max(280, contentRect.width), height: HEIGHT }));
    sized.observe(place.current);
    dark.addEventListener('change', draw);
    return () => {
      sized.disconnect();
      dark.removeEventListener('change', draw);
      chart.current.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData([samples.times, ...samples.columns]), [turn]);
  const latest = samples.lines
    .map(({ label }, i) => `${label} ${(samples.columns[i].at(-1) ?? 0).toLocaleString('en', { maximumFractionDigits: 1 })}`)
    .join(', ');
  return html`<figure class="chart" ref=${place} role="img" aria-label="${title}: ${latest}"></figure>`;
}
