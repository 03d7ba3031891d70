import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { standardTime, takeDay, waterYearStart } from '@headrace/contract/rules/water-take/clock';
import { PACKS, TAKE_DAYS } from '@headrace/contract/water-takes';
import { call, download, errorText } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { DayField } from '../../forms/day-field.tsx';
import { SwitchField } from '../../forms/fields.tsx';
import { daysBetween } from '../../time-range/period.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useMadeFile } from '../../ui/use-made-file.ts';
import { dayFault } from './moments.ts';
import { PackList } from './pack-list.tsx';
import { packsQuery } from './takes.queries.ts';
import classes from './takes.module.css';

const noBlur = () => undefined;

interface PackPanelProps {
  farmUID: string;
  uid: string;
  consentNo: string;
  zone: Timezone;
  /** When somebody last changed the take or its meters. */
  changedAt: string;
}

/** What a council is handed, for some days. */
export function PackPanel({ farmUID, uid, consentNo, zone, changedAt }: PackPanelProps) {
  const [[from, to], setDays] = useState(() => lastMonth(takeDay(standardTime(zone), serverNow())));
  const today = takeDay(standardTime(zone), serverNow());
  const [codes, setCodes] = useState(true);
  const [gapsLeftOut, setGapsLeftOut] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const pack = useMadeFile({
    file: `water-take-${consentNo}-${from}-${to}.zip`,
    of: [uid, codes, gapsLeftOut].join(' '),
    make: () => download('GET /water-take/pack', { query: { farmUID, uid, from, to, codes, gapsLeftOut } }),
    faultOf: errorText,
  });
  const client = useQueryClient();
  const ask = useMutation({
    mutationFn: () => call('POST /water-take/pack', { body: { farmUID, uid, from, to, codes, gapsLeftOut } }),
    onSettled: () => client.invalidateQueries({ queryKey: packsQuery(farmUID, uid).queryKey }),
  });
  const isLong = daysBetween(from, to) > TAKE_DAYS.pack;
  const fault = isLong ? ask.error && errorText(ask.error) : pack.fault;
  const faults = { from: dayFault(from) ?? undefined, to: dayFault(to) ?? spanFault(from, to) };
  const shown = (fault: string | undefined) => (isAsked ? fault : undefined);
  return (
    <>
      <form
        noValidate
        className={classes.pack}
        aria-label="Evidence pack"
        onSubmit={(event) => {
          event.preventDefault();
          setIsAsked(true);
          if (faults.from || faults.to || pack.isPending || ask.isPending) return;
          if (isLong) ask.mutate();
          else pack.onMake();
        }}
      >
        <p className={classes.note}>
          A zip with a summary as PDF, the volumes by quarter of an hour, hour and day, gaps, what was above a
          limit, a file for Hilltop, the readings that all of it rests on, and the hash of each file. Up to a
          water year; more than {TAKE_DAYS.pack} days take a while, and are kept here for {PACKS.keptDays}{' '}
          days.
        </p>
        <p className={classes.ways}>
          <PlainButton onClick={() => setDays(lastMonth(today))}>Last month</PlainButton>
          <PlainButton onClick={() => setDays(lastYear(zone))}>Last water year</PlainButton>
        </p>
        <DayField
          name="from"
          label="From"
          value={from}
          onChange={(day) => setDays([day, to])}
          onBlur={noBlur}
          error={shown(faults.from)}
        />
        <DayField
          name="to"
          label="Until"
          value={to}
          onChange={(day) => setDays([from, day])}
          onBlur={noBlur}
          error={shown(faults.to)}
        />
        <SwitchField
          name="codes"
          label="Quality codes"
          hint="As the national schema has them: a proposal, councils differ"
          value={codes}
          onChange={setCodes}
          onBlur={noBlur}
          error={undefined}
        />
        <SwitchField
          name="gapsLeftOut"
          label="Leave gaps out of the Hilltop file"
          hint="Else a gap is one value at its end, with its total"
          value={gapsLeftOut}
          onChange={setGapsLeftOut}
          onBlur={noBlur}
          error={undefined}
        />
        {fault !== null && <p role="alert">{fault}</p>}
        <p className={classes.ways}>
          <Button type="submit" variant="default" mih={44} loading={pack.isPending || ask.isPending}>
            {isLong ? 'Make the pack' : 'Download the pack'}
          </Button>
        </p>
      </form>
      <PackList {...{ farmUID, uid, changedAt }} />
    </>
  );
}

/** First and last day of the month before. */
function lastMonth(today: string): [string, string] {
  const first = new Date(`${today.slice(0, 7)}-01T00:00Z`);
  const last = new Date(first.getTime() - 86_400_000).toISOString().slice(0, 10);
  return [`${last.slice(0, 7)}-01`, last];
}

/** 1 July to 30 June, the one that is over. */
function lastYear(zone: Timezone): [string, string] {
  const time = standardTime(zone);
  const end = waterYearStart(time, serverNow());
  return [takeDay(time, waterYearStart(time, end - 1)), takeDay(time, end - 1)];
}

function spanFault(from: string, to: string): string | undefined {
  const days = daysBetween(from, to);
  if (days < 1) return 'The last day is before the first.';
  return days > TAKE_DAYS.longPack ? `${TAKE_DAYS.longPack} days at most.` : undefined;
}
