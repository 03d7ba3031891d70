import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';

const readings = 'No reading that is stored says what this would have told.';
const concluded =
  "It is concluded from days of what the tank said, as they were known then: it can't be tried out afterwards.";
const forecasts = "Forecasts are not kept, so this can't be tried out.";

/** Why an alert can't be tried out on what was stored. */
export const whyUntried: Readonly<Record<AlertKind, string>> = {
  TankLow: readings,
  TankHigh: readings,
  SoilMoisture: readings,
  TankLeak: concluded,
  EmptySoon: concluded,
  PumpRuns: concluded,
  LowBattery:
    'Sprinklers go by what their gateway called low then, which is not kept. Choose tanks to try it out on them.',
  OutOfContact:
    "Whether a device was silent by itself, or with its gateway, is not kept: it can't be tried out afterwards.",
  SprinklerError:
    "What sprinklers reported of their errors is kept as it is now, so this can't be tried out.",
  InputChange: 'It tells each change. How often an input changed, its history shows.',
  ValveOpen:
    "Until when a valve should have been open is not kept of all of them, so this can't be tried out.",
  Missed: 'It tells once a day at most. What was missed, the irrigation diary shows.',
  Flow: 'Which sprinklers were open then is not kept of all of them: only flow above or below a value can be tried out.',
  Frost: forecasts,
  Rain: forecasts,
  TakeLimit: 'It tells each limit once. What was above one, the page of the water take lists.',
  TakeGap:
    'Whether a meter was silent still at 18:00 is not kept. Which quarters are missing, the page of the water take shows.',
  CommandFailed: 'It tells each command to many that failed for some. The list of commands shows them.',
};
