import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type MadePack, PACKS } from '@headrace/contract/water-takes';
import { call, download, errorText } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { dayText, numberText } from '../../ui/format.ts';
import { saveFile } from '../../ui/save-file.ts';
import { filledQuery, packsQuery } from './takes.queries.ts';
import classes from './takes.module.css';

interface PackListProps {
  farmUID: string;
  uid: string;
  /** When somebody last changed the take or its meters. */
  changedAt: string;
}

/** Packs that the server makes, with how far each is: they are here also for who left and comes back. */
export function PackList({ farmUID, uid, changedAt }: PackListProps) {
  const { data: packs = [], error } = useQuery(packsQuery(farmUID, uid));
  const isAnyMade = packs.some(({ state }) => state === 'done');
  const { data: filled } = useQuery({ ...filledQuery(farmUID, uid), enabled: isAnyMade });
  if (error) return <p role="alert">{errorText(error)}</p>;
  if (packs.length === 0) return null;
  return (
    <>
      <h3>Long packs</h3>
      <p className={classes.note}>
        Each is kept for {PACKS.keptDays} days. You can leave this page: it is made meanwhile.
      </p>
      <ul className={classes.packs} aria-label="Long packs">
        {packs.map((pack) => (
          <PackRow key={pack.id} {...{ farmUID, uid, changedAt, pack }} filled={filled?.get(pack.id) ?? 0} />
        ))}
      </ul>
    </>
  );
}

const isOpen = ({ state }: MadePack) => state === 'queued' || state === 'running';

interface PackRowProps extends PackListProps {
  pack: MadePack;
  /** Quarters that were missing and are known now. */
  filled: number;
}

function PackRow({ farmUID, uid, changedAt, pack, filled }: PackRowProps) {
  const client = useQueryClient();
  const get = useMutation({
    mutationFn: () => download('GET /water-take/pack/file', { query: { farmUID, id: pack.id } }),
    onSuccess: saveFile,
  });
  const cancel = useMutation({
    mutationFn: () => call('POST /job/cancel', { body: { id: pack.jobId } }),
    onSettled: () => client.invalidateQueries({ queryKey: packsQuery(farmUID, uid).queryKey }),
  });
  const fault = get.error ?? cancel.error;
  const days = `${dayText(pack.from)} – ${dayText(pack.to)}`;
  return (
    <li className={classes.packRow}>
      <div>
        <strong>{days}</strong>
        <span className={classes.note}>
          <Age at={pack.askedAt}>Asked for</Age>
          {pack.by && ` by ${pack.by}`}
        </span>
        {isOpen(pack) ? <Making pack={pack} days={days} /> : <End pack={pack} />}
        {pack.state === 'done' && changedAt > pack.askedAt && (
          <span className={classes.note}>The take or its meters were changed since it was asked for.</span>
        )}
        {filled > 0 && <span className={classes.note}>{filledText(filled)}</span>}
        {fault && <span role="alert">{errorText(fault)}</span>}
      </div>
      {pack.state === 'done' && (
        <Button
          variant="default"
          mih={44}
          loading={get.isPending}
          aria-label={`Download the pack ${days}`}
          onClick={() => get.mutate()}
        >
          Download
        </Button>
      )}
      {isOpen(pack) && pack.mayCancel && (
        <Button
          variant="subtle"
          mih={44}
          loading={cancel.isPending}
          aria-label={`Cancel the pack ${days}`}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
    </li>
  );
}

const Making = ({ pack, days }: { pack: MadePack; days: string }) => (
  <span role="status" className={classes.making}>
    <progress aria-label={`How far the pack ${days} is`} value={pack.progress} max={1} />
    {pack.error || pack.progressText || 'It waits for its turn.'}
  </span>
);

/** Where it is not made nobody is to look for its button. */
const End = ({ pack }: { pack: MadePack }) =>
  pack.state === 'failed' ? (
    <span className={classes.notMade}>
      <ConditionDot condition="issue" label={null} />
      <span>{pack.error ? `Not made. ${pack.error}` : 'It was not made.'}</span>
    </span>
  ) : (
    <span className={classes.note}>{endText(pack)}</span>
  );

const filledText = (rows: number) =>
  `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'} since filled: readings came late. A new pack has ${rows === 1 ? 'it' : 'them'}.`;

function endText({ state, error, bytes, codes, gapsLeftOut }: MadePack): string {
  if (state !== 'done') return error || 'It was not made.';
  const how = [codes ? 'quality codes' : 'no quality codes', ...(gapsLeftOut ? ['gaps left out'] : [])];
  return `${numberText(Math.ceil((bytes ?? 0) / 1000))} kB, ${how.join(', ')}`;
}
