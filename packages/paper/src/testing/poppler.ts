import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fonts, fontUrls } from '../fonts.ts';

/** The fonts from the disk. */
export const fonts = (): Fonts => ({
  plain: readFileSync(fontUrls.plain),
  strong: readFileSync(fontUrls.strong),
});

/** Is there what PDFs are judged by? `npm test` installs it where it may. */
export const hasPoppler = ['pdfinfo', 'pdftotext', 'pdffonts', 'pdfimages', 'qpdf'].every((program) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** What programs of others say of a PDF. Throws where one of them finds a fault. */
export function judge(pdf: Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-paper-'));
  const file = join(folder, 'paper.pdf');
  writeFileSync(file, pdf);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  try {
    const lines = (text: string, after: number) => text.trim().split('\n').slice(after);
    return {
      check: run('qpdf', '--check', file),
      info: run('pdfinfo', file),
      struct: run('pdfinfo', '-struct-text', file),
      text: run('pdftotext', '-layout', file, '-'),
      fonts: lines(run('pdffonts', file), 2),
      images: lines(run('pdfimages', '-list', file), 2),
      /** The words of each figure; null: it has none. */
      figures: wordsOf(run('qpdf', '--json=2', '--json-key=qpdf', file)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How many elements of a kind the tree has. */
export const countOf = (struct: string, type: string): number =>
  struct.match(new RegExp(`^ *${type}( |:|$)`, 'gm'))?.length ?? 0;

interface Dictionary {
  readonly '/S'?: string;
  readonly '/Alt'?: string;
}

function wordsOf(json: string): (string | null)[] {
  const { qpdf } = JSON.parse(json) as { qpdf: [unknown, Record<string, { value?: Dictionary }>] };
  return Object.values(qpdf[1])
    .filter(({ value }) => value?.['/S'] === '/Figure')
    .map(({ value }) => value?.['/Alt']?.replace(/^u:/, '') ?? null);
}
