// The messages about a transaction as a sequence diagram.

import { html } from './lib/htm.js';
import { Moment, clock, span } from './parts.js';

const COLUMN = 230;
const ROW = 34;
const TOP = 40;
const MARGIN = 110;
const LETTER = 6.4;
const MOST = 400;

/** Each node that takes part, in order of appearance. */
export const participants = (messages) => [...new Set(messages.flatMap(({ from, to }) => [from, to]))];

function Participant({ name, x, height }) {
  return html`
    <g class="participant">
      <path d="M${x} ${TOP - 14}V${height}" />
      <text x=${x} y="18" class="node">${name}</text>
    </g>`;
}

const roles = ({ fromRole, toRole }) => `${fromRole} → ${toRole}`;
const text = ({ type, detail }) => (detail ? `${type}: ${detail}` : type);
const label = (message) => `${text(message)} (${roles(message)})`;

/** Since the message before. Clocks of two nodes are not compared: there is none if another one has seen that. */
function between(message, before) {
  if (!before || message.seenBy[0] !== before.seenBy[0]) return '';
  const time = Date.parse(message.time) - Date.parse(before.time);
  return time < 0 ? '' : time < 10_000 ? `+${time} ms` : `+${span(time)}`;
}

function Arrow({ message, before, from, to, y }) {
  const itself = from === to;
  const path = itself ? `M${from} ${y - 6}h20v10h-20` : `M${from} ${y}H${to}`;
  const head = itself ? `M${from + 8} ${y}L${from} ${y + 4}L${from + 8} ${y + 8}` : tip(to, y, to > from ? -8 : 8);
  return html`
    <g class="message ${message.correlationId ? 'answer' : ''}">
      <title>${message.number}. ${label(message)}, ${clock(message.time)}, told by ${message.seenBy.join(', ')}</title>
      <path d=${path} />
      <path class="tip" d=${head} />
      <text x=${itself ? from + 28 : Math.min(from, to) + 8} y=${itself ? y + 2 : y - 5}>${label(message)}</text>
      <text x="4" y=${y + 4} class="between">${between(message, before)}</text>
    </g>`;
}

const tip = (x, y, by) => `M${x + by} ${y - 4}L${x} ${y}L${x + by} ${y + 4}`;

export function Sequence({ trace }) {
  const messages = trace.messages.slice(0, MOST);
  if (messages.length === 0) {
    return html`<p class="quiet">No messages: none was sent yet, or they are forgotten.</p>`;
  }
  const columns = participants(messages);
  const x = (node) => MARGIN + columns.indexOf(node) * COLUMN;
  const height = TOP + messages.length * ROW + 20;
  // No text is cut: the drawing is as wide as the longest one needs.
  const width = Math.max(
    2 * MARGIN + (columns.length - 1) * COLUMN,
    ...messages.map((message) => Math.min(x(message.from), x(message.to)) + 40 + label(message).length * LETTER),
  );
  return html`
    <div class="wide" tabindex="0" role="region" aria-label="Sequence diagram">
      <svg class="sequence" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label="${messages.length} messages between ${columns.join(', ')}; the list below it has the same.">
        ${columns.map((name, i) => html`<${Participant} key=${name} name=${name} x=${MARGIN + i * COLUMN} height=${height - 8} />`)}
        ${messages.map(
          (message, i) => html`
            <${Arrow}
              key=${message.messageId}
              message=${message}
              before=${messages[i - 1]}
              from=${x(message.from)}
              to=${x(message.to)}
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
                <td>${message.fromRole} ${message.from}</td>
                <td>${message.toRole} ${message.to}</td>
                <td>${text(message)}</td>
                <td>${message.seenBy.join(', ')}</td>
              </tr>`,
          )}
        </tbody>
      </table></div>
    </details>`;
}
