/** Every constant of the product with its source: "spec 1" accounts, farms and devices; "spec 2" dashboards and telemetry. */

/** Version the client expects and the server announces. spec 1 §1 */
export const APP_VERSION = '1.6.0';
/** Each open page's own id, as it says on the live connection (`client_id`): its own changes are no news to it. */
export const CLIENT_ID_HEADER = 'ClientID';
/** Made by the sender for what it wants done once: draft-ietf-httpapi-idempotency-key-header. 8 to 64 characters. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Tanks without a status for longer are out of contact, ms. spec 2 §4.1 */
export const TANK_OUT_OF_CONTACT_MS = 3 * 3_600_000;
/** A flow that was read speaks for half of the time to the readings beside it, and for this at most either way, ms. */
export const FLOW_SPEAKS_MS = TANK_OUT_OF_CONTACT_MS / 2;
/** Tanks below this battery voltage are low, V. spec 2 §9 */
export const TANK_LOW_BATTERY_V = 3.5;
/** Below this percentage a tank's level is low (red). spec 2 §9 */
export const TANK_LOW_LEVEL_PERCENT = 20;
/** Below this percentage a tank is drawn in amber. spec 2 §9 */
export const TANK_AMBER_PERCENT = 50;
/** The drawn water never goes below or above these percentages. spec 2 §9 */
export const TANK_FILL_PERCENT = { min: 5, max: 95 } as const;
/** A battery at or above this percentage without charge current counts as charged. spec 2 §4.3 */
export const BATTERY_CHARGED_PERCENT = 80;
/** Empty and full voltage of a tank unit's battery, V. */
export const TANK_BATTERY_RANGE_V = { empty: 3.0, full: 4.1 } as const;
/** What a tank record without settings is taken to be (mm, mm, mm, litres). spec 2 §9 */
export const LEGACY_TANK = { offset: 500, toplevel: 2400, height: 3000, volume: 0 } as const;
/** Readings outside -50 mm … height + 500 mm are invalid. */
export const TANK_VALID_MM = { below: -50, aboveHeight: 500 } as const;
/** Level change over an hour that counts as a trend, percent. */
export const TREND_PERCENT = 1;
/**
 * How a tank's usage is calculated from its level (docs/insights.md).
 */
export const LEVEL_USE = {
  /** The widest band around the level within which readings count as noise. */
  bandMaxMm: 25,
  /** A step up to this size can be the sensor's resolution, if at least `leastSteps` changes show it. */
  stepMaxMm: 10,
  leastSteps: 4,
  /** Smaller differences come from how numbers are stored. */
  dustMm: 0.001,
  /** A change this close to a whole number of steps counts as whole, in steps. */
  wholeWithin: 0.02,
  /** A reading of such a sensor that lies no further off than this is its flicker, in steps. */
  flickerSteps: 1.5,
  /** The share of the known noise that one day renews. */
  learns: 0.25,
  /** A day shows its noise with so many readings, no further apart than `nearMs`. */
  leastReadings: 16,
  nearMs: 3 * 3_600_000,
  /** A single reading at least this far from both neighbours, which agree and lie within `spikeMs`, is a fault. */
  spikeMm: 10,
  spikeMs: 20 * 60_000,
  /** Days that aren't counted yet are counted when they are asked for, as far as they aren't older than this. */
  lateDays: 40,
} as const;
/** Flow for this long without a stop is a leak, h. */
export const LEAK_FLOW_HOURS = 6;
/** Fewest readings in each of these hours that can show it. */
export const LEAK_FLOW_READINGS = 2;
/** Stock don't drink in these local hours; a level that falls by more than 2 % then is a leak. */
export const NIGHT_HOURS = { from: 2, to: 6 } as const;
export const LEAK_NIGHT_PERCENT = 2;
/**
 * What is reckoned from history (docs/insights.md). These figures are ours, chosen so that a sensor's noise (about 0.3 % of a
 * tank, 1 kPa) and one odd day make no finding; each rule's text says which.
 */
export const UNTIL_EMPTY = {
  /** Whole days looked back on, and the fewest with data. */
  days: 14,
  leastDays: 3,
  /** A trend takes so many days, and a slope of so many of its standard deviations. */
  leastTrendDays: 6,
  trendTimes: 1.5,
  /** Time from a day's last reading to the next day's that can stand for a day, h. */
  stepHours: { least: 12, most: 36 },
  /** A day whose level falls by so much more of the tank than usual is another sensor, or an emptied tank, percent. */
  jumpPercent: 30,
  /** Slower than this no date is of use, days. */
  longestDays: 365,
  /** A pump that keeps a tank filled: its level is no further below the lows of the days before, percent. */
  newLowPercent: 5,
  /** A day that gains so much of the tank fills it, percent; so many fills are something that fills it by itself. */
  fillPercent: 5,
  fills: 2,
  /** A tank that may as well never be empty is told of when it may be within so many days. */
  vagueDays: 14,
  /** So many newest days are a use of their own when their median differs by so many standard deviations and so much, percent. */
  changeDays: { least: 3, most: 7 },
  changeTimes: 3,
  changePercent: 10,
} as const;
export const LEAK_WATCH = {
  nights: 7,
  /** Of a night's hours (four; three or five when the clock changes), and readings in each. */
  leastHours: 3,
  /** From a night's end, in which water that flowed by night flows on if it is a leak. */
  dayHours: 12,
  /** A level that falls by so much in each of several nights, percent; in one alone it takes LEAK_NIGHT_PERCENT. */
  fallPercent: 0.5,
  fallNights: 3,
  /** A night's least flow above this share of the flow while water is used isn't what a leak looks like. */
  useShare: 0.5,
  /** Falls of nights that differ by more, as a share of their median, are no longer of this confidence. */
  spread: { high: 0.2, medium: 0.35 },
} as const;
export const UNTIL_REFILL = {
  leastHours: 24,
  /** The present rate: the newest hours of drying. */
  fitHours: 72,
  /** Under so many hours of drying, a straight line. */
  straightBelowHours: 48,
  /** Hours with data, and their share of the time. */
  leastPoints: 12,
  leastShare: 0.5,
  /** Rain in an hour, or a fall of tension within a day, that wets the soil. */
  wetMm: 1,
  wetKpa: 10,
  wetPercent: 30,
  wetLeastKpa: 3,
  /** Neighbouring hours tell nearly the same, and days differ: one point in so many hours counts. */
  hoursPerPoint: 12,
  leastCounted: 4,
  /** A curve that the hours lie off by less than this share of the other's is the right one; else both may be. */
  clearShare: 0.8,
  longestDays: 60,
  /** Moved by no more than this while it dries, kPa. */
  stillKpa: 0.5,
} as const;
export const PUMP_WATCH = {
  leastMinutes: 30,
  leastReports: 2,
  /** Of the rise that earlier runs lead to expect. */
  leastShare: 0.5,
  /** Without earlier runs: a rise of less than this of the tank is none, percent. */
  leastPercent: 0.5,
  /** How far runs are looked back on, days. */
  days: 7,
} as const;
/** Gateway out of contact after, ms; "never reached" after, days. spec 1 §9 */
export const GATEWAY_OUT_OF_CONTACT_MS = 86_400_000;
export const NEVER_REACHED_DAYS = 365;
/** Days of history by period. spec 2 §9 */
export const PERIOD_DAYS = { Day: 1, Week: 7, Month: 30, Year: 365, Custom: 60 } as const;
/** Days that the date picker offers when Custom is opened. spec 2 §2.7 */
export const CUSTOM_RANGE_DAYS = 30;
/** Charts longer than this are drawn from daily values, days. */
export const HOURLY_MAX_DAYS = 60;
/** Readings older than this are refused, and dropped from raw history, days (configurable). */
export const RAW_RETENTION_DAYS = 730;
/** What alerts told, and is over for longer than this, is forgotten, days (configurable). */
export const ALERT_RETENTION_DAYS = 730;
/** Readings further ahead of our clock are refused, ms. */
export const FUTURE_TOLERANCE_MS = 10 * 60_000;
/**
 * What the devices of a farm may write, unless the operator says otherwise. The largest farm found has 5,400 units, each heard eight
 * times a day with eight values, and a hundred sensors of ten values each 15 min: some 450,000 readings a day and 60,000 values.
 * Four times the readings leave room for what gateways kept during an outage.
 */
export interface UsageLimits {
  readonly farmReadingsADay: number;
  readonly accountReadingsADay: number;
  /** Values that are kept of a farm: each value of each device is one. */
  readonly farmSeries: number;
}
export const USAGE_LIMITS: UsageLimits = {
  farmReadingsADay: 2_000_000,
  accountReadingsADay: 10_000_000,
  farmSeries: 200_000,
};
/** Long jobs of one farm that wait or run. */
export const LONG_JOBS_PER_FARM = 50;
/** From this share of a limit on the farm's people are told, percent. */
export const USAGE_NOTICE_PERCENT = 80;
/** Largest device message, bytes. */
export const MESSAGE_MAX_BYTES = 256 * 1024;
/** Largest payload codec, bytes. The largest published ones have about 200 KiB. */
export const CODEC_SCRIPT_MAX = 256 * 1024;
/** Codecs of one farm, and versions of one codec: the oldest go first. */
export const CODECS_PER_FARM = 100;
/** Files that the server makes for one account on a day (UTC): exports, and what is kept about the person. */
export const FILES_A_DAY = 100;
/** Mails to people whom an account names, in 24 hours; ours. */
export const INVITES_A_DAY = 500;
export const CODEC_VERSIONS = 50;
/** Of all versions of one codec together, bytes: of the largest scripts fewer are kept. */
export const CODEC_VERSIONS_BYTES = 4 * 1024 * 1024;
/** A codec that takes too long or too much this often in a row is switched off. */
export const CODEC_FAILURES = 5;
/** What a farm's codecs, and those of an account's farms together, may use of each minute, ms of a thread. */
export const DECODING_MS_PER_MINUTE = { farm: 15_000, account: 30_000 } as const;
/** What an account may use of each minute to try codecs, ms of the thread that is for this alone. */
export const TRY_MS_PER_MINUTE = 20_000;
/**
 * Messages of LoRaWAN network servers are kept as they came, days, and a farm's as many and as large together, bytes: then the oldest
 * go first. A sensor that sends every 10 minutes has 4,320 in this time, of about 1 KiB.
 */
export const UPLINKS_KEPT = { days: 30, count: 1_000_000, bytes: 1024 ** 3 } as const;
/** Of a farm, in 24 hours: each that can be kept once. */
export const DECODED_ANEW_A_DAY = UPLINKS_KEPT.count;
/** Of a farm so many of them may wait for their codecs; what comes then is kept and isn't decoded by itself. */
export const UPLINKS_WAITING = { count: 100_000, bytes: 256 * 1024 ** 2 } as const;
/** Farms in one account. */
export const FARMS_PER_ACCOUNT = 1000;
export const PASSWORD_MIN = 6;
export const NAME_MIN = 3;
/** Session length, days, sliding. */
export const SESSION_DAYS = 30;
/** However much it is used, a session ends so long after the person last showed who they are, days. */
export const SESSION_MOST_DAYS = 90;
/** Before a session ends its person is told, days. */
export const SESSION_NOTICE_DAYS = { first: 7, last: 1 } as const;
/** People have so long to set up the second step that an owner asks for: a farm is not shut while somebody works on it, days. */
export const SECOND_STEP_GRACE_DAYS = 7;
export const NEW_ACCOUNT_PAID_DAYS = 30;
export const AGENT_PAID_YEARS = 99;
/** Toast lengths, ms. spec 1 §9 */
export const TOAST_MS = { success: 6000, error: 10_000, action: 10_000, loading: 6000, live: 3000 } as const;
export const LIVE_RECONNECT_MS = 5000;
/** Path of the live connection under `/v1`; the sub-protocol is the token. */
export const LIVE_PATH = '/live';
/** The server accepts the upgrade and closes with this when the token is refused. */
export const CLOSE_UNAUTHENTICATED = 4401;
/** Both ends of a live connection ping the other this often, ms. */
export const LIVE_PING_MS = 8000;
/** No answer to a ping for so long, ms: the other end is gone. That is at most LIVE_PING_MS + this after its last message. */
export const LIVE_SILENCE_MS = 10_000;
/** Settings and permissions not there this long after mount: reload once. spec 1 §9 */
export const RELOAD_CHECK_MS = 1000;
export const SETTINGS_VERSION = 6;
export const SETTINGS_DEBOUNCE_MS = 500;
/** How often "x min ago" is renewed on a tank card, ms. spec 2 §9 */
export const CONTACT_REFRESH_MS = 10_000;
/** The tank map opens the asked sensor's popup after about this, ms. spec 2 §2.6 */
export const POPUP_OPEN_MS = 1000;
/** Mobile up to this width, px. */
export const MOBILE_MAX_PX = 767.98;
/** Map. spec 1 §9, spec 2 §9 */
export const MAP = {
  centre: { lat: -41.3, lng: 173.3 },
  zoom: 5,
  maxZoom: 19,
  tankZoom: 13,
  farmZoom: 15,
  groupZoom: 17,
  detailZoom: 17,
  idleMs: 50,
  labelMax: 10,
  popupNameMax: 15,
  gridIpc: 0.00048,
  gridOther: 0.0008,
  poiRadius: 20,
  pinRadius: 25,
} as const;
/** Schedule templates of one farm, and the largest one, bytes. */
export const SCHEDULE_TEMPLATES_PER_FARM = 200;
export const SCHEDULE_TEMPLATE_BYTES = 64 * 1024;
/** Schedule sets in the list of one farm, and the largest one, bytes: 5,000 sprinklers with 24 waterings each. */
export const SCHEDULE_SETS_PER_FARM = 50;
/** Backups of a farm's configuration: all, of these a person's own, and those that are made before a change. */
export const BACKUPS_PER_FARM = { all: 20, own: 15, before: 5 } as const;
/** Of one, before it is packed: a farm with 5,000 sprinklers and a few large schedule sets has some tens. */
export const BACKUP_MB_MAX = 128;
/** From so many devices on their loss would cost: a name is typed before it, and a backup is made. */
export const MUCH_FROM = 10;
/** Characters of what people write beside one. spec 2 §5 */
export const BACKUP_DESCRIPTION_MAX = 250;
export const SCHEDULE_SET_BYTES = 8 * 1024 * 1024;
export const TEMPLATE_NAME_MAX = 40;
export const TEMPLATE_GROUPS_MAX = 500;
/** Of one group. */
export const LINES_MAX = 100;
/** Hours of the day in which water may run, or may not, of one template. */
export const WINDOWS_MAX = 24;
/** Pipes with less flow than the pump gives, of one farm or template. */
export const MAINS_MAX = 50;
export const MAIN_NAME_MAX = 60;
/** Two clicks or taps at one place within this are one double click, ms. spec 2 §9 */
export const DOUBLE_CLICK_MS = 300;
/** Units of a command, and steps of units, in an answer that wasn't asked for more; and at most. */
export const COMMAND_DETAILS = 500;
export const COMMAND_DETAILS_MAX = 5000;
/** A command that ended badly needs attention until it is seen, for so many days: until then one may not have looked. */
export const UNSEEN_DAYS = 30;
/** So many of a farm at most. */
export const UNSEEN_MOST = 20;
/** Days of a flow meter's history on the dashboard. spec 2 §2.8 */
export const FLOW_HISTORY_DAYS = 60;
/** Charts of soil moisture up to this many days are drawn from the readings themselves. */
export const READINGS_MAX_DAYS = 8;
/** Most days of a file of readings, by what its rows are: rows of a year are millions. */
export const READINGS_FILE_DAYS = { reading: 366, hour: 366, day: 3660 } as const;
/** Two fingers on a chart change its time scale on screens narrower than this (px), at most once in this time (ms). spec 2 §2.9 */
export const PINCH_BELOW_PX = 992;
export const PINCH_EVERY_MS = 500;
/** From this level on no hand turns a linked output on, and a linked relay is switched off, percent. spec 2 §9 */
export const BLOCK_PERCENT = 95;
/** Longest title of an input or relay, characters; longest max on time, min. spec 2 §5 */
export const IO_TITLE_MAX = 12;
export const IO_MAX_ON_MINUTES = 30;
/** Longest run of a pump that can be set, min. spec 2 §5 */
export const MAX_RUN_MINUTES = 1440;
/** Longest run that the form's field takes, min; a longer one that is stored stays. spec 2 §5 */
export const MAX_RUN_INPUT_MINUTES = 600;
/** The specification names these two for farms and says nothing of what they are: nothing hangs on them. spec 1 §9 */
export const FARM_CONST_1024 = 1024;
export const FARM_CONST_4 = 4;

/**
 * The largest farm, ha: Anna Creek in South Australia, the largest station there ever was, had 2.37 million ha before The Peake was parted
 * from it in 2016.
 */
export const FARM_AREA_MAX_HA = 2_400_000;
/**
 * Places that are hardly meant, km: people are asked. Beyond the boundary lie neighbours' blocks and roads; from a pin without a boundary a
 * station of 100,000 ha reaches some 20 km; LoRa reaches some 15 km over open country. What is farther than `impossible` from its
 * farm is refused: Anna Creek is less than 200 km across. A farm that would stand beyond `ofFarm` from where it does is likely another one.
 */
export const FAR_KM = { fromBoundary: 2, fromPin: 20, fromGateway: 15, ofFarm: 50, impossible: 500 } as const;

/** Days that sprinklers may be kept from watering by one hold. */
export const HOLD_DAYS_MAX = 90;

/** Devices of an alert that are listed at most. */
export const ALERT_DEVICES_LISTED = 200;

/** Of a passkey's name. */
export const PASSKEY_NAME_MAX = 60;
