import { type Search, uidParam } from '../../ui/url-state.ts';

/** Whose alerts are shown, and the incident that is open. */
const alerts = (search: Search) => ({
  farm: uidParam(search['farm']),
  incident: uidParam(search['incident']),
});
export type AlertsSearch = Partial<ReturnType<typeof alerts>>;
export const alertsSearch = (search: Search): AlertsSearch => alerts(search);

const newAlert = (search: Search) => ({ farm: uidParam(search['farm']) });
export type NewAlertSearch = Partial<ReturnType<typeof newAlert>>;
export const newAlertSearch = (search: Search): NewAlertSearch => newAlert(search);
