import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { FieldMappingEntry } from '@headrace/contract/rules/mapping-preview';
import { call, errorText } from '../../api/client.ts';
import { type EnteredNumber, enteredNumber, NumberField, TextField } from '../../forms/fields.tsx';
import classes from './codecs.module.css';

type Tried = Api['POST /codec/try']['reply'];

export interface TryPayloadProps {
  farmUID: string;
  /** What it is tried with. */
  codec: { codecId: string; version?: number } | { script: string };
  mapping: readonly FieldMappingEntry[] | null;
  /** What the sensor sent last, to begin with. */
  first: { fPort: number; bytes: string };
  onTried?: ((data: unknown) => void) | undefined;
}

/** Runs a codec and a mapping on one payload; nothing is stored. */
export function TryPayload({ farmUID, codec, mapping, first, onTried }: TryPayloadProps) {
  const [fPort, setFPort] = useState<EnteredNumber>(first.fPort);
  const [bytes, setBytes] = useState(first.bytes);
  const run = useMutation({
    mutationFn: () =>
      call('POST /codec/try', {
        body: {
          farmUID,
          ...codec,
          fPort: enteredNumber(fPort) ?? 1,
          bytes: bytes.trim(),
          mapping: mapping && [...mapping],
        },
      }),
    onSuccess: ({ data, errors }) => errors.length === 0 && onTried?.(data),
  });
  const port = enteredNumber(fPort) ?? 0;
  const fault = {
    fPort: Number.isInteger(port) && port >= 1 && port <= 255 ? undefined : 'FPort must be 1 to 255.',
    bytes: bytes.trim().length >= 2 ? undefined : 'Enter a payload in hex or base64.',
  };
  const isFine = !fault.fPort && !fault.bytes;
  return (
    <div className={classes.try}>
      <h3>Try a payload</h3>
      <div className={classes.lineFields}>
        <NumberField
          name="try-port"
          label="FPort"
          isWhole
          value={fPort}
          error={fault.fPort}
          onChange={setFPort}
          onBlur={ignore}
        />
        <TextField
          name="try-bytes"
          label="Payload, hex or base64"
          maxLength={1024}
          value={bytes}
          error={bytes === '' ? undefined : fault.bytes}
          onChange={setBytes}
          onBlur={ignore}
        />
      </div>
      <Button
        variant="default"
        mih={44}
        disabled={!isFine}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Try
      </Button>
      {run.isError && (
        <p className={classes.fault} role="alert">
          {errorText(run.error)}
        </p>
      )}
      {run.data && <Result tried={run.data} />}
    </div>
  );
}

const ignore = () => undefined;

function Result({ tried }: { tried: Tried }) {
  const values = Object.entries(tried.values);
  const faults = [...tried.errors, ...tried.problems, ...tried.warnings];
  return (
    <div role="status">
      {faults.length > 0 && (
        <ul className={classes.fault}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <dl className={classes.facts}>
        {values.map(([metric, value]) => (
          <div key={metric}>
            <dt>{metric}</dt>
            <dd className="num">{String(value)}</dd>
          </div>
        ))}
      </dl>
      {values.length === 0 && tried.errors.length === 0 && <p>No value came out of it: see the mapping.</p>}
      <pre className={classes.code}>{JSON.stringify(tried.data, null, 2)}</pre>
      <p className={classes.dim}>Took {tried.tookMs.toFixed(1)} ms.</p>
    </div>
  );
}
