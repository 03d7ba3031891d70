import { answerByKey, askedAlert } from '@headrace/contract/alert-answers';
import { pauseAlerts, resumeAlerts } from '@headrace/contract/alert-pauses';
import { alertsLately, tryAlert } from '@headrace/contract/alert-trial';
import * as api from '@headrace/contract/alerts';
import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import { getNotificationWays, listHeldBack, setNotificationWays } from '@headrace/contract/notification-ways';
import type { Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { AnswersService } from './answers.service.ts';
import type { AlertRulesService } from './alert-rules.service.ts';
import type { ReadHeldBack } from './held-back.ts';
import type { Answered, IncidentsService } from './incidents.service.ts';
import type { PausesService } from './pauses.service.ts';
import type { PreferencesService } from './preferences.service.ts';
import type { TrialService } from './trial.service.ts';

export function alertsRoutes(mount: Mount, alerts: AlertRulesService, incidents: IncidentsService): void {
  mount(api.listAlerts, ({ farm, now }) => alerts.list(farm.farm, now));
  mount(api.listAlertPeople, ({ farm, now }) => alerts.people(farm.farm, now));
  mount(api.listWatchable, async ({ farm }) => ({ devices: await alerts.watchable(farm.farm) }));
  mount(api.getAlert, ({ farm, query, now }) => alerts.get(farm.farm, query.alertUID, now));
  mount(api.createAlert, (call) => alerts.create(call.farm.farm, call.body, byOf(call)));
  mount(api.updateAlert, (call) => alerts.update(call.farm.farm, call.body, byOf(call)));
  mount(api.deleteAlert, async (call) => {
    await alerts.remove(call.farm.farm, call.query.alertUID, byOf(call));
    return success;
  });
  mount(api.listIncidents, ({ farm, query, now }) => incidents.list(farm.farm, query, now));
  mount(api.listOpenIncidents, ({ caller, query, now }) =>
    incidents.open(caller.accountId, query.deviceUID?.toLowerCase(), now),
  );
  mount(api.getIncident, ({ farm, query, now }) =>
    incidents.get(farm.farm, query.uid, now, farm.permissions.toggleValve),
  );
  mount(api.snoozeIncident, (call) =>
    incidents.snooze(call.farm.farm, seenBy(call.body), call.body.until, byOf(call)),
  );
  mount(api.answerIncident, (call) => incidents.answer(call.farm.farm, seenBy(call.body), byOf(call)));
}

const seenBy = ({ uid, class: seen }: { uid: string; class?: AlertClass }): Answered => ({
  uid,
  seen: seen ?? 'unsaid',
});

/** When and by which ways a person hears of alerts, and what went by none. */
export function waysRoutes(mount: Mount, preferences: PreferencesService, heldBack: ReadHeldBack): void {
  mount(getNotificationWays, ({ caller }) => preferences.read(caller.accountId));
  mount(setNotificationWays, ({ caller, body, now }) => preferences.write(caller.accountId, body, now));
  mount(listHeldBack, ({ caller, now }) => heldBack(caller.accountId, now));
}

/** Whoever holds a message's key answers; a stranger learns nothing. */
export function answersRoutes(mount: Mount, answers: AnswersService): void {
  mount(askedAlert, async ({ query, now }) => ({ alert: await answers.asked(query.key, now) }));
  mount(answerByKey, ({ body, now }) => answers.byKey(body, now));
}

export function pausesRoutes(mount: Mount, pauses: PausesService): void {
  mount(pauseAlerts, (call) => pauses.pause(call.farm.farm, call.body, call.body.until, byOf(call)));
  mount(resumeAlerts, async (call) => {
    await pauses.resume(call.farm.farm, call.query, byOf(call));
    return success;
  });
}

export function trialRoutes(mount: Mount, trial: TrialService): void {
  mount(tryAlert, ({ farm: { farm }, body, now }) => trial.tried(farm, body, now));
  mount(alertsLately, ({ farm: { farm }, caller, now }) => trial.lately(farm, caller.accountId, now));
}
