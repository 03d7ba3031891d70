import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { sprinklerGateways } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import type { LatLng } from '@headrace/contract/schemas';
import { call } from '../../api/client.ts';
import { AreaField, Columns, FormSection, NumberField, SelectField, TextField } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { toast } from '../../ui/toasts.ts';
import { deviceKinds, listPath } from '../../device-records/device-kinds.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { useEditForm } from '../devices/use-edit-form.ts';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { PlaceField } from '../placing/place-field.tsx';
import { useFarPlace } from '../placing/use-far-place.ts';
import { gatewayQuery } from '../gateways/gateway.queries.ts';
import { useFarmPin } from '../placing/use-farm-pin.ts';
import { type DeviceKey, gatewayConfiguration, gatewayExample } from './device-key.ts';
import { KeyDialog } from './key-dialog.tsx';
import { RotateKey } from './rotate-key.tsx';
import {
  validateGateway,
  entryOf,
  type GatewayValues,
  gatewayLabels,
  newGateway,
  typeOptions,
  valuesOf,
} from './gateway-values.ts';
import { useUnitsOfGateway } from './units-of-gateway.ts';

const DeviceLetters = lazyPart(
  () => import('../dead-letters/letters-panel.tsx').then((m) => m.DeviceLetters),
  {
    failed: "Messages that couldn't be read couldn't be loaded",
  },
);
const RadioPanel = lazyPart(() => import('./radio-panel.tsx').then((m) => m.RadioPanel), {
  failed: "How fast its radio is couldn't be loaded",
});
const kind = deviceKinds.gateway;

/** `/gateway-device/new/{farmUID}` */
export function NewGatewayPage({ farmUID }: { farmUID: string }) {
  const leave = useLeaveForList(kind, farmUID);
  const [key, setKey] = useState<DeviceKey | null>(null);
  const form = useRecordForm({
    ask: useFarPlace(farmUID),
    draftKey: `gateway.new.${farmUID}`,
    initial: newGateway,
    validate: validateGateway,
    save: (values) => call('POST /gateway', { body: { farmUID, ...entryOf(values) } }),
    onSaved: ({ userName, password }) => setKey({ userName, password }),
  });
  // Not before: it would lie over the key.
  const finish = () => {
    toast.success('Gateway added.');
    leave();
  };
  const { serialNumber, type, name } = form.values;
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New gateway" />
      <GatewayForm form={form} farmUID={farmUID} />
      {key && (
        <KeyDialog
          title={`Key of ${name.trim()}`}
          deviceKey={key}
          configuration={(broker) => gatewayConfiguration(key, broker)}
          example={(broker) =>
            gatewayExample(key, broker, { serialNumber: serialNumber.trim(), type: Number(type) })
          }
          onClose={finish}
        />
      )}
    </>
  );
}

/** `/gateway-device/{farmUID}/{id}` */
export function GatewayPage({ farmUID, id }: { farmUID: string; id: string }) {
  const query = useQuery({ ...gatewayQuery(id), staleTime: 0 });
  const { placeOf } = useFarmPin(farmUID);
  const going = useUnitsOfGateway(farmUID, id);
  return (
    <EditPage
      kind={kind}
      farmUID={farmUID}
      query={query}
      going={going}
      remove={({ _id }) => call('DELETE /gateway', { query: { deviceId: _id } })}
      renderActions={(gateway) => <RotateKey gateway={gateway} />}
    >
      {(gateway) => (
        <>
          <EditGateway key={gateway._id} gateway={gateway} placeOf={placeOf} />
          {sprinklerGateways.includes(gateway.type) && <RadioPanel gateway={gateway._id} />}
          <DeviceLetters farmUID={farmUID} mac={gateway.macAddress} />
        </>
      )}
    </EditPage>
  );
}

interface EditGatewayProps {
  gateway: Gateway;
  placeOf: (gateway: Gateway) => LatLng | null;
}

function EditGateway({ gateway, placeOf }: EditGatewayProps) {
  const form = useEditForm({
    kind,
    record: gateway,
    valuesOf: (one) => valuesOf(one, placeOf(one)),
    validate: validateGateway,
    ask: useFarPlace(gateway.farmUID),
    save: (values, version) =>
      call('PUT /gateway', { body: { id: gateway._id, version, ...entryOf(values) } }),
    queryKey: (id) => gatewayQuery(id).queryKey,
  });
  return <GatewayForm form={form} farmUID={gateway.farmUID} gateway={gateway} />;
}

interface GatewayFormProps {
  form: Form<GatewayValues>;
  farmUID: string;
  gateway?: Gateway | undefined;
}

const digitsOf = (mac: string) => mac.replaceAll(/[\s:.-]/g, '').toUpperCase();

function GatewayForm({ form, farmUID, gateway }: GatewayFormProps) {
  const { field, values } = form;
  const isOther = gateway !== undefined && digitsOf(values.macAddress) !== digitsOf(gateway.macAddress);
  return (
    <RecordForm form={form} label="Gateway" labels={gatewayLabels} back={listPath(kind, farmUID)}>
      <Columns
        first={
          <FormSection>
            <TextField {...field('name')} label="Name" required maxLength={LONG_NAME_MAX} />
            <AreaField {...field('description')} label="Description" rows={1} />
            <SelectField {...field('type')} label="Type" options={typeOptions} />
            <IdentityFields
              kind="gateway"
              farmUID={farmUID}
              serial={field('serialNumber')}
              mac={field('macAddress')}
              own={gateway}
              type={values.type}
              macHint={
                isOther
                  ? 'With another MAC the key ends: make a new one afterwards.'
                  : 'Also its user name at the broker.'
              }
            />
          </FormSection>
        }
        aside={
          <FormSection>
            <PlaceField
              {...field('place')}
              farmUID={farmUID}
              own={gateway?._id}
              shape="gateway"
              device={values.name}
            />
          </FormSection>
        }
      >
        <FormSection title="Radio">
          <NumberField
            {...field('channel')}
            label="Channel"
            hint="1 to 9 or 16 to 25; empty becomes 1"
            isWhole
          />
          <NumberField {...field('spfactor')} label="Spreading factor" isWhole />
        </FormSection>
      </Columns>
    </RecordForm>
  );
}
