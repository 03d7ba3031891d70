import type { Timezone } from '@headrace/contract/farms';
import type { ForecastDay } from '@headrace/contract/weather';

/** Where a forecast is for; degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
  /** Whose days they are. */
  readonly zone: Timezone;
}

/** A day of a source. */
export interface SourceDay extends ForecastDay {
  /** km/h at 10 m at each hour of the place's clock; null: it doesn't say. */
  readonly wind: readonly (number | null)[];
}

/** One way to a forecast. Nothing else of the server knows whose it is. */
export interface WeatherDriver {
  /** Whose forecast it is, as its owner asks to be named. */
  readonly source: string;
  /** Made up, for demonstration. */
  readonly isDemo: boolean;
  /** The days before `now`'s and from it on, oldest first, at least one more than a forecast shows. Throws WeatherFault. */
  forecast(place: Place, now: Date): Promise<SourceDay[]>;
}

/** Why there is no forecast; `ofPlace`: the source refuses this place, and others may do. */
export class WeatherFault extends Error {
  constructor(
    message: string,
    readonly ofPlace = false,
  ) {
    super(message);
  }
}

/** A day more than is shown: what was fetched before midnight still has ten days after it. */
export const FETCHED_DAYS = 11;
/** Days that are over, as far as the source reckons them: water balances may begin with them. */
export const PAST_DAYS = 14;
