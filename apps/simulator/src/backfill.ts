import type { FarmModel, Sensor } from './farm-model.ts';
import { type FarmLinks, itemMessages, type Send, sensorMessages } from './farm-links.ts';
import { sensorHistory, type SensorStates, type Span, unitHistory } from './history.ts';
import type { BackfillState } from './state.ts';
import { createWindow } from './window.ts';

const dayMs = 86_400_000;
/** Messages under way at once: a few thousand readings, and the server decides how fast they go. */
const inFlight = 40;

type Stage = { readonly name: string; readonly sensors: readonly Sensor[] | null };

/** Tanks first, then what else measures, then sprinklers and repeaters. */
function stagesOf(farm: FarmModel): Stage[] {
  const isTank = ({ profile }: Sensor) => profile.model.kind === 'tank';
  return [
    { name: 'tanks', sensors: farm.sensors.filter(isTank) },
    { name: 'sensors', sensors: farm.sensors.filter((sensor) => !isTank(sensor)) },
    { name: 'units', sensors: null },
  ];
}

export type BackfillOptions = {
  readonly farm: FarmModel;
  readonly links: FarmLinks;
  readonly state: BackfillState;
  /** Called with a state that the broker has acknowledged in full, about as often as said; `null` = done. */
  readonly checkpoint: (state: BackfillState | null) => Promise<void>;
  readonly checkpointEveryMs: number;
  readonly isStopped: () => boolean;
};

/** Publishes a farm's history, oldest first, day by day. Picks up at `state`; what was sent after the last checkpoint is sent again. */
export async function runBackfill(options: BackfillOptions): Promise<{ items: number }> {
  const { farm, links, checkpoint } = options;
  const window = createWindow(inFlight);
  const stages = stagesOf(farm);
  let { stage, until, sensors } = options.state;
  let items = 0;
  let savedAt = performance.now();
  for (; stage < stages.length; stage += 1) {
    while (until < options.state.end) {
      if (options.isStopped()) return { items };
      const span: Span = {
        from: until,
        to: Math.min(options.state.end, until + dayMs),
        end: options.state.end,
      };
      const day = dayOf(farm, links, stages[stage]?.sensors ?? null, sensors, span);
      for (const send of day.sends) await window.add(send);
      items += day.items;
      until = span.to;
      sensors = day.sensors;
      // Reckoning a day takes a while when nothing has to be sent: others get their turn.
      await new Promise((resolve) => setImmediate(resolve));
      if (performance.now() - savedAt < options.checkpointEveryMs) continue;
      await window.drain();
      await checkpoint({ ...options.state, stage, until, sensors });
      savedAt = performance.now();
    }
    until = options.state.from;
    sensors = {};
  }
  await window.drain();
  await checkpoint(null);
  return { items };
}

function dayOf(
  farm: FarmModel,
  links: FarmLinks,
  sensors: readonly Sensor[] | null,
  states: SensorStates,
  span: Span,
) {
  if (sensors) {
    const history = sensorHistory(sensors, states, span);
    return {
      sends: sensorMessages(links, history.items),
      items: history.items.length,
      sensors: history.states,
    };
  }
  const sends: Send[] = [];
  let items = 0;
  for (const { gatewayMac, ipcs, repeaters } of unitHistory(farm, span)) {
    sends.push(
      ...itemMessages(links, gatewayMac, 'ipc', ipcs),
      ...itemMessages(links, gatewayMac, 'repeater', repeaters),
    );
    items += ipcs.length + repeaters.length;
  }
  return { sends, items, sensors: states };
}
