import { useMutation, useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { WateringProof } from '@headrace/contract/irr-diary';
import { download, errorText } from '../../api/client.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PdfWay } from '../../ui/pdf-way.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countsText, roundName } from './diary-labels.ts';
import { proofQuery } from './proof.queries.ts';
import { LogList } from './log-list.tsx';
import { ProofLines } from './proof-lines.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import classes from './diary.module.css';

const ProofReport = lazyDialog(() => import('./proof-report.tsx').then((m) => m.default));

/** The last watering that is over, by line: what anybody wants to know in the morning. */
export function ProofPanel({ farmUID, zone }: { farmUID: string; zone: Timezone }) {
  const query = useQuery(proofQuery(farmUID));
  return (
    <Panel title="Last watering">
      <StateView
        query={query}
        failed="What was watered last couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={52} />}
      >
        {(proof) => <Proof {...{ farmUID, proof, zone }} />}
      </StateView>
    </Panel>
  );
}

function Proof({ farmUID, proof, zone }: { farmUID: string; proof: WateringProof; zone: Timezone }) {
  const now = useNow();
  const { round, lines, troubles } = proof;
  if (!round)
    return <p className={classes.note}>Nothing was to water in the last week, as far as is known.</p>;
  const at = (time: string) => exactTime(Date.parse(time), zone);
  return (
    <>
      <p className={classes.proof}>
        <b>
          {roundName(round, zone, now)}: {countsText(proof)}.
        </b>{' '}
        <span className="num">
          Planned from {at(round.startAt)} to {at(round.endAt)}.
        </span>
      </p>
      <ProofLines lines={lines} />
      {troubles.length > 0 && (
        <LogList {...{ farmUID, zone, logs: troubles }} label="Not as planned in the last watering" />
      )}
      <Ways farmUID={farmUID} proof={proof} />
    </>
  );
}

function Ways({ farmUID, proof }: { farmUID: string; proof: WateringProof }) {
  const farm = useCurrentFarm();
  const file = useMutation({
    mutationFn: () => download('GET /irr-diary-logs/last/csv', { query: { farmUID } }),
    onSuccess: saveFile,
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <div className={classes.ways}>
      <PlainButton onClick={() => file.mutate()} disabled={file.isPending} label="CSV of the last watering">
        CSV
      </PlainButton>
      {farm && (
        <PdfWay of="the last watering">{(onClose) => <ProofReport {...{ farm, proof, onClose }} />}</PdfWay>
      )}
    </div>
  );
}
