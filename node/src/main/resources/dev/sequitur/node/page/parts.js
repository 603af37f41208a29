// Small parts that all pages are made of.

import { html, useEffect, useRef, useState } from './lib/htm.js';
import { now } from './calls.js';

/** Why something is not shown, as the node said it. */
export const Problem = ({ of }) =>
  of ? html`<p class="problem" role="alert">${of.message}</p>` : null;

/** What the node says about itself, each with what to do. */
export const Sentences = ({ of, title }) =>
  of.length === 0
    ? null
    : html`<h2>${title}</h2><ul class="sentences">${of.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

/** How the states of health are shown. */
export const HEALTH = { UP: 'good', DEGRADED: 'warn', DOWN: 'bad' };

/** Until the first answer. */
export const Waiting = ({ for: what }) => html`<p class="quiet" role="status">Asking for ${what} …</p>`;

export const Chip = ({ kind, children }) => html`<span class="chip ${kind ?? ''}">${children}</span>`;

/** A list of names with their values; what is undefined is left out. */
export const Facts = ({ of }) => html`
  <dl class="facts">
    ${Object.entries(of)
      .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;

export const number = (value) => Number(value).toLocaleString('en');

const two = (value) => String(value).padStart(2, '0');

/** Of the browser's zone, such as UTC+01:00. */
export function zone(time = new Date()) {
  const ahead = -time.getTimezoneOffset();
  const far = Math.abs(ahead);
  return ahead === 0 ? 'UTC' : `UTC${ahead < 0 ? '−' : '+'}${two(Math.floor(far / 60))}:${two(far % 60)}`;
}

/** Date and time to the millisecond, by the browser's zone. */
export function clock(at) {
  const time = new Date(at);
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  const ofDay = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${day} ${ofDay}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

export const Moment = ({ at }) => html`<time datetime=${at} title="${clock(at)} ${zone(new Date(at))}, ${at}">${clock(at)}</time>`;

/** A length of time in its two largest units. */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

/** Draws again each second: for what counts down. */
export function useSeconds() {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

export function Countdown({ until }) {
  useSeconds();
  return html`<time datetime=${until} title=${until} class="countdown">${span(Date.parse(until) - now())}</time>`;
}

export function Ago({ at }) {
  useSeconds();
  return html`<time datetime=${at} title=${at}>${span(now() - Date.parse(at))} ago</time>`;
}

/**
 * Enough to recognise: ids of one sender that follow each other differ at their end only, and a schedule's begin after its family. The whole
 * is in its title.
 */
export const Id = ({ of, to }) => {
  const digits = of.slice(of.indexOf(':') + 1);
  const short = digits.length > 14 ? `${digits.slice(0, 8)}…${digits.slice(-4)}` : digits;
  return to
    ? html`<a href=${to} title=${of} class="id">${short}</a>`
    : html`<span title=${of} class="id">${short}</span>`;
};

/**
 * A button that changes something. It is shown to who may press it; what the node answers is shown if it refuses all the same.
 *
 * @param sure asked before it is done
 * @param does what it calls
 */
export function Deed({ says, sure, does }) {
  const [told, setTold] = useState({});
  const go = async () => {
    if (sure && !confirm(sure)) return;
    setTold({ busy: true });
    try {
      await does();
      setTold({ done: true });
    } catch (problem) {
      setTold({ problem });
    }
  };
  return html`
    <button class="deed" disabled=${told.busy || told.done} onClick=${go}>${told.done ? 'Done' : says}</button>
    <${Problem} of=${told.problem} />`;
}

/**
 * A form whose button calls the node; what the node answers stands below it.
 *
 * @param changed called when somebody writes in it: what was answered before goes away
 */
export function Form({ title, id, says, does, changed, children }) {
  const form = useRef();
  const [told, setTold] = useState({});
  const go = async (event) => {
    event.preventDefault();
    setTold({ busy: true });
    try {
      setTold({ done: await does(Object.fromEntries(new FormData(form.current))) });
    } catch (problem) {
      setTold({ problem });
    }
  };
  const written = changed && (() => {
    changed();
    setTold(({ busy }) => ({ busy }));
  });
  return html`
    <details id=${id}><summary>${title}</summary>
      <form class="search" ref=${form} onSubmit=${go} onInput=${written}>
        ${children}
        <button disabled=${told.busy}>${says}</button>
      </form>
      <${Problem} of=${told.problem} />
      ${told.done && html`<p role="status">${told.done}</p>`}
    </details>`;
}

export const Field = ({ form, name, label, size, value }) => html`
  <span class="field"><label for=${`${form}-${name}`}>${label}</label>
    <input id=${`${form}-${name}`} name=${name} size=${size ?? 20} defaultValue=${value ?? ''} autocomplete="off" spellcheck="false" /></span>`;
