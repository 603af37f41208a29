// The states of a private transaction, the present one lit, and what may happen in it.

import { html } from './lib/htm.js';
import { call, usePolled } from './calls.js';

const END = ['Confirmed', 'Reverted'];

/** In the order in which a transaction without trouble goes through them: as the node tells of them first. */
const states = (moves) => [...new Set(moves.flatMap(({ from }) => from))].filter((state) => !END.includes(state)).concat(END);

const words = (event) => event.toLowerCase().replaceAll('_', ' ');

export function States({ present }) {
  const { value: moves } = usePolled(() => call('sequencer_getStates'), 0);
  if (!moves) return null;
  const next = moves.filter(({ from }) => from === present);
  return html`
    <ol class="states" aria-label="States">
      ${states(moves).map(
        (state) => html`<li class=${state === present ? 'present' : ''} aria-current=${state === present ? 'step' : undefined}>${state}</li>`,
      )}
    </ol>
    ${next.length > 0 &&
    html`
      <details>
        <summary>What may happen now</summary>
        <table>
          <thead><tr><th>Event</th><th>State then</th><th>Note</th></tr></thead>
          <tbody>
            ${next.map(({ event, to, note }) => html`<tr><th scope="row">${words(event)}</th><td>${to}</td><td>${note}</td></tr>`)}
          </tbody>
        </table>
      </details>`}`;
}
