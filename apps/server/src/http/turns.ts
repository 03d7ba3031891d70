/** The calls of one account that are under way, and those that wait. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs at most `most` calls of each account at a time; its other calls wait, in order. One thread makes all replies: if somebody asked
 * for fifty large ones together, everybody else would wait for all fifty. This way they wait for a few.
 */
export function createTurns(most: number) {
  const lines = new Map<number, Line>();

  function lineOf(whom: number): Line {
    const line = lines.get(whom) ?? { running: 0, waiting: [] };
    lines.set(whom, line);
    return line;
  }

  return async <T>(whom: number, work: () => Promise<T>): Promise<T> => {
    const line = lineOf(whom);
    if (line.running >= most) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) lines.delete(whom);
    }
  };
}
