// One transaction: where it stands, what it waits for, what happened to it, and which messages flow.

import { html } from './lib/htm.js';
import { call, usePolled } from './calls.js';
import { Deed, Facts, Moment, Problem, Waiting } from './parts.js';
import { Sequence } from './sequence.js';
import { States } from './states.js';
import { State } from './transactions.js';

const LIVE = 1000;

/** A receipt may still be followed by a second one. */
const ENDED = 5000;

export function Transaction({ id }) {
  const whole = usePolled(() => call('ptx_getTransactionFull', id), LIVE, id);
  const it = whole.value;
  const privately = it?.type === 'private';
  const trace = usePolled(
    () => (privately ? call('sequencer_traceTransaction', id, 'data', false) : undefined),
    it?.receipt ? ENDED : LIVE,
    id,
    privately,
  );
  if (it === null) {
    return html`<h1>Transaction</h1>
      <p class="problem" role="alert">This node has no transaction ${id}. Its own node knows it: ask there.</p>`;
  }
  return html`
    <h1>Transaction</h1>
    <${Problem} of=${whole.problem ?? trace.problem} />
    ${!it && !whole.problem && html`<${Waiting} for="the transaction" />`}
    ${it && html`<${Standing} it=${it} />`}
    ${privately && html`<h2>Messages</h2>`}
    ${privately && (trace.value ? html`<${Sequence} trace=${trace.value} />` : !trace.problem && html`<${Waiting} for="messages" />`)}
    ${it?.history.length > 0 && html`<${History} it=${it} />`}`;
}

function Standing({ it }) {
  return html`
    <p class="lead" id="state" aria-live="polite">
      <${State} of=${it.state} />
      ${it.waitsFor && html` It waits for: ${it.waitsFor.replace(/\.$/, '')}.`}
    </p>
    ${it.state === 'Parked' && html`<${Deed} says="Let it go on" does=${() => call('sequencer_resumeTransaction', it.id)} />`}
    ${it.type === 'private' && html`<${States} present=${it.state} />`}
    <${Facts}
      of=${{
        Id: html`<code>${it.id}</code>`,
        From: html`<a href="#/transactions?from=${encodeURIComponent(it.from)}">${it.from}</a>`,
        Contract: it.to && (it.type === 'private' ? html`<a class="id" href="#/contract/${it.to}">${it.to}</a>` : html`<code>${it.to}</code>`),
        Function: [it.domain, it.function].filter(Boolean).join(' '),
        Key: it.idempotencyKey,
        Accepted: html`<${Moment} at=${it.created} />`,
        Coordinator: it.delegate,
        Submitter: it.submitter,
        'Tries before': it.attempts,
        'Depends on': it.dependsOn.length > 0 && it.dependsOn.map((id) => html`<div><a class="id" href="#/transaction/${id}">${id}</a></div>`),
        Submitted: it.submitMode === 'external' ? 'by its caller' : undefined,
      }}
    />
    ${it.receipt && html`<${Receipt} of=${it.receipt} />`}
    <details>
      <summary>What was sent</summary>
      <pre>${JSON.stringify(it.data, null, 2)}</pre>
    </details>`;
}

const Receipt = ({ of }) => html`
  <h2>Receipt</h2>
  ${of.failureMessage && html`<p class="problem">${of.failureMessage}</p>`}
  <${Facts}
    of=${{
      Result: of.success ? 'confirmed' : 'reverted',
      Block: of.blockNumber,
      'Place in it': of.transactionIndex,
      'Transaction of the ledger': of.transactionHash && html`<code>${of.transactionHash}</code>`,
      Indexed: html`<${Moment} at=${of.indexed} />`,
      'Number of the receipt': of.sequence,
    }}
  />`;

const History = ({ it }) => html`
  <h2>What happened to it</h2>
  <ol class="history">
    ${it.history.map(({ time, what }) => html`<li><${Moment} at=${time} /> ${what}</li>`)}
  </ol>`;
