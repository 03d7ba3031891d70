import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { TitleBar } from '../../ui/title-bar.tsx';
import { IrrigationDiary } from './irrigation-diary.tsx';

/** What was watered on a farm, and why not. */
export function DiaryPage() {
  const { farmUID } = useParams({ from: '/irr-diary-logs/view/$farmUID' });
  const { data: farms } = useQuery(farmsCardQuery);
  return (
    <>
      <TitleBar
        title="Irrigation diary"
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back="/dashboard"
      />
      <IrrigationDiary key={farmUID} farmUID={farmUID} />
    </>
  );
}
