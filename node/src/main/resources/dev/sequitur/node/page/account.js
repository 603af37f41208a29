// An account of a queue: what it has, and what has made it so.

import { html, useState } from './lib/htm.js';
import { call, usePolled } from './calls.js';
import { Chip, Facts, Id, Moment, Problem, Waiting } from './parts.js';
import { QUEUE } from './schedules.js';

const PAGE = 200;
const KINDS = { funded: 'good', received: 'good' };
const SIGNS = { funded: '+', received: '+', 'set-aside': '', 'given-back': '' };
const at = (queue, id) => `#/schedule/${encodeURIComponent(id)}?queue=${encodeURIComponent(queue)}`;

export function Account({ name, query }) {
  const queue = query.get('queue') ?? QUEUE;
  const [days, setDays] = useState(30);
  const [from, setFrom] = useState(0);
  const since = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const { value, problem } = usePolled(
    () => call('schedule_getStatement', { account: name, queue, from, limit: PAGE, since: `${since}T00:00:00Z` }), 5000, name, queue, days, from);
  return html`
    <h1>Account ${name}</h1>
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="the account" />`}
    <p><label for="days">Days</label> <input id="days" type="number" min="1" max="3650" defaultValue=${days}
      onChange=${({ target }) => { setFrom(0); setDays(Math.max(1, Number(target.value) || 1)); }} /></p>
    ${value && html`
      <${Facts} of=${{
        Queue: queue,
        'Can spend': value.available,
        'Set aside': value.held,
        Schedules: html`<a href="#/schedules?queue=${encodeURIComponent(queue)}&owner=${encodeURIComponent(name)}">those that it owns</a>`,
      }} />
      ${value.forgotten && html`<p class="quiet">Older lines are no longer kept.</p>`}
      ${value.broughtForward && html`<p>Before these lines it had ${value.broughtForward}.</p>`}
      <div class="wide"><table id="statement">
        <caption>Since ${since}, the oldest first</caption>
        <thead><tr><th>Time</th><th>Kind</th><th>Amount</th><th>With</th><th>Schedule</th><th>What</th></tr></thead>
        <tbody>
          ${value.lines.map((line) => html`
            <tr>
              <th scope="row"><${Moment} at=${line.at} /></th>
              <td><${Chip} kind=${KINDS[line.kind]}>${line.kind}<//></td>
              <td>${(SIGNS[line.kind] ?? '-') + line.amount}</td>
              <td>${line.with}</td>
              <td>${line.schedule && html`<${Id} of=${line.schedule} to=${at(queue, line.schedule)} />`}</td>
              <td>${line.what}</td>
            </tr>`)}
        </tbody>
      </table></div>
      ${value.lines.length === 0 && html`<p class="quiet">Nothing has moved its money here.</p>`}
      ${value.next > from && html`<p><button onClick=${() => setFrom(value.next)}>Go on</button></p>`}`}`;
}
