import type { SettingsPage } from '../../preferences/settings-search.ts';

export const pageTitles: Record<SettingsPage, string> = {
  list: 'Settings',
  general: 'General',
  'farm-cards': 'Home/Farm Cards',
  'stress-bands': 'Soil Moisture Stress Bands',
  dashboard: 'Dashboard Card Order & Visibility',
  alerts: 'Alerts',
};
