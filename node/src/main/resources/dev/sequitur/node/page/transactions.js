// The transactions of the node: found by id, key or owner, newest first, as many as there are.

import { html, useEffect, useRef, useState } from './lib/htm.js';
import { call, usePolled, useSession } from './calls.js';
import { Chip, Id, Moment, Problem, Waiting, number } from './parts.js';
import { Rows } from './rows.js';

const PAGE = 500;
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
    ${query.get('pending') ? html`<${Pending} query=${query} />` : html`<${All} query=${query} />`}`;
}

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
  const pending = new URLSearchParams(query);
  if (query.get('pending')) pending.delete('pending');
  else pending.set('pending', '1');
  return html`
    <form role="search" class="search" onSubmit=${go}>
      <label for="wanted">Id, idempotency key, or owner</label>
      <input id="wanted" type="search" autocomplete="off" spellcheck="false" value=${query.get('from') ?? ''} ref=${field} />
      <button>Find</button>
      <a href=${address(pending)}>${query.get('pending') ? 'All' : 'Only those that have not ended'}</a>
      ${query.get('to') && html`<${Chip}>of contract <${Id} of=${query.get('to')} /><//>`}
    </form>
    <${Problem} of=${problem} />`;
}

const COLUMNS = [
  ['Transaction', (row) => html`<a class="id" href="#/transaction/${row.id}">${row.id}</a>`],
  ['Accepted', (row) => html`<${Moment} at=${row.created} />`],
  ['Owner', (row) => row.from],
  ['What', (row) => [row.domain ?? row.type, row.function].filter(Boolean).join(' ')],
  ['Contract', (row) => row.to && html`<${Id} of=${row.to} to=${row.domain && `#/contract/${row.to}`} />`],
];
const PENDING_COLUMNS = [
  ['Transaction', (row) => html`<${Id} of=${row.id} to="#/transaction/${row.id}" />`],
  ...COLUMNS.filter(([title]) => !['Transaction', 'Contract'].includes(title)),
  ['State', (row) => row.state],
  ['Waits for', (row) => html`<span title=${row.waitsFor}>${row.waitsFor}</span>`],
];
const id = (row) => row.id;

function Pending({ query }) {
  const asked = () => call('ptx_queryPendingTransactions', { ...conditions(query), limit: PAGE, sort: ['created DESC'] }, true);
  const { value, problem } = usePolled(asked, 2000, String(query));
  return html`
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="transactions" />`}
    ${value && html`<p class="quiet" role="status">${value.length === PAGE ? `The newest ${PAGE} that have` : `${number(value.length)} have`} not ended.</p>`}
    ${value?.length > 0 && html`<${Rows} label="Transactions that have not ended" rows=${value} columns=${PENDING_COLUMNS} id=${id} widths=${['8rem', '2.5fr']} />`}`;
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
      const page = await call('ptx_queryTransactions', {
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
