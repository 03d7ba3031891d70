/** One's calls that are under way, and those that wait for their turn. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets so many of everybody's calls be under way at once; the others of the same one wait, in their order. There is one thread for
 * the replies of all: of fifty large ones that somebody asks for together all others would wait for fifty, and so for a few.
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
