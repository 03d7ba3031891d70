import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { TitleBar } from '../../ui/title-bar.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { FarmLetters } from './letters-panel.tsx';
import { UsagePanel } from './usage-panel.tsx';

/** `/device-messages/{farmUID}`: what devices said and was not taken, and how much the farm writes. */
export function DeviceMessagesPage() {
  const { farmUID } = useParams({ from: '/device-messages/$farmUID' });
  const { data: farms } = useQuery(farmsCardQuery);
  return (
    <>
      <TitleBar title="Device messages" subtitle={farms?.find(({ _id }) => _id === farmUID)?.name} back="/" />
      <FarmLetters farmUID={farmUID} />
      <UsagePanel farmUID={farmUID} />
    </>
  );
}
