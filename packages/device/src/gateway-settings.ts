/** Values that a setting of a gateway may have. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

const whole = (least: number, most: number): Bounds => ({ least, most, isWhole: true });

/** What a gateway can be told by UpdateSettings. Times in seconds; `clockTreshold` is the field's own spelling. */
export const gatewaySettings = {
  commsMaxAttempts: whole(1, 100),
  commsMaxTTL: whole(1, 86_400),
  chargeThreshold: { least: 0, most: 100, isWhole: false },
  clockTreshold: whole(1, 86_400),
  statusPeriod: whole(30, 86_400),
  timesetPeriod: whole(60, 604_800),
  channel: whole(0, 255),
  spfactor: whole(0, 255),
} as const satisfies Record<string, Bounds>;
export type GatewaySetting = keyof typeof gatewaySettings;

/** The same in JSON Schema, by name. */
export const gatewaySettingSchemas = Object.fromEntries(
  Object.entries(gatewaySettings).map(([name, { least, most, isWhole }]) => [
    name,
    { type: isWhole ? 'integer' : 'number', minimum: least, maximum: most },
  ]),
);
