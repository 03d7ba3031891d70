import type { Choice } from '../../device-records/device-record.ts';

/** The group that a line is of: `North/2` is the second line of North. Undefined: a line of no group, or of several. */
export function groupOfLine(line: string, groups: readonly Choice[]): Choice | undefined {
  const [, before] = /^(.*)\/\d+$/.exec(line) ?? [];
  return groups.find(({ name }) => name === line) ?? groups.find(({ name }) => name === before);
}
