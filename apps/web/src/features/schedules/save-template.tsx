import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { defaultWaterApplication } from '@headrace/contract/default-farm';
import { can } from '@headrace/contract/permissions';
import type { ScheduleFarm, ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { call } from '../../api/client.ts';
import { useCan } from '../../access/permissions.ts';
import { useEditHistory } from '../../forms/use-edit-history.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { StateView } from '../../ui/state-view.tsx';
import { lastChange } from '../changes/last-change.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { NamedGroup } from './plan-result.ts';
import { validateTemplate } from './validate-template.ts';
import { TemplateForm } from './template-form.tsx';
import { limitValues, newValues, PRISTINE_MINUTES, templateOf, valuesOf } from './template-values.ts';
import { scheduleFarmQuery } from './templates.queries.ts';
import { useAfterSave } from './use-after-save.ts';
import { useSupply } from './use-supply.ts';

const noneGone: readonly NamedGroup[] = [];

/** One can begin to type before the farm's groups are there. */
export function NewTemplate({ farmUID }: { farmUID: string }) {
  const query = useQuery(scheduleFarmQuery(farmUID));
  const water = query.data?.walConfig;
  const supply = useSupply(farmUID);
  const after = useAfterSave(farmUID, 'added');
  const history = useEditHistory(
    useRecordForm({
      draftKey: `schedule-template.new.${farmUID}`,
      initial: newValues(water, supply),
      validate: validateTemplate,
      save: async (values) =>
        after.compute(await call('POST /schedule-template', { body: { farmUID, ...templateOf(values) } })),
      onSaved: after.saved,
    }),
  );
  const canSave = useCan({ anyOf: [can('schedules', 'Create')] }, farmUID);
  const { form } = history;
  useEffect(() => {
    // What was typed meanwhile stays; the minutes are still the ones that stood there before anything was known.
    if (!water || form.values.duration !== PRISTINE_MINUTES || !form.isDirty) return;
    const { duration, wal } = newValues(water, null);
    form.patch({ duration, wal });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is known
  }, [water]);
  useEffect(() => {
    const { maxLps, windows, avoid, mains } = form.values;
    const isUntouched = maxLps === '' && windows.length + avoid.length + mains.length === 0;
    if (supply && isUntouched && form.isDirty) form.patch(limitValues(supply));
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is known
  }, [supply]);
  return (
    <TemplateForm
      {...{ farmUID, history, after, canSave }}
      farm={query.data}
      water={water ?? defaultWaterApplication}
      gone={noneGone}
      pending={
        <StateView
          query={query}
          failed="The farm's groups couldn't be loaded"
          skeleton={<Skeleton blocks={2} blockPx={170} />}
        >
          {() => null}
        </StateView>
      }
    />
  );
}

/** Of a template that is there; its groups may not be any more. */
export function EditTemplate({ template, farm }: { template: ScheduleTemplate; farm: ScheduleFarm }) {
  const { farmUID, _id, version } = template;
  const { walConfig } = farm;
  const after = useAfterSave(farmUID, 'saved');
  const history = useEditHistory(
    useRecordForm({
      draftKey: `schedule-template.${_id}`,
      initial: valuesOf(template, walConfig),
      version,
      validate: validateTemplate,
      lastChange: () => lastChange(farmUID, _id),
      readCurrent: (current) => {
        const record = current as ScheduleTemplate;
        return { values: valuesOf(record, walConfig), version: record.version };
      },
      save: async (values, from = version) =>
        after.compute(
          await call('PUT /schedule-template', { body: { _id, version: from, ...templateOf(values) } }),
        ),
      onSaved: after.saved,
    }),
  );
  const canSave = useCan({ anyOf: [can('schedules', 'Edit')] }, farmUID);
  const gone = useMemo(() => template.groups.filter(({ isGone }) => isGone), [template.groups]);
  return (
    <>
      <TemplateForm {...{ farmUID, history, after, canSave, farm, gone }} water={walConfig} pending={null} />
      <ChangesPanel farmUID={farmUID} uid={_id} />
    </>
  );
}
