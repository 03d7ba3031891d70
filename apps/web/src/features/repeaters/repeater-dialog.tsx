import { type ReactNode, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { can } from '@headrace/contract/permissions';
import type { Repeater } from '@headrace/contract/repeaters';
import { useCan } from '../../access/permissions.ts';
import { call, isMissing } from '../../api/client.ts';
import { warmCharts } from '../../charts/chart.tsx';
import { repeaterQuery } from '../../device-records/repeaters.queries.ts';
import { repeaterBatteryQuery } from './repeater-battery.queries.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { ChargeHistory } from '../../time-range/charge-history.tsx';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { type PeriodChoice, rangeOf } from '../../time-range/period.ts';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { Age } from '../../ui/age.tsx';
import { BatteryIcon } from '../../ui/battery-icon.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { BatteryButton } from '../devices/battery-button.tsx';
import { OUT_OF_CONTACT_MS, repeaterStanding } from './repeater-view-model.ts';
import { useRepeaterDialog } from './repeater-search.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './repeater-dialog.module.css';

export interface RepeaterDialogProps {
  id: string;
  isOpen: boolean;
  onClose: () => void;
}

/** A repeater as it last reported, and how its battery fared. */
export default function RepeaterDialog({ id, isOpen, onClose }: RepeaterDialogProps) {
  const isMobile = useIsMobile();
  const query = useQuery(repeaterQuery(id));
  useEffect(warmCharts, []);
  return (
    <Dialog
      title={query.data ? `Repeater ${query.data.name}` : 'Repeater'}
      isOpen={isOpen}
      onClose={onClose}
      size={760}
      isFullScreen={isMobile}
    >
      {isMissing(query) ? (
        <p>
          This repeater has no information available, please refresh the page. If this issue persists, please
          contact support.
        </p>
      ) : (
        <StateView
          query={query}
          failed="The repeater couldn't be loaded"
          skeleton={<Skeleton blockPx={420} />}
        >
          {(repeater) => <Details repeater={repeater} />}
        </StateView>
      )}
    </Dialog>
  );
}

function Details({ repeater }: { repeater: Repeater }) {
  const { _id, farmUID, name, charge, chargeAt, macAddress, farmId, statusTime } = repeater;
  const now = useNow();
  const zone = useChartZone(farmUID);
  const mayRecord = useCan({ anyOf: [can('repeaters', 'Edit')] }, farmUID);
  const { condition, label } = repeaterStanding(repeater, now);
  return (
    <>
      <p className={classes.standing}>
        <ConditionDot condition={condition} label={null} size={17} />
        {label}
      </p>
      <dl className={classes.facts}>
        <Fact name="Battery">
          {charge !== null && <BatteryIcon charge={charge} size={20} />}
          {charge === null ? 'Unknown' : <Quantity value={charge} unit="%" />}
          {charge !== null && <Age at={chargeAt} zone={zone} className={classes.age} />}
        </Fact>
        <Fact name="Last contact">
          <Age at={statusTime || null} zone={zone} staleAfter={OUT_OF_CONTACT_MS} />
        </Fact>
        <Fact name="MAC">{macAddress || '–'}</Fact>
        <Fact name="Farm ID">{farmId || '–'}</Fact>
      </dl>
      {mayRecord && (
        <div className={classes.record}>
          <BatteryButton
            name={name}
            record={() => call('POST /repeater/replace-battery', { body: { rptrUID: _id } })}
          />
        </div>
      )}
      <Battery repeater={repeater} />
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Battery({ repeater: { _id, farmUID, name } }: { repeater: Repeater }) {
  const { search, patch } = useRepeaterDialog();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { kept, keep } = useKeptPeriod(farmUID, 'Battery');
  const { period, from, to } = search;
  const choice: PeriodChoice = period ? { period, from, to } : (kept ?? { period: 'Custom' });
  const query = useQuery({ ...repeaterBatteryQuery(_id, rangeOf(choice)), enabled: hasZone });
  const change = ({ period, from, to }: PeriodChoice) => {
    patch({ period, from, to });
    keep({ period, from, to });
  };
  return <ChargeHistory name={name} query={query} choice={choice} zone={zone} onChange={change} />;
}
