import type { Address, WaterApplication } from './farms.ts';

/** What a farm begins with. No schema here: the browser carries this file. Depth in mm, minutes, L/s, m and m². spec 1 §9 */
export const defaultWaterApplication: WaterApplication = {
  type: 'SystemDesign',
  wal: 5,
  duration: 30,
  sprinklerFlow: 4,
  sprinklerWidth: 35,
  sprinklerLength: 40,
  sprinklerCoverage: 1400,
};

export const noAddress: Address = { fullAddress: '', street: '', suburb: '', city: '', zip: '', country: '' };
