import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { wateringSources } from './rules/watering-runs.ts';
import { nullable, oneOf, Time, Uid } from './schemas.ts';

/** Runs in one reply. */
export const RUNS_PER_PAGE = 500;
/** Longest time that can be asked for, days: of one sprinkler, and of a farm. */
export const RUN_DAYS = { ofUnit: 366, ofFarm: 31 } as const;

/** What a sprinkler gives. */
export const MmPerMin = Type.Number({
  description:
    'mm that it gives a minute, as of a full circle: of a watering as its groups were set when it began where they agreed, else as its farm was',
});

const Source = oneOf(wateringSources);

/** A time that a sprinkler's valve was open, by what it reported and answered. */
export const WateringRun = Type.Object({
  uid: Uid,
  openedAt: Time,
  openedHow: Source,
  /** The newest word that it was open: it can't have closed before. */
  openUntil: Time,
  closedAt: nullable(Time),
  closedHow: nullable(Source),
  /** The command that opened it. */
  commandId: nullable(Uid),
  endsAt: nullable({
    ...Time,
    description:
      'when it was to close, by the command that opened it or by what it held then; null: nothing is known to have asked for it',
  }),
  mmPerMin: MmPerMin,
});
export type WateringRun = Static<typeof WateringRun>;

export const listRuns = defineEndpoint({
  key: 'GET /ipc/runs',
  tag: 'Irrigation devices',
  summary: `When valves of a farm, or of one sprinkler, were open, oldest first: up to ${RUN_DAYS.ofFarm} days of a farm and ${RUN_DAYS.ofUnit} of a sprinkler, ${RUNS_PER_PAGE} a page`,
  needs: needs.countSprinklers,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    from: Time,
    to: Time,
    uid: Type.Optional(Uid),
    after: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,15}-[0-9]{1,15}$', description: '`next` of the page before' }),
    ),
  }),
  reply: Type.Object({
    runs: Type.Array(WateringRun, {
      description: 'of those that were open at any moment between `from` and `to`',
    }),
    next: nullable(Type.String({ description: 'null: that is all' })),
  }),
});
