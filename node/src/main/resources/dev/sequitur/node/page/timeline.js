// When schedules are due: a time line in bars, and a calendar.

import { html } from './lib/htm.js';
import { now } from './calls.js';
import { clock, number } from './parts.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WIDTH = 720;
const HEIGHT = 90;
const LABELS = 6;

export const SPANS = { hour: ['The next hour', 60, MINUTE], day: ['The next day', 48, 30 * MINUTE], month: ['The next 30 days', 30, DAY] };

/** How many are due in each part of the span; those that are late count to the first. */
export function counted(times, from, count, width) {
  const bars = new Array(count).fill(0);
  times.forEach((time) => {
    const at = Math.max(0, Math.floor((time - from) / width));
    if (at < count) bars[at] += 1;
  });
  return bars;
}

export function Timeline({ times, span }) {
  const [title, count, width] = SPANS[span];
  const from = Math.floor(now() / MINUTE) * MINUTE;
  const bars = counted(times, from, count, width);
  const most = Math.max(1, ...bars);
  const wide = WIDTH / count;
  const when = (i) => clock(new Date(from + i * width));
  const label = (i) => {
    const at = new Date(from + i * width);
    return width < DAY ? at.toLocaleTimeString('en-GB').slice(0, 5) : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  };
  return html`
    <div class="wide">
      <svg class="timeline" width=${WIDTH} height=${HEIGHT + 24} viewBox="0 0 ${WIDTH} ${HEIGHT + 24}" role="img"
        aria-label="${title}: ${number(bars.reduce((a, b) => a + b, 0))} are due, at most ${number(most)} at once.">
        ${bars.map(
          (bar, i) => html`
            <rect x=${i * wide} width=${wide - 1} y=${HEIGHT - (bar / most) * HEIGHT} height=${(bar / most) * HEIGHT}>
              <title>${when(i)}: ${number(bar)}</title>
            </rect>`,
        )}
        <path d="M0 ${HEIGHT}H${WIDTH}" />
        ${Array.from({ length: LABELS }, (_, i) => {
          const at = Math.floor((i * count) / LABELS);
          return html`<text x=${at * wide} y=${HEIGHT + 17}>${label(at)}</text>`;
        })}
      </svg>
    </div>`;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WEEKS = 5;

/** The day of a time where the browser is: 2026-11-25. */
export const dayOf = (time) => new Date(time).toLocaleDateString('en-CA');

/** Five weeks from this week's Monday on; a day leads to what is due on it. */
export function Calendar({ times, link, chosen }) {
  const today = new Date(now());
  const monday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - ((today.getDay() + 6) % 7));
  const due = new Map();
  times.forEach((time) => due.set(dayOf(time), (due.get(dayOf(time)) ?? 0) + 1));
  const days = Array.from({ length: WEEKS * 7 }, (_, i) =>
    dayOf(new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() + i)));
  return html`
    <table class="calendar">
      <caption>Due by day, where you are</caption>
      <thead><tr>${WEEKDAYS.map((day) => html`<th scope="col">${day}</th>`)}</tr></thead>
      <tbody>
        ${Array.from({ length: WEEKS }, (_, week) => html`
          <tr>
            ${days.slice(week * 7, week * 7 + 7).map((day) => html`
              <td class="${day === dayOf(today) ? 'today' : ''} ${day === chosen ? 'chosen' : ''}">
                <span class="quiet">${day.slice(8)}</span>
                ${due.has(day) && html` <a href=${link(day)} aria-label="${number(due.get(day))} on ${day}">${number(due.get(day))}</a>`}
              </td>`)}
          </tr>`)}
      </tbody>
    </table>`;
}
