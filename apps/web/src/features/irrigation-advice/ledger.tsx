import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LedgerDay } from '@headrace/contract/irrigation-advice';
import { call, errorText } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { dayText, numberText } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { advisedText, shareText, valueText } from './advice-text.ts';
import { ledgerQuery } from './advice.queries.ts';
import classes from './advice.module.css';

interface LedgerProps {
  farmUID: string;
  groupUID: string;
  name: string;
  canEdit: boolean;
}

/** A group's days: what was used, forecast, fell, given, advised and done. */
export function Ledger({ farmUID, groupUID, name, canEdit }: LedgerProps) {
  const query = useQuery(ledgerQuery(farmUID, groupUID));
  return (
    <StateView
      query={query}
      failed={`The days of ${name} couldn't be loaded`}
      skeleton={<Skeleton blockPx={140} />}
    >
      {(days) => (
        <>
          {canEdit && <Note {...{ farmUID, groupUID, name }} today={days[0]} />}
          {/* Wider than a phone: scrolled by keyboard, too. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className={classes.scroll} tabIndex={0} role="group" aria-label={`Days of ${name}`}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Day</th>
                  <th scope="col">ET0, mm</th>
                  <th scope="col">Crop, mm</th>
                  <th scope="col">Rain forecast, mm</th>
                  <th scope="col">Rain that fell, mm</th>
                  <th scope="col">Irrigation, mm</th>
                  <th scope="col">Lacked at its end</th>
                  <th scope="col">Advised</th>
                  <th scope="col">Done</th>
                </tr>
              </thead>
              <tbody>
                {days.map((day) => (
                  <Row key={day.day} day={day} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </StateView>
  );
}

function Row({ day }: { day: LedgerDay }) {
  const { et0Mm, et0From, etcMm, rainMm, rainFrom, forecastMm, appliedMm, notKnown, depletionMm, fullness } =
    day;
  return (
    <tr>
      <th scope="row" className="num">
        {dayText(day.day)}
      </th>
      <td className="num">{valueText(et0Mm, et0From)}</td>
      <td className="num">{etcMm === null ? '' : numberText(etcMm, 1)}</td>
      <td className="num">{forecastMm === null ? '' : numberText(forecastMm, 1)}</td>
      <td className="num">{valueText(rainMm, rainFrom)}</td>
      <td className="num">
        {appliedMm === null ? '' : numberText(appliedMm, 1)}
        {notKnown > 0 && `, ${numberText(notKnown)} not known`}
      </td>
      <td className="num">
        {depletionMm === null || fullness === null
          ? ''
          : `${numberText(depletionMm, 1)} mm, ${shareText(fullness)}`}
      </td>
      <td className="num">{advisedText(day)}</td>
      <td>{day.note !== '' && `${day.note}${day.noteBy === '' ? '' : `, ${day.noteBy}`}`}</td>
    </tr>
  );
}

/** What was done about today's advice. */
function Note({
  farmUID,
  groupUID,
  name,
  today,
}: Omit<LedgerProps, 'canEdit'> & { today: LedgerDay | undefined }) {
  const [note, setNote] = useState(today?.note ?? '');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (day: string) =>
      call('PUT /irrigation-advice/note', { body: { farmUID, groupUID, day, note: note.trim() } }),
    onSuccess: () => {
      toast.success('Written down.');
      void queryClient.invalidateQueries({ queryKey: ledgerQuery(farmUID, groupUID).queryKey });
    },
    onError: (error) => toast.error(errorText(error)),
  });
  if (!today) return null;
  return (
    <form
      className={classes.noteForm}
      aria-label={`What was done today, ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(today.day);
      }}
    >
      <TextField
        name={`note-${groupUID}`}
        label="What was done today"
        maxLength={200}
        value={note}
        onChange={setNote}
        onBlur={() => undefined}
        error={undefined}
      />
      <PlainButton onClick={() => save.mutate(today.day)} disabled={save.isPending}>
        Write down
      </PlainButton>
    </form>
  );
}
