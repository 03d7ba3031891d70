import { useEffect, useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import { ChoiceField, FormSection, Wide } from '../../forms/fields.tsx';
import { foldText } from '../../ui/fold-text.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { FarmSign } from '../../farm/farm-sign.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import forms from '../../forms/forms.module.css';
import { endShareDraft, patchShareDraft, useShareDraft } from './share-draft.ts';
import { SharePage, StepBar } from './share-steps.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sharing.module.css';

/** With more farms than this there is a box to search them. */
const SEARCH_FROM = 8;
/** Only who owns a farm has this on it. */
const owning = { anyOf: [can('farms', 'Account')] };

/** `/invitations/share/select` */
export function ShareSelectPage() {
  const farms = useQuery(farmsCardQuery);
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const { sent } = useShareDraft();
  // Whoever comes here after sending begins another share.
  useEffect(() => {
    if (sent) endShareDraft();
  }, [sent]);
  const own = (all: FarmCard[]) => all.filter(({ _id }) => mayOn(permissions, _id, owning));
  return (
    <SharePage step="select">
      <StateView
        query={farms}
        failed="Your farms couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={76} />}
        isEmpty={(all) => own(all).length === 0}
        empty={
          <Empty
            title="There is no farm to share yet."
            action={
              <Link to="/farm/new" className={classes.main}>
                New Farm
              </Link>
            }
          >
            Add a farm first; then it can be shared.
          </Empty>
        }
      >
        {(all) => <Select farms={own(all)} />}
      </StateView>
    </SharePage>
  );
}

function Select({ farms }: { farms: FarmCard[] }) {
  const { farms: chosen, isAccountShare } = useShareDraft();
  const [isTried, setIsTried] = useState(false);
  const navigate = useNavigate();
  const isMissing = !isAccountShare && chosen.length === 0;
  const goOn = () => {
    setIsTried(true);
    if (!isMissing) void navigate({ to: '/invitations/share/contacts' });
  };
  return (
    <div className={forms.form}>
      <FormSection>
        <Wide>
          <ChoiceField
            name="what"
            label="What to share"
            value={isAccountShare ? 'account' : 'farms'}
            error={undefined}
            hint={
              isAccountShare
                ? 'The whole account is all your farms, also those that you add later. Where you allow Create on Farm, the person can add farms to your account.'
                : 'Only the farms that you choose here. Farms that you add later are not shared by this.'
            }
            options={[
              { value: 'farms', label: 'Chosen farms' },
              { value: 'account', label: 'The whole account' },
            ]}
            onChange={(what) => patchShareDraft({ isAccountShare: what === 'account' })}
            onBlur={() => undefined}
          />
        </Wide>
        {!isAccountShare && (
          <Wide>
            <FarmChoices farms={farms} chosen={chosen} />
          </Wide>
        )}
      </FormSection>
      <StepBar
        next="Next"
        fault={isTried && isMissing ? 'Choose at least one farm, or the whole account.' : null}
        onNext={goOn}
      />
    </div>
  );
}

function FarmChoices({ farms, chosen }: { farms: FarmCard[]; chosen: readonly string[] }) {
  const [wanted, setWanted] = useState('');
  const shown = farms.filter(({ name }) => foldText(name).includes(foldText(wanted)));
  const picked = farms.filter(({ _id }) => chosen.includes(_id)).length;
  const toggle = (uid: string) =>
    patchShareDraft({
      farms: chosen.includes(uid) ? chosen.filter((other) => other !== uid) : [...chosen, uid],
    });
  const toggleAll = () =>
    patchShareDraft({ farms: picked === farms.length ? [] : farms.map(({ _id }) => _id) });
  return (
    <fieldset className={classes.choices}>
      <legend>
        Farms <span className={classes.count}>{`${picked} of ${farms.length} chosen`}</span>
      </legend>
      {farms.length > SEARCH_FROM && (
        <TextInput
          className={classes.search ?? ''}
          type="search"
          aria-label="Search farms"
          placeholder="Search farms"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      {farms.length > 1 && (
        <Checkbox
          classNames={{ body: classes.tickBody ?? '' }}
          label="All farms"
          checked={picked === farms.length}
          indeterminate={picked > 0 && picked < farms.length}
          onChange={toggleAll}
        />
      )}
      {shown.map(({ _id, name, icon, description }) => (
        <label key={_id} className={classes.option}>
          <input type="checkbox" checked={chosen.includes(_id)} onChange={() => toggle(_id)} />
          <FarmSign icon={icon} size={32} />
          <span>
            {name}
            {description && <span className={classes.mail}>{description}</span>}
          </span>
        </label>
      ))}
      {shown.length === 0 && <p className={classes.note}>No farm of that name.</p>}
    </fieldset>
  );
}
