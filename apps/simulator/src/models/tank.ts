import type { PumpControl, TankModel, TankSupply } from '@headrace/demo/profile';

/**
 * Water in a tank. Within a step all rates are constant, and the step is cut where the supply switches or the tank is full or empty, so the
 * sum comes out the same however time is divided.
 */
export type TankState = {
  readonly litres: number;
  readonly supplyOn: boolean;
  /** Minutes the supply has run since it started. */
  readonly ranMinutes: number;
  /** Minutes a pump still rests after running its longest. */
  readonly restMinutes: number;
  readonly pumpControl: PumpControl | null;
  /** L/min that a gateway's relay lets in, and that run out by a leak made on demand. */
  readonly relayLpm?: number;
  readonly extraLeakLpm?: number;
  /** Sums since the start, for meters and for the balance: in - drawn - leaked - spilt = change of `litres`. */
  readonly inLitres: number;
  readonly drawnLitres: number;
  readonly leakedLitres: number;
  readonly spiltLitres: number;
};

export type TankRates = {
  readonly demandLpm: number;
  readonly leakLpm: number;
  /** From the roof and through a relay's valve. */
  readonly otherInLpm: number;
  /** False when the main has no water at this hour. */
  readonly mainOn: boolean;
};

/** A pump that ran its longest rests half an hour before it may start again. */
const restAfterLongestRun = 30;
const tiny = 1e-6;

export function startTank(volume: number, model: TankModel): TankState {
  return {
    litres: volume * model.startFraction,
    supplyOn: false,
    ranMinutes: 0,
    restMinutes: 0,
    pumpControl: model.supply.kind === 'pump' ? model.supply.pumpControl : null,
    inLitres: 0,
    drawnLitres: 0,
    leakedLitres: 0,
    spiltLitres: 0,
  };
}

type Draft = { -readonly [Name in keyof TankState]: TankState[Name] };

/** The state after `minutes` at these rates. */
export function stepTank(
  state: TankState,
  minutes: number,
  rates: TankRates,
  volume: number,
  supply: TankSupply,
): TankState {
  const draft: Draft = { ...state };
  let left = minutes;
  // Every pass ends at a switch, at an edge, or at the end of the step; a step holds a handful.
  for (let pass = 0; left > tiny && pass < 64; pass += 1) {
    const limits = limitsOf(supply, draft.pumpControl, volume);
    switchSupply(draft, limits, rates.mainOn);
    const passed = Math.min(left, untilNextEvent(draft, rates, limits, volume));
    flow(draft, passed, rates, limits, volume);
    left -= passed;
  }
  return draft;
}

type Limits = { lpm: number; onAt: number; offAt: number; longestRun: number; usable: boolean };

function limitsOf(supply: TankSupply, pumpControl: PumpControl | null, volume: number): Limits {
  switch (supply.kind) {
    case 'ballcock':
      return {
        lpm: supply.litresPerMinute,
        onAt: volume * supply.openBelow,
        offAt: volume * supply.fillTo,
        longestRun: Number.POSITIVE_INFINITY,
        usable: true,
      };
    case 'pump': {
      const control = pumpControl ?? supply.pumpControl;
      return {
        lpm: supply.litresPerMinute,
        onAt: (volume * control.lowSetpoint) / 100,
        offAt: (volume * control.highSetpoint) / 100,
        longestRun: control.maxRunTime > 0 ? control.maxRunTime : Number.POSITIVE_INFINITY,
        usable: control.relayControl,
      };
    }
    case 'roof':
      // Below any level: rain has no mark to switch at.
      return {
        lpm: 0,
        onAt: Number.NEGATIVE_INFINITY,
        offAt: 0,
        longestRun: Number.POSITIVE_INFINITY,
        usable: false,
      };
    default:
      return supply satisfies never;
  }
}

/** On at or below the low mark, off at or above the high one, after the longest run, or when there is no water to be had. */
function switchSupply(draft: Draft, limits: Limits, mainOn: boolean): void {
  const usable = limits.usable && mainOn;
  if (draft.supplyOn) {
    const ranOut = draft.ranMinutes >= limits.longestRun - tiny;
    if (usable && !ranOut && draft.litres < limits.offAt - tiny) return;
    draft.supplyOn = false;
    draft.ranMinutes = 0;
    if (ranOut) draft.restMinutes = restAfterLongestRun;
  }
  if (usable && draft.restMinutes <= tiny && draft.litres <= limits.onAt + tiny && limits.onAt < limits.offAt)
    draft.supplyOn = true;
}

function untilNextEvent(draft: Draft, rates: TankRates, limits: Limits, volume: number): number {
  const net = (draft.supplyOn ? limits.lpm : 0) + rates.otherInLpm - rates.demandLpm - rates.leakLpm;
  const waits = [
    draft.supplyOn && net > 0 ? (limits.offAt - draft.litres) / net : 0,
    draft.supplyOn ? limits.longestRun - draft.ranMinutes : 0,
    !draft.supplyOn && net < 0 ? (draft.litres - limits.onAt) / -net : 0,
    draft.restMinutes,
    net < 0 ? draft.litres / -net : 0,
    net > 0 ? (volume - draft.litres) / net : 0,
  ];
  let next = Number.POSITIVE_INFINITY;
  for (const wait of waits) if (wait > tiny && wait < next) next = wait;
  return next;
}

/** An empty tank gives no more than comes in, shared between users and leak. */
function flow(draft: Draft, minutes: number, rates: TankRates, limits: Limits, volume: number): void {
  const inLitres = ((draft.supplyOn ? limits.lpm : 0) + rates.otherInLpm) * minutes;
  const wanted = (rates.demandLpm + rates.leakLpm) * minutes;
  const share = wanted > 0 ? Math.min(1, (draft.litres + inLitres) / wanted) : 0;
  const litres = Math.max(0, draft.litres + inLitres - wanted * share);
  const spilt = Math.max(0, litres - volume);
  draft.litres = litres - spilt;
  draft.inLitres += inLitres;
  draft.drawnLitres += rates.demandLpm * minutes * share;
  draft.leakedLitres += rates.leakLpm * minutes * share;
  draft.spiltLitres += spilt;
  if (draft.supplyOn) draft.ranMinutes += minutes;
  draft.restMinutes = Math.max(0, draft.restMinutes - minutes);
}
