// One schedule: why it has not run, what its owner can do to it, when it runs next, how full that time is, what became of each of its times.

import { html } from './lib/htm.js';
import { call, useGranted, usePolled } from './calls.js';
import { Chip, Countdown, Facts, Id, Moment, Problem, Waiting, number } from './parts.js';
import { words } from './outcome.js';
import { Labels, QUEUE, State } from './schedules.js';
import { DEEDS, Deeds } from './steering.js';

const NEWEST = 200;
const TIMES = 10;
const KINDS = { run: 'good', failed: 'bad', missed: 'warn', expired: 'warn' };

export function Schedule({ id, query }) {
  const queue = query.get('queue') ?? QUEUE;
  const { value: it, problem } = usePolled(() => call('schedule_get', id, queue), 2000, id, queue);
  const explained = usePolled(() => call('schedule_explain', id, queue), 2000, id, queue);
  if (it === null) {
    return html`<h1>Schedule</h1>
      <p class="problem" role="alert">The queue ${queue} has no schedule ${id}, or its outcome is no longer kept.</p>`;
  }
  return html`
    <h1>Schedule</h1>
    <${Problem} of=${problem ?? explained.problem} />
    ${!it && !problem && html`<${Waiting} for="the schedule" />`}
    ${it && html`<${Standing} it=${it} queue=${queue} explained=${explained.value} />`}
    ${it?.family === 'multi-signature' && it.state === 'waiting' && html`<${Approvals} id=${it.id} queue=${queue} />`}
    ${it?.next && html`<${NextTimes} id=${it.id} queue=${queue} />`}
    ${it?.next && html`<${Forecast} family=${it.family} at=${it.next} queue=${queue} />`}
    ${explained.value?.history.length > 0 && html`<${History} of=${explained.value.history} />`}`;
}

function Standing({ it, queue, explained }) {
  const may = useGranted(DEEDS, it.owner, queue);
  return html`
  <p class="lead" id="why" aria-live="polite"><${State} of=${it} /> ${explained?.why}</p>
  <${Deeds} it=${it} queue=${queue} may=${may} key=${`${it.state}/${it.occurrence}/${it.interventions?.length}`} />
  <${Facts}
    of=${{
      For: it.description,
      Labels: it.labels && html`<${Labels} of=${it.labels} queue=${queue} />`,
      Id: html`<code>${it.id}</code>`,
      Queue: queue,
      Family: it.family,
      Owner: it.owner && html`<a href="#/account/${encodeURIComponent(it.owner)}?queue=${encodeURIComponent(queue)}">${it.owner}</a>`,
      'Due next': it.next && html`<${Moment} at=${it.next} />`,
      In: it.next && html`<${Countdown} until=${it.next} />`,
      'Runs a transaction': explained?.transaction &&
        html`<${Id} of=${explained.transaction} to="#/transaction/${explained.transaction}" />`,
      'If it is late': it.late,
      Tries: it.maxAttempts,
    }}
  />
  ${it.interventions && html`<${Interventions} of=${it.interventions} />`}
  ${it.terms && html`<details><summary>Terms and what it does</summary><pre>${JSON.stringify({ terms: it.terms, target: it.target }, null, 2)}</pre></details>`}`;
}

/** Who pays whom what, who has agreed, and what the others type: keys are with those who sign, and not in a page. */
function Approvals({ id, queue }) {
  const { value, problem } = usePolled(() => call('multiSignature_scheduleGetInfo', id, queue), 2000, id, queue);
  const missing = value?.approvals.filter(({ given }) => !given).length;
  return html`
    <h2>What is to be approved</h2>
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="who is to approve it" />`}
    ${value && html`
      <${Action} does=${value.does} />
      <${Facts}
        of=${{
          'Made by': value.creatorAccountID,
          'Pays for its run': value.payerAccountID,
          'It says': value.memo,
          'About it': value.scheduleMemo,
          'Runs': value.waitForExpiry ? 'at its time, if enough have signed' : 'as soon as enough have signed',
          'Expires': html`<${Moment} at=${value.expiry} />`,
          'In': html`<${Countdown} until=${value.expiry} />`,
        }}
      />
      <p id="approvals">${missing === 0 ? 'All have approved it.' : `${number(missing)} of ${number(value.approvals.length)} have not approved it yet.`}</p>
      <div class="wide"><table>
        <caption>Who must approve it</caption>
        <thead><tr><th>Who</th><th>Key</th><th>Approved</th></tr></thead>
        <tbody>
          ${value.approvals.map(({ account, identity, key, given }) => html`
            <tr>
              <th scope="row">${account ?? identity ?? (value.does.change ? 'the new key' : 'the new account')}</th>
              <td>${typeof key === 'string' ? html`<${Id} of=${key} />` : `${key.threshold ?? 'all'} of ${number(key.keys.length)} keys`}</td>
              <td><${Chip} kind=${given ? 'good' : 'warn'}>${given ? 'yes' : 'not yet'}<//></td>
            </tr>`)}
        </tbody>
      </table></div>
      <p id="sign">Who is to approve it types <code>./sequitur schedule approve ${id} --key-file FILE --queue ${queue} --node ${location.href.replace(/page\/.*$/, '')}</code>.
        The address of this page can be sent to them.</p>`}`;
}

/** Who pays and who is paid; of anything else all that it says. */
const Action = ({ does }) => does.transfers
  ? html`
    <ul class="sentences" id="transfers">
      ${does.transfers.map(({ account, amount }) => html`
        <li>${account} ${amount.startsWith('-') ? `pays ${amount.slice(1)}` : `gets ${amount}`}</li>`)}
    </ul>`
  : html`<pre>${JSON.stringify(does, null, 2)}</pre>`;

const Interventions = ({ of }) => html`
  <h2>What was done to it</h2>
  <ul class="sentences" id="interventions">
    ${of.toReversed().map((done) => html`
      <li><${Moment} at=${done.at} /> ${done.did} by ${done.by}${done.note && `: ${done.note}`}</li>`)}
  </ul>`;

function NextTimes({ id, queue }) {
  const { value, problem } = usePolled(() => call('schedule_nextTimes', id, TIMES, queue), 5000, id, queue);
  return html`
    <h2>When it runs next</h2>
    <${Problem} of=${problem} />
    ${value && html`<ol id="times">${value.map((at) => html`<li><${Moment} at=${at} /></li>`)}</ol>`}`;
}

/** That some will not be reached is told before that more could come. */
const room = ({ full, unreached, taken, why }) =>
  full
    ? html`<${Chip} kind="warn">full<//> ${why}`
    : unreached > 0
      ? html`<${Chip} kind="warn">too many<//> ${number(unreached)} of the ${number(taken)} will expire, since no block comes to them in time.`
      : html`<${Chip} kind="good">room<//> More can be scheduled for it.`;

function Forecast({ family, at, queue }) {
  const { value, problem } = usePolled(() => call('schedule_forecast', { family, at, queue }), 5000, family, at, queue);
  return html`
    <h2>The time at which it is due</h2>
    <${Problem} of=${problem} />
    ${value && html`
      <p id="forecast">${room(value)}</p>
      <${Facts}
        of=${{
          From: html`<${Moment} at=${value.from} />`,
          Taken: `${number(value.taken)} of ${value.capacity === null ? 'any number' : number(value.capacity)}`,
          'A place costs at least': value.price,
        }}
      />`}`;
}

const History = ({ of }) => html`
  <h2>Its outcomes</h2>
  <div class="wide"><table id="outcomes">
    <caption>${of.length > NEWEST ? `The newest ${NEWEST} of ${number(of.length)}` : 'The newest first'}</caption>
    <thead><tr><th>Time</th><th>Outcome</th><th>What became of it</th><th>Charged</th><th>Given back</th><th>Transaction</th></tr></thead>
    <tbody>
      ${of.slice(-NEWEST).reverse().map(
        (one) => html`
          <tr>
            <th scope="row"><${Moment} at=${one.at} /></th>
            <td><${Chip} kind=${KINDS[one.outcome]}>${one.outcome}${one.occurrences ? ` ×${one.occurrences}` : ''}<//></td>
            <td>${words(one)}</td>
            <td>${one.cost.charged}</td>
            <td>${one.cost.refunded}</td>
            <td>${one.transaction && html`<${Id} of=${one.transaction} to="#/transaction/${one.transaction}" />`}</td>
          </tr>`,
      )}
    </tbody>
  </table></div>`;
