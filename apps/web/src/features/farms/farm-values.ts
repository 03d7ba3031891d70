import { defaultWaterApplication, noAddress } from '@headrace/contract/default-farm';
import type { Address, Farm, FarmEntry, FarmIcon, WaterApplication } from '@headrace/contract/farms';
import { validateFarm, toNumber } from '@headrace/contract/rules/farm-form';
import { isAny } from '@headrace/contract/rules/form-rules';
import { areaHectares, areaText } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { EnteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { waterErrors, waterText } from '../../forms/water-fields.tsx';

/** A pin; both coordinates belong together, also where two people's versions are merged. */
export interface EnteredPlace {
  lat: EnteredNumber;
  lng: EnteredNumber;
}

/** What the farm form holds. */
export interface FarmValues {
  /** The owner, where an agent makes the farm; else empty. */
  accountId: string;
  name: string;
  description: string;
  address: Address;
  place: EnteredPlace;
  boundary: readonly LatLng[];
  icon: FarmIcon;
  supplier: string;
  irrigationArea: EnteredNumber;
  tankOnly: boolean;
  v3Site: boolean;
  walConfig: WaterApplication;
}

export const newFarm: FarmValues = {
  accountId: '',
  name: '',
  description: '',
  address: noAddress,
  place: { lat: null, lng: null },
  boundary: [],
  icon: 'farm-blue',
  supplier: '',
  irrigationArea: 0,
  tankOnly: false,
  v3Site: false,
  walConfig: defaultWaterApplication,
};

export function valuesOf({ lat, lng, ...farm }: Farm): FarmValues {
  return {
    accountId: '',
    name: farm.name,
    description: farm.description,
    address: farm.address,
    place: { lat, lng },
    boundary: farm.boundary,
    icon: farm.icon,
    supplier: farm.supplier,
    irrigationArea: farm.irrigationArea,
    tankOnly: farm.tankOnly,
    v3Site: farm.v3Site,
    walConfig: farm.walConfig,
  };
}

/** What is sent of it. */
export function entryOf({ accountId: _accountId, place, ...values }: FarmValues): FarmEntry {
  return {
    ...values,
    name: values.name.trim(),
    description: values.description.trim(),
    boundary: [...values.boundary],
    lat: toNumber(place.lat),
    lng: toNumber(place.lng),
    irrigationArea: toNumber(values.irrigationArea),
  };
}

/** `owners`: the accounts that an agent can choose from; null where there is nothing to choose. */
export function validateEntries(values: FarmValues, owners: readonly string[] | null): FieldErrors {
  const { place, walConfig, ...rest } = values;
  const owner = owners && isAny('the owner', owners)(values.accountId);
  return {
    ...(owner && { accountId: owner }),
    ...validateFarm({ ...rest, ...place }),
    ...waterErrors('walConfig', walConfig),
  };
}

export const iconLabels: Record<FarmIcon, string> = {
  'farm-blue': 'Blue',
  'farm-green': 'Green',
  'farm-orange': 'Orange',
  'farm-purple': 'Purple',
  'farm-red': 'Red',
};

/** spec 1 §3; the first is our own. */
export const suppliers = [
  'Headrace DataSystems',
  'RX Plastics',
  'WaterForce',
  'Canterbury Water Services',
  'PGG Wrightson',
  'GV Electrical',
] as const;

export const boundaryText = (boundary: readonly LatLng[]): string =>
  boundary.length > 0 ? `${areaText(areaHectares(boundary))}, ${boundary.length} points` : '';

const placeText = ({ lat, lng }: EnteredPlace) => `${lat ?? '–'}, ${lng ?? '–'}`;

export const farmLabels: FieldLabels<FarmValues> = {
  accountId: { label: 'Owner' },
  name: { label: 'Name' },
  description: { label: 'Description' },
  address: { label: 'Access Road', text: ({ fullAddress }) => fullAddress },
  place: { label: 'Location', text: placeText },
  boundary: { label: 'Boundary', text: boundaryText },
  icon: { label: 'Icon', text: (icon) => iconLabels[icon] },
  supplier: { label: 'Supplier' },
  irrigationArea: { label: 'Irrigation area', text: (area) => `${area ?? 0} ha` },
  tankOnly: { label: 'Tanks only' },
  v3Site: { label: 'Version 3 site' },
  walConfig: { label: 'Water application', text: waterText },
};
