// What became of one time of a schedule, in words, as the command line says it.
import { span } from './parts.js';

/** What is run, of which it is told in words: a transfer or a message, also of a repetition. */
const action = (target) => (target?.type === 'repeat' ? target.action : target);

function did({ outcome, target }) {
  const { type, amount, to, message } = action(target) ?? {};
  const ran = outcome === 'run';
  switch (type) {
    case 'transfer': return `${ran ? 'paid' : 'pays'} ${amount} to ${to}`;
    case 'notify': return `${ran ? 'said' : 'says'} "${message}"`;
    default: return type ?? '';
  }
}

/** Such as: paid 5 to bob, 1 ms late, 1 charged, balance 95. */
export function words(one) {
  const { attempts = [], cost, balance, note } = one;
  const late = attempts.at(-1)?.lateMs;
  const parts = [
    did(one),
    late !== undefined && `${late < 60000 ? `${late} ms` : span(late)} late`,
    attempts.length > 1 && `at attempt ${attempts.length}`,
    cost && cost.charged !== '0' && `${cost.charged} charged`,
    balance !== undefined && `balance ${balance}`,
  ];
  return parts.filter(Boolean).join(', ') + (note ? ` (${note})` : '');
}
