import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { can } from '@headrace/contract/permissions';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { useCan } from '../../access/permissions.ts';
import { DayField } from '../../forms/day-field.tsx';
import { ClockField } from '../../forms/clock-field.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { farmDay } from '../../time-range/period.ts';
import { useNow } from '../../ui/clock.ts';
import { momentOf } from '../holds/hold-labels.ts';
import { restrictedDesign, type Restriction, restrictionName } from './restricted-design.ts';
import { beginText } from './restriction-text.ts';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import classes from './schedule-view.module.css';
import type { MakeTemplateProps } from './make-template.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const MakeTemplate = lazyDialog<MakeTemplateProps>(() =>
  import('./make-template.tsx').then((m) => m.default),
);

interface BeginProps {
  farmUID: string;
  /** Groups that stop. */
  stops: ReadonlySet<string>;
  percent: number;
  /** L a day that may be taken. */
  allowedLitres: number;
}

/** When the restriction begins, by when a trimmed set has to go out, and the template that it is made from. */
export function RestrictionBegin(props: BeginProps) {
  const { farmUID } = props;
  const zone = useChartZone(farmUID);
  const now = useNow();
  const [day, setDay] = useState(() => farmDay(zone, addDays(zone, dayStart(zone, now), 2)));
  const [time, setTime] = useState('06:00');
  const at = momentOf(day, time, zone);
  const noBlur = () => undefined;
  return (
    <>
      <div className={classes.begins}>
        <DayField
          name="restricted-from"
          label="Begins"
          value={day}
          onChange={setDay}
          onBlur={noBlur}
          error={at === null ? 'Please enter a day as DD/MM/YYYY and a time as 06:00.' : undefined}
        />
        <ClockField label="At" value={time} onChange={setTime} />
      </div>
      {at !== null && <p className="num">{beginText(at, now, zone)}</p>}
      <Trimmed {...props} />
    </>
  );
}

/** From the set that the farm waters by: without the groups that stop, or with shorter waterings for all. */
function Trimmed({ farmUID, stops, percent, allowedLitres }: BeginProps) {
  const [made, setMade] = useState<Restriction | null>(null);
  const canCreate = useCan({ anyOf: [can('schedules', 'Create')] }, farmUID);
  const { data: sets = [] } = useQuery(farmSetsQuery(farmUID));
  const set = sets.find(({ selected }) => selected);
  if (!canCreate || !set) return null;
  return (
    <div className={classes.ways}>
      {stops.size > 0 && percent < 100 && (
        <Button variant="default" onClick={() => setMade({ kind: 'without', groups: stops })}>
          Template without these groups…
        </Button>
      )}
      {percent < 100 && (
        <Button variant="default" onClick={() => setMade({ kind: 'shorter', percent })}>
          Template with all {percent} % shorter…
        </Button>
      )}
      {made && (
        <MakeTemplate
          {...{ farmUID, set }}
          added={restrictionName(made)}
          change={(design) => restrictedDesign(design, made)}
          trimmed={{ by: made, allowedLitres }}
          onClose={() => setMade(null)}
        />
      )}
    </div>
  );
}
