import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CodecSummary } from '@headrace/contract/codecs';
import type { SensorRecord } from '@headrace/contract/sensors';
import { errorText } from '../../api/client.ts';
import { SelectField, SwitchField } from '../../forms/fields.tsx';
import { CodecActions } from './codec-actions.tsx';
import { codecQuery } from './codecs.queries.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { linesOf, newLine } from './mapping-lines.ts';
import { TryPayload } from './try-payload.tsx';
import { type Decoding, useDecoding } from './use-decoding.ts';
import classes from './codecs.module.css';

export interface DecodingFormProps {
  sensor: SensorRecord;
  decoding: Decoding;
  codecs: readonly CodecSummary[];
}

const ignore = () => undefined;

/** Which codec decodes a sensor's payloads, and which member of what comes out is what. */
export function DecodingForm({ sensor, decoding, codecs }: DecodingFormProps) {
  const { farmUID, _id: deviceId } = sensor;
  const { entered, patch, data, wrong, mapping, setTried, ...saving } = useDecoding(deviceId, decoding);
  const codec = codecs.find(({ id }) => id === entered.codecId);
  const { lines } = entered;
  const first = { fPort: decoding.lastUplink?.fPort ?? 1, bytes: decoding.lastUplink?.bytes ?? '' };
  return (
    <>
      <div className={classes.choice}>
        <SelectField
          name="codec"
          label="Payload codec"
          options={codecOptions(codecs)}
          value={entered.codecId}
          error={undefined}
          onChange={(codecId) => patch({ codecId, version: '' })}
          onBlur={ignore}
        />
        {codec && !codec.builtIn && (
          <VersionField
            farmUID={farmUID}
            codec={codec}
            value={entered.version}
            onChange={(version) => patch({ version })}
          />
        )}
      </div>
      <CodecActions
        farmUID={farmUID}
        codec={codec}
        first={first}
        onMade={(codecId) => patch({ codecId, version: '' })}
        onRemoved={() => patch({ codecId: '', version: '' })}
      />
      <SwitchField
        name="own-mapping"
        label="Mapping of its own"
        hint={
          lines
            ? 'Which member of a message is what, line by line.'
            : (codec?.mapping ?? null)
              ? "The codec's own mapping is used."
              : 'Members that are named like our values are used, and what the network server or the codec normalized.'
        }
        value={lines !== null}
        error={undefined}
        onBlur={ignore}
        onChange={(isOwn) =>
          patch({ lines: isOwn ? linesOf(codec?.mapping ?? decoding.mapping ?? []) : null })
        }
      />
      {lines && (
        <MappingEditor
          lines={lines.length > 0 ? lines : [newLine()]}
          onChange={(next) => patch({ lines: next })}
          data={data}
        />
      )}
      {entered.codecId && (
        <TryPayload
          key={entered.codecId}
          farmUID={farmUID}
          codec={{
            codecId: entered.codecId,
            ...(entered.version && { version: Number(entered.version) }),
          }}
          mapping={mapping}
          first={first}
          onTried={setTried}
        />
      )}
      <SaveDecoding wrong={wrong} {...saving} />
    </>
  );
}

const STALE_TEXT =
  'Somebody else has changed how this sensor is decoded since you opened this page. Nothing of yours was saved.';

type SaveProps = Pick<ReturnType<typeof useDecoding>, 'wrong' | 'save' | 'takeTheirs' | 'isStale'>;

/** What is wrong with it, or why it was not saved; and saving it. */
const SaveDecoding = ({ wrong, save, takeTheirs, isStale }: SaveProps) => (
  <>
    {(wrong ?? save.isError) && (
      <p className={classes.fault} role="alert">
        {wrong ?? (isStale ? STALE_TEXT : errorText(save.error))}
      </p>
    )}
    <div className={classes.save}>
      {isStale && !wrong && (
        <Button variant="subtle" mih={44} onClick={() => void takeTheirs()}>
          Show their choice
        </Button>
      )}
      <Button
        variant="default"
        mih={44}
        disabled={Boolean(wrong)}
        aria-disabled={save.isPending}
        onClick={() => !save.isPending && save.mutate()}
      >
        {save.isPending ? 'Saving…' : 'Save decoding'}
      </Button>
    </div>
  </>
);

function codecOptions(codecs: readonly CodecSummary[]) {
  const text = ({ name, measures, off }: CodecSummary) =>
    `${name}${measures ? `: ${measures}` : ''}${off ? ' (switched off)' : ''}`;
  const own = codecs.filter(({ builtIn }) => !builtIn);
  const builtIn = codecs.filter((codec) => codec.builtIn);
  return [
    { value: '', label: 'None: the network server decodes' },
    ...own.map((codec) => ({ value: codec.id, label: `Own: ${text(codec)}` })),
    ...builtIn.map((codec) => ({ value: codec.id, label: text(codec) })),
  ];
}

interface VersionFieldProps {
  farmUID: string;
  codec: CodecSummary;
  value: string;
  onChange: (version: string) => void;
}

function VersionField({ farmUID, codec, value, onChange }: VersionFieldProps) {
  const { data } = useQuery(codecQuery(farmUID, codec.id));
  const versions = data?.versions ?? [{ version: codec.version }];
  return (
    <SelectField
      name="codec-version"
      label="Version"
      options={[
        { value: '', label: `Always the newest (${codec.version})` },
        ...versions.map(({ version }) => ({ value: String(version), label: `Version ${version}` })),
      ]}
      value={value}
      error={undefined}
      onChange={onChange}
      onBlur={ignore}
    />
  );
}
