import { tooManyUnits } from '@headrace/contract/rules/files/file-units';
import { unitKeys } from '@headrace/contract/rules/files/unit-of-texts';
import { FileFault, count, shown } from './file-fault.mjs';
import { PlaceList } from './place-list.mjs';
import { readXml } from './read-xml.mjs';
import { unitOfFile } from './unit-of-file.mjs';

/** @type {readonly string[]} */
const KNOWN = unitKeys;

/**
 * An RXP site: `<site><pod name serial mac lat lng group/></site>`. Each of these may be an attribute or an element of its own.
 * @param {string} text
 * @param {{ lat: number, lng: number }} farm
 */
export function readRxp(text, farm) {
  /** @type {import('@headrace/contract/rules/files/file-units').FileUnit[]} */
  const units = [];
  /** @type {{ line: number, texts: Record<string, string> } | null} */
  let pod = null;
  /** @type {Map<string, number>} */
  const unknown = new Map();
  /** @param {string} name @param {string} value */
  const say = (name, value) => {
    const key = name.toLowerCase();
    if (!KNOWN.includes(key)) unknown.set(name, (unknown.get(name) ?? 0) + 1);
    else if (pod && value.trim() !== '') {
      if (key in pod.texts)
        throw new FileFault(`Line ${pod.line}: the <pod> says its ${key} twice. Please take one out.`);
      pod.texts[key] = value.trim();
    }
  };
  readXml(text, {
    open({ name, parent, attributes, line }) {
      if (name === 'pod') {
        if (pod) throw new FileFault(`Line ${line}: a <pod> stands within the <pod> of line ${pod.line}.`);
        pod = { line, texts: {} };
        for (const [key, value] of Object.entries(attributes)) say(key, value);
      } else if (parent !== 'pod' && parent !== '') unknown.set(name, (unknown.get(name) ?? 0) + 1);
    },
    close({ name, parent, text: value }) {
      if (parent === 'pod') say(name, value);
      if (name !== 'pod' || !pod) return;
      units.push(unitOfFile({ ...pod, kind: 'sprinkler' }));
      pod = null;
    },
  });
  if (units.length === 0) throw new FileFault('The site has no <pod>: it lists no sprinklers.');
  const tooMany = tooManyUnits(units);
  if (tooMany !== null) throw new FileFault(tooMany);
  const places = new PlaceList();
  if (unknown.size > 0) {
    const named = [...unknown].slice(0, 10).map(([name, n]) => `${shown(name)} (${count(n)})`);
    places.notes.add(`Not known and left out: ${named.join(', ')}.`);
  }
  return places.content(null, farm, { units });
}
