import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Repeater } from '@headrace/contract/repeaters';
import { SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import { call } from '../../api/client.ts';
import type { FieldWords } from '../../forms/conflict-dialog.tsx';
import { AreaField, FormSection, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { BatteryButton } from '../devices/battery-button.tsx';
import { deviceKinds, listPath } from '../devices/device-kinds.ts';
import { complainOf, type DeviceValues, deviceWords, newDevice } from '../devices/device-values.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { GatewayField } from '../devices/gateway-field.tsx';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { useGatewayChoices, useNames } from '../devices/known.queries.ts';
import { PlaceField } from '../devices/place-field.tsx';
import { placeOf, sentPlace } from '../devices/place-text.ts';
import { repeaterQuery } from './repeaters.queries.ts';

const kind = deviceKinds.repeater;

interface RepeaterValues extends DeviceValues {
  gatewayUID: string;
}

const newRepeater: RepeaterValues = { ...newDevice, gatewayUID: '' };

const valuesOf = (repeater: Repeater): RepeaterValues => ({
  name: repeater.name,
  description: repeater.description,
  serialNumber: repeater.serialNumber,
  macAddress: repeater.macAddress,
  place: placeOf(repeater),
  gatewayUID: repeater.gatewayUID ?? '',
});

const entryOf = ({ place, ...values }: RepeaterValues) => ({
  name: values.name.trim(),
  description: values.description.trim(),
  serialNumber: values.serialNumber.trim(),
  macAddress: values.macAddress.trim(),
  ...sentPlace(place),
  gatewayUID: values.gatewayUID || null,
});

const wordsOf = (gateways: ReadonlyMap<string, string>): FieldWords<RepeaterValues> => ({
  ...deviceWords,
  gatewayUID: { label: 'Gateway', text: (id) => gateways.get(id) ?? id },
});

/** `/repeater-device/new/{farmUID}` */
export function NewRepeaterPage({ farmUID }: { farmUID: string }) {
  const leave = useLeaveForList(kind, farmUID);
  const form = useRecordForm({
    draftKey: `repeater.new.${farmUID}`,
    initial: newRepeater,
    complain: (values) => complainOf('repeater', values),
    save: (values) => call('POST /repeater', { body: { farmUID, ...entryOf(values) } }),
    onSaved: () => {
      toast.success('Repeater added.');
      leave();
    },
  });
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New repeater" />
      <RepeaterForm form={form} farmUID={farmUID} />
    </>
  );
}

/** `/repeater-device/{farmUID}/{id}` */
export function RepeaterPage({ farmUID, id }: { farmUID: string; id: string }) {
  const query = useQuery(repeaterQuery(id));
  return (
    <EditPage
      kind={kind}
      farmUID={farmUID}
      query={query}
      remove={({ _id }) => call('DELETE /repeater', { query: { deviceId: _id } })}
      renderActions={({ _id, name }) => (
        <BatteryButton
          name={name}
          record={() => call('POST /repeater/replace-battery', { body: { rptrUID: _id } })}
        />
      )}
    >
      {(repeater) => <EditRepeater key={repeater._id} repeater={repeater} />}
    </EditPage>
  );
}

function EditRepeater({ repeater }: { repeater: Repeater }) {
  const queryClient = useQueryClient();
  const leave = useLeaveForList(kind, repeater.farmUID);
  const form = useRecordForm({
    draftKey: `repeater.${repeater._id}`,
    initial: valuesOf(repeater),
    version: repeater.version,
    complain: (values) => complainOf('repeater', values),
    readCurrent: (current) => {
      const record = current as Repeater;
      return { values: valuesOf(record), version: record.version };
    },
    save: (values, version = repeater.version) =>
      call('PUT /repeater', { body: { id: repeater._id, version, ...entryOf(values) } }),
    onSaved: (saved) => {
      queryClient.setQueryData(repeaterQuery(saved._id).queryKey, saved);
      toast.success('Repeater saved.');
      leave();
    },
  });
  return <RepeaterForm form={form} farmUID={repeater.farmUID} repeater={repeater} />;
}

interface RepeaterFormProps {
  form: Form<RepeaterValues>;
  farmUID: string;
  repeater?: Repeater | undefined;
}

function RepeaterForm({ form, farmUID, repeater }: RepeaterFormProps) {
  const { field, values } = form;
  const gateways = useNames(useGatewayChoices(farmUID));
  return (
    <RecordForm form={form} label="Repeater" words={wordsOf(gateways)} back={listPath(kind, farmUID)}>
      <FormSection>
        <TextField
          {...field('name')}
          label="Name"
          required
          maxLength={SHORT_NAME_MAX}
          hint="Up to 5 characters: it stands on the map."
        />
        <AreaField {...field('description')} label="Description" rows={1} />
        <IdentityFields
          kind="repeater"
          farmUID={farmUID}
          serial={field('serialNumber')}
          mac={field('macAddress')}
          own={repeater}
        />
        <GatewayField {...field('gatewayUID')} farmUID={farmUID} />
        <Wide>
          <PlaceField
            {...field('place')}
            farmUID={farmUID}
            own={repeater?._id}
            shape="repeater"
            device={values.name}
          />
        </Wide>
      </FormSection>
    </RecordForm>
  );
}
