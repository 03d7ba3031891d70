import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import type { WateringProof } from '@headrace/contract/irr-diary';
import { useFarmZone } from '../../farm/current-farm.ts';
import { ReportDialog } from '../reports/report-dialog.tsx';
import { serverTime, useMade } from '../reports/use-made.ts';
import { proofQuery } from './proof.queries.ts';

interface Props {
  farm: FarmCard;
  proof: WateringProof;
  onClose: () => void;
}

/** The last watering on paper. */
export default function ProofReport({ farm, proof, onClose }: Props) {
  const queryClient = useQueryClient();
  const zone = useFarmZone(farm._id);
  const made = useMade(farm.name, zone);
  if (!made) return null;
  return (
    <ReportDialog
      title="Proof of watering"
      about={`What each line of ${farm.name} was to water last, what its sprinklers said of it, and what went otherwise and why.`}
      name="proof_of_watering"
      withWhat="what went otherwise than planned"
      order={() => {
        const knownAt = serverTime(queryClient.getQueryState(proofQuery(farm._id).queryKey)?.dataUpdatedAt);
        return { kind: 'proof', made: made(), data: { proof, knownAt } };
      }}
      onClose={onClose}
    />
  );
}
