import { useState } from 'react';
import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { IntegrationKey } from '@headrace/contract/gateways';
import { needs } from '@headrace/contract/permissions';
import { all, maxLength, required } from '@headrace/contract/rules/form-rules';
import { call, errorText } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { Age } from '../../ui/age.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { type DeviceKey, integrationConfiguration, integrationExample } from './device-key.ts';
import { KeyDialog } from './key-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './integration-keys.module.css';

const keysQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['integration-keys', farmUID],
    queryFn: async ({ signal }) => (await call('GET /integration-keys', { query: { farmUID }, signal })).keys,
  });

/** The keys with which LoRaWAN network servers send for the farm. */
export function IntegrationKeys({ farmUID }: { farmUID: string }) {
  const query = useQuery(keysQuery(farmUID));
  const mayCreate = useCan(needs.createGateways, farmUID);
  const mayDelete = useCan(needs.deleteGateways, farmUID);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={classes.panel} aria-labelledby="integration-keys">
      <div className={classes.head}>
        <h2 id="integration-keys">LoRaWAN network servers</h2>
        {mayCreate && (
          <Button variant="default" mih={44} onClick={() => setIsOpen(true)}>
            New integration key
          </Button>
        )}
      </div>
      <StateView
        query={query}
        failed="The integration keys couldn't be loaded"
        skeleton={<Skeleton blockPx={52} />}
        isEmpty={(keys) => keys.length === 0}
        empty={
          <p className={classes.none}>
            No key yet. ChirpStack and The Things Stack need one to send what LoRaWAN sensors measure.
          </p>
        }
      >
        {(keys) => (
          <ul className={classes.list}>
            {keys.map((key) => (
              <KeyRow key={key._id} farmUID={farmUID} item={key} mayDelete={mayDelete} />
            ))}
          </ul>
        )}
      </StateView>
      {isOpen && <NewKey farmUID={farmUID} mayCreate={mayCreate} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

interface KeyRowProps {
  farmUID: string;
  item: IntegrationKey;
  mayDelete: boolean;
}

function KeyRow({ farmUID, item, mayDelete }: KeyRowProps) {
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <li>
      <span className={classes.name}>{item.name}</span>
      <code>{item.userName}</code>
      <Age at={item.lastUsedAt}>Last used</Age>
      {mayDelete && (
        <Button
          variant="default"
          mih={44}
          aria-label={`Withdraw ${item.name}`}
          onClick={() => setIsAsking(true)}
        >
          Withdraw
        </Button>
      )}
      {isAsking && mayDelete && (
        <ConfirmDialog
          title={`Withdraw the key ${item.name}?`}
          confirm="Withdraw"
          doing="Withdrawing…"
          isFinal
          run={() => call('DELETE /integration-key', { query: { farmUID, keyUID: item._id } })}
          onDone={() => void queryClient.invalidateQueries({ queryKey: keysQuery(farmUID).queryKey })}
          onClose={() => setIsAsking(false)}
        >
          Its network server is disconnected at once: the LoRaWAN sensors that it speaks for are heard no
          more.
        </ConfirmDialog>
      )}
    </li>
  );
}

const NAME_MAX = 40;
const nameRule = all(required('Name'), maxLength('Name', NAME_MAX));

interface NewKeyProps {
  farmUID: string;
  mayCreate: boolean;
  onClose: () => void;
}

function NewKey({ farmUID, mayCreate, onClose }: NewKeyProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isTried, setIsTried] = useState(false);
  const make = useMutation({
    mutationFn: () => call('POST /integration-key', { body: { farmUID, name: name.trim() } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: keysQuery(farmUID).queryKey }),
    onError: (error) => toast.error(errorText(error)),
  });
  const key: DeviceKey | undefined = make.data;
  if (key)
    return (
      <KeyDialog
        title={`Integration key ${name.trim()}`}
        deviceKey={key}
        configuration={(broker) => integrationConfiguration(key, broker)}
        example={(broker) => integrationExample(key, broker)}
        onClose={onClose}
      />
    );
  // A key that was made is shown to its end: it is shown once.
  if (!mayCreate) return null;
  const fault = nameRule(name);
  return (
    <Dialog onClose={onClose} title="New integration key">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (!fault && !make.isPending) make.mutate();
        }}
      >
        <TextField
          name="key-name"
          label="Name"
          required
          maxLength={NAME_MAX}
          hint="Which network server it is for."
          value={name}
          error={isTried ? (fault ?? undefined) : undefined}
          onChange={setName}
          onBlur={() => undefined}
        />
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={make.isPending}>
            {make.isPending ? 'Making a key…' : 'Make the key'}
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}
