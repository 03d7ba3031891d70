import { sql } from 'kysely';

/** Of a device `d`. */
export const outOfService = sql<boolean>`coalesce((d.settings->>'outOfService')::boolean, false)
  or coalesce((d.settings->>'isSpareUnit')::boolean, false)`.as('outOfService');
