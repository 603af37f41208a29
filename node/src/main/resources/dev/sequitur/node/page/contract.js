// Who coordinates a contract now and next, why, who is away, and what is in flight.

import { html } from './lib/htm.js';
import { call, read, usePolled } from './calls.js';
import { Ago, Chip, Countdown, Facts, Id, Problem, Waiting, number } from './parts.js';
import { Ring } from './ring.js';

const GROUPS = 200;

const queryGroups = () => call('pgroup_queryGroups', { limit: GROUPS, sort: ['name'] });

/** All contracts of the node. */
export function Contracts() {
  const { value, problem } = usePolled(queryGroups, 5000);
  return html`
    <h1>Contracts</h1>
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="the privacy groups" />`}
    ${value && value.length === 0 && html`<p>This node is in no privacy group yet: pgroup_createGroup makes one.</p>`}
    ${value?.length > 0 &&
    html`
      <${Coordinators} of=${value} />
      ${value.length === GROUPS && html`<p class="quiet">The first ${GROUPS} by name.</p>`}`}`;
}

/** Who coordinates each of some groups now. */
export const Coordinators = ({ of }) => html`
  <div class="wide"><table>
    <thead><tr><th>Group</th><th>Domain</th><th>Contract</th><th>Coordinator now</th><th>Members</th></tr></thead>
    <tbody>${of.map((group) => html`<${Row} key=${group.id} group=${group} />`)}</tbody>
  </table></div>`;

function Row({ group }) {
  const at = group.contractAddress;
  const { value } = usePolled(() => at && call('sequencer_getCoordinator', at), 2000, at);
  return html`
    <tr>
      <th scope="row">${at ? html`<a href="#/contract/${at}">${group.name || at}</a>` : group.name}</th>
      <td>${group.domain}</td>
      <td>${at ? html`<${Id} of=${at} />` : html`<${Chip} kind="warn">not confirmed yet<//>`}</td>
      <td>${value?.coordinator ?? ''}</td>
      <td>${group.members.length}</td>
    </tr>`;
}

/** One contract. */
export function Contract({ at }) {
  const group = usePolled(() => call('pgroup_getGroupByAddress', at), 0, at);
  const now = usePolled(() => call('sequencer_getCoordinator', at), 1000, at);
  const range = now.value?.range;
  const ring = usePolled(() => call('sequencer_getRing', at), 0, at, range);
  const status = usePolled(() => call('sequencer_getStatus', at), 3000, at);
  const health = usePolled(async () => JSON.parse(await read('../health')), 2000);
  if (now.value === null) {
    return html`<h1>Contract</h1><p class="problem" role="alert">This node is in no privacy group of the contract ${at}.</p>`;
  }
  return html`
    <h1>${group.value?.name || 'Contract'}</h1>
    <${Problem} of=${now.problem ?? status.problem ?? ring.problem} />
    <${Facts}
      of=${{
        Contract: html`<code>${at}</code>`,
        Domain: group.value?.domain,
        Transactions: html`<a href="#/transactions?to=${at}">of this node</a>`,
      }}
    />
    ${!now.value && !now.problem && html`<${Waiting} for="the coordinator" />`}
    ${now.value &&
    html`
      <${Sentence} now=${now.value} ring=${ring.value} />
      <div class="beside">
        ${ring.value && html`<${Ring} ring=${ring.value} chosen=${now.value.coordinator} />`}
        <${Members} now=${now.value} ring=${ring.value} status=${status.value} peers=${health.value?.peers ?? []} />
      </div>
      ${ring.value && html`<${Ranges} now=${now.value} ring=${ring.value} />`}`}
    ${status.value?.lacking && html`<p class="problem" role="alert">${status.value.lacking.why}</p>`}
    ${status.value && html`<${InFlight} status=${status.value} />`}`;
}

const nodeOf = (identity) => identity.slice(identity.lastIndexOf('@') + 1);

/** Who does it, and for how long. */
function Sentence({ now, ring }) {
  const next = ring?.ranges.find((range) => range.range === now.range + 1);
  const first = (now.range + 1) * now.rangeSize;
  return html`
    <p class="lead" id="coordinator" aria-live="polite">
      <strong>${now.coordinator}</strong> coordinates at block ${number(now.blockHeight)}.
      ${next && html` From block ${number(first)} on, in ${number(first - now.blockHeight)} blocks,
        <strong> ${nodeOf(next.ranking[0])}</strong> will, if it is available.`}
    </p>`;
}

function Members({ now, ring, status, peers }) {
  const color = (identity) => ring?.members.findIndex((member) => member.identity === identity) ?? -1;
  const heard = (node) => status?.heartbeats.filter((beat) => beat.from === node) ?? [];
  const link = (node) => peers.find((peer) => peer.node === node);
  let taken = false;
  return html`
    <div class="wide"><table class="members">
      <caption>
        ${`The ranking of blocks ${number(now.range * now.rangeSize)} to ${number((now.range + 1) * now.rangeSize - 1)}`}
      </caption>
      <thead><tr><th>Rank</th><th>Member</th><th>Now</th><th>Heard</th><th>Why</th></tr></thead>
      <tbody>
        ${now.ranking.map((member) => {
          const node = nodeOf(member.identity);
          const chosen = !taken && node === now.coordinator;
          taken ||= chosen;
          return html`
            <tr key=${member.identity} class=${chosen ? 'chosen' : ''}>
              <td>${member.rank}</td>
              <th scope="row"><span class="swatch m${color(member.identity) % 8}"></span>${member.identity}</th>
              <td><${Standing} member=${member} chosen=${chosen} link=${link(node)} /></td>
              <td>${heard(node).map((beat) => html`<div>${beat.kind} <${Ago} at=${beat.lastSeen} /></div>`)}</td>
              <td>${member.reason}</td>
            </tr>`;
        })}
      </tbody>
    </table></div>`;
}

function Standing({ member, chosen, link }) {
  return html`
    ${chosen
      ? html`<${Chip} kind="good">coordinates<//>`
      : html`<${Chip} kind=${member.available ? '' : 'bad'}>${member.available ? 'available' : 'away'}<//>`}
    ${link?.link === 'not connected' && html` <${Chip} kind="warn">no connection<//>`}
    ${member.awayUntil && html`<div class="quiet">tried again in <${Countdown} until=${member.awayUntil} /></div>`}`;
}

/** The present range of blocks, with how much of it is done, and those that follow. */
function Ranges({ now, ring }) {
  const done = now.blockHeight - now.range * now.rangeSize + 1;
  return html`
    <h2>Ranges of blocks</h2>
    <ol class="ranges">
      ${ring.ranges.map((range, index) => {
        const member = ring.members.findIndex(({ identity }) => identity === range.ranking[0]);
        return html`
          <li key=${range.range} class="m${member % 8}">
            <span class="quiet">from ${number(range.range * ring.rangeSize)}</span>
            <strong>${nodeOf(range.ranking[0])}</strong>
            ${index === 0 &&
            html`<progress max=${ring.rangeSize} value=${done} aria-label="Blocks of this range that are there">
              ${done} of ${ring.rangeSize}</progress>`}
          </li>`;
      })}
    </ol>
    <p class="quiet">Who is nearest to the point of each range. One that is away is passed over, and the others keep their order.</p>`;
}

const Counts = ({ of }) =>
  of.length === 0
    ? html`<span class="quiet">nothing</span>`
    : of.map(({ state, transactions }) => html`<${Chip} key=${state}>${state} ${number(transactions)}<//> `);

function InFlight({ status }) {
  const { sender, coordinator } = status;
  const sent = sender.counted.reduce((sum, { transactions }) => sum + transactions, 0);
  return html`
    <h2>In flight, as ${status.node} sees it</h2>
    ${sender.holdOff &&
    html`<p class="warning" role="status">
      Held off: ${sender.holdOff}
      ${sender.holdOffUntil && html` It ends in <${Countdown} until=${sender.holdOffUntil} /> at the latest.`}
    </p>`}
    <${Facts}
      of=${{
        'As sender': html`<${Counts} of=${sender.counted} />`,
        'As coordinator': html`<${Counts} of=${coordinator.counted} />`,
        'Coordinator is': coordinator.state,
        Locks: number(coordinator.locked),
      }}
    />
    ${sender.oldest.length > 0 &&
    html`
      <div class="wide"><table id="oldest">
        <caption>The oldest that are under way</caption>
        <thead><tr><th>Transaction</th><th>Accepted</th><th>State</th><th>Up to</th><th>Waits for</th></tr></thead>
        <tbody>
          ${sender.oldest.map(
            (each) => html`
              <tr key=${each.transaction}>
                <th scope="row"><a class="id" href="#/transaction/${each.transaction}">${each.transaction}</a></th>
                <td><${Ago} at=${each.accepted} /></td>
                <td>${each.state}</td>
                <td>${each.nodes.join(', ')}</td>
                <td>${each.waitsFor}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>`}
    ${sender.transactions.length > 0 &&
    html`
      <div class="wide"><table>
        <caption>What its transactions wait for${sent > sender.transactions.length
            ? `, ${sender.transactions.length} of ${number(sent)}`
            : ''}</caption>
        <thead><tr><th>Transaction</th><th>State</th><th>At</th><th>Waits for</th><th>Tries before</th></tr></thead>
        <tbody>
          ${sender.transactions.map(
            (each) => html`
              <tr key=${each.transaction}>
                <th scope="row"><a class="id" href="#/transaction/${each.transaction}">${each.transaction}</a></th>
                <td>${each.state}</td>
                <td>${each.submitter ?? each.delegate ?? ''}</td>
                <td>${each.waitsFor}</td>
                <td>${each.attempts}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>`}`;
}
