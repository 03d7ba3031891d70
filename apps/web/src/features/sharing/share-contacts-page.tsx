import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ShareContact } from '@headrace/contract/sharing';
import { FormSection, Wide } from '../../forms/fields.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { RoomNote } from '../../ui/room-note.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { sameAddress } from './contact-values.ts';
import { patchShareDraft, useShareDraft } from './share-draft.ts';
import { SharePage, StepBar } from './share-steps.tsx';
import { contactsQuery } from './sharing.queries.ts';
import forms from '../../forms/forms.module.css';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sharing.module.css';
import type { ContactDialogProps } from './contact-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ContactDialog = lazyDialog<ContactDialogProps>(() =>
  import('./contact-dialog.tsx').then((m) => m.ContactDialog),
);
/** The server takes no more at once. */
const MOST = 50;

/** `/invitations/share/contacts` */
export function ShareContactsPage() {
  const query = useQuery(contactsQuery);
  return (
    <SharePage step="contacts">
      <StateView
        query={query}
        failed="The people couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={76} />}
      >
        {({ contacts, invitations }) => <Contacts known={contacts} {...invitations} />}
      </StateView>
    </SharePage>
  );
}

interface ContactsProps {
  known: readonly ShareContact[];
  /** Invitations that may still be sent today, of how many. */
  left: number;
  limit: number;
  /** When there are more again. */
  moreAt: string | null;
}

function Contacts({ known, left, limit, moreAt }: ContactsProps) {
  const { contacts, farms, isAccountShare } = useShareDraft();
  const [isAdding, setIsAdding] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const navigate = useNavigate();
  const isOn = ({ email }: ShareContact) => contacts.some((other) => sameAddress(other.email, email));
  // New ones stay in sight after they are taken off, until the page is left.
  const [added, setAdded] = useState(() =>
    contacts.filter(({ email }) => !known.some((other) => sameAddress(other.email, email))),
  );
  const listed = [...known, ...added];
  const toggle = (contact: ShareContact) =>
    patchShareDraft({
      contacts: isOn(contact)
        ? contacts.filter(({ email }) => !sameAddress(email, contact.email))
        : [...contacts, contact],
    });
  const add = (contact: ShareContact) => {
    setAdded([...added, contact]);
    patchShareDraft({ contacts: [...contacts, contact] });
  };
  const wanted = contacts.length * (isAccountShare ? 1 : farms.length);
  const fault = faultOf(contacts.length) ?? leftFault(wanted, left, moreAt);
  const goOn = () => {
    setIsTried(true);
    if (!fault) void navigate({ to: '/invitations/share/permissions' });
  };
  return (
    <div className={forms.form}>
      <FormSection>
        <Wide>
          <fieldset className={classes.choices}>
            <legend>
              People <span className={classes.count}>{contacts.length} chosen</span>
            </legend>
            <RoomNote
              left={left}
              limit={limit}
              what="invitations that an account may send in 24 hours"
              moreAt={moreAt}
            />
            {listed.length === 0 && (
              <p className={classes.note}>
                You have shared with nobody yet. Add the person whom you want to invite.
              </p>
            )}
            {listed.map((contact) => (
              <label key={contact.email} className={classes.option}>
                <input type="checkbox" checked={isOn(contact)} onChange={() => toggle(contact)} />
                <span>
                  {contact.name || contact.email}
                  {contact.name && <span className={classes.mail}>{contact.email}</span>}
                  {contact.password !== undefined && (
                    <span className={classes.mail}>An account is made with the password you chose.</span>
                  )}
                </span>
              </label>
            ))}
          </fieldset>
          <PlainButton onClick={() => setIsAdding(true)}>New contact</PlainButton>
        </Wide>
      </FormSection>
      <StepBar next="Next" fault={isTried ? fault : null} onNext={goOn} />
      {isAdding && (
        <ContactDialog
          known={listed.map(({ email }) => email)}
          onAdd={add}
          onClose={() => setIsAdding(false)}
        />
      )}
    </div>
  );
}

function faultOf(chosen: number): string | null {
  if (chosen === 0) return 'Choose at least one person, or add a new contact.';
  return chosen > MOST ? `Choose at most ${MOST} people at a time.` : null;
}

/** Each person gets one for each farm. */
function leftFault(wanted: number, left: number, moreAt: string | null): string | null {
  if (wanted <= left) return null;
  const more = moreAt === null ? '' : ` There are more again at ${exactTime(Date.parse(moreAt))}.`;
  return `These are ${wanted} invitations, and ${left} may still be sent now. Choose fewer, or share the whole account.${more}`;
}
