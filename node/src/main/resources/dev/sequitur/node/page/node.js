// The node itself: its health with what to do, links to its peers, its JVMs, how far it is behind, and charts.

import { html, useEffect, useState } from './lib/htm.js';
import { call, read, usePolled } from './calls.js';
import { Chart } from './chart.js';
import { Samples, parse, sum } from './metrics.js';
import { Ago, Chip, Facts, HEALTH, Problem, Sentences, Waiting, number } from './parts.js';

const EVERY = 2000;
const JVMS_EVERY = 5000;
const event = (label, name) => ({ label, figure: 'sequitur_transactions_total', labels: { event: name }, rate: true });

const CHARTS = [
  ['Transactions a second', [event('accepted', 'accepted'), event('confirmed', 'confirmed'), event('reverted', 'reverted')]],
  ['Transactions that have not ended', [{ label: 'open', figure: 'sequitur_transactions_open' }]],
  ['Messages sent a second', [{ label: 'messages', figure: 'sequitur_messages_sent_total', rate: true }]],
  ['Blocks yet to read', [{ label: 'blocks', figure: 'sequitur_ledger_blocks_behind' }]],
  ['Envelopes that wait for peers', [{ label: 'envelopes', figure: 'sequitur_transport_queued' }]],
  ['JSON-RPC calls a second', [{ label: 'calls', figure: 'sequitur_rpc_requests_total', rate: true }]],
  ['Memory of the JVM in MiB', [{ label: 'heap', figure: 'jvm_memory_used_bytes', labels: { area: 'heap' }, unit: 2 ** 20 }]],
];

export function Node() {
  const name = usePolled(() => call('transport_nodeName'), 0);
  const health = usePolled(async () => JSON.parse(await read('../health')), EVERY);
  const metrics = usePolled(async () => ({ at: Date.now(), figures: parse(await read('../metrics')) }), EVERY);
  return html`
    <h1>Node ${name.value ?? ''}</h1>
    <${Problem} of=${health.problem ?? name.problem} />
    ${!health.value && !health.problem && html`<${Waiting} for="health" />`}
    ${health.value && html`<${Health} health=${health.value} figures=${metrics.value?.figures ?? []} />`}
    <${Jvms} />
    <h2>Charts</h2>
    <${Problem} of=${health.problem ? undefined : metrics.problem} />
    ${metrics.value && html`<${Charts} seen=${metrics.value} />`}
    <p class="quiet">Since this page was opened, of the JVM that answered. All figures are at <code>/metrics</code>.</p>`;
}

function Health({ health, figures }) {
  const head = health.ledger.head;
  return html`
    <p class="lead" id="health"><${Chip} kind=${HEALTH[health.status]}>${health.status}<//>
      ${health.ready ? ' Calls can succeed.' : ' Calls cannot succeed now.'}
      ${health.live ? '' : ' The process has to be started anew.'}</p>
    <${Sentences} of=${health.troubles} title="What to look at" />
    <${Sentences} of=${health.remarks} title="Remarks" />
    <${Facts}
      of=${{
        'Block read': number(health.blockHeight),
        "Ledger's newest block": health.ledger.reachable ? number(head) : html`<${Chip} kind="bad">not reachable<//>`,
        'Privacy groups': number(health.groups),
        'Connections of callers': sum(figures, 'sequitur_rpc_connections'),
        'Messages dropped': sum(figures, 'sequitur_messages_dropped_total'),
        'Schedules waiting': sum(figures, 'sequitur_schedule_open'),
        'Schedules overdue by': overdue(sum(figures, 'sequitur_schedule_overdue_seconds')),
      }}
    />
    <h2>Peers</h2>
    ${health.peers.length === 0
      ? html`<p class="quiet">This node has no peers.</p>`
      : html`<table>
          <thead><tr><th>Node</th><th>Link</th><th>Trouble</th></tr></thead>
          <tbody>
            ${health.peers.map(
              (peer) => html`
                <tr key=${peer.node}>
                  <th scope="row">${peer.node}</th>
                  <td><${Chip} kind=${peer.link === 'not connected' ? 'bad' : 'good'}>${peer.link}<//></td>
                  <td>${peer.trouble ?? ''}</td>
                </tr>`,
            )}
          </tbody>
        </table>`}`;
}

/** One bar for each JVM: how many shards of all kinds it has; what is to go or to come is marked. */
function Jvms() {
  const { value, problem } = usePolled(() => call('node_jvms'), JVMS_EVERY);
  const most = Math.max(1, ...(value ?? []).map((jvm) => total(jvm, 'shards') + total(jvm, 'toCome')));
  return html`
    <h2>JVMs</h2>
    <${Problem} of=${problem} />
    ${value && html`
      <ul class="jvms" id="jvms">
        ${value.map((jvm) => html`<${Jvm} key=${jvm.jvm} jvm=${jvm} most=${most} />`)}
      </ul>`}`;
}

const total = (jvm, what) => (jvm.kinds ?? []).reduce((sum, kind) => sum + kind[what], 0);

function Jvm({ jvm, most }) {
  const stays = total(jvm, 'shards') - total(jvm, 'toGo');
  const goes = total(jvm, 'toGo');
  const comes = total(jvm, 'toCome');
  const wide = (shards) => ({ width: `${(100 * shards) / most}%` });
  return html`
    <li>
      <p><strong>${jvm.jvm.replace(/^akka:\/\/[^@]*@/, '')}</strong>
        <${Chip} kind=${jvm.answers && jvm.state === 'up' ? 'good' : 'warn'}>${jvm.answers ? jvm.state : 'does not answer'}<//>
        ${jvm.asked && html`<${Chip}>answers this page<//>`}
        ${jvm.singletons?.map((name) => html`<${Chip}>${name}<//>`)}</p>
      ${jvm.answers && html`
        <div class="bar" role="img" aria-label="${stays} shards stay, ${goes} are to go, ${comes} are to come">
          <span class="stays" style=${wide(stays)}></span><span class="goes" style=${wide(goes)}></span><span class="comes" style=${wide(comes)}></span>
        </div>
        <p class="quiet">${number(total(jvm, 'shards'))} shards${goes > 0 && `, ${number(goes)} to go`}${comes > 0 && `, ${number(comes)} to come`};
          ${jvm.kinds.filter(({ entities }) => entities > 0).map(({ kind, entities }) => ` ${number(entities)} ${kind}`).join(',') || ' nothing'} in memory;
          ${number(jvm.received)} envelopes in, ${number(jvm.sent)} out; ${number(Math.round(jvm.writeMillis / 1000))} s of writes; joined <${Ago} at=${jvm.joined} /></p>`}
    </li>`;
}

const overdue = (seconds) => (seconds === undefined ? undefined : `${number(Math.round(seconds))} s`);

function Charts({ seen }) {
  const [all] = useState(() => CHARTS.map(([title, lines]) => ({ title, samples: new Samples(lines) })));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    all.forEach(({ samples }) => samples.add(seen.at, seen.figures));
    setTurn(seen.at);
  }, [seen.at]);
  return html`
    <div class="charts">
      ${all
        .filter(({ samples }) => samples.lines.some((line) => sum(seen.figures, line.figure) !== undefined))
        .map(({ title, samples }) => html`<${Chart} key=${title} title=${title} samples=${samples} turn=${turn} />`)}
    </div>`;
}
