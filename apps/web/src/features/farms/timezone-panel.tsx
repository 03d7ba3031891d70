import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { call } from '../../api/client.ts';
import { FormSection, Wide } from '../../forms/fields.tsx';
import { useNow } from '../../ui/clock.ts';
import { offsetName } from '@headrace/contract/rules/zone-name';
import { minuteText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { receiveZone } from './farm-edit.queries.ts';
import classes from './farm-form.module.css';

export const REFRESHED_TEXT = 'Timezone refreshed';
export const NOT_REFRESHED_TEXT = 'Failed to refresh timezone';

export interface TimezonePanelProps {
  farmUID: string;
  zone: Timezone;
  /** The pin isn't where it was saved. */
  isMoved: boolean;
}

/** The farm's clock: its zone, whether it keeps daylight saving, and looking it up anew. */
export function TimezonePanel({ farmUID, zone, isMoved }: TimezonePanelProps) {
  const queryClient = useQueryClient();
  const dst = useMutation({
    mutationFn: (dstEnabled: boolean) => call('PUT /farm-timezone', { body: { farmUID, dstEnabled } }),
    onSuccess: (next) => receiveZone(queryClient, farmUID, next),
    onError: () => toast.error('Failed to update DST setting'),
  });
  const refresh = useMutation({
    mutationFn: () => call('POST /farm-timezone', { body: { farmUID } }),
    onSuccess: (next) => {
      receiveZone(queryClient, farmUID, next);
      toast.success(REFRESHED_TEXT);
    },
    onError: () => toast.error(NOT_REFRESHED_TEXT),
  });
  const isKnown = zone.timeZoneId !== '';
  const hasDst = zone.dstOffset !== 0;
  const isDst = dst.isPending ? dst.variables : zone.dstEnabled;
  return (
    <FormSection title="Time zone">
      {isKnown ? <Clock zone={zone} /> : <p className={classes.fact}>No timezone data</p>}
      {isKnown && (
        <Switch
          size="md"
          label="Daylight saving"
          description={
            hasDst
              ? `Waterings stay at their times of this clock: in summer, switching it moves them by ${zone.dstOffset / 60} min.`
              : 'This zone keeps the same time all year.'
          }
          className={classes.dst ?? ''}
          checked={isDst && hasDst}
          disabled={!hasDst || dst.isPending}
          onChange={(event) => dst.mutate(event.currentTarget.checked)}
        />
      )}
      <Wide>
        <Button
          variant="default"
          mih={44}
          disabled={isMoved}
          aria-disabled={isMoved || refresh.isPending}
          aria-describedby={isMoved ? 'zone-hint' : undefined}
          onClick={() => !refresh.isPending && refresh.mutate()}
        >
          {refresh.isPending ? 'Updating…' : 'Update'}
        </Button>
        {isMoved && (
          <p id="zone-hint" className={classes.note}>
            Location changed. Time zone updates on save.
          </p>
        )}
      </Wide>
    </FormSection>
  );
}

function Clock({ zone }: { zone: Timezone }) {
  const now = useNow();
  return (
    <p className={classes.fact}>
      <strong>{zone.timeZoneId}</strong>
      <span className="num">
        {offsetName(farmOffsetSeconds(zone, now))}, now {minuteText(now, zone)}
      </span>
    </p>
  );
}
