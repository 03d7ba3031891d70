import { useQuery } from '@tanstack/react-query';
import { FieldGroup, NumberField, SwitchField, Wide } from '../../forms/fields.tsx';
import type { FieldProps, RecordForm as Form } from '../../forms/use-record-form.ts';
import type { AlertValues } from './alert-values.ts';
import { alertPeopleQuery } from './alerts.queries.ts';
import classes from './alerts.module.css';

const USUAL_MIN = 30;

/** Who is told first, and who besides if nobody answers. */
export function People({ form, farmUID }: { form: Form<AlertValues>; farmUID: string }) {
  const { data: people = [] } = useQuery(alertPeopleQuery(farmUID));
  const { escalateMin } = form.values;
  const isEscalated = escalateMin !== null;
  if (people.length < 2)
    return (
      <Wide>
        <p className={classes.facts}>
          Only you are told of this farm. Share it, with notifications, to have others told as well.
        </p>
      </Wide>
    );
  return (
    <>
      <Wide>
        <PeopleChoice
          field={form.field('people')}
          label="Who is told"
          none="Nobody chosen: everybody who is told of the farm."
          people={people}
        />
      </Wide>
      <SwitchField
        {...form.field('escalateMin')}
        label="Tell more people if nobody answers"
        value={isEscalated}
        onChange={(isOn) => form.patch({ escalateMin: isOn ? USUAL_MIN : null, escalatePeople: [] })}
      />
      {isEscalated && <NumberField {...form.field('escalateMin')} label="After" unit="min" isWhole />}
      {isEscalated && (
        <Wide>
          <PeopleChoice
            field={form.field('escalatePeople')}
            label="Whom besides"
            none={
              form.values.people.length === 0
                ? 'Nobody chosen: everybody is told once more.'
                : 'Nobody chosen: everybody else who is told of the farm.'
            }
            people={people}
          />
          <Refused people={people} chosen={form.values.escalatePeople} />
        </Wide>
      )}
    </>
  );
}

interface Person {
  readonly uid: string;
  readonly name: string;
  readonly takesEscalations: boolean;
}

/** Whoever counts on somebody should know that they are not told. */
function Refused({ people, chosen }: { people: readonly Person[]; chosen: readonly string[] }) {
  const refusing = people.filter(({ takesEscalations }) => !takesEscalations);
  if (refusing.length === 0) return null;
  const left = chosen.filter((uid) => !refusing.some((person) => person.uid === uid));
  const isNobody = chosen.length > 0 && left.length === 0;
  return (
    <p className={classes.facts}>
      {refusing.length === 1
        ? `${refusing[0]?.name} doesn't take escalations.`
        : `${refusing.map(({ name }) => name).join(', ')} don't take escalations.`}
      {isNobody && ' None of those chosen does: everybody else who does is told.'}
    </p>
  );
}

interface PeopleChoiceProps {
  field: FieldProps<string[]>;
  label: string;
  none: string;
  people: readonly Person[];
}

function PeopleChoice({ field, label, none, people }: PeopleChoiceProps) {
  const { name, value: chosen, error, onChange } = field;
  return (
    <FieldGroup name={name} label={label} error={error}>
      <div className={classes.people}>
        {people.map((person) => (
          <label key={person.uid} className={classes.box}>
            <input
              type="checkbox"
              checked={chosen.includes(person.uid)}
              onChange={({ currentTarget }) =>
                onChange(
                  currentTarget.checked
                    ? [...chosen, person.uid]
                    : chosen.filter((one) => one !== person.uid),
                )
              }
            />
            {person.name}
          </label>
        ))}
      </div>
      {chosen.length === 0 && <p className={classes.facts}>{none}</p>}
    </FieldGroup>
  );
}
