import { oneOfParam } from '../ui/url-state.ts';

/** The pages of the settings, as the address has them: `?settings=list` is where one begins. */
export const settingsPages = [
  'list',
  'general',
  'farm-cards',
  'stress-bands',
  'dashboard',
  'alerts',
] as const;
export type SettingsPage = (typeof settingsPages)[number];

export interface SettingsSearch {
  settings?: string | undefined;
}

export const readPage = (text: unknown): SettingsPage | undefined => oneOfParam(text, settingsPages);
