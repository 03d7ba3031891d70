import type { UsageLimits } from '@headrace/contract/limits';
import type { BrokerAddress } from '@headrace/contract/settings';
import type { Imagery } from './config-imagery.ts';
import type { DatabaseWatch } from './db/database-watch.ts';
import type { Core } from './feature.ts';
import type { Sandbox } from './features/codecs/sandbox/sandbox.ts';
import type { TakeAgain } from './features/dead-letters/replay.ts';
import type { Way } from './features/outbox/outbox.repo.ts';
import type { SmsCallbacks } from './features/sms-replies/sms-replies.routes.ts';
import type { GeocoderSettings } from './features/geocode/geocoder.ts';
import type { WeatherDriver } from './features/weather/weather-driver.ts';
import type { ConnectionLimits } from './http/connection-guard.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';

/** What the app is made of: the core, and what one feature or another needs from the configuration and the device side. */
export interface AppOptions extends Core {
  /** Whether it answers. */
  database: Pick<DatabaseWatch, 'check' | 'isAway'>;
  /** Folder of the built web app. */
  webFolder: string;
  installation: { demo: boolean } & Imagery;
  /** How others reach the broker; null: not known. */
  broker: () => BrokerAddress | null;
  /** Hosts of push services besides those of the usual browsers. */
  pushHosts?: readonly string[];
  /** Ways of sending that the operator has set up; all unless said. */
  sendingBy?: readonly Way[];
  /** Whose words of SMS are taken; null: nobody's. */
  smsProvider?: SmsCallbacks | null;
  /** Finds addresses; without it our own gazetteer does. */
  geocoder?: GeocoderSettings | null;
  /** Rain forecasts; without it there are none. */
  weather?: WeatherDriver | null;
  refuseDemoAccounts: boolean;
  /** New accounts wait for the operator's approval. */
  requireApproval?: boolean;
  /** Seals what the database keeps and nobody may read there; the installation's own key does without. */
  secretKey?: string | null;
  trustedProxies: TrustedProxies;
  /** Lets the operator in; null: nobody is. */
  operatorToken: string | null;
  requestsPerMinute?: number;
  connectionLimits?: Partial<ConnectionLimits>;
  /** What farms and accounts may write; as much as usual unless said. */
  usageLimits?: UsageLimits;
  /** Older readings are refused; as many days as usual unless said. */
  rawRetentionDays?: number;
  /** What alerts told and is over for longer is forgotten; as many days as usual unless said. */
  alertRetentionDays?: number;
  /** What device messages and the broker add to /readyz. */
  deviceReadiness: () => Record<string, string>;
  /** Where people try payload codecs; the app doesn't close it. */
  trySandbox: Sandbox;
  /** Stored uplinks are to be decoded once more. */
  wakeDecoding: () => void;
  /** Takes a device message that was kept once more. */
  takeAgain: TakeAgain;
}
