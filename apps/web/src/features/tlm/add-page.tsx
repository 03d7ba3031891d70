import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { call } from '../../api/client.ts';
import { FormSection, SelectField, TextField } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type FieldErrors, useRecordForm } from '../../forms/use-record-form.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useSession } from '../../session/use-session.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { lookupFrom, lookupText, useFoundMac, useSerialLookup } from '../devices/serial-lookup.ts';
import { TlmFrame } from './tlm-frame.tsx';
import classes from './tlm.module.css';

const TITLE = 'Add tank telemetry';

/** `/tlm/add`: puts a unit that one has on a farm. */
export function TlmAddPage() {
  const { logged } = useSession();
  return (
    <TlmFrame title={TITLE}>
      {logged ? (
        <Farms />
      ) : (
        <>
          <p className={classes.lead}>A unit is added to a farm, so please sign in first.</p>
          <Button renderRoot={(props) => <Link {...props} to="/login" search={{ redirect: '/tlm/add' }} />}>
            Sign in
          </Button>
        </>
      )}
    </TlmFrame>
  );
}

/** The farms to which the person may add a sensor. */
function Farms() {
  const farms = useQuery(farmsCardQuery);
  const { data: permissions } = useQuery(permissionsQuery);
  const current = useCurrentFarm();
  const data = permissions && farms.data?.filter(({ _id }) => mayOn(permissions, _id, needs.createSensors));
  return (
    <StateView
      query={{ ...farms, data }}
      failed="The farms couldn't be loaded"
      skeleton={<div className={classes.space} />}
      isEmpty={(list) => list.length === 0}
      empty={
        <p className={classes.lead}>
          You have no farm to which you may add a sensor. Make a farm first, or ask its owner for the right.
        </p>
      }
    >
      {(list) => (
        <AddForm
          farms={list.map(({ _id, name }) => ({ value: _id, label: name }))}
          first={list.find(({ _id }) => _id === current?._id)?._id ?? list[0]?._id ?? ''}
        />
      )}
    </StateView>
  );
}

interface Values {
  farmUID: string;
  serialNumber: string;
  macAddress: string;
  name: string;
}

function validate(values: Values): FieldErrors {
  const { name, serialNumber, macAddress } = values;
  const fieldErrors: FieldErrors = validateDevice('sensor', { name, serialNumber, macAddress });
  const fewest = lookupFrom('sensor');
  if (!fieldErrors.serialNumber && serialNumber.trim().length < fewest)
    fieldErrors.serialNumber = `Serial number must have at least ${fewest} characters.`;
  return fieldErrors;
}

function AddForm({ farms, first }: { farms: { value: string; label: string }[]; first: string }) {
  const navigate = useNavigate();
  const form = useRecordForm<Values, { id: string }>({
    draftKey: null,
    initial: { farmUID: first, serialNumber: '', macAddress: '', name: '' },
    validate,
    save: ({ farmUID, serialNumber, macAddress, name }) =>
      call('POST /sensor', {
        body: {
          farmUID,
          name: name.trim(),
          serialNumber: serialNumber.trim(),
          macAddress: macAddress.trim(),
          type: sensorTypes.TLM_V3,
        },
      }),
    onSaved: ({ id }) => {
      toast.success('Unit added. Next, enter the measures of its tank.');
      void navigate({
        to: '/sensor-device/$farmUID/$id',
        params: { farmUID: form.values.farmUID, id },
      });
    },
  });
  const { values } = form;
  const { found, isLooking } = useSerialLookup('sensor', values.serialNumber, '');
  useFoundMac(found, form.field('macAddress'));
  const said = found && lookupText(found, values.farmUID).text;
  return (
    <RecordForm form={form} label={TITLE} save="Add" saving="Adding…" back="/tlm">
      <FormSection>
        <SelectField {...form.field('farmUID')} label="Farm" required options={farms} />
        <TextField
          {...form.field('serialNumber')}
          label="Serial number"
          hint={isLooking ? 'Looking it up…' : (said ?? "On the unit's label.")}
          required
          maxLength={40}
        />
        <TextField {...form.field('macAddress')} label="MAC address" required maxLength={40} />
        <TextField
          {...form.field('name')}
          label="Name"
          hint="What you call the tank."
          required
          maxLength={40}
        />
      </FormSection>
    </RecordForm>
  );
}
