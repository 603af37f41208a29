// A list of any length, of which only the rows that are seen are there.

import { html, useEffect, useRef, useState } from './lib/htm.js';

/** As page.css has it, also for narrow windows. */
const NARROW = matchMedia('(max-width: 40rem)');
const height = () => (NARROW.matches ? 102 : 34);
const BEYOND = 12;

/**
 * @param columns `[[title, cell(row)]]`
 * @param id of a row
 * @param more called when the end comes near
 * @param widths of the first column, if that is not as wide as a whole id, and of the last, if that is not as wide as the others
 */
export function Rows({ label, rows, columns, id, more, widths: [firstWidth, lastWidth] = [] }) {
  const box = useRef();
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const look = () => setSeen({ top: box.current.scrollTop, height: box.current.clientHeight });
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
  const column = { '--columns': columns.length, ...(firstWidth && { '--first': firstWidth }), ...(lastWidth && { '--last': lastWidth }) };
  return html`
    <div class="rows" role="table" aria-label=${label} aria-rowcount=${rows.length + 1} style=${column}>
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
