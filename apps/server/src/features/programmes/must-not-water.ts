import { typesThat } from '@headrace/device/commands';

/*
 * Since when a unit must not water, as SQL of a row `u` that names it by farm_id and device_id. Null: it may.
 */

/** By what a person asked: from the tap on, whatever the unit says. */
export const stoppedSince = `(select s.since from unit_stop s
  where s.farm_id = u.farm_id and s.device_id = u.device_id and s.lifted_by is null)`;

/**
 * By its own word: it waters no more by the schedule that it held, and nobody let it water again after that. One that holds
 * none, as a new unit, isn't inhibited.
 */
export const reportedStoppedSince = `(select h.stopped_at from unit_held h
  where h.farm_id = u.farm_id and h.device_id = u.device_id and h.until is null and not exists (
    select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
    where x.farm_id = h.farm_id and x.device_id = h.device_id and x.at >= h.stopped_at and x.state = 'done'
      and xc.type in (${typesThat('uninhibits').join(', ')})))`;
