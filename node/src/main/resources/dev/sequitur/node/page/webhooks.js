// Where the node sends what happens in its queues: how far each webhook is, what its receiver has refused, and sending that again.

import { html, useState } from './lib/htm.js';
import { call, useGranted, usePolled } from './calls.js';
import { Chip, Deed, Field, Form, Problem, Waiting, number } from './parts.js';

const MOST = 1000;
const EVERY = 5000;

const DEEDS = ['events_createWebhook', 'events_startWebhook', 'events_stopWebhook', 'events_replay', 'events_deleteWebhook'];

export function Webhooks() {
  const may = useGranted(DEEDS);
  const { value, problem } = usePolled(() => call('events_queryWebhooks', { limit: MOST }), EVERY);
  return html`
    <h1>Webhooks</h1>
    <${Problem} of=${problem} />
    ${!value && !problem && html`<${Waiting} for="webhooks" />`}
    ${value?.length === 0 && html`<p class="quiet">There is no webhook: <code>./sequitur schedule webhook create NAME URL</code> makes one and prints its key.</p>`}
    ${value?.map((webhook) => html`<${Webhook} key=${webhook.name} of=${webhook} />`)}
    ${may('events_createWebhook') && html`<${Create} />`}`;
}

/** Its key is told once, here. */
function Create() {
  const does = async ({ name, url, queue, owner }) => {
    const key = await call('events_createWebhook', {
      name: name.trim(), url: url.trim(), ...(queue.trim() && { queue: queue.trim() }), ...(owner.trim() && { owner: owner.trim() }),
    });
    return html`${name.trim()} was made. Its receiver verifies by this key, which is shown this once: <code>${key}</code>`;
  };
  return html`
    <${Form} title="Make a webhook" id="make-webhook" says="Make" does=${does}>
      <${Field} form="webhook" name="name" label="Name" size="12" />
      <${Field} form="webhook" name="url" label="Address" size="40" />
      <${Field} form="webhook" name="queue" label="Queue" size="12" value="default" />
      <${Field} form="webhook" name="owner" label="Owner, or all" size="12" />
    <//>`;
}

function Webhook({ of }) {
  const [shown, setShown] = useState(false);
  const may = useGranted(DEEDS, undefined, of.filters.queue);
  return html`
    <section class="webhook" id="webhook-${of.name}">
      <h2>${of.name} <${Chip} kind=${of.started ? 'good' : 'warn'}>${of.started ? 'started' : 'stopped'}<//>
        ${of.dead > 0 && html` <${Chip} kind="bad">${number(of.dead)} dead<//>`}</h2>
      <p>Queue ${of.filters.queue}, to <code>${of.url}</code>. All before number ${number(of.acknowledged)} was taken or is dead.
        ${of.leftOut > 0 && ` ${number(of.leftOut)} dead ones more were not kept.`}</p>
      <p>
        ${of.started && may('events_stopWebhook') && html`<${Deed} key="stop" says="Stop it" does=${() => call('events_stopWebhook', of.name)} />`}
        ${!of.started && may('events_startWebhook') && html`<${Deed} key="start" says="Start it" does=${() => call('events_startWebhook', of.name)} />`}
        ${!of.started && may('events_deleteWebhook') && html` <${Deed} key="delete" says="Delete it" sure="Delete the webhook ${of.name}, with what is dead of it?" does=${() => call('events_deleteWebhook', of.name)} />`}
        ${of.dead > 0 && html` <button onClick=${() => setShown(!shown)}>${shown ? 'Hide what is dead' : 'Show what is dead'}</button>`}
      </p>
      ${shown && html`<${Dead} name=${of.name} may=${may} />`}
    </section>`;
}

function Dead({ name, may }) {
  const [turn, setTurn] = useState(0);
  const [told, setTold] = useState();
  const { value, problem } = usePolled(() => call('events_deadLetters', name), 0, name, turn);
  const again = async () => {
    const answers = await call('events_replay', name);
    const taken = answers.filter(({ delivered }) => delivered).length;
    setTold(`${number(taken)} taken. ${answers.find(({ delivered }) => !delivered)?.why ?? ''}`);
    setTurn(turn + 1);
  };
  return html`
    <${Problem} of=${problem} />
    <p>${may('events_replay') && html`<${Deed} key=${turn} says="Send them again" does=${again} />`} <span role="status">${told}</span></p>
    <ul class="sentences">${value?.map((event) => html`<li><code>${JSON.stringify(event)}</code></li>`)}</ul>`;
}
