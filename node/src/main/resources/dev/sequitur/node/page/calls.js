// How the page asks its node: by the methods that everybody calls.

import { useEffect, useRef, useState } from './lib/htm.js';

const KEPT = 'sequitur.token';

/** What the node, or the way to it, said instead of an answer. */
export class Refusal extends Error {
  constructor(sentence, status, code) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

// The token lives as long as this tab, and nowhere else.
const session = {
  token: sessionStorage.getItem(KEPT) ?? '',
  asked: false,
  turn: 0,
  listeners: new Set(),
};
let clockAhead = 0;

function changed(what) {
  Object.assign(session, what, { turn: session.turn + 1 });
  session.listeners.forEach((tell) => tell(session.turn));
}

export function signIn(token) {
  sessionStorage.setItem(KEPT, token);
  changed({ token, asked: false });
}

export function signOut() {
  sessionStorage.removeItem(KEPT);
  changed({ token: '', asked: false });
}

/** Whether the node wants to know who asks, and whether a token is given to it. */
export function useSession() {
  const [turn, setTurn] = useState(session.turn);
  useEffect(() => {
    session.listeners.add(setTurn);
    return () => session.listeners.delete(setTurn);
  }, []);
  return { turn, asked: session.asked, known: session.token !== '' };
}

/** By the node's clock, to the second: what it says of times to come is by that. */
export const now = () => Date.now() + clockAhead;

async function ask(path, options) {
  const headers = { ...options.headers };
  if (session.token) headers.authorization = `Bearer ${session.token}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, credentials: 'omit', cache: 'no-store' });
  } catch {
    throw new Refusal('The node does not answer. Look whether it runs.', 0);
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  if (date) clockAhead = Math.abs(date - Date.now()) < 2000 ? 0 : date - Date.now();
  if (response.status === 401 && !session.asked) changed({ asked: true });
  return response;
}

/** The text at a path; health answers 503 and says why, so that is an answer, too. */
export async function read(path) {
  const response = await ask(path, {});
  const text = await response.text();
  if (response.ok || (response.status === 503 && text.includes('"troubles"'))) return text;
  throw refused(text, response.status);
}

function refused(text, status) {
  try {
    const { message, data } = JSON.parse(text).error;
    return new Refusal(message, status, data?.code);
  } catch {
    return new Refusal(`The node answered with HTTP ${status}.`, status);
  }
}

/** The result of a method. */
export async function call(method, ...params) {
  const response = await ask('../', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  if (!response.ok) throw refused(text, response.status);
  const answer = JSON.parse(text);
  if (answer.error) throw refused(text, response.status);
  return answer.result;
}

const SLOWER_AFTER_QUOTA = 5;

/**
 * What `asked` answers, asked again and again while the tab is looked at: `{value, problem}`. The last value
 * stays while there is a problem. An `every` of 0 asks once. It may change in between.
 */
export function usePolled(asked, every, ...about) {
  const { turn } = useSession();
  const [seen, setSeen] = useState({});
  const pace = useRef(every);
  pace.current = every;
  useEffect(() => {
    let over = false;
    let timer;
    const tell = (what) => over || setSeen(what);
    setSeen({});
    async function look() {
      let slower = 1;
      if (!document.hidden) {
        try {
          tell({ value: await asked() });
        } catch (problem) {
          if (problem.status === 429) slower = SLOWER_AFTER_QUOTA;
          tell((before) => ({ value: before.value, problem }));
        }
      }
      if (!over && pace.current > 0) timer = setTimeout(look, pace.current * slower);
    }
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [turn, ...about]);
  return seen;
}

const GRANTED_EVERY = 10_000;

/**
 * Whether roles of the caller grant a method, for an account and in a queue if they are named: `may(method)`, and
 * `may.known` once the node has said so. Until then none is granted. The node compares each call again when it comes.
 */
export function useGranted(methods, account, queue) {
  const { value } = usePolled(() => call('rpc_granted', methods, account ?? null, queue ?? null), GRANTED_EVERY, methods.join(), account, queue);
  const may = (method) => Boolean(value?.includes(method));
  may.known = Boolean(value);
  return may;
}
