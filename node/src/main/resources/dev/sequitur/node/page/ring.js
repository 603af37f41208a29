// The hash ring of a contract: whose part of it is where, and where the ranges of blocks point to.

import { html } from './lib/htm.js';

const WHOLE = 2 ** 64;
const RADIUS = 100;
const place = (text) => Number(BigInt(text)) / WHOLE;

/** Each part of the ring with the member whose position is nearest, neighbours of one member as one part. */
export function parts(members) {
  const positions = members
    .flatMap((member, index) => member.positions.map((text) => ({ at: place(text), index })))
    .sort((a, b) => a.at - b.at);
  const owned = positions.map((position, i) => {
    const before = positions.at(i - 1);
    const gap = i === 0 ? position.at + 1 - before.at : position.at - before.at;
    return { from: position.at - gap / 2, index: position.index };
  });
  return owned.reduce((joined, part, i) => {
    const to = i + 1 < owned.length ? owned[i + 1].from : owned[0].from + 1;
    const last = joined.at(-1);
    if (last?.index === part.index) last.to = to;
    else joined.push({ ...part, to });
    return joined;
  }, []);
}

const point = (at, radius) => {
  const angle = 2 * Math.PI * at - Math.PI / 2;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
};

function arc({ from, to }) {
  // An arc that ends where it begins is none.
  const end = Math.min(to, from + 0.9999);
  return `M${point(from, RADIUS)}A${RADIUS} ${RADIUS} 0 ${end - from > 0.5 ? 1 : 0} 1 ${point(end, RADIUS)}`;
}

const Range = ({ range, index, rangeSize }) => {
  const at = place(range.point);
  const now = index === 0;
  const blocks = `${range.range * rangeSize} to ${(range.range + 1) * rangeSize - 1}`;
  return html`
    <g class=${now ? 'point now' : 'point'}>
      <title>Blocks ${blocks}: ${range.ranking[0]}</title>
      ${now && html`<path d="M0 0L${point(at, RADIUS - 9)}" />`}
      <circle cx=${point(at, RADIUS + 15).split(' ')[0]} cy=${point(at, RADIUS + 15).split(' ')[1]} r="9" />
      <text x=${point(at, RADIUS + 15).split(' ')[0]} y=${point(at, RADIUS + 15).split(' ')[1]} dy="0.35em">
        ${now ? 'now' : `+${index}`}
      </text>
    </g>`;
};

/** Members have the colours of their places in the list. */
export function Ring({ ring, chosen }) {
  const owned = parts(ring.members);
  // The present range last, so that it lies on top.
  const ranges = ring.ranges.map((range, index) => ({ range, index })).reverse();
  return html`
    <svg class="ring" viewBox="-130 -130 260 260" role="img" aria-labelledby="ring-title">
      <title id="ring-title">
        The ring: ${chosen} coordinates now; the table beside it has the same in words.
      </title>
      ${ring.members.map(
        (member, index) => html`
          <path
            class="part m${index % 8}"
            d=${owned
              .filter((part) => part.index === index)
              .map(arc)
              .join('')}
          ><title>${member.identity}</title></path>`,
      )}
      <text class="middle" dy="0.35em">${chosen}</text>
      ${ranges.map((each) => html`<${Range} ...${each} rangeSize=${ring.rangeSize} />`)}
    </svg>`;
}
