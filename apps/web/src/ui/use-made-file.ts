import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SavedFile, saveFile } from './save-file.ts';
import { toast } from './toasts.ts';

interface MadeFile {
  file: string;
  /** Tells files of one name apart, as of two farms. */
  of?: string | undefined;
  make: () => Promise<SavedFile>;
  /** Why it was not made. */
  faultOf: (error: Error) => string;
  /** False: who asks has no place for a fault. */
  showsFault?: boolean;
}

export const notCreatedText = (file: string, fault: string): string =>
  `ERROR: File ${file} was not created. ${fault}`;

/**
 * A file that takes a while. Whoever leaves meanwhile gets it all the same, or is told why not; whoever comes back sees that it is being
 * made, and doesn't have it made twice.
 */
export function useMadeFile({ file, of = '', make, faultOf, showsFault = true }: MadeFile) {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const mutationKey = ['made file', file, of];
  const { mutate, error } = useMutation({
    mutationKey,
    mutationFn: make,
    onSuccess: saveFile,
    onError: (why) => {
      if (!isThere.current || !showsFault)
        toast.error(notCreatedText(file, faultOf(why)), { durationMs: null });
    },
  });
  const isPending = useIsMade(mutationKey);
  return { isPending, fault: isPending ? null : error && faultOf(error), onMake: () => mutate() };
}

/** By whichever page. `useIsMutating` is the same, in what comes with the first screen. */
function useIsMade(mutationKey: readonly string[]): boolean {
  const client = useQueryClient();
  return useSyncExternalStore(
    (onChange) => client.getMutationCache().subscribe(onChange),
    () => client.isMutating({ mutationKey }) > 0,
  );
}
