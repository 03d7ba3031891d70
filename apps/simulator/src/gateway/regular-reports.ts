import { crossed, type LiveContext } from '../live-context.ts';
import type { LiveUnits } from '../live-units.ts';
import type { GatewayState } from './gateway-state.ts';
import type { Send } from '../farm-links.ts';
import type { Relays } from './relays.ts';

const portsEveryMs = 15 * 60_000;

interface ReportParts {
  readonly mac: string;
  readonly own: GatewayState;
  readonly units: LiveUnits;
  readonly relays: Pick<Relays, 'report'>;
  readonly reportStatus: Send;
}

/** What a gateway reports by itself: of its units, its own status and its ports. */
export function createRegularReports(
  { modelTime, dispatch }: Pick<LiveContext, 'modelTime' | 'dispatch'>,
  { mac, own, units, relays, reportStatus }: ReportParts,
) {
  let hasReported = false;

  function tick(at: number): void {
    const time = modelTime(at);
    if (own.reportedAt === 0 || !hasReported) units.publishAll(mac, at);
    else units.publishDue(mac, at, own.reportedAt);
    const isDue = (everyMs: number) => !hasReported || crossed(own.reportedAt, time, everyMs, 0);
    dispatch([
      ...(isDue(own.settings.statusPeriod * 1000) ? [reportStatus] : []),
      ...relays.report(isDue(portsEveryMs)),
    ]);
    hasReported = true;
    own.reportedAt = time;
  }

  return { tick, hasReported: () => hasReported };
}
