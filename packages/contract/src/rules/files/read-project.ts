import { type FileRead, type FileUnit, foreignFile, shown, UNITS_MAX, unread } from './file-units.ts';
import { type IniSection, readIni } from './read-ini.ts';
import { type UnitKey, unitKeys, unitOfTexts } from './unit-of-texts.ts';

/** The sprinklers and repeaters of a project (.prj) or of the .ini files that are exported. spec 2 §5 */
export function readProject(text: string): FileRead {
  const foreign = foreignFile(text);
  if (foreign !== null) return unread(foreign);
  const { sections, faults } = readIni(text);
  if (faults.length > 0) return unread(faults.slice(0, 50).join(' '));
  const of = (word: string) =>
    sections.flatMap((section) => {
      const [, number] = new RegExp(`^${word}(\\d{1,6})$`).exec(section.name) ?? [];
      return number === undefined ? [] : [{ section, number: Number(number) }];
    });
  const pods = of('pod').toSorted(byNumber);
  const repeaters = of('repeater').toSorted(byNumber);
  const count = pods.length + repeaters.length;
  if (count === 0)
    return unread('The file has no section [pod1] or [repeater1]: it lists no sprinklers and no repeaters.');
  if (count > UNITS_MAX)
    return unread(`The file lists ${count.toLocaleString('en-NZ')} units. The most is 5,000.`);
  const farm = sections.find(({ name }) => name === 'farm');
  const defaults = farm ? valuesOf(farm, ['farm_id', 'channel']) : new Map<UnitKey, string>();
  const others = sections.filter(({ name }) => !/^(farm|(pod|repeater)\d{1,6})$/.test(name));
  return {
    units: [
      ...pods.map(({ section }) => unitOf(section, 'sprinkler', defaults)),
      ...repeaters.map(({ section }) => unitOf(section, 'repeater', new Map())),
    ],
    fault: null,
    notes: [...leftOut(others), ...unknownKeys([...pods, ...repeaters].map(({ section }) => section))],
  };
}

const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number;

/** What isn't blank. */
const valuesOf = ({ entries }: IniSection, keys: readonly UnitKey[]): Map<UnitKey, string> =>
  new Map(
    keys.flatMap((key): [UnitKey, string][] => {
      const value = entries.get(key)?.value ?? '';
      return value === '' ? [] : [[key, value]];
    }),
  );

function unitOf(
  section: IniSection,
  kind: FileUnit['kind'],
  defaults: ReadonlyMap<UnitKey, string>,
): FileUnit {
  const lineOf = (key: UnitKey) => section.entries.get(key)?.line;
  return unitOfTexts({ line: section.line, kind, values: valuesOf(section, unitKeys), defaults, lineOf });
}

function leftOut(sections: readonly IniSection[]): string[] {
  if (sections.length === 0) return [];
  const named = sections.slice(0, 5).map(({ name, line }) => `[${shown(name)}] on line ${line}`);
  const more = sections.length > 5 ? ` and ${sections.length - 5} more` : '';
  return [
    `Not imported: ${named.join(', ')}${more}. Only sprinklers and repeaters are taken from a project.`,
  ];
}

function unknownKeys(sections: readonly IniSection[]): string[] {
  const known: readonly string[] = unitKeys;
  const unknown = new Set(
    sections.flatMap(({ entries }) => [...entries.keys()].filter((key) => !known.includes(key))),
  );
  if (unknown.size === 0) return [];
  return [`Not known and left out: ${[...unknown].slice(0, 10).map(shown).join(', ')}.`];
}
