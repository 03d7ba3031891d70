import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Repeater } from '@headrace/contract/repeaters';
import { SHORT_NAME_MAX } from '@headrace/contract/rules/device-form';
import { call } from '../../api/client.ts';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { AreaField, Columns, FormSection, TextField } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { deviceKinds, listPath } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useNames } from '../../device-records/choices.queries.ts';
import { placeOf, sentPlace } from '../../device-records/place-text.ts';
import { repeaterQuery, repeatersQuery } from '../../device-records/repeaters.queries.ts';
import { BatteryButton } from '../devices/battery-button.tsx';
import {
  validateEntries,
  type DeviceValues,
  deviceLabels,
  newDevice,
  newIdentity,
} from '../devices/device-values.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { useEditForm } from '../devices/use-edit-form.ts';
import { GatewayField } from '../devices/gateway-field.tsx';
import { IdentityFields } from '../devices/identity-fields.tsx';
import { PlaceField } from '../placing/place-field.tsx';
import { findMac } from '../devices/serial-lookup.ts';
import { useSeries } from '../devices/use-series.ts';
import { useFarPlace } from '../placing/use-far-place.ts';

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

const fieldText = (gateways: ReadonlyMap<string, string>): FieldLabels<RepeaterValues> => ({
  ...deviceLabels,
  gatewayUID: { label: 'Gateway', text: (id) => gateways.get(id) ?? id },
});

/** `/repeater-device/new/{farmUID}` */
export function NewRepeaterPage({ farmUID }: { farmUID: string }) {
  const queryClient = useQueryClient();
  const series = useSeries({ farmUID, list: repeatersQuery(farmUID), nameMax: SHORT_NAME_MAX });
  const leave = useLeaveForList(kind, farmUID);
  const form = useRecordForm({
    ask: useFarPlace(farmUID),
    draftKey: `repeater.new.${farmUID}`,
    initial: newRepeater,
    validate: (values) => validateEntries('repeater', values),
    save: (values) => call('POST /repeater', { body: { farmUID, ...entryOf(values) } }),
    onSaved: () => {
      toast.success('Repeater added.', { id: 'added' });
      leave();
    },
    complete: (values) => findMac(queryClient, 'repeater', values),
    another: {
      next: (_reply, saved) => ({ ...saved, ...newIdentity, ...series.next(saved) }),
      focus: 'serialNumber',
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
  const form = useEditForm({
    kind,
    record: repeater,
    valuesOf,
    validate: (values) => validateEntries('repeater', values),
    ask: useFarPlace(repeater.farmUID),
    save: (values, version) =>
      call('PUT /repeater', { body: { id: repeater._id, version, ...entryOf(values) } }),
    queryKey: (id) => repeaterQuery(id).queryKey,
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
    <RecordForm form={form} label="Repeater" labels={fieldText(gateways)} back={listPath(kind, farmUID)}>
      <Columns
        first={
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
          </FormSection>
        }
        aside={
          <FormSection>
            {' '}
            <PlaceField
              {...field('place')}
              farmUID={farmUID}
              own={repeater?._id}
              shape="repeater"
              device={values.name}
            />
          </FormSection>
        }
      />
    </RecordForm>
  );
}
