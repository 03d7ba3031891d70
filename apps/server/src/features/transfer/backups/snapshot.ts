import type { Backup } from '@headrace/contract/backups';
import type { IoSettings } from '@headrace/contract/gateway-io';
import type { Db } from '../../../db/client.ts';
import type { FarmRow } from '../../../db/schema.ts';
import { withoutOverrides } from '../../gateway-io/relay-overrides.ts';
import { keptTakes, type KeptTake } from '../../water-takes/kept-takes.ts';
import { schedulesOn } from '../../schedules/schedules.feature.ts';
import type { ContentIo, FarmContentRepo } from '../farm-content.repo.ts';
import { breathe } from '../../../jobs/in-turns.ts';
import { remember } from '../../../remember.ts';
import { type SiteContent, type SiteDevice, siteOf } from '../write-site-json.ts';

/** How the payloads of a sensor are decoded; ids are the farm's own. */
interface Decoder {
  readonly uid: string;
  readonly builtin_codec: string | null;
  readonly codec_id: number | null;
  readonly codec_version: number | null;
}

/** The configuration of a farm: what site.json has, and what it leaves out because it is of use on this farm alone. */
export interface Snapshot extends Omit<SiteContent, 'version'> {
  readonly version: number;
  readonly inputsAndRelays: readonly ContentIo[];
  readonly decoders: readonly Decoder[];
  /** Uids of units that may have the serial number of another one, as some have since before that was refused. Backups before don't say. */
  readonly sharingSerials?: readonly string[] | undefined;
  /** Consents to take water, by uid. Backups before don't say. */
  readonly waterTakes?: readonly KeptTake[] | undefined;
}

/** As the transaction sees it. */
export async function takeSnapshot(trx: Db, content: FarmContentRepo, farm: FarmRow): Promise<Snapshot> {
  const devices = await content.devices(farm.id, trx);
  const groups = await content.groups(farm.id, trx);
  const templates = await content.templates(farm.id, trx);
  const { sets, curr_set: currentSet } = await schedulesOn(trx).ofFarm(farm, undefined);
  const inputsAndRelays = (await content.inputsAndRelays(farm.id, trx)).map((io) => ({
    ...io,
    settings: withoutOverrides(io.settings) as IoSettings,
  }));
  const decoders = devices
    .filter(({ builtin_codec: builtin, codec_id: codec }) => builtin !== null || codec !== null)
    .map(({ uid, builtin_codec, codec_id, codec_version }) => ({
      uid,
      builtin_codec,
      codec_id,
      codec_version,
    }))
    .toSorted((one, other) => (one.uid < other.uid ? -1 : 1));
  await breathe();
  const sharingSerials = devices.flatMap(({ uid, shares_serial: shares }) => (shares ? uid : [])).toSorted();
  return {
    ...(await siteOf({ farm, devices, groups, templates, sets, currentSet })),
    inputsAndRelays,
    decoders,
    sharingSerials,
    waterTakes: await keptTakes(trx, farm.id),
  };
}

export const KINDS = {
  gateways: 'gateway',
  ipcs: 'sprinkler',
  repeaters: 'repeater',
  sensors: 'sensor',
  pois: 'poi',
} as const;

/** A device with its kind. */
export type Kept = SiteDevice & {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  /** Undefined: the backup doesn't say. */
  readonly sharesSerial: boolean | undefined;
};

/** Asked for in each step of a restore. */
export const devicesOf: (snapshot: Snapshot) => readonly Kept[] = remember((snapshot: Snapshot): Kept[] => {
  const sharing = snapshot.sharingSerials && new Set(snapshot.sharingSerials);
  return (['gateways', 'repeaters', 'ipcs', 'sensors', 'pois'] as const).flatMap((list) =>
    snapshot[list].map((device) => ({
      ...device,
      kind: KINDS[list],
      sharesSerial: sharing?.has(device._id),
    })),
  );
});

export const countsOf = (of: Snapshot): Backup['counts'] => ({
  sprinklers: of.ipcs.length,
  gateways: of.gateways.length,
  repeaters: of.repeaters.length,
  sensors: of.sensors.length,
  pois: of.pois.length,
  groups: of.groups.length,
  schedules: of.schedules.length,
  templates: of.templates.length,
});
