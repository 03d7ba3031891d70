import type { ImportField } from '@headrace/contract/imports';
import { wholeText } from '@headrace/contract/rules/number-text';
import type { ContentDevice } from './farm-content.repo.ts';
import type { Identity } from './judge-unit.ts';
import { grouped } from './match-units.ts';
import type { PlanRow } from './plan-import.ts';

/** What becomes of a unit because of another one's row. */
export interface OtherUnit {
  readonly device: ContentDevice;
  readonly fields: readonly ImportField[];
}

const identities = ['serialNumber', 'macAddress'] as const satisfies readonly Identity[];
const labels = { serialNumber: 'serial number', macAddress: 'MAC address' } as const;
const nowOf = (device: ContentDevice, field: Identity): string =>
  (field === 'serialNumber' ? device.serial_number : device.mac) ?? '';

/**
 * Rows that say what another unit of the farm has: people choose whether they swap. Where the file says what the other one has then, those
 * rows go together, all or none. Else the other one gets what the first of them has now. In this way nothing is lost, and nobody is left
 * without.
 */
export function planSwaps(rows: readonly PlanRow[]): PlanRow[] {
  if (rows.every(({ held }) => identities.every((field) => !held[field]))) return [...rows];
  const links = identities.map((field) => linksOf(rows, field));
  const groups = joined(rows, links);
  const members = grouped(rows, (row) => String(groups.get(row) ?? ''));
  return rows.map((row) => {
    const whys = links.flatMap((link) => sentencesOf(row, link));
    if (whys.length === 0) return row;
    const together = groups.get(row);
    const alongside = together === undefined ? '' : alongsideText(row, members.get(String(together)) ?? []);
    return {
      ...row,
      action: 'choose' as const,
      why: [row.why, ...whys, alongside].filter(Boolean).join(' '),
      others: merged(links.flatMap(({ given }) => given.get(row) ?? [])),
      ...(alongside !== '' && { together }),
    };
  });
}

interface Links {
  readonly field: Identity;
  /** The row about the unit that has what a row says, where the file says what that has then. */
  readonly next: ReadonlyMap<PlanRow, PlanRow>;
  readonly previous: ReadonlyMap<PlanRow, PlanRow>;
  /** What the unit gets that has it, where the file doesn't say. */
  readonly given: ReadonlyMap<PlanRow, OtherUnit>;
}

function linksOf(rows: readonly PlanRow[], field: Identity): Links {
  const changing = rows.filter((row) => !row.isInstead && row.fields.some((one) => one.field === field));
  const byDevice = new Map(changing.flatMap((row) => (row.device ? [[row.device.id, row] as const] : [])));
  const next = new Map<PlanRow, PlanRow>();
  const previous = new Map<PlanRow, PlanRow>();
  for (const row of changing) {
    const holder = byDevice.get(row.held[field]?.id ?? 0);
    if (!holder) continue;
    next.set(row, holder);
    previous.set(holder, row);
  }
  const given = new Map<PlanRow, OtherUnit>();
  for (const row of changing) {
    const device = row.held[field];
    if (!device || next.has(row)) continue;
    const first = firstOf(row, previous);
    if (!first.device) continue;
    const fields = [{ field, from: nowOf(device, field), to: nowOf(first.device, field) }];
    given.set(row, { device, fields });
  }
  return { field, next, previous, given };
}

/** Of the rows that each say what the one after it has. */
function firstOf(row: PlanRow, previous: ReadonlyMap<PlanRow, PlanRow>): PlanRow {
  let first = row;
  for (let before = previous.get(first); before && before !== row; before = previous.get(first))
    first = before;
  return first;
}

/** Those that go together, by the index of the first of them. */
function joined(rows: readonly PlanRow[], links: readonly Links[]): Map<PlanRow, number> {
  const groups = new Map<PlanRow, number>();
  for (const [index, row] of rows.entries()) {
    if (groups.has(row)) continue;
    const open = [row];
    for (let one = open.pop(); one; one = open.pop()) {
      if (groups.has(one)) continue;
      const about = one;
      const beside = links.flatMap(({ next, previous }) => [
        next.get(about) ?? [],
        previous.get(about) ?? [],
      ]);
      if (beside.length > 0) groups.set(one, index);
      open.push(...beside.flat());
    }
  }
  return groups;
}

function sentencesOf(row: PlanRow, { field, next, previous, given }: Links): string[] {
  const holder = row.held[field];
  const other = given.get(row);
  const about = `${holder?.name ?? ''} has this ${labels[field]}`;
  const [gets] = other?.fields ?? [];
  if (holder && gets) return [`${about}. Ticked, they swap: ${holder.name} gets ${gets.to}.`];
  const its = next.get(row);
  if (holder && its) return [`${about}, and another one on line ${its.line}.`];
  const taker = previous.get(row);
  return taker ? [`${taker.name} gets its ${labels[field]} on line ${taker.line}.`] : [];
}

/** Each unit once. */
function merged(others: readonly OtherUnit[]): OtherUnit[] {
  const byId = new Map<number, OtherUnit>();
  for (const other of others) {
    const before = byId.get(other.device.id)?.fields ?? [];
    byId.set(other.device.id, { ...other, fields: [...before, ...other.fields] });
  }
  return [...byId.values()];
}

const LINES_NAMED = 5;
function alongsideText(row: PlanRow, members: readonly PlanRow[]): string {
  const others = members.length - 1;
  if (others < 1) return '';
  const named = members.slice(0, LINES_NAMED + 1).filter((one) => one !== row);
  const lines = named.slice(0, LINES_NAMED).map(({ line }) => line);
  const more = others - lines.length;
  return `It goes together with line ${lines.join(', ')}${more > 0 ? ` and ${wholeText(more)} more` : ''}.`;
}
