// The messages about a transaction as a sequence diagram.

import { html } from './lib/htm.js';
import { Moment, clock } from './parts.js';

const COLUMN = 190;
const ROW = 30;
const TOP = 58;
const MARGIN = 100;
const MOST = 400;

const who = (role, node) => `${role} ${node}`;

/** Each role that a node plays, in order of appearance. */
export const participants = (messages) => [
  ...new Set(messages.flatMap((message) => [who(message.fromRole, message.from), who(message.toRole, message.to)])),
];

function Participant({ name, x, height }) {
  const [role, node] = name.split(' ');
  return html`
    <g class="participant">
      <path d="M${x} ${TOP - 14}V${height}" />
      <text x=${x} y="18">${role}</text>
      <text x=${x} y="36" class="node">${node}</text>
    </g>`;
}

const text = ({ type, detail }) => (detail ? `${type}: ${detail}` : type);
const cut = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);

function Arrow({ message, from, to, y }) {
  const itself = from === to;
  const path = itself ? `M${from} ${y - 6}h34v12h-34` : `M${from} ${y}H${to}`;
  const head = itself ? `M${from + 8} ${y + 2}L${from} ${y + 6}L${from + 8} ${y + 10}` : tip(to, y, to > from ? -8 : 8);
  const room = itself ? 46 : Math.max(26, Math.floor(Math.abs(to - from) / 6.2));
  return html`
    <g class="message ${message.correlationId ? 'answer' : ''}">
      <title>${message.number}. ${text(message)}, ${clock(message.time)}, told by ${message.seenBy.join(', ')}</title>
      <path d=${path} />
      <path class="tip" d=${head} />
      <text x=${itself ? from + 40 : (from + to) / 2} y=${itself ? y + 4 : y - 4} class=${itself ? 'itself' : ''}>
        ${cut(text(message), room)}
      </text>
    </g>`;
}

const tip = (x, y, by) => `M${x + by} ${y - 4}L${x} ${y}L${x + by} ${y + 4}`;

export function Sequence({ trace }) {
  const messages = trace.messages.slice(0, MOST);
  if (messages.length === 0) {
    return html`<p class="quiet">No messages: none was sent yet, or they are forgotten.</p>`;
  }
  const columns = participants(messages);
  const x = (role, node) => MARGIN + columns.indexOf(who(role, node)) * COLUMN;
  const height = TOP + messages.length * ROW + 20;
  const width = 2 * MARGIN + (columns.length - 1) * COLUMN + 60;
  return html`
    <div class="wide" tabindex="0" role="region" aria-label="Sequence diagram">
      <svg class="sequence" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label="${messages.length} messages between ${columns.join(', ')}; the list below it has the same.">
        ${columns.map((name, i) => html`<${Participant} key=${name} name=${name} x=${MARGIN + i * COLUMN} height=${height - 8} />`)}
        ${messages.map(
          (message, i) => html`
            <${Arrow}
              key=${message.messageId}
              message=${message}
              from=${x(message.fromRole, message.from)}
              to=${x(message.toRole, message.to)}
              y=${TOP + (i + 0.7) * ROW}
            />`,
        )}
      </svg>
    </div>
    ${trace.silent.length > 0 && html`<p class="warning">No answer from ${trace.silent.join(', ')}: what only they have seen is missing.</p>`}
    ${trace.leftOut > 0 && html`<p class="quiet">${trace.leftOut} messages are missing, which a node had no room for.</p>`}
    ${trace.messages.length > MOST && html`<p class="quiet">The first ${MOST} of ${trace.messages.length}.</p>`}
    <details>
      <summary>The messages as a list</summary>
      <div class="wide"><table>
        <thead><tr><th>No.</th><th>Time there</th><th>From</th><th>To</th><th>Message</th><th>Told by</th></tr></thead>
        <tbody>
          ${messages.map(
            (message) => html`
              <tr key=${message.messageId}>
                <td>${message.number}</td>
                <td><${Moment} at=${message.time} /></td>
                <td>${who(message.fromRole, message.from)}</td>
                <td>${who(message.toRole, message.to)}</td>
                <td>${text(message)}</td>
                <td>${message.seenBy.join(', ')}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>
    </details>`;
}
