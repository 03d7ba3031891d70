import { shown } from './file-units.ts';

export interface IniEntry {
  readonly value: string;
  /** From 1. */
  readonly line: number;
}
export interface IniSection {
  readonly name: string;
  readonly line: number;
  readonly entries: ReadonlyMap<string, IniEntry>;
}
export interface Ini {
  readonly sections: readonly IniSection[];
  /** Sentences, each with its line. */
  readonly faults: readonly string[];
}

/**
 * `[section]` and `key=value`; a line that begins with ; or # is a comment. Nothing is dropped in silence: a section or key that stands
 * twice is a fault that names both lines. Keys are in lower case.
 */
export function readIni(text: string): Ini {
  const sections = new Map<string, { name: string; line: number; entries: Map<string, IniEntry> }>();
  const faults: string[] = [];
  let current: { entries: Map<string, IniEntry> } | null = null;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || content.startsWith(';') || content.startsWith('#')) continue;
    const [, section] = /^\[([^\]]*)\]$/.exec(content) ?? [];
    if (section !== undefined) {
      const name = section.trim().toLowerCase();
      const before = sections.get(name);
      if (before)
        faults.push(
          `Line ${line}: section [${shown(name)}] stands on line ${before.line} already. Take one of them out.`,
        );
      const opened = { name, line, entries: new Map<string, IniEntry>() };
      if (!before) sections.set(name, opened);
      current = opened;
      continue;
    }
    const fault = readEntry(content, line, current);
    if (fault !== null) faults.push(fault);
  }
  return { sections: [...sections.values()], faults };
}

function readEntry(
  content: string,
  line: number,
  section: { entries: Map<string, IniEntry> } | null,
): string | null {
  const at = content.indexOf('=');
  if (at < 1)
    return `Line ${line}: '${shown(content)}' is neither a [section] nor key=value. Correct it, or take it out.`;
  if (!section)
    return `Line ${line}: '${shown(content)}' stands before the first [section]. Put it below the one that it is of.`;
  const key = content.slice(0, at).trim().toLowerCase();
  const before = section.entries.get(key);
  if (before)
    return `Line ${line}: ${shown(key)} stands on line ${before.line} already. Take one of them out.`;
  section.entries.set(key, { value: unquoted(content.slice(at + 1).trim()), line });
  return null;
}

/** Without one pair of quotation marks around it. */
const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
