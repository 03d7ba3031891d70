import { can, flag } from '../permissions.ts';

/** The annex of a farm environment plan has what these screens have: the diary, takes and soil moisture, advice, and alerts. */
export const mayAnnex = {
  allOf: [flag('dashboard'), can('sensors', 'Read'), can('schedules', 'Read'), flag('notifications')],
} as const;
