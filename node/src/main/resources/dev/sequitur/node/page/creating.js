// Something is scheduled: first the node says what would come of it and does nothing, then it is done by a second button.

import { html, useRef, useState } from './lib/htm.js';
import { call } from './calls.js';
import { Deed, Facts, Field, Form, Moment, Problem, number } from './parts.js';

const ONCE = 'gasPriority_insert';
const PAYS = 'recurring_scheduleNativeTransferTask';
const SAYS = 'recurring_scheduleNotifyTask';

/** Those that are asked for: which of them a caller may press. */
export const CREATIONS = [ONCE, PAYS, SAYS];

/** Under it the same is made once, however often it is pressed. */
const key = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const instant = (local) => new Date(local).toISOString();

/** Where a frequency begins of which nobody says it, as the command `every` has it. */
async function nextFree(queue) {
  const [free] = await call('recurring_freeSlots', { queue, limit: 1, series: true });
  if (!free) throw new Error('No slot is free within the horizon: name a later time.');
  return free.from;
}

/** What is sent, late rather than never, as the commands of everyday send it. */
async function creation(values, queue) {
  const said = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
  const { owner, to, amount, message, at, cron, zone, every, labels, description } = said;
  const common = {
    queue, late: 'run-once', idempotencyKey: key(), labels: labels.split(/\s+/).filter(Boolean), ...(description && { description }),
  };
  if (message && (amount || to)) throw new Error('A message pays nothing and goes to nobody: empty it, or what is paid and to whom.');
  if (cron && every) throw new Error('By cron or every so long, not both: empty one.');
  if (!cron && !every) {
    if (!at) throw new Error('Say when: a time, or how often.');
    const target = message ? { type: 'notify', message } : { type: 'transfer', to, amount };
    return [ONCE, { ...common, senderAddr: owner, scheduledTimeMs: instant(at), target, ...(!message && { setAside: true }) }];
  }
  const series = { ...common, owner, providedId: common.idempotencyKey, ...(cron ? { cron, zone, ...(at && { notBefore: instant(at) }) } : { frequency: every, first: at ? instant(at) : await nextFree(queue) }) };
  return message ? [SAYS, { ...series, message }] : [PAYS, { ...series, recipientId: to, amount }];
}

export function Creating({ queue, may }) {
  const [tried, setTried] = useState();
  const writings = useRef(0);
  if (!CREATIONS.some(may)) return null;
  const does = async (values) => {
    setTried();
    const before = writings.current;
    const [method, command] = await creation(values, queue);
    const trial = await call(method, { ...command, dryRun: true });
    if (writings.current !== before) throw new Error('It was changed meanwhile: try it again.');
    setTried({ method, command, trial });
    return 'Nothing was done yet: this is what would come of it.';
  };
  const changed = () => {
    writings.current += 1;
    setTried();
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return html`
    <${Form} title="Schedule a payment or a message" id="schedule-it" says="Try it" does=${does} changed=${changed}>
      <${Field} form="create" name="owner" label="Who pays" size="12" />
      <${Field} form="create" name="amount" label="Pays" size="8" />
      <${Field} form="create" name="to" label="To" size="12" />
      <${Field} form="create" name="message" label="Or says" size="20" />
      <span class="field"><label for="create-at">At, first, or not before</label> <input id="create-at" name="at" type="datetime-local" step="1" /></span>
      <${Field} form="create" name="cron" label="Or by cron" size="12" />
      <${Field} form="create" name="zone" label="Zone of cron" size="14" value=${zone} />
      <${Field} form="create" name="every" label="Or every" size="8" />
      <${Field} form="create" name="labels" label="Labels" size="14" />
      <${Field} form="create" name="description" label="For" size="20" />
    <//>
    ${tried && html`<${Trial} key=${tried.command.idempotencyKey} of=${tried} may=${may} />`}`;
}

/** What is sent, as its fields are named above. */
const asked = ({ senderAddr, owner, target, recipientId, amount, message, scheduledTimeMs, cron, zone, notBefore, frequency, first }) => ({
  'Who pays': senderAddr ?? owner,
  Pays: target?.amount ?? amount,
  To: target?.to ?? recipientId,
  Says: target?.message ?? message,
  At: scheduledTimeMs && html`<${Moment} at=${scheduledTimeMs} />`,
  'By cron': cron && `${cron} in ${zone}`,
  'Not before': notBefore && html`<${Moment} at=${notBefore} />`,
  Every: frequency,
  First: first && html`<${Moment} at=${first} />`,
});

function Trial({ of: { method, command, trial }, may }) {
  const [made, setMade] = useState();
  const does = async () => {
    const answer = await call(method, command);
    setMade({ id: answer.id ?? answer.taskId, warning: answer.warning });
  };
  const { place } = trial;
  return html`
    <section id="trial">
      <${Facts}
        of=${{
          ...asked(command),
          'Set aside': trial.setAside,
          'Paid at once': trial.fee,
          'Then left': trial.available,
          'Its place': place && `${number(place.taken)} of ${place.capacity === null ? 'any number' : number(place.capacity)} taken with it, at ${place.price} each`,
          'Waits': trial.why,
        }}
      />
      <ol>${trial.times.map((at) => html`<li><${Moment} at=${at} /></li>`)}</ol>
      ${place?.unreached > 0 && html`<p class="problem" role="alert">${number(place.unreached)} of those of its time would expire, since no block comes to them in time.</p>`}
      <${Problem} of=${trial.warning && { message: trial.warning }} />
      ${may(method) && html`<p><${Deed} says="Schedule it" does=${does} /></p>`}
      ${made && html`<p role="status" id="made">Scheduled as <a href="#/schedule/${encodeURIComponent(made.id)}?queue=${encodeURIComponent(command.queue)}">${made.id}</a>.</p>`}
    </section>`;
}
