import type { FieldMapping } from '@headrace/device/field-mapping';

/**
 * A farm as both sides of the demo need it: the seed puts it into the database, the simulator lets it live. What the seed needs
 * is named as the product names it; what only the simulator needs is under `model`, `climate` and `irrigation`.
 */
export type FarmProfile = {
  /** Short and unique: names files and seeds random streams. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly country: 'NZ' | 'AU';
  readonly timeZone: string;
  readonly address: {
    readonly street: string;
    readonly suburb: string;
    readonly city: string;
    readonly zip: string;
    readonly country: string;
  };
  readonly location: LatLng;
  readonly boundary: readonly LatLng[];
  readonly irrigationAreaHa: number;
  readonly tankOnly: boolean;
  readonly ownerEmail: string;
  /** Radio farm id (`01:01`) and channel of the sprinklers' mesh. */
  readonly radio: { readonly farmId: string; readonly channel: number };
  readonly gateways: readonly GatewayProfile[];
  readonly repeaters: readonly RepeaterProfile[];
  readonly sprinklers: readonly SprinklerProfile[];
  readonly sensors: readonly SensorProfile[];
  readonly pois: readonly PoiProfile[];
  /** Where the LoRaWAN sensors of this farm come from. */
  readonly networkServer: { readonly kind: 'chirpstack'; readonly applicationId: string } | null;
  readonly climate: Climate;
  readonly irrigation: Irrigation | null;
  /** What goes wrong each day and mends itself. */
  readonly troubles?: readonly Trouble[];
};

export type Trouble = {
  readonly mac: string;
  readonly kind: 'gateway-down';
  /** Minute of the day by the farm's clock. */
  readonly atMinute: number;
  readonly minutes: number;
};

export type LatLng = { readonly lat: number; readonly lng: number };

type Device = {
  readonly name: string;
  readonly description: string;
  readonly serialNumber: string;
  /** 16 upper-case hex digits. */
  readonly mac: string;
  readonly lat: number;
  readonly lng: number;
};

/** INC 0, LORA 1, IMSG_V1 100, LSG_V1 101, IMSG_V2 102. */
export type GatewayProfile = Device & {
  readonly kind: 'gateway';
  readonly type: 0 | 1 | 100 | 101 | 102;
  /** Titles of the six inputs and relays of an INC. */
  readonly io: { readonly inputs: readonly string[]; readonly relays: readonly string[] } | null;
};

export type RepeaterProfile = Device & {
  readonly kind: 'repeater';
  /** MAC of the gateway that speaks for it. */
  readonly gatewayMac: string;
  readonly model: {
    readonly startCharge: number;
    readonly hops: number;
    /** It is down, and passes nothing on. */
    readonly isDown?: boolean;
  };
};

export type SprinklerProfile = Device & {
  readonly kind: 'sprinkler';
  readonly type: 'IPC';
  readonly gatewayMac: string;
  readonly farmId: string;
  readonly channel: number;
  /** Mesh 0, Local 1, Hybrid 2. */
  readonly commsMode: 0 | 1 | 2;
  /** Name of the group that waters together. */
  readonly group: string;
  readonly isSpareUnit: boolean;
  /** Taken out of service after the farm's schedule was made: its turn is a hole. */
  readonly isOutOfService: boolean;
  readonly litresPerSecond: number;
  readonly model: SprinklerModel;
};

export type SprinklerModel = {
  readonly hops: number;
  /** Seconds a day that its clock gains or loses between settings of the time. */
  readonly driftSecondsPerDay: number;
  readonly startCharge: number;
  /** `stuck`: its valve no longer opens. `lost-close`: nobody hears that it has closed. `cut-off`: it is heard over a repeater that is down. */
  readonly fault:
    | 'none'
    | 'weak-battery'
    | 'clock'
    | 'silent'
    | 'schedule'
    | 'stuck'
    | 'lost-close'
    | 'cut-off';
};

/** LEVEL_MM 0, SOIL_MOISTURE 2, FLOW_PULSE 3, LEVEL_SCALAR 5, LEVEL 6, SWITCH 7, TLM_V3 100. */
export type SensorProfile = Device & {
  readonly kind: 'sensor';
  readonly type: 0 | 2 | 3 | 5 | 6 | 7 | 100;
  readonly settings: SensorSettings;
  /** MAC of the gateway that speaks for it; `null` when it comes through the farm's network server. */
  readonly gatewayMac: string | null;
  /** For a sensor behind a network server: from its decoded payload to our values. */
  readonly mapping: FieldMapping | null;
  /** How a sensor behind a network server speaks: decoded there (`object`, the default) or bytes that somebody has yet to decode. */
  readonly lorawan?: LorawanSpeech;
  readonly reportEverySeconds: number;
  readonly model: TankModel | FlowModel | SoilModel;
};

/** Payloads that the simulator can lay out as bytes: a water level probe and a soil tension probe of Decentlab. */
export type LorawanFormat = 'decentlab-dl-ctd10' | 'decentlab-dl-trs21';
export type LorawanSpeech =
  | { readonly encoding: 'object' }
  | { readonly encoding: 'raw'; readonly format: LorawanFormat; readonly fPort: number };

export type SensorSettings = {
  /** mm of water below the diaphragm. */
  readonly offset?: number;
  /** mm, of the tank. */
  readonly height?: number;
  /** mm of water when full. */
  readonly toplevel?: number;
  /** Litres at `toplevel`. */
  readonly volume?: number;
  readonly unit?: string;
  readonly spfactor?: number;
  readonly enabledFlow?: boolean;
  /** 0 tank inlet, 1 tank outlet. */
  readonly flowDirection?: 0 | 1;
  readonly litrePerPulse?: number;
  readonly temp_channel?: number;
  readonly swp1_name?: string;
  readonly swp2_name?: string;
};

export type TankUse = 'stock' | 'house' | 'dairy-shed' | 'wash' | 'none';

export type TankModel = {
  readonly kind: 'tank';
  readonly use: TankUse;
  readonly litresPerDay: number;
  readonly supply: TankSupply;
  readonly leakLitresPerHour: number;
  /** The leak opens at night only (a float that sticks when nobody drinks). */
  readonly leakAtNightOnly: boolean;
  readonly startFraction: number;
  readonly battery: 'mains' | 'good' | 'shaded' | 'failing';
  /** Share of messages that never arrive. */
  readonly radioLoss: number;
  readonly fault: 'none' | 'silent' | 'invalid-levels';
};

export type TankSupply =
  /**
   * A float valve that opens below `openBelow` and shuts at `fillTo`, both as a fraction of full. `hours` when the main
   * has water only then (local hours of the day, a pump on a timer).
   */
  | {
      readonly kind: 'ballcock';
      readonly litresPerMinute: number;
      readonly openBelow: number;
      readonly fillTo: number;
      readonly hours?: readonly [from: number, to: number];
    }
  | { readonly kind: 'pump'; readonly litresPerMinute: number; readonly pumpControl: PumpControl }
  | { readonly kind: 'roof'; readonly roofM2: number };

/** Setpoints in % of full; `maxRunTime` in minutes, 0 = no limit. */
export type PumpControl = {
  readonly lowSetpoint: number;
  readonly highSetpoint: number;
  readonly relayControl: boolean;
  readonly maxRunTime: number;
};

export type FlowModel = {
  readonly kind: 'flow';
  /** What runs through the meter: the farm's irrigation, or the water its stock drinks. */
  readonly source: 'irrigation' | 'stock';
  /** Litres a day for stock; 0 for irrigation, whose flow follows the shifts. */
  readonly litresPerDay: number;
  /** Runs through the meter day and night. */
  readonly leakLitresPerHour: number;
  readonly radioLoss: number;
};

export type SoilModel = {
  readonly kind: 'soil';
  readonly soil: 'sandy-loam' | 'loam' | 'clay';
  readonly irrigated: boolean;
  readonly hasRainGauge: boolean;
  readonly radioLoss: number;
};

export type PoiProfile = {
  readonly name: string;
  readonly description: string;
  readonly lat: number;
  readonly lng: number;
};

export type Climate = {
  readonly hemisphere: 'south';
  readonly meanC: number;
  /** Warmest month's mean less the year's mean. */
  readonly seasonalSwingC: number;
  /** Half of afternoon less dawn, on a clear day. */
  readonly dailySwingC: number;
  /** Rain fronts a month, in the wettest and driest half of the year. */
  readonly frontsPerMonth: { readonly winter: number; readonly summer: number };
  readonly meanFrontMm: number;
  /** Reference evapotranspiration on a clear midsummer day, mm. */
  readonly peakEtMm: number;
};

/** Each group is a line: its sprinklers water one after another, every night, all groups side by side. */
export type Irrigation = {
  readonly groups: readonly string[];
  /** Minutes after local midnight when the first sprinkler of each group opens. */
  readonly startMinute: number;
  /** That each sprinkler waters. */
  readonly minutes: number;
  /** Groups that the newest schedule has not reached: their sprinklers water by the one before. */
  readonly behind: { readonly groups: readonly string[]; readonly minutes: number } | null;
  /** Of these the one to which the owner of a new demo sends the newest schedule. */
  readonly sendsTo?: string;
  /** What the water supply gives, as the farm has entered it. */
  readonly supply: {
    readonly maxLps: number;
    readonly windows: readonly SupplyHours[];
    readonly avoid: readonly SupplyHours[];
    /** Pipes that give less than the pump, with their groups by name. */
    readonly mains?: readonly {
      readonly name: string;
      readonly maxLps: number;
      readonly groups: readonly string[];
    }[];
  };
};

export type SupplyHours = { readonly fromMin: number; readonly toMin: number; readonly why: string };
