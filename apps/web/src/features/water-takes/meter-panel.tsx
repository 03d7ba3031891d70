import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { TakeCheck, TakeMeter, WaterTake } from '@headrace/contract/water-takes';
import { call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { dayText, exactTime, numberText, spanText, usefulDigits } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import { RegisterDialog } from './register-dialog.tsx';
import { m3Text, metricLabels } from './take-labels.ts';
import { takeKeys } from './takes.queries.ts';
import classes from './takes.module.css';

interface MetersProps {
  farmUID: string;
  take: WaterTake;
  checks: readonly TakeCheck[];
  zone: Timezone;
  canEdit: boolean;
}

/** The meters of a take, and what people read off them. */
export function Meters({ take, checks, ...rest }: MetersProps) {
  if (take.meters.length === 0)
    return (
      <p>
        No meter measures this take yet. Edit it to choose one: its volumes are then known from its first
        reading on.
      </p>
    );
  return (
    <>
      <ul className={classes.lines}>
        {take.meters.map((meter) => (
          <Meter key={meter.uid} meter={meter} {...rest} />
        ))}
      </ul>
      <Checks checks={checks} zone={rest.zone} />
    </>
  );
}

/** "10 L", "0.125 L" */
function litresText({ m3PerUnit }: TakeMeter): string {
  const litres = m3PerUnit * 1000;
  return `${numberText(litres, usefulDigits(litres, 3))} L`;
}

function Meter({
  farmUID,
  meter,
  zone,
  canEdit,
}: Omit<MetersProps, 'take' | 'checks'> & { meter: TakeMeter }) {
  const [isReading, setIsReading] = useState(false);
  const { device, site, measure, startsAt, endsAt, nextVerification, isGone } = meter;
  return (
    <li>
      <b>
        {device}
        {isGone && ' (deleted)'}
      </b>
      <span>
        {site}, {measure}. {litresText(meter)} a count of its {metricLabels[meter.metric]}
        {meter.isByVolume && ', logs by volume'}.{' '}
        {meter.pipe === 'full' ? 'Full pipe, ±5 %' : 'Open or partly full, ±10 %'}.
      </span>
      <span>
        In place from {exactTime(Date.parse(startsAt), zone)}
        {endsAt && ` to ${exactTime(Date.parse(endsAt), zone)}`}.{' '}
        {meter.verifiedOn ? `Verified on ${dayText(meter.verifiedOn)}` : 'No verification entered'}
        {nextVerification && `, next due ${dayText(nextVerification)}`}.
      </span>
      <Readings {...{ farmUID, meter, zone, canEdit }} />
      {canEdit && (
        <PlainButton
          onClick={() => setIsReading(true)}
          label={`Enter a reading of the register of ${device}`}
        >
          Enter a reading of the register
        </PlainButton>
      )}
      {isReading && <RegisterDialog {...{ farmUID, meter, zone }} onClose={() => setIsReading(false)} />}
    </li>
  );
}

const SHOWN = 5;

function Readings({
  farmUID,
  meter,
  zone,
  canEdit,
}: Omit<MetersProps, 'take' | 'checks'> & { meter: TakeMeter }) {
  const queryClient = useQueryClient();
  const [isAll, setIsAll] = useState(false);
  const { mutate } = useMutation({
    mutationFn: (readingUID: string) =>
      call('DELETE /water-take/reading', { query: { farmUID, readingUID } }),
    onSuccess: () => {
      for (const queryKey of takeKeys(farmUID)) void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const { readings } = meter;
  if (readings.length === 0)
    return <span className={classes.dim}>Nobody has entered a reading of its register.</span>;
  return (
    <ul className={classes.readings}>
      {(isAll ? readings : readings.slice(0, SHOWN)).map(({ uid, at, register, note, by }) => (
        <li key={uid}>
          <span>
            <span className="num">{exactTime(Date.parse(at), zone)}</span>: register{' '}
            <b className="num">{numberText(register, 3)} m³</b>
            {by && `, ${by}`}
            {note && `, ${note}`}
          </span>
          {canEdit && (
            <PlainButton
              onClick={() => mutate(uid)}
              label={`Take back the reading of ${exactTime(Date.parse(at), zone)}`}
            >
              Take back
            </PlainButton>
          )}
        </li>
      ))}
      {!isAll && readings.length > SHOWN && (
        <li>
          <PlainButton onClick={() => setIsAll(true)}>{`Show all ${readings.length}`}</PlainButton>
        </li>
      )}
    </ul>
  );
}

/** Two readings of the register beside what came by telemetry between them. */
function Checks({ checks, zone }: { checks: readonly TakeCheck[]; zone: Timezone }) {
  if (checks.length === 0) return null;
  return (
    <>
      <h3 className={classes.subtitle}>Register and telemetry</h3>
      <ul className={classes.lines}>
        {checks.map((check) => (
          <li key={`${check.site} ${check.from}`}>
            <span className={classes.found}>
              <ConditionDot condition={check.isGood ? 'ok' : 'caution'} label={null} size={15} />
              <span>
                {spanText(check, zone)}: {m3Text(check.register)} by the register, {differenceText(check)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function differenceText({ telemetry, percent, isGood, isOpen }: TakeCheck): string {
  if (isOpen) return 'and what came by telemetry up to its end is not known yet.';
  if (telemetry === null) return 'and not all of it is known by telemetry.';
  const by =
    percent === null ? 'they can’t be compared' : `${percent > 0 ? '+' : ''}${numberText(percent, 2)} %`;
  return `${m3Text(telemetry)} by telemetry: ${by}. ${isGood ? 'Its quarters count as verified.' : 'More than 1 % apart: its quarters stay unverified.'}`;
}
