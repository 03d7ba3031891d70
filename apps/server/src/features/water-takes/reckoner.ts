import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@headrace/contract/rules/water-take/clock';
import {
  type MeterRun,
  type ReckonedDay,
  reckonedDays,
} from '@headrace/contract/rules/water-take/meter-days';
import { atMost } from '../../at-most.ts';
import { ApiFailure } from '../../http/errors.ts';
import { doInTurns } from '../../jobs/in-turns.ts';
import { createOwnProcess, type OwnProcess } from '../../machine/own-process.ts';

const PROGRAM = fileURLToPath(new URL('./reckon-program.mjs', import.meta.url));
/** Of so few days there is less to do than to start a process. */
const DAYS_HERE = 7;
const MEMORY = { megabytes: 512, young: 8 };
/** For so long it waits for more. */
const IDLE_MS = 30_000;

/** Reckons what went through meters. */
export interface Reckoner {
  /** By days. Throws how its process ended where it died, and notReady once it is closed. */
  reckon(run: MeterRun): Promise<readonly ReckonedDay[]>;
  /** Resolves once nothing is reckoned in a process any more. */
  close(): Promise<void>;
}

/**
 * Many days are reckoned in a process of their own: the objects of a year, which live for a moment, made the server stand still for as long
 * as it took to collect them.
 */
export function createReckoner(): Reckoner {
  const inTurn = atMost(1);
  let own: OwnProcess<never> | null = null;
  let resting: NodeJS.Timeout | undefined;
  let isClosed = false;
  return {
    reckon: (run) =>
      run.to - run.from <= DAYS_HERE * DAY_MS ? doInTurns(reckonedDays(run)) : inTurn(() => beside(run)),
    async close() {
      isClosed = true;
      await end();
    },
  };

  async function beside(run: MeterRun): Promise<readonly ReckonedDay[]> {
    if (isClosed) throw new ApiFailure('notReady', 'The server is stopping. Please try again soon.');
    clearTimeout(resting);
    try {
      own ??= start();
      const days = await own.make<readonly ReckonedDay[]>(run);
      resting = setTimeout(() => void end(), IDLE_MS).unref();
      return days;
    } catch (error) {
      void end();
      throw error;
    }
  }

  function start(): OwnProcess<never> {
    const started = createOwnProcess<never>(PROGRAM, {
      what: 'A reckoning of volumes',
      memory: MEMORY,
      onEnd: () => {
        if (own === started) own = null;
      },
    });
    return started;
  }

  async function end(): Promise<void> {
    clearTimeout(resting);
    const ending = own;
    own = null;
    await ending?.end();
  }
}
