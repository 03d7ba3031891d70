import { useState } from 'react';
import { Button, NativeSelect, NumberInput, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import type { SchedulePreview } from '@headrace/contract/preview';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { minuteText } from '../../ui/format.ts';
import { weekday } from '../../ui/weekday.ts';
import { call, errorText } from '../../api/client.ts';
import { useCan } from '../../access/permissions.ts';
import type { Shown } from './timeline.queries.ts';
import { triedDesign } from './what-if-design.ts';
import { changedDepths, comparedFigures } from './what-if-labels.ts';
import classes from './timeline.module.css';
import type { MakeTemplateProps } from './make-template.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

/** What is tried out; null: nothing is. */
export interface Trial {
  readonly durationBy: number;
  readonly startBy: number;
  readonly linesAtOnce: number | null;
  readonly skipToday: boolean;
  /** A line that is held. */
  readonly hold: string;
  /** Until when, epoch ms; null: the end of the first day. */
  readonly holdUntil: number | null;
}

const DAY = 86_400_000;
const nothing: Trial = {
  durationBy: 0,
  startBy: 0,
  linesAtOnce: null,
  skipToday: false,
  hold: '',
  holdUntil: null,
};

const isNothing = (trial: Trial) => JSON.stringify({ ...trial, holdUntil: null }) === JSON.stringify(nothing);

/** What would be; nothing of it is stored or sent. */
export function useWhatIf(shown: Shown) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const isTried = trial !== null && !isNothing(trial);
  const query = useQuery({
    queryKey: ['what-if', shown, trial],
    queryFn: ({ signal }) =>
      call('POST /schedules/preview', { body: bodyOf(shown, trial ?? nothing), signal }),
    enabled: isTried,
    placeholderData: (before) => before,
    retry: false,
  });
  return { trial, setTrial, error: query.error, preview: isTried && !query.isError ? query.data : undefined };
}

const bodyOf = ({ farmUID, from, to, set }: Shown, { hold, holdUntil, linesAtOnce, ...trial }: Trial) => ({
  farmUID,
  ...(set !== undefined && { setUID: set }),
  from: new Date(from).toISOString(),
  days: Math.max(1, Math.round((to - from) / DAY)),
  changes: {
    ...trial,
    ...(linesAtOnce !== null && { linesAtOnce }),
    ...(hold !== '' && {
      hold: { line: hold, until: new Date(heldUntil({ from, to }, holdUntil)).toISOString() },
    }),
  },
});

type Span = Pick<Shown, 'from' | 'to'>;
const isWithin = ({ from, to }: Span, at: number) => at > from && at <= Math.max(to, from + DAY);

/** What was chosen, as far as it is shown: else the end of the first day. */
const heldUntil = (span: Span, chosen: number | null): number =>
  chosen !== null && isWithin(span, chosen) ? chosen : span.from + DAY;

/** Every six hours of the farm's clock, as far as is shown, and what is chosen. */
function holdEnds({ from, to }: Span, chosen: number, zone: Timezone): number[] {
  const ends = new Set([chosen]);
  for (let day = dayStart(zone, from); day < to; day = addDays(zone, day, 1))
    for (const hour of [6, 12, 18, 24]) ends.add(clockTime(zone, day, hour * 3600));
  return [...ends].filter((at) => isWithin({ from, to }, at)).toSorted((a, b) => a - b);
}

const endLabel = (at: number, zone: Timezone) => `${weekday(at, zone)} ${minuteText(at, zone)}`;

const MakeTemplate = lazyDialog<MakeTemplateProps>(() =>
  import('./make-template.tsx').then((m) => m.default),
);

interface WhatIfBarProps {
  shown: Shown;
  whatIf: ReturnType<typeof useWhatIf>;
  lines: readonly string[];
  zone: Timezone;
  now: number;
}

/** What is tried out, and what it comes to. */
export function WhatIfBar({ shown, whatIf, lines, zone, now }: WhatIfBarProps) {
  const { trial, setTrial, preview, error } = whatIf;
  if (trial === null)
    return (
      <div className={classes.trial}>
        <Button variant="default" onClick={() => setTrial(nothing)}>
          What if…
        </Button>
      </div>
    );
  const patch = (change: Partial<Trial>) => setTrial({ ...trial, ...change });
  const until = heldUntil(shown, trial.holdUntil);
  return (
    <section className={classes.trial} aria-label="What if">
      <div className={classes.trialFields}>
        <NumberInput
          label="Minutes longer or shorter"
          value={trial.durationBy}
          min={-1440}
          max={1440}
          allowDecimal={false}
          onChange={(value) => patch({ durationBy: Number(value) || 0 })}
        />
        <NumberInput
          label="Start later or earlier, min"
          value={trial.startBy}
          min={-1440}
          max={1440}
          step={15}
          allowDecimal={false}
          onChange={(value) => patch({ startBy: Number(value) || 0 })}
        />
        <NumberInput
          label="Lines at once"
          placeholder="as now"
          value={trial.linesAtOnce ?? ''}
          min={1}
          max={500}
          allowDecimal={false}
          onChange={(value) => patch({ linesAtOnce: Number(value) >= 1 ? Number(value) : null })}
        />
        <NativeSelect
          size="md"
          label="Hold a line"
          value={trial.hold}
          data={[{ value: '', label: 'No line' }, ...lines]}
          onChange={(event) => patch({ hold: event.currentTarget.value })}
        />
        {trial.hold !== '' && (
          <NativeSelect
            size="md"
            label="Held until"
            value={String(until)}
            data={holdEnds(shown, until, zone).map((at) => ({
              value: String(at),
              label: endLabel(at, zone),
            }))}
            onChange={(event) => patch({ holdUntil: Number(event.currentTarget.value) })}
          />
        )}
        <Switch
          size="md"
          mb={10}
          label="Skip today"
          checked={trial.skipToday}
          onChange={(event) => patch({ skipToday: event.currentTarget.checked })}
        />
        <Button variant="default" onClick={() => setTrial(null)}>
          End what if
        </Button>
      </div>
      <p className={classes.calm}>Nothing is stored or sent. The dashed bars show what would be.</p>
      {error && <p role="alert">{errorText(error)}</p>}
      {preview && <Figures preview={preview} zone={zone} now={now} />}
      {preview && <Keep shown={shown} trial={trial} peakLps={preview.after.peakLps} />}
    </section>
  );
}

/** What was tried begins with the set that is looked at, else with the one that the farm waters by. */
function Keep({ shown, trial, peakLps }: { shown: Shown; trial: Trial; peakLps: number }) {
  const { farmUID } = shown;
  const [isAsked, setIsAsked] = useState(false);
  const canCreate = useCan({ anyOf: [can('schedules', 'Create')] }, farmUID);
  const { data: sets = [] } = useQuery(farmSetsQuery(farmUID));
  const set = sets.find(({ id, selected }) => (shown.set === undefined ? selected : id === shown.set));
  if (!canCreate || !set) return null;
  return (
    <>
      <Button variant="default" mt={8} onClick={() => setIsAsked(true)}>
        Make a template of this…
      </Button>
      {isAsked && (
        <MakeTemplate
          {...{ farmUID, set }}
          added=" (tried out)"
          change={(design) => triedDesign(design, trial, peakLps)}
          note={
            trial.hold !== '' || trial.skipToday ? 'A hold and a skipped day are not part of it.' : undefined
          }
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

function Figures({ preview, zone, now }: { preview: SchedulePreview; zone: Timezone; now: number }) {
  const depths = changedDepths(preview);
  return (
    <ul className={classes.trialFigures} aria-label="What it comes to">
      {[...comparedFigures(preview, zone, now), ...depths.slice(0, 6)].map(({ what, before, after }) => (
        <li key={what} className="num">
          {what} {before} → <strong>{after}</strong>
        </li>
      ))}
      {depths.length > 6 && <li>and {depths.length - 6} more lines</li>}
    </ul>
  );
}
