import { useEffect, useRef } from 'react';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconArrowsMove, IconTrash } from '@tabler/icons-react';
import { SERIAL_NUMBER_MAX, SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import type { PlannedRow } from '@headrace/contract/rules/files/sprinkler-rows';
import { ConditionDot } from '../../../ui/condition-dot.tsx';
import { deviceCount, deviceKinds } from '../../../device-records/device-kinds.ts';
import panel from '../../../ui/panel.module.css';
import { ScanButton } from '../../registry/scan-button.tsx';
import type { PlacedChange, PlacedUnit } from './use-placed.ts';
import classes from './many.module.css';

export interface PlacedListProps {
  units: readonly PlacedUnit[];
  /** The same, as rows that were checked. */
  rows: readonly PlannedRow[];
  isChecking: boolean;
  moving: number | null;
  onChange: (key: number, change: PlacedChange) => void;
  onMove: (key: number) => void;
  onRemove: (key: number) => void;
}

/** What was placed, the newest first: names and serial numbers are entered here, at once or later. */
export function PlacedList(props: PlacedListProps) {
  const { units, rows, isChecking, moving } = props;
  const list = useRef<HTMLOListElement>(null);
  const count = units.length;
  const before = useRef(count);
  useEffect(() => {
    // Whoever has just placed one types or scans its number; a finger taps on, and wants no keyboard over the map.
    const isTyping = !window.matchMedia('(pointer: coarse)').matches;
    if (isTyping && count > before.current)
      list.current?.querySelector<HTMLElement>('[data-serial]')?.focus({ preventScroll: true });
    before.current = count;
  }, [count]);
  return (
    <section className={panel.panel} aria-label="Placed sprinklers">
      <h2 className={panel.title}>
        {count === 0 ? 'Nothing placed yet' : `${deviceCount(count, deviceKinds.sprinkler)} placed`}
      </h2>
      <ol ref={list} className={classes.placed}>
        {units
          .map((unit, at) => (
            <Placed
              key={unit.key}
              {...props}
              unit={unit}
              row={rows[at]}
              isChecking={isChecking}
              isMoving={moving === unit.key}
            />
          ))
          .toReversed()}
      </ol>
    </section>
  );
}

interface PlacedProps extends Pick<PlacedListProps, 'onChange' | 'onMove' | 'onRemove'> {
  unit: PlacedUnit;
  row: PlannedRow | undefined;
  isChecking: boolean;
  isMoving: boolean;
}

function Placed({ unit, row, isChecking, isMoving, onChange, onMove, onRemove }: PlacedProps) {
  const { key, name, serialNumber, macAddress } = unit;
  const at = (column: string) => row?.faults.find((fault) => fault.column === column)?.text;
  const needsMac =
    macAddress !== '' || (serialNumber !== '' && !isChecking && at('macAddress') !== undefined);
  const isFound = serialNumber !== '' && !isChecking && row?.faults.length === 0;
  const what = name || 'the one without a name';
  return (
    <li data-moving={isMoving || undefined}>
      <TextInput
        aria-label={`Name of ${what}`}
        size="md"
        maxLength={SHORT_NAME_MAX}
        value={name}
        error={at('name')}
        autoComplete="off"
        onChange={(event) => onChange(key, { name: event.currentTarget.value })}
      />
      <TextInput
        aria-label={`Serial number of ${what}`}
        data-serial
        size="md"
        placeholder="Serial number"
        maxLength={SERIAL_NUMBER_MAX}
        value={serialNumber}
        error={serialNumber === '' ? undefined : at('serialNumber')}
        rightSection={<ScanButton onFound={(text) => onChange(key, { serialNumber: text })} />}
        rightSectionWidth={44}
        autoComplete="off"
        onChange={(event) => onChange(key, { serialNumber: event.currentTarget.value })}
      />
      <ActionIcon
        size={44}
        variant="subtle"
        aria-label={`Move ${what}`}
        aria-pressed={isMoving}
        onClick={() => onMove(key)}
      >
        <IconArrowsMove size={20} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon size={44} variant="subtle" aria-label={`Take ${what} away`} onClick={() => onRemove(key)}>
        <IconTrash size={20} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      {needsMac && (
        <TextInput
          aria-label={`MAC address of ${what}`}
          size="md"
          placeholder="MAC address"
          maxLength={40}
          className={classes.mac ?? ''}
          value={macAddress}
          error={at('macAddress')}
          autoComplete="off"
          onChange={(event) => onChange(key, { macAddress: event.currentTarget.value })}
        />
      )}
      {isFound && (
        <p className={classes.mac}>
          <ConditionDot condition="ok" label={null} /> MAC {row?.entry.macAddress}
        </p>
      )}
    </li>
  );
}
