// What runs next in a queue, on a time line, a calendar and in a list; whether families are served; the money.

import { html, useRef, useState } from './lib/htm.js';
import { call, now, useGranted, usePolled } from './calls.js';
import { Chip, Countdown, Deed, Facts, Field, Form, Id, Moment, Problem, Waiting, clock, number } from './parts.js';
import { CREATIONS, Creating } from './creating.js';
import { Rows } from './rows.js';
import { Calendar, SPANS, Timeline, dayOf } from './timeline.js';

export const QUEUE = 'default';
const PAGE = 1000;
const MOST = 10_000;
const EVERY = 10_000;
const SHOWN = 35 * 86_400_000;
const MOST_TIMES = 5_000;
const TOO_BROAD = 'SQ010302';
const STATES = ['waiting', 'parked', 'due', 'started', 'submitted', 'succeeded', 'failed', 'settled'];

const address = (query, more) => {
  const next = new URLSearchParams(query);
  Object.entries(more).forEach(([name, value]) => (value ? next.set(name, value) : next.delete(name)));
  return String(next) ? `#/schedules?${next}` : '#/schedules';
};

/**
 * All schedules that the filter lets through, those that are due first at the top; at most so many as are looked at. Whoever may not see all
 * of a queue has them in that order of one owner, and of all by their ids.
 */
export async function list(filter) {
  try {
    return await listed({ ...filter, ...(filter.state !== 'settled' && { order: 'due' }) });
  } catch (problem) {
    if (problem.code !== TOO_BROAD) throw problem;
    return listed(filter);
  }
}

async function listed(filter) {
  const schedules = [];
  let after = null;
  do {
    const page = await call('schedule_list', { ...filter, ...(after && { after }), limit: PAGE });
    schedules.push(...page.schedules);
    after = page.next;
  } while (after && schedules.length < MOST);
  const due = new Map(schedules.map(({ id, next }) => [id, next ? Date.parse(next) : Infinity]));
  if (!filter.order) schedules.sort((a, b) => due.get(a.id) - due.get(b.id) || (a.id < b.id ? -1 : 1));
  return { schedules, cut: after && (filter.order ? 'in this order' : 'by id') };
}

/** Each time of each schedule in the weeks that the calendar shows, at most so many; a state has none that are to come. */
async function coming({ state, ...filter }) {
  const times = [];
  const until = new Date(now() + SHOWN).toISOString();
  let from = new Date(now()).toISOString();
  do {
    const page = await call('schedule_calendar', { ...filter, from, until, limit: PAGE });
    times.push(...page.times);
    from = page.next;
  } while (from && times.length < MOST_TIMES);
  return { times, cut: from };
}

export function Schedules({ query }) {
  const queue = query.get('queue') ?? QUEUE;
  const filter = { queue };
  ['family', 'state', 'owner', 'label'].forEach((field) => query.get(field) && (filter[field] = query.get(field)));
  const overview = usePolled(() => call('schedule_overview', queue), 2000, queue);
  const { value, problem } = usePolled(() => list(filter), EVERY, String(query));
  const may = useGranted(OF_QUEUE, undefined, queue);
  const day = query.get('day');
  const plan = usePolled(() => (filter.state ? { times: [] } : coming(filter)), EVERY, String(query));
  const planned = filter.state ? value?.schedules.filter(({ next }) => next).map((it) => ({ ...it, at: it.next })) : plan.value?.times;
  const times = planned?.map(({ at }) => Date.parse(at)) ?? [];
  const states = new Map(value?.schedules.map((it) => [it.id, it]));
  const shown = day
    ? planned?.filter(({ at }) => dayOf(at) === day).map((time) => ({ ...states.get(time.id), ...time, next: time.at }))
    : value?.schedules;
  return html`
    <h1>Schedules</h1>
    <${Problem} of=${overview.problem ?? problem ?? plan.problem} />
    ${overview.value && html`<${Overview} queue=${queue} overview=${overview.value} may=${may} />`}
    <${Filters} query=${query} families=${overview.value?.families ?? []} />
    ${!value && !problem && html`<${Waiting} for="schedules" />`}
    ${value && html`<${When} times=${times} query=${query} day=${day} />`}
    ${plan.value?.cut && html`<p class="quiet">Times from ${clock(plan.value.cut)} on are not shown: there are too many before.</p>`}
    ${shown && html`
      <p class="quiet" role="status">
        ${`${number(shown.length)} ${day ? `due on ${day}` : 'that wait or run'}${value?.cut && !day ? `, of the first ${number(MOST)} ${value.cut}` : ''}. `}
        ${day && html`<a href=${address(query, { day: '' })}>Every day</a>`}
      </p>`}
    ${shown?.length > 0 && html`<${Rows} label="Schedules, the next to run first" rows=${shown} columns=${columns(queue)} id=${({ id, at }) => (at ? `${id}/${at}` : id)} />`}
    <${Creating} queue=${queue} may=${may} />
    <${DaysOff} queue=${queue} may=${may} />
    <${Money} queue=${queue} />`;
}

/** Those of the administrator, and those that make schedules. */
const OF_QUEUE = ['schedule_pause', 'schedule_resume', 'recurring_setDaysOff', 'recurring_removeDaysOff', ...CREATIONS];

const SERVICE = { active: 'good', paused: 'warn' };

const Overview = ({ queue, overview, may }) => html`
  <${Facts}
    of=${{
      Queue: queue,
      'Its clock': html`<${Moment} at=${overview.clock} />`,
      Schedules: number(overview.schedules),
      'Running now': number(overview.executing),
    }}
  />
  <ul class="families">
    ${overview.families.map(
      ({ family, service, waiting }) => html`
        <li key=${family}>${family} <${Chip} kind=${SERVICE[service] ?? 'bad'}>${service}<//> ${number(waiting)} waiting
          ${service === 'active' && may('schedule_pause') && html` <${Deed} says="Pause" sure="Pause ${family} in the queue ${queue}? Nothing of it runs until it is resumed."
            does=${() => call('schedule_pause', { family, queue })} />`}
          ${service === 'paused' && may('schedule_resume') && html` <${Deed} says="Resume" does=${() => call('schedule_resume', { family, queue })} />`}</li>`,
    )}
  </ul>`;

function Filters({ query, families }) {
  const form = useRef();
  const queues = usePolled(() => call('schedule_queues'), EVERY).value ?? [];
  const go = (event) => {
    event.preventDefault();
    const { id, ...wanted } = Object.fromEntries(new FormData(form.current));
    location.hash = id.trim()
      ? `#/schedule/${encodeURIComponent(id.trim())}?queue=${encodeURIComponent(wanted.queue)}`
      : address('', { ...wanted, span: query.get('span') });
  };
  const options = (name, values) => html`
    <select name=${name} aria-label=${name} onChange=${go}>
      <option value="">every ${name}</option>
      ${values.map((value) => html`<option value=${value} selected=${query.get(name) === value}>${value}</option>`)}
    </select>`;
  return html`
    <form class="search" role="search" ref=${form} onSubmit=${go}>
      <span class="field"><label for="queue">Queue</label>
      <input id="queue" name="queue" defaultValue=${query.get('queue') ?? QUEUE} size="12" list="queues" /></span>
      <datalist id="queues">${queues.map((name) => html`<option value=${name} />`)}</datalist>
      <span class="field"><label for="id">Id</label>
      <input id="id" name="id" type="search" size="18" autocomplete="off" spellcheck="false" /></span>
      <span class="field"><label for="owner">Owner</label>
      <input id="owner" name="owner" defaultValue=${query.get('owner') ?? ''} size="14" /></span>
      <span class="field"><label for="label">Label</label>
      <input id="label" name="label" defaultValue=${query.get('label') ?? ''} size="12" /></span>
      ${options('family', families.map(({ family }) => family))} ${options('state', STATES)}
      <button>Show</button>
    </form>`;
}

function When({ times, query, day }) {
  const span = query.get('span') in SPANS ? query.get('span') : 'day';
  return html`
    <h2>When they are due</h2>
    <div class="beside top">
      <div>
        <p>${Object.entries(SPANS).map(([name, [title]]) => html`
          <a class="choice" href=${address(query, { span: name })} aria-current=${name === span ? 'true' : undefined}>${title}</a> `)}</p>
        <${Timeline} times=${times} span=${span} />
      </div>
      <${Calendar} times=${times} chosen=${day} link=${(wanted) => address(query, { day: wanted })} />
    </div>`;
}

const KINDS = { parked: 'warn', failed: 'bad', due: 'good', started: 'good', submitted: 'good' };

export const State = ({ of }) => html`<${Chip} kind=${KINDS[of.state]}>${of.state}${of.parkedFor ? `: ${of.parkedFor}` : ''}<//>`;

/** Each leads to all that have it. */
export const Labels = ({ of, queue }) => of.map((label) => html`
  <a class="chip" href="#/schedules?queue=${encodeURIComponent(queue)}&label=${encodeURIComponent(label)}">${label}</a> `);

export const columns = (queue) => [
  ['Schedule', (row) => html`<${Id} of=${row.id} to="#/schedule/${encodeURIComponent(row.id)}?queue=${encodeURIComponent(queue)}" />`, '9rem'],
  ['Family', (row) => row.family],
  ['Owner', (row) => row.owner],
  ['State', (row) => html`<${State} of=${row} />`],
  ['Labels', (row) => (row.labels ? html`<${Labels} of=${row.labels} queue=${queue} />` : '')],
  ['Due', (row) => (row.next ? html`<${Moment} at=${row.next} />` : ''), '13rem'],
  ['In', (row) => (row.next ? html`<${Countdown} until=${row.next} />` : '')],
];

/** The lists of days on which no series runs that stands on them. */
function DaysOff({ queue, may }) {
  const [turn, setTurn] = useState(0);
  const { value, problem } = usePolled(() => call('recurring_daysOff', { queue }), EVERY, queue, turn);
  const set = async ({ name, zone, days }) => {
    const all = days.split(/[\s,]+/).filter(Boolean);
    await call('recurring_setDaysOff', { queue, name: name.trim(), zone: zone.trim(), days: all });
    setTurn(turn + 1);
    return `${name.trim()} has ${number(all.length)} days.`;
  };
  const remove = async (name) => {
    await call('recurring_removeDaysOff', { queue, name });
    setTurn(turn + 1);
  };
  return html`
    <h2>Days off</h2>
    <${Problem} of=${problem} />
    ${value?.length === 0 && html`<p class="quiet">There is no list of days off.</p>`}
    <ul class="sentences" id="days-off">
      ${value?.map(({ name, zone, days, series }) => html`
        <li key=${name}><details><summary>${name}: ${number(days.length)} days in ${zone}, ${number(series)} series stand on it</summary>${days.join(' ')}</details>
          ${may('recurring_removeDaysOff') && series === 0 && html`
            <${Deed} says="Delete" sure="Delete the list ${name}?" does=${() => remove(name)} />`}</li>`)}
    </ul>
    ${may('recurring_setDaysOff') && html`
      <${Form} title="Make a list, or give one other days" id="set-days-off" says="Set" does=${set}>
        <${Field} form="days-off" name="name" label="Name" size="12" />
        <${Field} form="days-off" name="zone" label="Zone" size="16" value="UTC" />
        <${Field} form="days-off" name="days" label="All its days" size="40" value="" />
      <//>`}`;
}

/** All money is counted anew for it, so only when somebody asks. */
function Money({ queue }) {
  const [turn, setTurn] = useState(0);
  return html`
    <h2>Money</h2>
    <p><button onClick=${() => setTurn(turn + 1)}>${turn ? 'Count it again' : 'Count all money of the queue'}</button></p>
    ${turn > 0 && html`<${Audit} queue=${queue} turn=${turn} />`}`;
}

function Audit({ queue, turn }) {
  const { value, problem } = usePolled(() => call('schedule_audit', queue), 0, queue, turn);
  return html`
    <${Problem} of=${problem} />
    ${value && html`
      <p id="audit">${value.conserved
        ? html`<${Chip} kind="good">conserved<//> Nothing was made or lost, what is held is what the schedules owe, nobody is overdrawn.`
        : html`<${Chip} kind="bad">not conserved<//> The sums differ: stop the queue by schedule_pause, and report it.`}</p>
      <${Facts}
        of=${{
          'In accounts': value.sumOfAccounts,
          Held: value.held,
          'Sum of what is held': value.sumOfHolds,
          'Owed by schedules': value.owed,
          'Accounts overdrawn': number(value.overdrawn),
        }}
      />`}`;
}
