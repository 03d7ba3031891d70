import { APP_VERSION } from '@headrace/contract/limits';
import type { QueryOf } from '@headrace/contract/endpoint';
import type { takePack as takePackEndpoint } from '@headrace/contract/water-takes';
import type { Paper } from '@headrace/paper/paper';
import { type PackFile, takePack } from '@headrace/paper/reports/take-pack';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Printer } from '../reports/printer.ts';
import type { ReportsRepo } from '../reports/reports.repo.ts';
import type { TakenService } from './taken.service.ts';
import { sha256, writePack } from './write-pack.ts';

interface Parts {
  readonly taken: Pick<TakenService, 'pack'>;
  readonly people: ReportsRepo;
  readonly printer: Printer;
}

/** What a council is handed, in one file. */
export function createPacksService({ taken, people, printer }: Parts) {
  return {
    /** The same question gives the same bytes while nothing came since. Throws what the figures' own calls throw. */
    async pack(
      farm: FarmRow,
      query: Omit<QueryOf<typeof takePackEndpoint>, 'farmUID'>,
      { accountId, now }: { readonly accountId: number; readonly now: Date },
    ): Promise<{ fileName: string; content: Uint8Array }> {
      const [{ data, at }, by] = await Promise.all([
        taken.pack(farm, query, now),
        people.personName(accountId),
      ]);
      const made = { farm: farm.name, zone: toZone(farm), by, at: at.getTime() };
      const { files, paper } = takePack(data, made);
      const pdf = await printer.print(withHashes(paper, files));
      const { from, to, standardTime } = data.days;
      const asked = {
        headrace: APP_VERSION,
        farm: farm.name,
        consent: data.take.consentNo,
        from,
        to,
        standardTime,
        asOf: at.toISOString(),
        options: data.options,
      };
      const contents = files.map(({ name, text }) => ({ name, content: Buffer.from(text) }));
      return {
        fileName: `water-take-${data.take.consentNo}-${from}-${to}.zip`,
        content: await writePack([{ name: 'summary.pdf', content: pdf }, ...contents], asked, at),
      };
    },
  };
}
export type PacksService = ReturnType<typeof createPacksService>;

/** Who has the paper can tell whether the files beside it are those that it tells of. */
const withHashes = (paper: Paper, files: readonly PackFile[]): Paper => ({
  ...paper,
  parts: [
    ...paper.parts,
    { kind: 'heading', text: 'Files' },
    {
      kind: 'table',
      summary: 'Files of this pack with their SHA-256',
      columns: [
        { title: 'FILE', isRowHead: true },
        { title: 'SHA-256', isLong: true },
      ],
      rows: files.map(({ name, text }) => [name, sha256(text)]),
    },
  ],
});
