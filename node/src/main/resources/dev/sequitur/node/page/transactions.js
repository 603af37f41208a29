// The transactions of the node: found by id, key or owner; all of them, those that have not ended, or those that have failed.

import { html, useEffect, useRef, useState } from './lib/htm.js';
import { call, usePolled, useSession } from './calls.js';
import { Ago, Chip, Id, Moment, Problem, Waiting, number } from './parts.js';
import { Rows } from './rows.js';

const PAGE = 100;
const OPEN = 500;

/** For so long a transaction may well be under way. */
export const STUCK_AFTER = 60_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FILTERS = ['from', 'to', 'function'];

const address = (query) => (String(query) ? `#/transactions?${query}` : '#/transactions');

/** What the query of the page's address asks of the node. */
function conditions(query) {
  const eq = FILTERS.filter((field) => query.get(field)).map((field) => ({ field, value: query.get(field) }));
  return eq.length > 0 ? { eq } : {};
}

export function Transactions({ query }) {
  return html`
    <h1>Transactions</h1>
    <${Search} query=${query} />
    ${LISTS[query.get('show')]?.[1](query) ?? html`<${All} query=${query} />`}`;
}

/** What the page may show instead of all. */
const LISTS = {
  open: ['not ended', (query) => html`<${Open} query=${query} />`],
  failed: ['failed', () => html`<${Failed} />`],
};

/** An id and a key lead to their transaction, an owner to a list. */
function Search({ query }) {
  const field = useRef();
  const [problem, setProblem] = useState();
  const go = async (event) => {
    event.preventDefault();
    const wanted = field.current.value.trim();
    setProblem(undefined);
    if (ID.test(wanted)) {
      location.hash = `#/transaction/${wanted.toLowerCase()}`;
    } else if (wanted === '' || wanted.includes('@')) {
      const next = new URLSearchParams(query);
      if (wanted) next.set('from', wanted);
      else FILTERS.forEach((filter) => next.delete(filter));
      location.hash = address(next);
    } else {
      try {
        const found = await call('ptx_getTransactionByIdempotencyKey', wanted);
        if (found) location.hash = `#/transaction/${found.id}`;
        else setProblem({ message: `No transaction was sent under the key “${wanted}”. An owner is written as alice@node1.` });
      } catch (refused) {
        setProblem(refused);
      }
    }
  };
  const showing = (list) => {
    const next = new URLSearchParams(query);
    if (list) next.set('show', list);
    else next.delete('show');
    return address(next);
  };
  return html`
    <form role="search" class="search" onSubmit=${go}>
      <label for="wanted">Id, idempotency key, or owner</label>
      <input id="wanted" type="search" autocomplete="off" spellcheck="false" value=${query.get('from') ?? ''} ref=${field} />
      <button>Find</button>
      ${[['', 'all'], ...Object.entries(LISTS).map(([list, [title]]) => [list, title])].map(
        ([list, title]) => html`
          <a class="choice" href=${showing(list)} aria-current=${list === (query.get('show') ?? '') ? 'true' : undefined}>${title}</a>`,
      )}
      ${query.get('to') && html`<${Chip}>of contract <${Id} of=${query.get('to')} /><//>`}
    </form>
    <${Problem} of=${problem} />`;
}

const KINDS = { Confirmed: 'good', Reverted: 'bad', Parked: 'warn' };

export const State = ({ of }) => html`<${Chip} kind=${KINDS[of]}>${of}<//>`;

const ID_WIDTH = '8.5rem';
const TIME_WIDTH = '13rem';
const WORDS_WIDTH = 'minmax(12rem, 3fr)';
const SHORT = ['Transaction', (row) => html`<${Id} of=${row.id} to="#/transaction/${row.id}" />`, ID_WIDTH];
const WHAT = [
  ['Owner', (row) => row.from],
  ['What', (row) => [row.domain ?? row.type, row.function].filter(Boolean).join(' ')],
];
const COLUMNS = [
  ['Transaction', (row) => html`<a class="id" href="#/transaction/${row.id}">${row.id}</a>`, '21rem'],
  ['Accepted', (row) => html`<${Moment} at=${row.created} />`, TIME_WIDTH],
  ...WHAT,
  ['Contract', (row) => row.to && html`<${Id} of=${row.to} to=${row.domain && `#/contract/${row.to}`} />`, ID_WIDTH],
  ['State', (row) => row.state && html`<${State} of=${row.state} />`, '8rem'],
  ['Why', (row) => html`<span title=${row.receipt?.failureMessage}>${row.receipt?.failureMessage}</span>`, 'minmax(6rem, 2fr)'],
];
const OPEN_COLUMNS = [
  SHORT,
  ['Accepted', (row) => html`<${Ago} at=${row.created} />`],
  ...WHAT,
  ['State', (row) => html`<${State} of=${row.state} />`],
  ['Waits for', (row) => html`<span title=${row.waitsFor}>${row.waitsFor}</span>`, WORDS_WIDTH],
];
const FAILED_COLUMNS = [
  SHORT,
  ['Failed', (row) => html`<${Moment} at=${row.indexed} />`, TIME_WIDTH],
  ['Why', (row) => html`<span title=${row.failureMessage}>${row.failureMessage}</span>`, WORDS_WIDTH],
];
const id = (row) => row.id;

/** The oldest first: who has waited longest may be stuck. */
export const open = (query) =>
  call('ptx_queryPendingTransactions', { ...query, limit: OPEN, sort: ['created'] }, true);

/** Of so many receipts: a node that has failed nothing for long would look through all of them. */
const LOOKED_AT = 5000;

/** The last first, among the last receipts. */
export async function failed(most) {
  const [last] = await call('ptx_queryTransactionReceipts', { limit: 1, sort: ['sequence DESC'] });
  if (!last) return [];
  return call('ptx_queryTransactionReceipts', {
    eq: [{ field: 'success', value: false }],
    gte: [{ field: 'sequence', value: Math.max(1, last.sequence - LOOKED_AT) }],
    limit: most,
    sort: ['sequence DESC'],
  });
}

export const OpenRows = ({ rows }) =>
  html`<${Rows} label="Transactions that have not ended, the oldest first" rows=${rows} columns=${OPEN_COLUMNS} id=${id} />`;

export const FailedRows = ({ rows }) =>
  html`<${Rows} label="Transactions that have failed, the last first" rows=${rows} columns=${FAILED_COLUMNS} id=${id} />`;

function Open({ query }) {
  const { value, problem } = usePolled(() => open(conditions(query)), 2000, String(query));
  return html`
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="transactions" />`}
    ${value && html`<p class="quiet" role="status">${value.length === OPEN ? `The oldest ${OPEN} that have` : `${number(value.length)} have`} not ended.</p>`}
    ${value?.length > 0 && html`<${OpenRows} rows=${value} />`}`;
}

function Failed() {
  const { value, problem } = usePolled(() => failed(OPEN), 5000);
  return html`
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="transactions" />`}
    ${value && html`<p class="quiet" role="status">${value.length === OPEN ? `The last ${OPEN} that have` : `${number(value.length)} have`} failed, of all owners, among the last ${number(LOOKED_AT)} that have ended.</p>`}
    ${value?.length > 0 && html`<${FailedRows} rows=${value} />`}`;
}

/** Goes on after the oldest row there is. */
function useOlder(query) {
  const { turn } = useSession();
  const [rows, setRows] = useState([]);
  const [end, setEnd] = useState(false);
  const [problem, setProblem] = useState();
  const asking = useRef(false);
  const more = async () => {
    if (asking.current || end) return;
    asking.current = true;
    try {
      const last = rows.at(-1);
      const page = await call('ptx_queryTransactionsFull', {
        ...conditions(query),
        ...(last && { after: last.id }),
        limit: PAGE,
      });
      setRows([...rows, ...page]);
      setEnd(page.length < PAGE);
      setProblem(undefined);
    } catch (refused) {
      setProblem(refused);
    } finally {
      asking.current = false;
    }
  };
  useEffect(() => {
    more();
  }, [turn]);
  return { rows, end, problem, more };
}

function All({ query }) {
  const { rows, end, problem, more } = useOlder(query);
  return html`
    <${Problem} of=${problem} />
    ${rows.length === 0 && !problem && (end ? html`<p>There is none.</p>` : html`<${Waiting} for="transactions" />`)}
    ${rows.length > 0 && html`<p class="quiet" role="status">${number(rows.length)}${end ? ' in all.' : ', and older ones further down.'}</p>`}
    ${rows.length > 0 && html`<${Rows} label="Transactions, newest first" rows=${rows} columns=${COLUMNS} id=${id} more=${more} />`}`;
}
