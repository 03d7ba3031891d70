import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { SCHEDULE_TEMPLATES_PER_FARM } from '@headrace/contract/limits';
import { can } from '@headrace/contract/permissions';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { Age } from '../../ui/age.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { CopyTemplate } from './copy-template.tsx';
import { DeleteTemplate } from './delete-template.tsx';
import { groupsText, templateText } from './template-labels.ts';
import { templatesQuery } from './templates.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import entries from '../../ui/entries.module.css';
import classes from './schedules.module.css';

/** The schedule templates of a farm. */
export function TemplatesPage() {
  const { farmUID } = useParams({ from: '/scheduler/$farmUID' });
  const { data: farms } = useQuery(farmsCardQuery);
  const query = useQuery(templatesQuery(farmUID));
  const isFull = (query.data?.length ?? 0) >= SCHEDULE_TEMPLATES_PER_FARM;
  const canAdd = useCan({ anyOf: [can('schedules', 'Create')] }, farmUID) && !isFull;
  return (
    <>
      <TitleBar
        title="Schedule templates"
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back="/"
      >
        {canAdd && <AddLink farmUID={farmUID} />}
      </TitleBar>
      <StateView
        query={query}
        failed="The schedule templates couldn't be loaded"
        skeleton={<Skeleton blocks={4} blockPx={96} />}
        isEmpty={(templates) => templates.length === 0}
        empty={
          <Empty title="No schedule templates yet." action={canAdd && <AddLink farmUID={farmUID} />}>
            A template says which groups water, for how long and from when.
          </Empty>
        }
      >
        {(templates) => <Templates key={farmUID} templates={templates} />}
      </StateView>
    </>
  );
}

const AddLink = ({ farmUID }: { farmUID: string }) => (
  <Link to="/scheduler/new/$farmUID" params={{ farmUID }} className={classes.add}>
    New template
  </Link>
);

interface Asked {
  what: 'copy' | 'delete';
  template: ScheduleTemplate;
}

function Templates({ templates }: { templates: readonly ScheduleTemplate[] }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <Panel title={`${templates.length} ${templates.length === 1 ? 'template' : 'templates'}`}>
      {templates.length >= SCHEDULE_TEMPLATES_PER_FARM && (
        <p className={classes.full}>
          The farm has {SCHEDULE_TEMPLATES_PER_FARM} schedule templates, the most there can be. Delete one
          before you add another.
        </p>
      )}
      <ul className={entries.list} aria-label="Schedule templates">
        {templates.map((template) => (
          <Entry key={template._id} template={template} onAsk={(what) => setAsked({ what, template })} />
        ))}
      </ul>
      {asked?.what === 'copy' && <CopyTemplate template={asked.template} onClose={close} />}
      {asked?.what === 'delete' && <DeleteTemplate template={asked.template} onClose={close} />}
    </Panel>
  );
}

function Entry({ template, onAsk }: { template: ScheduleTemplate; onAsk: (what: Asked['what']) => void }) {
  const { _id, name, farmUID, updatedAt } = template;
  const canCopy = useCan({ allOf: [can('schedules', 'Read'), can('schedules', 'Create')] }, farmUID);
  const canDelete = useCan({ anyOf: [can('schedules', 'Delete')] }, farmUID);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <h3 className={classes.name}>
          <Link to="/scheduler/$farmUID/$id" params={{ farmUID, id: _id }} className={classes.to}>
            {name}
          </Link>
        </h3>
        <p className={`${classes.facts} num`}>{templateText(template)}</p>
        <p className={classes.facts}>{groupsText(template)}</p>
        <p className={classes.facts}>
          Changed <Age at={Date.parse(updatedAt)} />
        </p>
      </div>
      <div className={classes.ways}>
        {canCopy && (
          <PlainButton label={`Copy ${name}`} onClick={() => onAsk('copy')}>
            Copy…
          </PlainButton>
        )}
        {canDelete && (
          <PlainButton label={`Delete ${name}`} onClick={() => onAsk('delete')}>
            Delete…
          </PlainButton>
        )}
      </div>
    </li>
  );
}
