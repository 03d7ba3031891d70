import { writeFile } from 'node:fs/promises';

const WIDTH = 640;
const HEIGHT = 480;
const WHITE = 235;
const BLACK = 16;
/** px for the narrowest bar */
const MODULE = 3;

/** A bar of a rendered bar code: where it begins and how wide it is, in widths of the narrowest. */
export interface Bar {
  readonly at: number;
  readonly width: number;
}

/** Chromium's flags for a camera that films the file, without asking the person. */
export const cameraFlags = (file: string) => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${file}`,
];

/** Writes a film (YUV4MPEG2, 4:2:0) of a label that lies still on a grey table. */
export async function filmLabel(file: string, bars: readonly Bar[]): Promise<void> {
  const end = Math.max(...bars.map(({ at, width }) => at + width));
  const start = Math.min(...bars.map(({ at }) => at));
  const left = Math.round((WIDTH - (end - start) * MODULE) / 2);
  const row = Buffer.alloc(WIDTH, WHITE);
  for (const { at, width } of bars)
    row.fill(BLACK, left + (at - start) * MODULE, left + (at - start + width) * MODULE);
  const table = Buffer.alloc(WIDTH, 120);
  const rows = Array.from({ length: HEIGHT }, (_none, y) => {
    if (y < 120 || y >= 360) return table;
    return y < 180 || y >= 300 ? Buffer.alloc(WIDTH, WHITE) : row;
  });
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), ...rows, colours]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  await writeFile(file, Buffer.concat([header, frame, frame]));
}
