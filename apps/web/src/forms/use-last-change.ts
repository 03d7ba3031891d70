import { useEffect, useRef, useState } from 'react';

/** Who saved a record last, and when, epoch ms. */
export interface LastChange {
  by: string;
  at: number;
}

export type FindLastChange = () => Promise<LastChange | null>;

/** Asked for once somebody else is found to have saved the record at this version; null until it is known. */
export function useLastChange(find: FindLastChange | undefined, version: number | null): LastChange | null {
  const [found, setFound] = useState<{ version: number; last: LastChange | null } | null>(null);
  const finder = useRef(find);
  useEffect(() => {
    finder.current = find;
  });
  useEffect(() => {
    if (version === null) return;
    let isGone = false;
    const ask = async () => {
      const last = (await finder.current?.()) ?? null;
      if (!isGone) setFound({ version, last });
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [version]);
  return found !== null && found.version === version ? found.last : null;
}
