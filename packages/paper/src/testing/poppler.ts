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

type Run = (program: string, ...args: string[]) => string;

/** What programs of others say of a PDF; `faults`: what none of our reports may have. Throws where one of them can't read it. */
export const judge = (pdf: Uint8Array) =>
  asked(pdf, (run) => {
    const lines = (text: string, after: number) => text.trim().split('\n').slice(after);
    const info = run('pdfinfo', FILE);
    /** The words of each figure; null: it has none. */
    const figures = alternateText(run('qpdf', '--json=2', '--json-key=qpdf', FILE));
    const faults = [
      ...(/No syntax or stream encoding errors found/.test(run('qpdf', '--check', FILE)) ? [] : ['syntax']),
      ...(/^Tagged: +yes$/m.test(info) ? [] : ['no tree']),
      ...lines(run('pdfimages', '-list', FILE), 2).map((line) => `a picture of dots: ${line}`),
      ...lines(run('pdffonts', FILE), 2)
        .filter((line) => !/ yes +(yes|no) +(yes|no) +\d+ +\d+$/.test(line))
        .map((line) => `a font that is not in the file: ${line}`),
      ...figures.filter((words) => !words?.trim()).map(() => 'a figure without words'),
    ];
    return {
      info,
      faults,
      struct: run('pdfinfo', '-struct', FILE),
      text: run('pdftotext', '-layout', FILE, '-'),
      fonts: lines(run('pdffonts', FILE), 2),
      figures,
    };
  });

/** The tree with the text of each element, as it is read aloud. Poppler reads a page anew for each of them: minutes for a long report. */
export const readAloud = (pdf: Uint8Array): string =>
  asked(pdf, (run) => run('pdfinfo', '-struct-text', FILE));

const FILE = 'paper.pdf';

function asked<T>(pdf: Uint8Array, ask: (run: Run) => T): T {
  const cwd = mkdtempSync(join(tmpdir(), 'headrace-paper-'));
  writeFileSync(join(cwd, FILE), pdf);
  try {
    return ask((program, ...args) =>
      execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    );
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** How many elements of a kind the tree has. */
export const countOf = (struct: string, type: string): number =>
  struct.match(new RegExp(`^ *${type}( |:|$)`, 'gm'))?.length ?? 0;

interface Dictionary {
  readonly '/S'?: string;
  readonly '/Alt'?: string;
}

function alternateText(json: string): (string | null)[] {
  const { qpdf } = JSON.parse(json) as { qpdf: [unknown, Record<string, { value?: Dictionary }>] };
  return Object.values(qpdf[1])
    .filter(({ value }) => value?.['/S'] === '/Figure')
    .map(({ value }) => value?.['/Alt']?.replace(/^u:/, '') ?? null);
}
