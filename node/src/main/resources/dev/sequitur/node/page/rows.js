// A list of any length, of which only the rows that are seen are there.

import { html, useEffect, useRef, useState } from './lib/htm.js';

/** As page.css has it, also for narrow windows. */
const NARROW = matchMedia('(max-width: 40rem)');
const height = () => (NARROW.matches ? 130 : 34);
const BEYOND = 12;

/**
 * @param columns `[[title, cell(row), width]]`; without a width a column takes its share
 * @param id of a row
 * @param more called when the end comes near
 */
export function Rows({ label, rows, columns, id, more }) {
  const box = useRef();
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  // Who has gone to another page meanwhile looks at it no more.
  const look = () => box.current && setSeen({ top: box.current.scrollTop, height: box.current.clientHeight });
  useEffect(() => {
    look();
    const sized = new ResizeObserver(look);
    sized.observe(box.current);
    return () => sized.disconnect();
  }, []);
  const HEIGHT = height();
  const first = Math.max(0, Math.floor(seen.top / HEIGHT) - BEYOND);
  const end = Math.min(rows.length, Math.ceil((seen.top + seen.height) / HEIGHT) + BEYOND);
  useEffect(() => {
    if (end + BEYOND >= rows.length) more?.();
  }, [end, rows.length]);
  const widths = columns.map(([, , width]) => width ?? 'minmax(6rem, 1fr)').join(' ');
  return html`
    <div class="rows" role="table" aria-label=${label} aria-rowcount=${rows.length + 1} style=${{ '--widths': widths }}>
      <div class="row head" role="row" aria-rowindex="1">
        ${columns.map(([title]) => html`<div role="columnheader">${title}</div>`)}
      </div>
      <div class="box" role="rowgroup" tabindex="0" aria-label=${label} ref=${box} onScroll=${look}
        style=${{ maxHeight: `${rows.length * HEIGHT + 2}px` }}>
        <div style=${{ height: `${rows.length * HEIGHT}px`, paddingTop: `${first * HEIGHT}px` }}>
          ${rows.slice(first, end).map(
            (row, i) => html`
              <div class="row" role="row" aria-rowindex=${first + i + 2} key=${id(row)}>
                ${columns.map(([title, cell]) => html`<div role="cell" key=${title}>${cell(row)}</div>`)}
              </div>`,
          )}
        </div>
      </div>
    </div>`;
}
