import { useState } from 'react';
import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { COMMAND_DETAILS, COMMAND_DETAILS_MAX } from '@headrace/contract/limits';
import { targetName } from '@headrace/contract/rules/target-name';
import { StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { CommandDetails } from './command-details.tsx';
import { useCommandDrawer } from './command-search.ts';
import { commandQuery, commandsQuery } from './commands.queries.ts';
import classes from './command-drawer.module.css';

/** A command's whole life beside the log; on a phone in its place. */
export default function CommandDrawer({ farmUID }: { farmUID: string }) {
  const { id, close } = useCommandDrawer();
  const isMobile = useIsMobile();
  // While it slides out its command stays in it.
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  return (
    <Drawer.Root
      opened={isMounted && id !== undefined}
      onClose={close}
      position="right"
      size={isMobile ? '100%' : 600}
      classNames={{ content: classes.content ?? '' }}
    >
      <Drawer.Overlay backgroundOpacity={0.45} />
      <Drawer.Content>{last && <Content key={last} farmUID={farmUID} id={last} />}</Drawer.Content>
    </Drawer.Root>
  );
}

function Content({ farmUID, id }: { farmUID: string; id: string }) {
  const [limit, setLimit] = useState(COMMAND_DETAILS);
  const query = useQuery({ ...commandQuery(farmUID, id, limit), placeholderData: keepPreviousData });
  const log = useQueryClient().getQueryData(commandsQuery(farmUID).queryKey)?.pages ?? [];
  const command =
    query.data?.command ?? log.flatMap(({ commands }) => commands).find(({ _id }) => _id === id);
  return (
    <>
      <div className={classes.header}>
        <div className={classes.names}>
          <Drawer.Title className={classes.title}>{command?.title ?? 'Command'}</Drawer.Title>
          {command && <p className={classes.subtitle}>{targetName(command)}</p>}
        </div>
        <Drawer.CloseButton aria-label="Close" size={44} iconSize={22} />
      </div>
      {/* It scrolls: the keyboard must get there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.body} data-scroller tabIndex={0} role="group" aria-label="About this command">
        <StateView query={query} failed="The command couldn't be loaded" skeleton={<Skeleton />}>
          {(details) => (
            <CommandDetails
              details={details}
              onMore={limit < COMMAND_DETAILS_MAX ? () => setLimit(COMMAND_DETAILS_MAX) : null}
            />
          )}
        </StateView>
      </div>
    </>
  );
}

function Skeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
