import { ChoiceField, FieldGroup, FormSection, SwitchField, Wide } from '../../forms/fields.tsx';
import { DayField } from '../../forms/day-field.tsx';
import { hasRight, resources, templates, type Permissions } from '@headrace/contract/permissions';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import {
  flagGroups,
  flagLabels,
  resourceLabels,
  rightLevels,
  templateChoices,
  uselessRights,
  type Template,
} from './rights-labels.ts';
import { withFlag, withLevel, withTemplate, type RightsValues } from './rights-values.ts';
import classes from './sharing.module.css';

export interface RightsFieldsProps {
  values: RightsValues;
  /** What is wrong with the last day. */
  error: string | undefined;
  onChange: (values: RightsValues) => void;
  onLeave: () => void;
}

/** Everything that an owner decides of a share: a template, each right, and its last day. */
export function RightsFields({ values, error, onChange, onLeave }: RightsFieldsProps) {
  const { template, permissions, endsOn } = values;
  const choice = templateChoices.find(({ value }) => value === template);
  return (
    <>
      <FormSection>
        <Wide>
          <ChoiceField
            name="template"
            label="Template"
            hint={template === templates.Custom ? 'Each right as you chose it.' : choice?.hint}
            value={String(template)}
            error={undefined}
            options={templateChoices.map(({ value, label }) => ({ value: String(value), label }))}
            onChange={(value) => onChange(withTemplate(values, Number(value) as Template))}
            onBlur={onLeave}
          />
        </Wide>
        <DayField
          name="endsOn"
          label="Last day"
          hint="The share ends by itself after this day. Leave it blank for no end."
          value={endsOn}
          error={error}
          onChange={(value) => onChange({ ...values, endsOn: value })}
          onBlur={onLeave}
        />
      </FormSection>
      <Warnings permissions={permissions} />
      <FormSection title="Devices and records">
        <Wide>
          <LevelTable values={values} onChange={onChange} />
        </Wide>
      </FormSection>
      <FormSection title="What the person may do">
        {flagGroups.map(({ title, flags }) => (
          <FieldGroup key={title} name={`flags-${title}`} label={title} error={undefined}>
            <div className={classes.flags}>
              {flags.map((flag) => (
                <SwitchField
                  key={flag}
                  name={flag}
                  label={flagLabels[flag].label}
                  hint={flagLabels[flag].hint}
                  value={permissions[flag]}
                  error={undefined}
                  onChange={(on) => onChange(withFlag(values, flag, on))}
                  onBlur={onLeave}
                />
              ))}
            </div>
          </FieldGroup>
        ))}
      </FormSection>
    </>
  );
}

/** Said, not mended: the owner decides. */
function Warnings({ permissions }: { permissions: Permissions }) {
  const warnings = uselessRights(permissions);
  return (
    <div role="status">
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Of little use">
          {warnings.map((text) => (
            <li key={text}>
              <ConditionDot condition="caution" size={16} label={null} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type LevelTableProps = Pick<RightsFieldsProps, 'values' | 'onChange'>;

function LevelTable({ values, onChange }: LevelTableProps) {
  return (
    <table className={classes.levels}>
      <caption className={classes.spoken}>What the person may do with each kind of record</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className={classes.spoken}>Kind</span>
          </th>
          {rightLevels.map((level) => (
            <th key={level} scope="col">
              {level}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources.map((resource) => (
          <tr key={resource}>
            <th scope="row">{resourceLabels[resource]}</th>
            {rightLevels.map((level) => (
              <td key={level}>
                <label className={classes.tick}>
                  <input
                    type="checkbox"
                    aria-label={`${level} ${resourceLabels[resource]}`}
                    checked={hasRight(values.permissions, { resource, level })}
                    onChange={(event) =>
                      onChange(withLevel(values, resource, level, event.currentTarget.checked))
                    }
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
