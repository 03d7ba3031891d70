import { createHash } from 'node:crypto';
import { csvLines, csvStart } from '@headrace/contract/rules/files/csv-text';
import { SCHEDULE_COLUMNS } from '@headrace/contract/rules/files/read-schedules';
import type { ScheduleSet } from '@headrace/contract/schedules';
import { ZipFile } from 'yazl';
import { breathe, mapInTurns } from '../../jobs/in-turns.ts';

/** The CSV of one set: a row for each watering, minutes over the whole cycle. Made by turns, for it has tens of thousands. */
export async function setCsv({ name, settings: { cycleLen }, schedules }: ScheduleSet): Promise<string> {
  const lines = await mapInTurns(schedules, (unit) =>
    csvLines(
      unit.schedules.map(({ start, duration, cycle }) => [
        name,
        unit.group,
        unit.scheduleGroup,
        unit.serialNumber,
        unit.name,
        cycle,
        start,
        duration,
        cycleLen,
      ]),
    ),
  );
  return csvStart(SCHEDULE_COLUMNS) + lines.join('');
}

/** site.zip: a file for each set, and manifest.json that names them. */
export async function siteZip(farmName: string, sets: readonly ScheduleSet[], now: Date): Promise<Buffer> {
  const names = fileNames(sets.map(({ name }) => name));
  const files: { set: ScheduleSet; file: string; csv: Buffer; sha256: string }[] = [];
  for (const [index, set] of sets.entries()) {
    const csv = Buffer.from(await setCsv(set));
    const sha256 = createHash('sha256').update(csv).digest('hex');
    files.push({ set, file: names[index] ?? '', csv, sha256 });
    await breathe();
  }
  const manifest = {
    version: 1,
    farm: farmName,
    sets: files.map(({ set, file, sha256 }) => ({
      name: set.name,
      file,
      cycleLen: set.settings.cycleLen,
      sha256,
    })),
  };
  const zip = new ZipFile();
  for (const { file, csv } of files) zip.addBuffer(csv, file, { mtime: now });
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json', { mtime: now });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

const LONGEST = 60;

/** Names that every system can save under, each once: "North / upper" and "North \ upper" → North - upper.csv, North - upper (2).csv. */
export function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const cleaned = name
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu, '-')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const stem =
      Array.from(cleaned)
        .slice(0, LONGEST)
        .join('')
        .replaceAll(/[. ]+$/g, '') || 'set';
    let file = `${stem}.csv`;
    for (let n = 2; taken.has(file.toLowerCase()); n += 1) file = `${stem} (${n}).csv`;
    taken.add(file.toLowerCase());
    return file;
  });
}
