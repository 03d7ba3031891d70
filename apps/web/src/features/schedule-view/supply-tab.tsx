import { useQuery, useQueryClient } from '@tanstack/react-query';
import { can } from '@headrace/contract/permissions';
import type { FarmSupply } from '@headrace/contract/supply';
import { call } from '../../api/client.ts';
import { AreaField, FormSection, NumberField, Wide } from '../../forms/fields.tsx';
import { HoursField } from '../../forms/hours-field.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { Age } from '../../ui/age.tsx';
import { numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { lastChange } from '../changes/last-change.ts';
import { supplyQuery } from '../../device-records/supply.queries.ts';
import { mainText } from '../schedules/main-values.ts';
import { MainsField } from '../schedules/mains-field.tsx';
import { useGroups } from './use-groups.ts';
import { validateSupply, entriesOf, NO_TIME, supplyFieldText, timeText, valuesOf } from './supply-values.ts';
import { RestrictionPanel } from './restriction-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './schedule-view.module.css';

/** What the farm's water supply allows: templates begin with it, and the timeline shows it. */
export default function SupplyTab({ farmUID }: { farmUID: string }) {
  const query = useQuery(supplyQuery(farmUID));
  const canEdit = useCan({ anyOf: [can('farms', 'Edit')] }, farmUID);
  return (
    <>
      <StateView
        query={query}
        failed="The water supply couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={44} />}
      >
        {(supply) => (canEdit ? <SupplyForm supply={supply} /> : <Supply supply={supply} />)}
      </StateView>
      <RestrictionPanel farmUID={farmUID} />
    </>
  );
}

function SupplyForm({ supply }: { supply: FarmSupply }) {
  const queryClient = useQueryClient();
  const { farmUID } = supply;
  const groups = useGroups(farmUID);
  const form = useRecordForm({
    draftKey: `supply.${farmUID}`,
    initial: valuesOf(supply),
    version: supply.version,
    validate: validateSupply,
    lastChange: () => lastChange(farmUID, farmUID),
    readCurrent: (current) => {
      const record = current as FarmSupply;
      return { values: valuesOf(record), version: record.version };
    },
    save: (values, version = supply.version) =>
      call('PUT /farm/supply', { body: { farmUID, version, ...entriesOf(values) } }),
    onSaved: (saved) => {
      queryClient.setQueryData(supplyQuery(farmUID).queryKey, saved);
      toast.success('Water supply saved.');
    },
  });
  const { field } = form;
  return (
    <RecordForm form={form} label="Water supply" labels={supplyFieldText(groups)} back="/">
      <FormSection>
        <NumberField
          {...field('maxLps')}
          label="Pump flow"
          unit="L/s"
          hint="The most that the pump or the consent gives. The timeline shows it, and new templates begin with it."
        />
        <Wide>
          <HoursField
            {...field('windows')}
            label="Times for water"
            hint="When water may be taken: night tariff, consent hours. None: at any time."
            add="Add a time for water"
            example="night tariff"
            empty={NO_TIME}
          />
        </Wide>
        <Wide>
          <HoursField
            {...field('avoid')}
            label="Times to avoid"
            hint="When it should not be taken: load control, milking, wind."
            add="Add a time to avoid"
            example="load control"
            empty={NO_TIME}
          />
        </Wide>
        <Wide>
          <MainsField
            {...field('mains')}
            groups={groups}
            hint="Pipes that give less than the pump, and the groups that hang on each. None: the pump alone counts."
          />
        </Wide>
        <Wide>
          <AreaField {...field('notes')} label="Notes" hint="Who to ring at the scheme." />
        </Wide>
      </FormSection>
      <Changed supply={supply} />
    </RecordForm>
  );
}

/** For who may not change it. */
function Supply({ supply }: { supply: FarmSupply }) {
  const groups = useGroups(supply.farmUID);
  if (supply.version === 0)
    return (
      <Empty title="Nothing is known of the water supply yet.">
        Somebody who may edit the farm can enter the pump's flow and the times for water here.
      </Empty>
    );
  const { maxLps, windows, avoid, mains, notes } = valuesOf(supply);
  const times = (all: typeof windows, none: string) => all.map(timeText).join('\n') || none;
  return (
    <Panel title="Water supply">
      <dl className={classes.facts}>
        <dt>Pump flow</dt>
        <dd className="num">{maxLps === null ? 'Not known' : `${numberText(Number(maxLps), 1)} L/s`}</dd>
        <dt>Times for water</dt>
        <dd className="num">{times(windows, 'Any time')}</dd>
        <dt>Times to avoid</dt>
        <dd className="num">{times(avoid, 'None')}</dd>
        {mains.length > 0 && (
          <>
            <dt>Mains</dt>
            <dd className="num">{mains.map((main) => mainText(main, groups)).join('\n')}</dd>
          </>
        )}
        {notes !== '' && (
          <>
            <dt>Notes</dt>
            <dd>{notes}</dd>
          </>
        )}
      </dl>
      <Changed supply={supply} />
    </Panel>
  );
}

function Changed({ supply: { updatedAt } }: { supply: FarmSupply }) {
  if (updatedAt === null) return null;
  return (
    <p>
      Changed <Age at={Date.parse(updatedAt)} />.
    </p>
  );
}
