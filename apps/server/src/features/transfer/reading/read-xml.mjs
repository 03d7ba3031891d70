import { SaxesParser } from 'saxes';
import { FileFault, count } from './file-fault.mjs';

const MAX = {
  depth: 50,
  attributes: 200,
  elements: 500_000,
  characters: 64 * 1024,
  coordinates: 4 * 1024 * 1024,
};
/** Characters that are read at a time. */
const PIECE = 64 * 1024;

/**
 * @typedef {object} XmlHandler
 * @property {(element: { name: string, parent: string, attributes: Record<string, string>, line: number }) => void} open
 * @property {(element: { name: string, parent: string, text: string }) => void} close `text`: what stands directly in it
 */

/**
 * Elements in turn, by their names without prefixes. Nothing is fetched: a document type is passed over, and what would have to be
 * looked up is refused. Names have no namespaces, since files often use prefixes that they don't declare.
 * @param {string} text
 * @param {XmlHandler} handler
 */
export function readXml(text, handler) {
  const parser = new SaxesParser({ xmlns: false, position: true });
  /** @type {{ name: string, pieces: string[], length: number, most: number }[]} */
  const open = [];
  let elements = 0;
  let line = 1;
  /** @param {string} sentence @returns {never} */
  const refuse = (sentence) => {
    throw new FileFault(`Line ${parser.line}, column ${parser.column}: ${sentence}`);
  };
  parser.on('error', ({ message }) => refuse(sentenceOf(message)));
  parser.on('doctype', (inner) => {
    if (inner.includes('[')) refuse("entities aren't allowed.");
  });
  parser.on('opentagstart', () => {
    line = parser.line;
    elements += 1;
    if (open.length >= MAX.depth) refuse(`elements are nested more than ${MAX.depth} deep.`);
    if (elements > MAX.elements) refuse(`the file has more than ${count(MAX.elements)} elements.`);
  });
  let attributes = 0;
  parser.on('attribute', ({ name, value }) => {
    attributes += 1;
    if (attributes > MAX.attributes) refuse(`an element has more than ${MAX.attributes} attributes.`);
    if (name.length + value.length > MAX.characters) refuse('an attribute has more than 64 KB.');
  });
  parser.on('opentag', ({ name, attributes: given }) => {
    attributes = 0;
    const local = localOf(name);
    handler.open({ name: local, parent: open.at(-1)?.name ?? '', attributes: given, line });
    open.push({
      name: local,
      pieces: [],
      length: 0,
      most: local === 'coordinates' ? MAX.coordinates : MAX.characters,
    });
  });
  /** @param {string} piece */
  const add = (piece) => {
    const top = open.at(-1);
    if (!top) return;
    top.length += piece.length;
    if (top.length > top.most) refuse(`the text of ${top.name} is too long.`);
    top.pieces.push(piece);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const top = open.pop();
    if (top) handler.close({ name: top.name, parent: open.at(-1)?.name ?? '', text: top.pieces.join('') });
  });
  for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
  parser.close();
}

/** @param {string} name */
const localOf = (name) => name.slice(name.indexOf(':') + 1);

/**
 * saxes' words begin with the place, which stands in front already.
 * @param {string} message
 */
function sentenceOf(message) {
  const what = message.replace(/^\d+:\d+: /, '');
  if (/entity/i.test(what)) return "entities aren't allowed.";
  return `this is no well-formed XML (${what.replace(/\.$/, '')}).`;
}
