import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { can } from '@headrace/contract/permissions';
import type { Leg } from '@headrace/contract/rules/walk-order';
import type { WalkStop } from '@headrace/contract/walk-list';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useGrowing } from '../../ui/use-growing.ts';
import { markDone } from './done-here.ts';
import { isBattery, stopCondition, wayText, whyText } from './walk-labels.ts';
import classes from './walk-list.module.css';

interface StopListProps {
  farmUID: string;
  legs: readonly Leg<WalkStop>[];
  /** What the first way is from. */
  from: string;
  selected: string | null;
  onShow: (id: string) => void;
}

/** Where to go, the nearest next, with why and what was done there. */
export function StopList({ farmUID, legs, from, selected, onShow }: StopListProps) {
  const shown = useGrowing(legs.length, 30);
  return (
    <ol className={classes.stops} aria-label="Where to go">
      {legs.slice(0, shown).map((leg, index) => (
        <Stop
          key={leg.stop.id}
          farmUID={farmUID}
          leg={leg}
          number={index + 1}
          before={legs[index - 1]?.stop.name ?? from}
          isSelected={leg.stop.id === selected}
          onShow={() => onShow(leg.stop.id)}
        />
      ))}
    </ol>
  );
}

interface StopProps {
  farmUID: string;
  leg: Leg<WalkStop>;
  number: number;
  before: string;
  isSelected: boolean;
  onShow: () => void;
}

function Stop({ farmUID, leg, number, before, isSelected, onShow }: StopProps) {
  const { stop } = leg;
  const { name, serialNumber, groups, why } = stop;
  const now = useNow();
  const [isAsked, setIsAsked] = useState(false);
  const mayRecord = useMayRecord(farmUID, stop.device);
  const hasBattery = why.some(isBattery);
  return (
    <li
      className={classes.stop}
      data-selected={isSelected || undefined}
      aria-current={isSelected || undefined}
    >
      <span className={classes.box} aria-hidden="true" />
      <div className={classes.text}>
        <h2 className={classes.name}>
          <ConditionDot condition={stopCondition(stop)} label={null} size={15} />
          <span className="num">{number}.</span>
          <Link {...linkOf(farmUID, stop)}>{name}</Link>
          <span className={classes.dim}>{serialNumber}</span>
        </h2>
        <p className={classes.dim}>
          {wayText(leg, before)}
          {groups.length > 0 && ` · ${groups.join(', ')}`}
        </p>
        <ul className={classes.why}>
          {why.map((one) => (
            <li key={one.kind}>{whyText(one, stop, now)}</li>
          ))}
        </ul>
      </div>
      <div className={classes.ways}>
        {stop.location && (
          <PlainButton label={`Show ${name} on the map`} onClick={onShow}>
            Show
          </PlainButton>
        )}
        {hasBattery && mayRecord && !isAsked && (
          <PlainButton label={`Battery changed at ${name}`} onClick={() => setIsAsked(true)}>
            Battery changed
          </PlainButton>
        )}
        {isAsked && (
          <>
            <PlainButton
              label={`Yes, record a new battery for ${name}`}
              onClick={() => void markDone({ farmUID, ...stop })}
            >
              Yes, record it
            </PlainButton>
            <PlainButton onClick={() => setIsAsked(false)}>No</PlainButton>
          </>
        )}
      </div>
    </li>
  );
}

function useMayRecord(farmUID: string, device: WalkStop['device']): boolean {
  const ofUnits = useCan(
    { allOf: [can('irrigationDevices', 'Edit'), can('irrigationDevices', 'Read')] },
    farmUID,
  );
  const ofRepeaters = useCan({ anyOf: [can('repeaters', 'Edit')] }, farmUID);
  return device === 'sprinkler' ? ofUnits : ofRepeaters;
}

/** On the farm's map, with its dialog open. */
function linkOf(farm: string, { id, device }: WalkStop) {
  const open = device === 'sprinkler' ? { ipc: id } : { repeater: id };
  return { to: '/group-status/$name' as const, params: { name: 'FARM' }, search: { farm, ...open } };
}
