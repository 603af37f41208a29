// What the owner of one schedule does to it, with a note of why: shown to who may.

import { html, useRef } from './lib/htm.js';
import { call } from './calls.js';
import { Deed, Field, Form } from './parts.js';

const CANCELLABLE = new Set(['waiting', 'parked']);
const STEERED = new Set(['gas-priority', 'recurring']);
const LONGEST_NOTE = 200;

const isSeries = ({ terms }) => Boolean(terms?.cron ?? terms?.frequency);

/** Those that are asked for: which of them a caller may press. */
export const DEEDS = [
  'schedule_runNow', 'schedule_skipNext', 'schedule_pauseSchedule', 'schedule_resumeSchedule', 'schedule_cancel', 'schedule_change', 'schedule_backFill',
];

/** What may be done now, by who looks at it. */
export function Deeds({ it, queue, may }) {
  const note = useRef();
  if (!CANCELLABLE.has(it.state) || !it.owner || !may.known) return null;
  if (!DEEDS.some(may)) {
    return html`<p class="quiet" id="deeds">No role of yours lets you act for ${it.owner}, so there is nothing to press here.</p>`;
  }
  const on = { id: it.id, as: it.owner, queue };
  const noted = () => ({ ...on, note: note.current.value.trim() });
  const steered = STEERED.has(it.family);
  const waits = it.state === 'waiting';
  return html`
    <p id="deeds">
      ${steered && html`<span class="field"><label for="note">Note</label>
        <input id="note" ref=${note} maxlength=${LONGEST_NOTE} size="30" placeholder="why, for whoever reads its history" /></span> `}
      ${steered && (waits || it.paused) && may('schedule_runNow') && html`
        <${Deed} says="Run it now" sure="Run this schedule of ${it.owner} now?" does=${() => call('schedule_runNow', noted())} />`}
      ${steered && waits && may('schedule_skipNext') && html`
        <${Deed} says="Skip the next time" sure="Leave out the next time of this schedule of ${it.owner}?" does=${() => call('schedule_skipNext', noted())} />`}
      ${steered && waits && may('schedule_pauseSchedule') && html`
        <${Deed} says="Pause it" does=${() => call('schedule_pauseSchedule', noted())} />`}
      ${steered && !waits && may('schedule_resumeSchedule') && html`<${Deed} says="Resume it" does=${() => call('schedule_resumeSchedule', noted())} />`}
      ${it.family !== 'multi-signature' && may('schedule_cancel') && html`
        <${Deed} says="Cancel it" sure="Cancel this schedule of ${it.owner}? It cannot be brought back."
          does=${() => call('schedule_cancel', on)} />`}
    </p>
    ${steered && may('schedule_change') && html`<${Change} it=${it} on=${on} />`}
    ${isSeries(it) && may('schedule_backFill') && html`<${BackFill} on=${on} />`}`;
}

/** What a schedule is now, as its change names it. */
function parts(it) {
  const { terms, target } = it;
  const times = it.family === 'gas-priority' ? [terms.scheduledTime] : terms.times;
  return {
    times: times?.join(' '),
    cron: terms.cron,
    zone: terms.cron && terms.zone,
    frequency: terms.frequency,
    first: terms.frequency && (it.next ?? terms.first),
    runs: terms.runs,
    maxGasUnitPrice: terms.maxGasUnitPrice,
    amount: target?.type === 'transfer' ? target.amount : undefined,
    message: target?.type === 'notify' ? target.message : undefined,
    late: it.late,
    ...(isSeries(it) && {
      notBefore: terms.notBefore ?? '',
      notAfter: terms.notAfter ?? '',
      daysOff: terms.daysOff ?? '',
      overlap: terms.overlap ?? 'wait',
      jitter: terms.jitter ?? '',
      pauseAfter: terms.pauseAfter ?? 0,
    }),
    attempts: it.maxAttempts,
    pauses: it.maxAttempts && (it.pauses ?? []).join(' '),
    setAside: it.family === 'gas-priority' && target?.type === 'transfer' ? (terms.setAside ? 'yes' : 'no') : undefined,
    description: it.description ?? '',
    labels: (it.labels ?? []).join(' '),
  };
}

const NAMED = {
  times: ['Times', 30], cron: ['Cron', 14], zone: ['Zone', 16], frequency: ['Every', 10], first: ['From', 24], runs: ['Runs', 6],
  maxGasUnitPrice: ['Price', 8], amount: ['Pays', 10], message: ['Says', 24], late: ['If it is late', 12], daysOff: ['Days off', 12],
  notBefore: ['Not before', 22], notAfter: ['Not after', 22], overlap: ['While it runs', 10], jitter: ['Up to so much later', 8],
  pauseAfter: ['Pause after failures', 5], attempts: ['Attempts', 4], pauses: ['Pauses between', 16], setAside: ['Amount set aside', 4],
  description: ['For', 30], labels: ['Labels', 24], note: ['Note', 30],
};

/** What is to be other than it is, and nothing else. */
function changed(before, after, target) {
  const differs = (name) => before[name] !== undefined && after[name].trim() !== String(before[name]);
  const change = {};
  ['runs', 'maxGasUnitPrice', 'late', 'overlap', 'description'].filter(differs).forEach((name) => (change[name] = after[name].trim()));
  ['notBefore', 'notAfter', 'daysOff', 'jitter'].filter(differs).forEach((name) => (change[name] = after[name].trim() || 'none'));
  if (differs('pauseAfter')) change.pauseAfter = after.pauseAfter.trim() || '0';
  if (differs('setAside')) {
    const word = after.setAside.trim();
    if (word !== 'yes' && word !== 'no') throw new Error('Amount set aside is yes or no.');
    change.setAside = word === 'yes';
  }
  if (differs('attempts') || differs('pauses')) {
    const pauses = after.pauses.split(/\s+/).filter(Boolean);
    change.retry = { maxAttempts: Number(after.attempts), ...(pauses.length > 0 && { pauses }) };
  }
  ['times', 'labels'].filter(differs).forEach((name) => (change[name] = after[name].split(/\s+/).filter(Boolean)));
  if (differs('cron') || differs('zone')) Object.assign(change, { cron: after.cron.trim(), zone: after.zone.trim() });
  if (differs('frequency') || differs('first')) Object.assign(change, { frequency: after.frequency.trim(), first: after.first.trim() });
  ['amount', 'message'].filter(differs).forEach((name) => (change.target = { ...target, [name]: after[name].trim() }));
  return change;
}

function Change({ it, on }) {
  const before = parts(it);
  const does = async ({ note, ...after }) => {
    await call('schedule_change', { ...on, note: note.trim(), ...changed(before, after, it.target) });
    return 'It was changed.';
  };
  return html`
    <${Form} title="Change it" id="change" says="Change" does=${does}>
      ${Object.entries({ ...before, note: '' }).filter(([, value]) => value !== undefined).map(([name, value]) => html`
        <${Field} form="change" name=${name} label=${NAMED[name][0]} size=${NAMED[name][1]} value=${value} />`)}
    <//>`;
}

function BackFill({ on }) {
  const does = async ({ from, until, note }) => {
    const instant = (local) => new Date(local).toISOString();
    const { runs, already } = await call('schedule_backFill', { ...on, from: instant(from), until: instant(until), note: note.trim() });
    return `${runs.length} of its times run again; ${already} had been filled before.`;
  };
  return html`
    <${Form} title="Run past times again" id="back-fill" says="Run them again" does=${does}>
      <span class="field"><label for="fill-from">From</label> <input id="fill-from" name="from" type="datetime-local" required /></span>
      <span class="field"><label for="fill-until">Until</label> <input id="fill-until" name="until" type="datetime-local" required /></span>
      <${Field} form="fill" name="note" label="Note" size="30" />
    <//>`;
}
