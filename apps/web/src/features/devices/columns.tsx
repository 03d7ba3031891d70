import { Age } from '../../ui/age.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import type { Listed } from '../../device-records/device-record.ts';
import type { Column } from './list-kind.ts';

/** Columns that several kinds have. */
export const serialColumn = <T extends Listed>(): Column<T> => ({
  id: 'serial',
  label: 'Serial number',
  width: 'minmax(96px, 1fr)',
  cell: ({ serialNumber }) => serialNumber,
  order: ({ serialNumber }) => serialNumber ?? '',
  // Without a word: the age of what was heard has to fit beside it on narrow phones.
  onCard: '',
});

export const macColumn = <T extends Listed>(): Column<T> => ({
  id: 'mac',
  label: 'MAC',
  width: 'minmax(158px, 1fr)',
  cell: ({ macAddress }) => macAddress,
  order: ({ macAddress }) => macAddress ?? '',
});

/** `at` in epoch ms; 0: never. */
export const contactColumn = <T extends Listed>(at: (item: T) => number, staleAfter: number): Column<T> => ({
  id: 'contact',
  label: 'Last contact',
  width: '104px',
  cell: (item) => <Age at={at(item) || null} staleAfter={staleAfter} />,
  order: at,
  onCard: 'Heard',
});

export const chargeColumn = <T extends Listed & { readonly charge: number | null }>(): Column<T> => ({
  id: 'charge',
  label: 'Battery',
  width: '76px',
  isNumber: true,
  cell: ({ charge }) => <Quantity value={charge} unit="%" />,
  order: ({ charge }) => charge ?? -1,
  onCard: 'Battery',
});

/** The gateway that speaks for the device, by name. */
export const gatewayColumn = <T extends Listed & { readonly gatewayUID: string | null }>(
  names: ReadonlyMap<string, string>,
): Column<T> => {
  const nameOf = ({ gatewayUID }: T) => names.get(gatewayUID ?? '') ?? '';
  return {
    id: 'gateway',
    label: 'Gateway',
    width: 'minmax(100px, 1fr)',
    cell: (item) => nameOf(item) || '–',
    order: nameOf,
  };
};
