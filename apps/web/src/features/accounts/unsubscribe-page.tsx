import { useState } from 'react';
import { Link, useSearch } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { EntryForm } from './entry-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { EntryNote } from './entry-note.tsx';

const TITLE = 'Notifications by e-mail';

/** `/unsubscribe?key=`, as mails have it. A button: programs that look at mails follow links. */
export function UnsubscribePage() {
  const { key } = useSearch({ from: '/unsubscribe' });
  const [state, setState] = useState<'asked' | 'done' | 'refused'>(key === undefined ? 'refused' : 'asked');
  return (
    <EntryFrame>
      {state === 'asked' && key !== undefined ? (
        <UnsubscribeForm linkKey={key} onAnswer={(isDone) => setState(isDone ? 'done' : 'refused')} />
      ) : (
        <EntryNote
          title={TITLE}
          isDone={state === 'done'}
          text={
            state === 'done'
              ? 'You get no more notifications by e-mail. The bell has all of them, and Settings, then Alerts, brings them back.'
              : "This link doesn't work. Sign in: Settings, then Alerts, ends notifications by e-mail."
          }
          links={<Link to="/">Go to Headrace</Link>}
        />
      )}
    </EntryFrame>
  );
}

interface UnsubscribeFormProps {
  linkKey: string;
  onAnswer: (isDone: boolean) => void;
}

function UnsubscribeForm({ linkKey, onAnswer }: UnsubscribeFormProps) {
  const form = useRecordForm({
    draftKey: null,
    initial: {},
    validate: () => ({}),
    save: () => call('POST /notification/unsubscribe', { body: { key: linkKey } }),
    onSaved: ({ success }) => onAnswer(success),
  });
  return (
    <EntryForm
      form={form}
      title={TITLE}
      text="No more notifications by e-mail, alerts too? Mails about your account itself still come. SMS, instant messages and the bell stay as they are."
      submit="End them"
      busy="One moment…"
      links={<Link to="/">Keep them</Link>}
    >
      {null}
    </EntryForm>
  );
}
