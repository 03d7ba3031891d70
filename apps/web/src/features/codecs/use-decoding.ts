import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { validateMapping } from '@headrace/contract/rules/mapping-preview';
import { ApiError, call } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { decodingQuery } from './codecs.queries.ts';
import { type EnteredLine, entryOf, linesOf, validateLine } from './mapping-lines.ts';

export type Decoding = Api['GET /sensor/decoding']['reply'];

interface Entered {
  /** Empty: the network server decodes. */
  codecId: string;
  /** Empty: always the newest. */
  version: string;
  /** Null: the codec's own mapping. */
  lines: readonly EnteredLine[] | null;
}

/** How a sensor is decoded: what is entered, what is wrong with it, and saving it. */
export function useDecoding(deviceId: string, decoding: Decoding) {
  const queryClient = useQueryClient();
  const [entered, setEntered] = useState<Entered>(() => enteredOf(decoding));
  /** Of the choice that `entered` began with: somebody else's that comes meanwhile isn't written over. */
  const [seen, setSeen] = useState(decoding.revision);
  const [tried, setTried] = useState<unknown>();
  const { lines, codecId, version } = entered;
  const fault = lines ? (lines.map(validateLine).find(Boolean) ?? null) : null;
  const mapping = lines && !fault ? lines.map(entryOf) : null;
  const save = useMutation({
    mutationFn: () =>
      call('PUT /sensor/decoding', {
        body: {
          deviceId,
          codecId: codecId || null,
          version: version ? Number(version) : null,
          mapping,
          revision: seen,
        },
      }),
    onSuccess: ({ revision }) => {
      setSeen(revision);
      toast.success('Decoding saved.');
      void queryClient.invalidateQueries({ queryKey: decodingQuery(deviceId).queryKey });
    },
  });
  return {
    entered,
    patch: (change: Partial<Entered>) => setEntered((before) => ({ ...before, ...change })),
    mapping,
    wrong: fault ?? (mapping && validateMapping(mapping)),
    /** What a message of it holds: of the one that was tried, else of its last. */
    data: tried === undefined ? (decoding.lastUplink?.data ?? undefined) : tried,
    setTried,
    save,
    isStale: save.error instanceof ApiError && save.error.status === 409,
    async takeTheirs() {
      const theirs = await queryClient.fetchQuery({ ...decodingQuery(deviceId), staleTime: 0 });
      setEntered(enteredOf(theirs));
      setSeen(theirs.revision);
      save.reset();
    },
  };
}

const enteredOf = ({ codecId, version, mapping }: Decoding): Entered => ({
  codecId: codecId ?? '',
  version: version === null ? '' : String(version),
  lines: mapping && linesOf(mapping),
});
