import {
  type Alert,
  ALERTS_PER_FARM,
  type AlertEntry,
  type listAlertPeople,
  type listAlerts,
  type updateAlert,
} from '@headrace/contract/alerts';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { alertFault } from '@headrace/contract/rules/alerts/alert-form';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound, stale } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import type { Messages } from '../messages/messages.ts';
import type { AlertRulesRepo, RuleValues } from './alert-rules.repo.ts';
import { writeChanges } from './life-writer.ts';
import { FARM, type RuleRow, type TriedRule } from './observation.ts';
import { endOf } from './plan.ts';
import { alertPresenter, type AlertSources, pausedDevicesOf, pausedOf, toAlert } from './present-alert.ts';
import { tellPeople } from './tell-people.ts';

export interface AlertRulesParts {
  readonly rules: AlertRulesRepo;
  readonly messages: Messages;
  /** Rules were saved: they are looked at with the next turn. */
  readonly onSaved: () => void;
}

/** What people want to be told of a farm. */
export function createAlertRulesService({ rules, messages, onSaved }: AlertRulesParts) {
  async function sourcesOf(farm: FarmRow, now: Date): Promise<AlertSources> {
    const [devices, lastNotified, people, pauses] = await Promise.all([
      rules.devices(farm.id),
      rules.lastNotified(farm.id),
      rules.people(farm.id, now),
      rules.pauses(farm.id, now),
    ]);
    return { farm, devices, lastNotified, people, pauses };
  }

  async function find(farm: FarmRow, uid: string, trx?: Db): Promise<RuleRow> {
    const row = await rules.find(farm.id, uid.toLowerCase(), trx);
    if (!row) throw notFound();
    return row;
  }

  /** What it told and is still so ends: by what it says now it may not be so. */
  async function endOpen(trx: Db, farm: FarmRow, row: RuleRow, now: Date): Promise<void> {
    const open = await rules.openOf(trx, row);
    const changes = open.map((episode) => endOf(row, episode, now.getTime()));
    const touched = await writeChanges(trx, farm, changes, { recent: new Map(), now });
    for (const one of touched) await tellPeople(trx, messages, farm, one, now);
  }

  const logged = (farm: FarmRow, by: By, uid: string, name: string) => ({
    farmId: farm.id,
    accountId: by.accountId,
    kind: 'alert' as const,
    uid,
    name,
    page: by.page,
  });

  return {
    async list(farm: FarmRow, now: Date): Promise<ReplyOf<typeof listAlerts>> {
      const [rows, sources] = await Promise.all([rules.list(farm.id), sourcesOf(farm, now)]);
      return {
        alerts: rows.map(alertPresenter(sources)),
        paused: pausedOf(sources.pauses, FARM),
        pausedDevices: pausedDevicesOf(sources.pauses),
        inBellAlone: await rules.isInBellAlone(sources.people.map(({ id }) => id)),
      };
    },

    people: async (farm: FarmRow, now: Date): Promise<ReplyOf<typeof listAlertPeople>> => ({
      people: (await rules.people(farm.id, now)).map(
        ({ uid, name, takes_escalations: takesEscalations }) => ({
          uid,
          name,
          takesEscalations,
        }),
      ),
    }),

    async watchable(farm: FarmRow): Promise<{ uid: string; name: string; kind: string; type: number }[]> {
      const devices = await rules.devices(farm.id);
      return inNaturalOrder(devices).map(({ uid, name, kind, type }) => ({ uid, name, kind, type }));
    },

    get: async (farm: FarmRow, uid: string, now: Date): Promise<Alert> =>
      toAlert(await find(farm, uid), await sourcesOf(farm, now)),

    /** Throws invalid for what its kind can't be, and for devices that it can't watch; conflict where the farm is full. */
    async create(farm: FarmRow, body: AlertEntry, by: By): Promise<{ id: string }> {
      const values = entered(body, await sourcesOf(farm, by.now));
      const uid = newUid(by.now);
      await rules.inTransaction(farm.id, async (trx) => {
        if ((await rules.count(farm.id, trx)) >= ALERTS_PER_FARM)
          throw conflict(
            `The farm has ${ALERTS_PER_FARM} alerts, the most there can be. Please delete one first.`,
          );
        await rules.add(trx, { ...values, farm_id: farm.id, uid, created_by: by.accountId }, by.now);
        await logChanges(
          trx,
          [{ ...logged(farm, by, uid, values.name), what: 'created', fields: [] }],
          by.now,
        );
      });
      onSaved();
      return { id: uid };
    },

    /** Throws conflict, with the alert as it is, when somebody was quicker. */
    async update(
      farm: FarmRow,
      { _id, version, ...body }: BodyOf<typeof updateAlert>,
      by: By,
    ): Promise<Alert> {
      const sources = await sourcesOf(farm, by.now);
      const values = entered(body, sources);
      const row = await rules.inTransaction(farm.id, async (trx) => {
        const before = await find(farm, _id, trx);
        if (version !== undefined && version !== before.version) throw stale(toAlert(before, sources));
        const fields = fieldChanges(before, values).filter(({ field }) => field in values);
        if (fields.length === 0) return before;
        if (fields.some(({ field }) => !unwatchedFields.has(field))) await endOpen(trx, farm, before, by.now);
        await logChanges(trx, [{ ...logged(farm, by, _id, values.name), what: 'changed', fields }], by.now);
        return rules.change(trx, before, values, by.now);
      });
      onSaved();
      return toAlert(row, sources);
    },

    /** Throws invalid as `create` does. Whom it tells changes nothing of what it would have told. */
    tried: async (farm: FarmRow, body: AlertEntry): Promise<TriedRule> => {
      const { people: _people, escalation: _escalation, ...tried } = body;
      const values = entered(tried, { devices: await rules.devices(farm.id), people: [] });
      const { kind, condition, value = null, clear_value = null, hold_min, device_ids } = values;
      const { class: of = null, watch = null } = values;
      return { kind, condition, value, clear_value, hold_min, class: of, device_ids, watch };
    },

    async remove(farm: FarmRow, uid: string, by: By): Promise<void> {
      await rules.inTransaction(farm.id, async (trx) => {
        const row = await find(farm, uid, trx);
        await endOpen(trx, farm, row, by.now);
        await rules.remove(trx, row);
        await logChanges(
          trx,
          [{ ...logged(farm, by, row.uid, row.name), what: 'deleted', fields: [] }],
          by.now,
        );
      });
      onSaved();
    },
  };
}
export type AlertRulesService = ReturnType<typeof createAlertRulesService>;

/** What changes nothing of what is so. */
const unwatchedFields = new Set(['name', 'people', 'escalate_min', 'escalate_people']);

/** The accounts of people who are told of the farm. */
function accountsOf(uids: readonly string[], people: AlertSources['people'], field: string): number[] {
  const byUid = new Map(people.map((person) => [person.uid, person.id]));
  const ids = uids.map((uid) => byUid.get(uid.toLowerCase()));
  const known = ids.flatMap((id) => id ?? []);
  if (known.length < ids.length)
    throw invalid('One of the people is not told of this farm: they need notifications on it.', field);
  return [...new Set(known)].toSorted((one, other) => one - other);
}

function entered(
  body: Omit<AlertEntry, 'farmUID'>,
  { devices, people }: Pick<AlertSources, 'devices' | 'people'>,
): RuleValues {
  const fault = alertFault(body);
  if (fault) throw invalid(fault.text, fault.field);
  const byUid = new Map(devices.map((device) => [device.uid, device]));
  const { kind, watch = null } = body;
  const ids = body.deviceIds.map((uid) => {
    const device = byUid.get(uid.toLowerCase());
    if (!device || !canWatch(kind, watch, device))
      throw invalid('One of the devices is not of this farm, or this alert can not watch it.', 'deviceIds');
    return device.id;
  });
  return {
    name: body.name.trim(),
    kind,
    enabled: body.enabled,
    device_ids: [...new Set(ids)].toSorted((one, other) => one - other),
    watch,
    inputs: [...new Set(body.inputs ?? [])].toSorted((one, other) => one - other),
    condition: body.condition,
    value: body.value,
    clear_value: body.clearValue ?? null,
    hold_min: body.holdMinutes,
    class: body.class ?? null,
    people: accountsOf(body.people ?? [], people, 'people'),
    escalate_min: body.escalation?.afterMinutes ?? null,
    escalate_people: accountsOf(body.escalation?.people ?? [], people, 'escalation'),
  };
}
