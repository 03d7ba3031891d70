import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { useNow } from '../../ui/clock.ts';
import { countsText, roundName } from './diary-labels.ts';
import { proofQuery } from './proof.queries.ts';

/** The last watering in one line: "Last night: 928 of 930 watered; 2 not known." */
export function ProofLine({ farmUID }: { farmUID: string }) {
  const { data, isError } = useQuery(proofQuery(farmUID));
  const zone = useFarmZone(farmUID);
  const canDiary = useCan(needs.dashboard, farmUID);
  const now = useNow();
  if (!data) return isError ? <p>What was watered last couldn't be loaded.</p> : null;
  if (!data.round || !zone) return null;
  const text = `${roundName(data.round, zone, now)}: ${countsText(data)}.`;
  return (
    <p>
      {canDiary ? (
        <Link to="/irr-diary-logs/view/$farmUID" params={{ farmUID }}>
          {text}
        </Link>
      ) : (
        text
      )}
    </p>
  );
}
