import type { MouseEvent } from 'react';
import { IconCheck, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Notification } from '@headrace/contract/notifications';
import { OpenAlertList } from '../../device-records/open-alert-list.tsx';
import { openAlertsQuery } from '../../device-records/open-alerts.ts';
import { Age } from '../../ui/age.tsx';
import { HeaderButton } from '../../ui/header-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { SettingsSearch } from '../../preferences/settings-search.ts';
import { pathWithin } from '../../ui/path-within.ts';
import { notificationsQuery, useMarkRead } from './notifications.queries.ts';
import classes from './notifications.module.css';

/** The newest notifications. `onLeave`: something else is opened from here. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const query = useQuery(notificationsQuery);
  const { read, readAll } = useMarkRead();
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>Notifications</h2>
        {query.data !== undefined && query.data.count > 0 && (
          <button type="button" className={classes.action} onClick={readAll}>
            Mark all as read
          </button>
        )}
      </div>
      <OpenNow onLeave={onLeave} />
      <section
        className={classes.scroll}
        aria-label="Newest notifications"
        // What scrolls is reached by the keyboard, also where nothing in it is.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <StateView
          query={query}
          skeleton={<div className={classes.waiting} />}
          failed="Your notifications couldn't be loaded"
          isEmpty={({ list }) => list.length === 0}
          empty={<Empty title="No notifications">What there is to know of your farms appears here.</Empty>}
        >
          {({ list }) => (
            <ul className={classes.list}>
              {list.map((note) => (
                <Note key={note._id} note={note} onRead={() => read(note._id)} onLeave={onLeave} />
              ))}
            </ul>
          )}
        </StateView>
      </section>
      <AlertSettings onLeave={onLeave} />
    </>
  );
}

const OPEN_SHOWN = 3;

/** What alerts have told and is still so, on all farms. */
function OpenNow({ onLeave }: { onLeave: () => void }) {
  const { data } = useQuery(openAlertsQuery);
  if (!data || data.open.length === 0) return null;
  return (
    <div className={classes.now}>
      <OpenAlertList
        open={data.open}
        isCut={data.cut.length > 0}
        most={OPEN_SHOWN}
        isTitled
        onFollow={onLeave}
      />
    </div>
  );
}

interface NoteProps {
  note: Notification;
  onRead: () => void;
  onLeave: () => void;
}

function Note({ note, onRead, onLeave }: NoteProps) {
  const path = pathWithin(note.link);
  return (
    <li className={classes.note} data-unread={!note.isRead || undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.text}>
        <h3 className={classes.noteTitle}>
          {path === null ? (
            note.title
          ) : (
            <NoteLink path={path} onFollow={() => [!note.isRead && onRead(), onLeave()]}>
              {note.title}
            </NoteLink>
          )}
          {!note.isRead && <span className={classes.spoken}> (unread)</span>}
        </h3>
        {note.message !== note.title && <p className={classes.message}>{note.message}</p>}
        <Age at={note.at} className={classes.age} />
      </div>
      {!note.isRead && (
        <HeaderButton aria-label={`Mark as read: ${note.title}`} title="Mark as read" onClick={onRead}>
          <IconCheck size={18} stroke={2} aria-hidden="true" />
        </HeaderButton>
      )}
    </li>
  );
}

function NoteLink({ path, onFollow, children }: { path: string; onFollow: () => void; children: string }) {
  const { history } = useRouter();
  const follow = (event: MouseEvent) => {
    // In another tab it is as good as read, but this page stays.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onFollow();
    history.push(path);
  };
  return (
    <a className={classes.link} href={path} onClick={follow}>
      {children}
    </a>
  );
}

function AlertSettings({ onLeave }: { onLeave: () => void }) {
  const patch = useSearchPatch<SettingsSearch>();
  const open = () => {
    onLeave();
    patch({ settings: 'alerts' });
  };
  return (
    <div className={classes.foot}>
      <button type="button" className={classes.action} onClick={open}>
        <IconSettings size={18} stroke={1.7} aria-hidden="true" />
        How you hear of them
      </button>
    </div>
  );
}
