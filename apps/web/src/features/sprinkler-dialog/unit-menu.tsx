import { Button, Menu } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { MapUnit } from '@headrace/contract/map-units';
import { can } from '@headrace/contract/permissions';
import { call } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, editPath, listPath, needOf } from '../../device-records/device-kinds.ts';
import { renewDevices } from '../changes/renew.ts';
import { offerUndo } from '../changes/undo.ts';
import { useBatteryWhy, useSchedulePayload } from './use-remedies.ts';
import type { Question } from './questions.tsx';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

export interface UnitMenuProps {
  farmUID: string;
  unit: MapUnit;
  commands: UnitCommands;
  onAsk: (question: Question) => void;
  /** Absent: it may not be moved. */
  onMove?: (() => void) | undefined;
}

/** All that can be done with a unit. What can't be done now says why, and can be reached all the same. */
export function UnitMenu(props: UnitMenuProps) {
  const { unit, commands, onAsk } = props;
  const valveOn = commands.whyNot('ValveOn');
  const inhibit = commands.whyNot('Inhibit');
  return (
    <Menu
      width={290}
      position="top-end"
      radius="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      // It may be scrolled, without a pointer too.
      menuItemTabIndex={0}
    >
      <Menu.Target>
        <Button
          variant="default"
          mih={44}
          leftSection={<IconDotsVertical size={18} stroke={1.7} aria-hidden="true" />}
          aria-label={`More for ${unit.name}`}
        >
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        <Item label="Valve On…" why={valveOn} onRefused={commands.refuse} onPress={() => onAsk('valveOn')} />
        <Item
          label="Valve Off"
          why={commands.whyNot('ValveOff')}
          onRefused={commands.refuse}
          onPress={() => commands.send('ValveOff')}
        />
        <Item
          label="Inhibit…"
          why={inhibit}
          onRefused={commands.refuse}
          onPress={() => onAsk(unit.isInhibited ? 'isInhibited' : 'inhibit')}
        />
        {/* Also for a unit that hasn't said yet that it is inhibited: from the tap on nothing else lets it water. */}
        <Item
          label="Uninhibit"
          why={commands.whyNot('Uninhibit')}
          onRefused={commands.refuse}
          onPress={() => commands.send('Uninhibit')}
        />
        <SendSchedule {...props} />
        <Item
          label="Replace…"
          why={commands.whyNot('Replace')}
          onRefused={commands.refuse}
          onPress={() => onAsk('replace')}
        />
        <Item
          label="Reconfigure"
          why={commands.whyNot('IpcReconfigure')}
          onRefused={commands.refuse}
          onPress={() => commands.send('IpcReconfigure')}
        />
        <Menu.Divider />
        <RecordItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

function SendSchedule({ farmUID, unit, commands, onAsk }: UnitMenuProps) {
  const { why, payload, isStopped } = useSchedulePayload(farmUID, unit);
  return (
    <Item
      label={isStopped ? 'Send Schedule…' : 'Send Schedule'}
      why={commands.whyNot('UpdateSchedule') ?? why}
      onRefused={commands.refuse}
      onPress={() => (isStopped ? onAsk('sendStopped') : commands.send('UpdateSchedule', payload))}
    />
  );
}

/** What changes its record and sends nothing. */
function RecordItems({ farmUID, unit, commands, onAsk, onMove }: UnitMenuProps) {
  const battery = useBatteryWhy(farmUID, unit);
  const canEdit = useCan(needOf(deviceKinds.sprinkler, 'Edit'), farmUID);
  const canRead = useCan(needOf(deviceKinds.sprinkler, 'Read'), farmUID);
  const { id, name } = unit;
  return (
    <>
      <PartSprinkler {...{ farmUID, unit, commands }} />
      <Item
        label="Record Battery Replacement"
        why={battery}
        onRefused={commands.refuse}
        onPress={() => onAsk('battery')}
      />
      {onMove && unit.lat !== null && <Item label="Move on the map" why={null} onPress={onMove} />}
      {canEdit && (
        <Menu.Item
          mih={44}
          renderRoot={(props) => (
            <Link {...props} to={editPath(deviceKinds.sprinkler, farmUID, id)} state={{ opened: true }} />
          )}
        >
          Edit {name}
        </Menu.Item>
      )}
      {!canEdit && canRead && (
        <Menu.Item
          mih={44}
          renderRoot={(props) => (
            <Link {...props} to={listPath(deviceKinds.sprinkler, farmUID)} search={{ q: name } as never} />
          )}
        >
          Show {name} in the list
        </Menu.Item>
      )}
    </>
  );
}

function PartSprinkler({ farmUID, unit, commands }: Pick<UnitMenuProps, 'farmUID' | 'unit' | 'commands'>) {
  const queryClient = useQueryClient();
  const may = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farmUID);
  const status = !unit.isPartSprinkler;
  const change = async () => {
    try {
      const body = { deviceId: unit.id, status };
      const { batchId } = await call('PUT /ipc/flag-as-part-sprinkler', { body });
      const text = status ? `${unit.name} is a part sprinkler.` : `${unit.name} is no part sprinkler.`;
      offerUndo(queryClient, text, { farmUID, batchId, act: 'flag sprinkler' });
      void renewDevices(queryClient);
    } catch {
      toast.error("Couldn't update the device!");
    }
  };
  const why = !may
    ? 'You may not change this on this farm.'
    : unit.outOfService
      ? `${unit.name} is out of service.`
      : null;
  return (
    <Item
      label="Is Part Sprinkler"
      isChecked={unit.isPartSprinkler}
      why={why}
      onRefused={commands.refuse}
      onPress={() => void change()}
    />
  );
}

interface ItemProps {
  label: string;
  /** Why it can't be done now; null: it can. */
  why: string | null;
  /** It is on or off. */
  isChecked?: boolean;
  onPress: () => void;
  onRefused?: (label: string, why: string) => void;
}

function Item({ label, why, isChecked, onPress, onRefused }: ItemProps) {
  const given = {
    mih: 44,
    'aria-disabled': why !== null || undefined,
    onClick: () => (why === null ? onPress() : onRefused?.(label, why)),
    children: (
      <>
        {label}
        {why !== null && <span className={classes.why}>{why}</span>}
      </>
    ),
  };
  return isChecked === undefined ? (
    <Menu.Item {...given} />
  ) : (
    <Menu.CheckboxItem {...given} checked={isChecked} closeMenuOnClick />
  );
}
