import { NativeSelect, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import {
  type LinePreview,
  mappableMetrics,
  mappingLinesMax,
  previewMapping,
} from '@headrace/contract/rules/mapping-preview';
import { numberText } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { pathsOf } from './data-paths.ts';
import { validateLine, type EnteredLine, entryOf, newLine, OWN_NAME } from './mapping-lines.ts';
import classes from './codecs.module.css';

export interface MappingEditorProps {
  lines: readonly EnteredLine[];
  onChange: (lines: readonly EnteredLine[]) => void;
  /** A decoded message to try the lines on; undefined: none has come yet. */
  data: unknown;
}

const metricOptions = [
  { value: '', label: 'Choose…' },
  { value: OWN_NAME, label: 'A name of your own' },
  ...mappableMetrics.map(({ name, label, unit }) => ({
    value: name,
    label: unit ? `${label} (${unit})` : label,
  })),
];

/** Which member of a decoded message is what, line by line, with what each makes of the last message. */
export function MappingEditor({ lines, onChange, data }: MappingEditorProps) {
  const paths = pathsOf(data);
  const used = new Set(lines.map(({ path }) => path));
  const next = paths.find((path) => !used.has(path));
  return (
    <div>
      <datalist id="message-paths">
        {paths.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </datalist>
      <ol className={classes.lines}>
        {lines.map((line, n) => (
          <Line
            key={line.key}
            number={n + 1}
            line={line}
            data={data}
            onChange={(change) =>
              onChange(lines.map((other) => (other === line ? { ...line, ...change } : other)))
            }
            onRemove={() => onChange(lines.filter((other) => other !== line))}
          />
        ))}
      </ol>
      <PlainButton
        onClick={() => onChange([...lines, newLine(next)])}
        disabled={lines.length >= mappingLinesMax}
      >
        Add a line
      </PlainButton>
    </div>
  );
}

interface LineProps {
  number: number;
  line: EnteredLine;
  data: unknown;
  onChange: (change: Partial<EnteredLine>) => void;
  onRemove: () => void;
}

function Line({ number, line, data, onChange, onRemove }: LineProps) {
  const fault = validateLine(line);
  const [preview] = fault || data === undefined ? [] : previewMapping(data, [entryOf(line)]);
  const text = (
    name: 'path' | 'slug' | 'name' | 'unit' | 'words' | 'scale' | 'offset' | 'wrapAt',
    label: string,
  ) => ({
    size: 'sm',
    label,
    value: line[name] ?? '',
    maxLength: 200,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <li className={classes.line} aria-label={`Line ${number}`}>
      <div className={classes.lineFields}>
        <TextInput {...text('path', 'Member of the message')} list="message-paths" />
        <NativeSelect
          size="sm"
          label="Is"
          data={metricOptions}
          value={line.metric}
          onChange={(event) => onChange({ metric: event.currentTarget.value })}
        />
        {line.metric === OWN_NAME && (
          <>
            <TextInput {...text('slug', 'Name')} placeholder="leaf-wetness" />
            <TextInput {...text('name', 'Shown as')} placeholder="Leaf wetness" maxLength={40} />
          </>
        )}
        <TextInput {...text('unit', 'Unit that is in')} placeholder="as it is" />
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove line ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={20} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <details className={classes.details}>
        <summary>Scale, totals and text</summary>
        <div className={classes.lineFields}>
          <TextInput {...text('scale', 'Times')} inputMode="decimal" placeholder="1" />
          <TextInput {...text('offset', 'Plus')} placeholder="0" />
          <NativeSelect
            size="sm"
            label="Counts"
            data={[
              { value: '', label: 'As the value does' },
              { value: 'counter', label: 'A running total' },
              { value: 'value', label: 'Since the last message' },
            ]}
            value={line.kind}
            onChange={(event) => onChange({ kind: event.currentTarget.value as EnteredLine['kind'] })}
          />
          <TextInput {...text('wrapAt', 'Total begins anew at')} inputMode="numeric" placeholder="65536" />
          <TextInput {...text('words', 'Text: what words mean')} placeholder="open = true, closed = false" />
        </div>
      </details>
      <output
        className={classes.preview}
        data-fault={fault || isProblem(preview) || undefined}
        // Nothing was entered yet that could be wrong.
        data-blank={(line.path === '' && line.metric === '') || undefined}
      >
        {fault ?? previewText(preview, data)}
      </output>
    </li>
  );
}

const isProblem = (preview: LinePreview | undefined) => Boolean(preview && 'problem' in preview);

function previewText(preview: LinePreview | undefined, data: unknown): string {
  if (data === undefined) return 'No message to try it on yet.';
  if (!preview) return 'Not in this message.';
  if ('problem' in preview) return preview.problem;
  const { value, unit } = preview;
  if (value === null) return 'Invalid value, as the sensor says.';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const digits = Number.isInteger(value) ? 0 : 3;
  return `${numberText(value, digits)} ${unit}`.trim();
}
