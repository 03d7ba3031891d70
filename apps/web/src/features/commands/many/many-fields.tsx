import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SendPlan } from '@headrace/contract/commands';
import type { WaterApplication } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import { depthOf } from '@headrace/contract/rules/water-application';
import { errorText } from '../../../api/client.ts';
import { useCan } from '../../../access/permissions.ts';
import { commsModeOptions } from '../../../device-records/comms-modes.ts';
import { farmSetsQuery, groupsQuery, useGroupChoices } from '../../../device-records/choices.queries.ts';
import { useCurrentFarm } from '../../../farm/current-farm.ts';
import { enteredNumber, NumberField, SelectField } from '../../../forms/fields.tsx';
import { FARM, letsWater, type ManyCommand, type Scope } from './many-orders.ts';
import type { ManyOrderState } from './use-many-order.ts';
import form from '../../../forms/dialog-form.module.css';
import classes from './many.module.css';

const BEGINS = [10, 20, 30, 60] as const;

interface FieldsProps {
  command: ManyCommand;
  scope: Scope;
  order: ManyOrderState;
  /** Somebody wanted to send it as it is filled in. */
  isAsked: boolean;
}

/** What a command to many asks for before it is sent. */
export function ManyFields({ command, scope, order, isAsked }: FieldsProps) {
  const error = (isAsked && order.fault) || undefined;
  if (command === 'SendScheduleSet')
    return (
      <>
        <SetField farmUID={scope.farmUID} order={order} error={error} />
        {scope.groupUID === FARM && !scope.uids && <GroupField farmUID={scope.farmUID} order={order} />}
      </>
    );
  if (command === 'TurnGroupValvesOn') return <OpeningFields scope={scope} order={order} error={error} />;
  if (command !== 'ChangeGroupComms') return null;
  return (
    <SelectField
      name="commsMode"
      label="Comms mode"
      value={order.choices.commsMode}
      options={[{ value: '', label: 'Choose a mode' }, ...commsModeOptions(false)]}
      onChange={(commsMode) => order.change({ commsMode })}
      onBlur={() => undefined}
      error={error}
    />
  );
}

/** All of the farm, or one of its groups. */
function GroupField({ farmUID, order }: { farmUID: string; order: ManyOrderState }) {
  const groups = useGroupChoices(farmUID);
  if (groups.length === 0) return null;
  return (
    <SelectField
      name="groupUID"
      label="Group"
      value={order.choices.groupUID}
      options={[
        { value: FARM, label: 'All groups: the whole farm' },
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(groupUID) => order.change({ groupUID })}
      onBlur={() => undefined}
      error={undefined}
    />
  );
}

type Part = { order: ManyOrderState; error: string | undefined };

function SetField({ farmUID, order, error }: Part & { farmUID: string }) {
  const { data, isError, error: failure } = useQuery(farmSetsQuery(farmUID));
  if (isError)
    return (
      <p role="alert" className={form.failed}>
        The schedule sets couldn't be loaded: {errorText(failure)}
      </p>
    );
  if (data?.length === 0) return <p className={form.text}>This farm has no schedule set yet.</p>;
  return (
    <SelectField
      name="setUID"
      label="Schedule Set"
      value={order.choices.setUID}
      options={[
        { value: '', label: 'Choose a set' },
        ...(data ?? []).map(({ id, name, selected }) => ({
          value: id,
          label: selected ? `${name} (the farm waters by it)` : name,
        })),
      ]}
      onChange={(setUID) => order.change({ setUID })}
      onBlur={() => undefined}
      error={error}
    />
  );
}

function OpeningFields({ scope, order, error }: Part & { scope: Scope }) {
  const waters = useWaters(scope);
  const { choices, fault } = order;
  const minutes = enteredNumber(choices.minutes);
  const depth = fault === null && minutes !== null ? depthText(waters, minutes) : undefined;
  return (
    <div className={form.pair}>
      <NumberField
        name="minutes"
        label="Minutes"
        isWhole
        value={choices.minutes}
        hint={depth}
        onChange={(entered) => order.change({ minutes: entered })}
        onBlur={() => undefined}
        error={error}
      />
      <SelectField
        name="beginWithin"
        label="Begins within"
        unit="min"
        hint="Or not at all"
        value={choices.beginWithin}
        options={BEGINS.map((value) => ({ value: String(value), label: String(value) }))}
        onChange={(beginWithin) => order.change({ beginWithin })}
        onBlur={() => undefined}
        error={undefined}
      />
    </div>
  );
}

/** How its sprinklers apply water: as their groups do, those in none as the farm does. Empty where it may not be read. */
function useWaters({ farmUID, groupUID }: Scope): readonly WaterApplication[] {
  const farm = useCurrentFarm();
  const mayRead = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const { data: groups } = useQuery({ ...groupsQuery(farmUID), enabled: mayRead });
  if (!farm || !groups) return [];
  if (groupUID !== FARM) return groups.flatMap(({ _id, walConfig }) => (_id === groupUID ? [walConfig] : []));
  return [farm.walConf, ...groups.map(({ walConfig }) => walConfig)];
}

/** "About 5 mm", or "About 5 to 10 mm" where they differ. */
function depthText(waters: readonly WaterApplication[], minutes: number): string | undefined {
  if (waters.length === 0) return undefined;
  const depths = waters.map((water) => depthOf(water, minutes));
  const [least, most] = [Math.min(...depths), Math.max(...depths)];
  return least === most ? `About ${least} mm` : `About ${least} to ${most} mm`;
}

/** What is left out, or done besides, unless the person says otherwise. */
export function ManyTicks({
  command,
  order,
  plan,
}: Omit<FieldsProps, 'isAsked' | 'scope'> & { plan: SendPlan }) {
  const { choices, change } = order;
  const canLift = letsWater(command) && (plan.inhibited > 0 || choices.alsoInhibited);
  const canClear = command === 'SendScheduleSet' && plan.notInSet > 0;
  return (
    <>
      {canLift && (
        <Checkbox
          size="md"
          classNames={{ body: classes.tick ?? '' }}
          label="Also those that are inhibited: they water again"
          checked={choices.alsoInhibited}
          onChange={(event) => change({ alsoInhibited: event.currentTarget.checked })}
        />
      )}
      {canClear && (
        <Checkbox
          size="md"
          classNames={{ body: classes.tick ?? '' }}
          label="Clear those that the set has nothing for: they water no more"
          checked={choices.clearOthers}
          onChange={(event) => change({ clearOthers: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
