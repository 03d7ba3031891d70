/**
 * @typedef {import('./file-content.ts').FileContent} FileContent
 * @typedef {Record<keyof FileContent, any[]>} Lists
 * @typedef {[list: keyof FileContent | 'turns', json: string]} Piece
 */

/** A file that says nothing. @returns {Lists} */
export const nothing = () => ({
  units: [],
  points: [],
  areas: [],
  refused: [],
  sets: [],
  groups: [],
  farms: [],
  notes: [],
});

/** Rows of one piece: a few milliseconds to read. */
const ROWS = 500;

/**
 * What was read of a file, as short texts: what a thread sends as one object is put together at once by who gets it, and of thousands of
 * rows that is too long. Turns of a set follow it, and belong to the newest one.
 * @param {FileContent} content
 * @returns {Piece[]}
 */
export function piecesOf({ sets, ...lists }) {
  return [
    ...Object.entries(lists).flatMap(([name, rows]) => cut(/** @type {keyof FileContent} */ (name), rows)),
    ...sets.flatMap(({ turns, ...set }) => [...cut('sets', [{ ...set, turns: [] }]), ...cut('turns', turns)]),
  ];
}

/** @param {Piece[0]} name @param {readonly unknown[]} rows @returns {Piece[]} */
function cut(name, rows) {
  /** @type {Piece[]} */
  const pieces = [];
  for (let start = 0; start < rows.length; start += ROWS)
    pieces.push([name, JSON.stringify(rows.slice(start, start + ROWS))]);
  return pieces;
}

/**
 * Put together again, a piece for each step.
 * @param {readonly Piece[]} pieces
 * @param {Lists} content empty lists, which are filled
 */
export function* fill(pieces, content) {
  for (const [name, json] of pieces) {
    const into = name === 'turns' ? content.sets.at(-1).turns : content[name];
    into.push(...JSON.parse(json));
    yield name;
  }
}
