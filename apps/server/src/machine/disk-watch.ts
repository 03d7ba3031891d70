import { realpath, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import { inGigabytes } from './gigabytes.ts';
import type { OperatorNotices } from './operator-notices.ts';

export interface DiskLimits {
  /** Less free than this is told; of a small disk a tenth. Bytes. */
  warnBytes: number;
  /** With less the server is no longer ready; of a small disk a fiftieth. Bytes. */
  lowBytes: number;
}

export interface DiskRoom {
  /** What lies there, in words for everyone: no path. */
  name: string;
  free: number;
  size: number;
}

export interface DiskWatch {
  /** For /readyz: `ok`, what is wrong, or `warning: …` before it is. */
  check(): string;
  metrics(registry: Registry): void;
  /** The database said that it has no room left, which may be on another machine's disk. */
  databaseFull(): void;
  stop(): void;
}

interface WatchOptions {
  dataDir: string;
  /** The embedded database lies in the data folder, or behind links in it. */
  isEmbedded: boolean;
  limits: DiskLimits;
  notices: OperatorNotices;
  everyMs?: number;
}

const EVERY_MS = 5000;
/** The database's own word counts this long after it was last heard, ms. */
const FULL_FOR_MS = 60_000;

/** Looks how much room is left where this server and its database write, before there is none. */
export function watchDisks({ notices, limits, everyMs = EVERY_MS, ...places }: WatchOptions): DiskWatch {
  let rooms: DiskRoom[] = [];
  let fullAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    rooms = await readRooms(places);
    for (const room of rooms) {
      const [level, sentence] = judge(room, limits) ?? [];
      if (level === 'low') await notices.tell('the disk is full', [sentence ?? '', WHAT_TO_DO]);
      if (level === 'warning') await notices.tell('the disk is nearly full', [sentence ?? '', WHAT_TO_DO]);
    }
  }

  const isFull = () => performance.now() - fullAt < FULL_FOR_MS;
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  timer.unref();
  void look().catch(() => {});
  return {
    check() {
      if (isFull()) return FULL_DATABASE;
      const found = rooms.flatMap((room) => [judge(room, limits) ?? []].filter(([level]) => level));
      const low = found.find(([level]) => level === 'low');
      if (low) return low[1] ?? '';
      return found[0] ? `warning: ${found[0][1]}` : 'ok';
    },
    databaseFull() {
      fullAt = performance.now();
      void notices.tell('the disk is full', [`${FULL_DATABASE}.`, WHAT_TO_DO]);
    },
    metrics(registry) {
      for (const [name, help, value] of [
        ['headrace_disk_free_bytes', 'Room left, by what lies there', (room: DiskRoom) => room.free],
        ['headrace_disk_bytes', 'Size of the disk, by what lies there', (room: DiskRoom) => room.size],
      ] as const)
        registry.registerMetric(
          new Gauge({
            name,
            help,
            labelNames: ['of'],
            registers: [],
            collect() {
              for (const room of rooms) this.set({ of: room.name }, value(room));
            },
          }),
        );
    },
    stop: () => clearInterval(timer),
  };
}

const FULL_DATABASE = "the database's disk is full: nothing can be stored";
const WHAT_TO_DO =
  'While nothing can be stored, devices keep what they have to say and people can save nothing. Make room, or move the data to a larger disk; what is stored is safe.';

/** Null: there is room. */
export function judge(
  { name, free, size }: DiskRoom,
  { warnBytes, lowBytes }: DiskLimits,
): [level: 'low' | 'warning', sentence: string] | null {
  const sentence = `${inGigabytes(free)} of ${inGigabytes(size)} free where the ${name} is`;
  if (free < Math.min(lowBytes, size / 50)) return ['low', `the disk is full: ${sentence}`];
  return free < Math.min(warnBytes, size / 10) ? ['warning', `the disk is nearly full: ${sentence}`] : null;
}

/** Each disk once, by the first that lies on it. */
async function readRooms({
  dataDir,
  isEmbedded,
}: Pick<WatchOptions, 'dataDir' | 'isEmbedded'>): Promise<DiskRoom[]> {
  const cluster = join(dataDir, 'postgres');
  const places = [
    ...(isEmbedded
      ? [['database', cluster] as const, ['journal of the database', join(cluster, 'pg_wal')] as const]
      : []),
    ['data folder', dataDir] as const,
  ];
  const rooms = new Map<number, DiskRoom>();
  for (const [name, named] of places) {
    const path = await realpath(named).catch(() => null);
    if (path === null) continue;
    const { dev } = await stat(path);
    const { bavail, blocks, bsize } = await statfs(path);
    if (!rooms.has(dev)) rooms.set(dev, { name, free: bavail * bsize, size: blocks * bsize });
  }
  return [...rooms.values()];
}
