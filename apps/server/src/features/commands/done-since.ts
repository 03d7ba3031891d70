import { pollTypes } from './polls.ts';

interface Places {
  readonly farmId: string;
  readonly deviceId: string;
  /** When it said what it holds. */
  readonly at: string;
}

/**
 * Whether something that may have changed what a unit holds was done to it since it said so, as SQL, by the columns of `places`. Its clock
 * may be ahead by what is accepted of readings, 10 minutes. `besides`: a condition on the command's part `x`.
 */
export const doneSince = ({ farmId, deviceId, at }: Places, besides = 'true') => `exists (
  select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
  where x.farm_id = ${farmId} and x.device_id = ${deviceId} and x.at >= ${at} - interval '10 minutes' and ${besides}
    and x.state not in ('queued', 'skipped') and (x.state <> 'cancelled' or x.sending > 0)
    and xc.type <> all('{${pollTypes.join()}}'::int[]))`;
