// The frame of all pages. Each state of the page has an address of its own, behind the #.

import { html, render, useEffect, useRef, useState } from './lib/htm.js';
import { read, signIn, signOut, usePolled, useSession } from './calls.js';
import { Account } from './account.js';
import { Contract, Contracts } from './contract.js';
import { Node } from './node.js';
import { Overview } from './overview.js';
import { zone } from './parts.js';
import { Schedule } from './schedule.js';
import { Schedules } from './schedules.js';
import { Transaction } from './transaction.js';
import { Transactions } from './transactions.js';
import { Webhooks } from './webhooks.js';

const MENU = [
  ['#/overview', 'Overview'],
  ['#/contracts', 'Contracts'],
  ['#/transactions', 'Transactions'],
  ['#/schedules', 'Schedules'],
  ['#/webhooks', 'Webhooks'],
  ['#/node', 'Node'],
];

/** What an address shows. */
function shown(address) {
  const [path, query] = address.slice(1).split('?');
  const [, page, of] = path.split('/').map(decodeURIComponent);
  switch (page) {
    case undefined:
    case '':
    case 'overview':
      return html`<${Overview} />`;
    case 'contracts':
      return html`<${Contracts} />`;
    case 'contract':
      return html`<${Contract} key=${of} at=${of} />`;
    case 'transactions':
      return html`<${Transactions} key=${query} query=${new URLSearchParams(query)} />`;
    case 'transaction':
      return html`<${Transaction} key=${of} id=${of} />`;
    case 'schedules':
      return html`<${Schedules} key=${query} query=${new URLSearchParams(query)} />`;
    case 'schedule':
      return html`<${Schedule} key=${path + query} id=${of} query=${new URLSearchParams(query)} />`;
    case 'account':
      return html`<${Account} key=${path + query} name=${of} query=${new URLSearchParams(query)} />`;
    case 'webhooks':
      return html`<${Webhooks} />`;
    case 'node':
      return html`<${Node} />`;
    default:
      return html`<h1>Nothing here</h1><p>The page has no “${path}”. Choose from the menu above.</p>`;
  }
}

function useAddress() {
  const [address, setAddress] = useState(location.hash);
  useEffect(() => {
    const follow = () => setAddress(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return address;
}

function SignIn() {
  const field = useRef();
  const enter = (event) => {
    event.preventDefault();
    signIn(field.current.value.trim());
  };
  return html`
    <form class="sign-in" onSubmit=${enter}>
      <label for="token">This node asks who calls. Enter a token that <code>sequitur token</code> has made, or a JSON Web
        Token of its issuer; a role that grants <em>read</em> is enough.</label>
      <input id="token" type="password" autocomplete="off" spellcheck="false" required ref=${field} />
      <button>Enter</button>
      <p class="quiet">The token is kept until this tab is closed, and sent to this node only.</p>
    </form>`;
}

/** On every page that does not show health itself. */
function Trouble() {
  const { value } = usePolled(async () => JSON.parse(await read('../health')), 10_000);
  if (!value || value.status === 'UP') return null;
  const more = value.troubles.length - 1;
  return html`<p class="warning" id="trouble" role="status"><a href="#/node">${value.status}</a> ${value.troubles[0]}
    ${more > 0 && ` And ${more} more.`}</p>`;
}

function Page() {
  const address = useAddress();
  const { asked, known } = useSession();
  const main = useRef();
  const first = useRef(true);
  useEffect(() => {
    // Who reads by ear or goes by keyboard begins with the new page.
    if (!first.current) main.current.focus();
    first.current = false;
  }, [address.split('?')[0]]);
  const here = ([to]) => address.startsWith(to.replace(/s$/, '')) || (to === '#/overview' && /^(#\/?)?$/.test(address));
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>To the content</a>
    <header>
      <strong>Sequitur</strong>
      <nav aria-label="Pages">
        ${MENU.map((entry) => html`<a href=${entry[0]} aria-current=${here(entry) ? 'page' : undefined}>${entry[1]}</a>`)}
      </nav>
      <span class="quiet">Times in ${zone()}</span>
      ${known && html`<button class="out" onClick=${signOut}>Forget the token</button>`}
    </header>
    <main id="main" tabindex="-1" ref=${main}>
      ${asked && html`<${SignIn} />`}
      ${!asked && !/^(#\/?(overview|node)?)?$/.test(address) && html`<${Trouble} />`}
      ${shown(address)}
    </main>`;
}

render(html`<${Page} />`, document.getElementById('page'));
