import { useMemo, useRef, type ReactNode } from 'react';
import { useHotkeys } from '@mantine/hooks';
import type { WaterApplication } from '@headrace/contract/farms';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { can } from '@headrace/contract/permissions';
import type { SupplyTime } from '@headrace/contract/supply';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import { useCan } from '../../access/permissions.ts';
import { Columns, FormSection, NumberField, Wide } from '../../forms/fields.tsx';
import { HoursField } from '../../forms/hours-field.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import type { EditHistory } from '../../forms/use-edit-history.ts';
import { GroupFields } from './group-fields.tsx';
import { MainsField } from './mains-field.tsx';
import { PlanPanel } from './plan-panel.tsx';
import type { NamedGroup } from './plan-result.ts';
import { PlanSummary, showResult } from './plan-summary.tsx';
import { validateTemplate } from './validate-template.ts';
import { templateFieldText } from './template-field-labels.ts';
import { designOf, designValues, NO_HOURS, type TemplateValues } from './template-values.ts';
import { useOpening } from '../sprinkler-dialog/opening.ts';
import { ScheduleSprinklerHost, useOpenSprinkler } from './schedule-sprinkler.tsx';
import type { AfterSave } from './use-after-save.ts';
import { useSupply } from './use-supply.ts';
import { usePlan } from './use-plan.ts';
import { WateringFields } from './watering-fields.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './template-form.module.css';

const noHours: readonly SupplyTime[] = [];
const SetMade = lazyPart(() => import('./set-made.tsx').then((m) => m.default), {
  failed: "The set is made, and not sent. The way to send it couldn't be loaded",
  isLine: true,
});

export interface TemplateFormProps {
  farmUID: string;
  history: EditHistory<TemplateValues>;
  after: AfterSave;
  /** undefined: not there yet, and `pending` stands in its place. */
  farm: ScheduleFarm | undefined;
  pending: ReactNode;
  /** The farm's water application. */
  water: WaterApplication;
  /** Groups of the template that are no longer on the farm. */
  gone: readonly NamedGroup[];
  canSave: boolean;
}

/** A template's form, with what becomes of it beside it as one types. */
export function TemplateForm(props: TemplateFormProps) {
  const { farmUID, history, after, farm, pending, water, gone, canSave } = props;
  const { form, undo, redo } = history;
  const { values, field } = form;
  const result = useRef<HTMLHeadingElement>(null);
  const design = useDesign(values);
  const supply = useSupply(farmUID);
  const basis = useMemo(() => (farm ? { farm, gone, supply } : null), [farm, gone, supply]);
  const plan = usePlan(basis, design);
  const groups = useMemo(() => [...gone, ...(farm?.groups ?? [])], [farm, gone]);
  const opening = useOpening();
  const onOpen = useOpenSprinkler(farm, opening);
  useHotkeys([
    ['mod+Z', () => undo?.()],
    ['mod+shift+Z', () => redo?.()],
  ]);
  const canCompute = useCan({ anyOf: [can('schedules', 'Create')] }, farmUID);
  const compute = () => {
    // What can't be made a set of says why, with what mends it.
    if (plan.result && !plan.result.made) return showResult(result.current);
    after.aim('compute');
    form.submit();
  };
  const mend = (mended: PlanDesign) =>
    form.patch({ ...designValues(mended, water), start: clockText(mended.startMin ?? 0) });
  return (
    <>
      <RecordForm
        form={form}
        label="Schedule template"
        labels={templateFieldText(groups)}
        back={`/scheduler/${farmUID}`}
        isSaveDisabled={!canSave}
        onSave={() => after.aim('save')}
        also={canCompute ? { text: 'Save and compute', press: compute } : undefined}
        above={<PlanSummary {...{ plan, result, undo, redo }} />}
      >
        {!canSave && (
          <p className={classes.note}>
            You may try things out here, but not save: you have no right to change this farm's schedules.
          </p>
        )}
        <Columns
          first={
            <div className={classes.entry}>
              <WateringFields form={form} water={water} />
              <FormSection>
                <Wide>{farm ? <GroupFields form={form} farm={farm} gone={gone} /> : pending}</Wide>
              </FormSection>
              <FormSection title="Limits">
                <NumberField
                  {...field('maxLps')}
                  label="Most flow"
                  unit="L/s"
                  hint="What the pump gives. Empty: any flow."
                />
                <Wide>
                  <HoursField
                    {...field('windows')}
                    label="Hours for water"
                    hint="Water runs in these alone: night tariff, consent hours. None: at any time."
                    add="Add hours for water"
                    empty={NO_HOURS}
                  />
                </Wide>
                <Wide>
                  <HoursField
                    {...field('avoid')}
                    label="Hours to avoid"
                    hint="No water runs in these: load control, milking."
                    add="Add hours to avoid"
                    empty={NO_HOURS}
                  />
                </Wide>
                <Wide>
                  <MainsField
                    {...field('mains')}
                    groups={groups}
                    hint="Pipes that give less than the pump, and the groups on them."
                  />
                </Wide>
              </FormSection>
            </div>
          }
          aside={
            <div className={classes.aside}>
              <PlanPanel
                farmUID={farmUID}
                plan={plan}
                name={values.name.trim() || 'New template'}
                designedFor={{ groups, supply }}
                hours={supply?.windows ?? noHours}
                heading={result}
                onMend={mend}
                onOpen={onOpen}
              />
            </div>
          }
        />
      </RecordForm>
      {after.set && <SetMade farmUID={farmUID} farmName={farm?.farm.name ?? ''} set={after.set} />}
      <ScheduleSprinklerHost farmUID={farmUID} opening={opening} />
    </>
  );
}

/** What is entered as a design, the same one while nothing of it changes; null: something of it is wrong. */
function useDesign({ name: _name, wal: _wal, ...entered }: TemplateValues): PlanDesign | null {
  const key = JSON.stringify(entered);
  return useMemo(() => {
    const fieldErrors = validateTemplate({ ...entered, name: '-', wal: 1 });
    return Object.keys(fieldErrors).length > 0 ? null : designOf({ ...entered, wal: 1 });
    // oxlint-disable-next-line react/exhaustive-deps -- `key` is what is entered
  }, [key]);
}
