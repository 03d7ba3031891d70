import { useEffect, useState } from 'react';

/** The address follows the typing after this pause, ms: the page follows at once. */
const ADDRESS_MS = 300;

/** What is typed is here at once and in the address soon; an address that somebody else changed is taken over. */
export function useTyped(inAddress: string | undefined, write: (text: string | undefined) => void) {
  const [typed, setTyped] = useState(inAddress ?? '');
  const [seen, setSeen] = useState(inAddress);
  const isWritten = (inAddress ?? '') === typed.trim();
  if (inAddress !== seen) {
    setSeen(inAddress);
    // Not what was written from here a few letters ago.
    if (!typed.startsWith(inAddress ?? ' ')) setTyped(inAddress ?? '');
  }
  useEffect(() => {
    if (isWritten) return undefined;
    const timer = setTimeout(() => write(typed.trim() || undefined), ADDRESS_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `write` is made anew with each drawing
  }, [typed, isWritten]);
  return { typed, type: setTyped };
}
