import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EditTemplate, NewTemplate } from './save-template.tsx';
import { scheduleFarmQuery, templateQuery } from './templates.queries.ts';

/** `/scheduler/new/{farmUID}` */
export function NewTemplatePage() {
  const { farmUID } = useParams({ from: '/scheduler/new/$farmUID' });
  return (
    <>
      <TitleBar
        title="New schedule template"
        subtitle={useFarmName(farmUID)}
        back={`/scheduler/${farmUID}`}
      />
      <NewTemplate key={farmUID} farmUID={farmUID} />
    </>
  );
}

/** `/scheduler/{farmUID}/{id}` */
export function EditTemplatePage() {
  const { farmUID, id } = useParams({ from: '/scheduler/$farmUID/$id' });
  const query = useQuery(templateQuery(farmUID, id));
  const farm = useQuery(scheduleFarmQuery(farmUID));
  const farmName = useFarmName(farmUID);
  const template = query.data;
  // Ids are found on whichever farm they are: the address names this one.
  if (isMissing(query) || (template && template.farmUID !== farmUID)) return <NotFoundPage />;
  return (
    <>
      <TitleBar
        title={template?.name ?? 'Schedule template'}
        subtitle={farmName}
        back={`/scheduler/${farmUID}`}
      />
      <StateView
        query={query}
        failed="The schedule template couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(found) => (
          <StateView
            query={farm}
            failed="The farm's groups couldn't be loaded"
            skeleton={<Skeleton blocks={2} blockPx={170} />}
          >
            {(details) => <EditTemplate key={found._id} template={found} farm={details} />}
          </StateView>
        )}
      </StateView>
    </>
  );
}

function useFarmName(farmUID: string): string | undefined {
  const { data: farms } = useQuery(farmsCardQuery);
  return farms?.find(({ _id }) => _id === farmUID)?.name;
}
