// What needs attention: health in words, what is stuck and for whom, what failed, who coordinates, what runs next.

import { html } from './lib/htm.js';
import { call, now, read, usePolled } from './calls.js';
import { Coordinators } from './contract.js';
import { Chip, HEALTH, Problem, Sentences, Waiting, number } from './parts.js';
import { Rows } from './rows.js';
import { QUEUE, columns, list } from './schedules.js';
import { FailedRows, OpenRows, STUCK_AFTER, failed, open } from './transactions.js';

const EVERY = 5000;
const FEW = 10;

export function Overview() {
  const health = usePolled(async () => JSON.parse(await read('../health')), EVERY);
  const waiting = usePolled(() => open({}), EVERY);
  const ended = usePolled(() => failed(FEW), EVERY);
  const groups = usePolled(() => call('pgroup_queryGroups', { limit: FEW, sort: ['name'] }), EVERY);
  const stuck = waiting.value?.filter(({ created }) => now() - Date.parse(created) > STUCK_AFTER);
  return html`
    <h1>Overview</h1>
    <${Problem} of=${health.problem} />
    ${!health.value && !health.problem && html`<${Waiting} for="health" />`}
    ${health.value && html`<${InWords} health=${health.value} />`}
    <h2>Waits for longer than a minute</h2>
    <${Problem} of=${waiting.problem} />
    ${stuck && html`<p id="stuck" role="status">${stuck.length === 0
      ? html`<span class="quiet">Nothing does. ${open_(waiting.value)}</span>`
      : html`<${Chip} kind="warn">${number(stuck.length)}<//> of ${open_(waiting.value)}`}</p>`}
    ${stuck?.length > 0 && html`<${OpenRows} rows=${stuck.slice(0, FEW)} /><p><a href="#/transactions?show=open">All that have not ended</a></p>`}
    <h2>Failed last</h2>
    <${Problem} of=${ended.problem} />
    ${ended.value?.length === 0 && html`<p class="quiet" id="failed">Nothing has failed lately.</p>`}
    ${ended.value?.length > 0 && html`<${FailedRows} rows=${ended.value} /><p><a href="#/transactions?show=failed">All that have failed</a></p>`}
    <h2>Who coordinates</h2>
    <${Problem} of=${groups.problem} />
    ${groups.value?.length === 0 && html`<p class="quiet">This node is in no privacy group yet: pgroup_createGroup makes one.</p>`}
    ${groups.value?.length > 0 && html`<${Coordinators} of=${groups.value} /><p><a href="#/contracts">All contracts</a></p>`}
    <${Next} />`;
}

const open_ = (rows) => `${number(rows.length)} transaction${rows.length === 1 ? ' has' : 's have'} not ended.`;

const InWords = ({ health }) => html`
  <p class="lead" id="health"><${Chip} kind=${HEALTH[health.status]}>${health.status}<//>
    ${health.ready ? ' Calls can succeed.' : ' Calls cannot succeed now.'}</p>
  <${Sentences} of=${health.troubles} title="What to look at" />
  <${Sentences} of=${health.remarks} title="Remarks" />`;

/** Of the default queue; a node without schedules says nothing of them. */
function Next() {
  const { value, problem } = usePolled(() => list({ queue: QUEUE }), 2 * EVERY);
  const next = value?.schedules.filter(({ next: at }) => at).slice(0, FEW);
  return html`
    <h2>What runs next</h2>
    <${Problem} of=${problem} />
    ${next?.length === 0 && html`<p class="quiet">Nothing waits in the queue ${QUEUE}.</p>`}
    ${next?.length > 0 && html`
      <${Rows} label="Schedules, the next to run first" rows=${next} columns=${columns(QUEUE)} id=${({ id }) => id} />
      <p><a href="#/schedules">All schedules</a></p>`}`;
}
