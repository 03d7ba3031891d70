import { useRef, useState } from 'react';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CODEC_SCRIPT_MAX } from '@headrace/contract/limits';
import { all, maxLength, required } from '@headrace/contract/rules/form-rules';
import { ApiError, call, errorText } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { toast } from '../../ui/toasts.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import plain from '../../ui/plain-button.module.css';
import dialogs from '../../forms/dialog-content.module.css';
import { codecQuery } from './codecs.queries.ts';
import { TryPayload, type TryPayloadProps } from './try-payload.tsx';
import classes from './codecs.module.css';

export interface CodecDialogProps {
  farmUID: string;
  /** The codec that gets a new version; absent: a new one. */
  codecId?: string | undefined;
  first: TryPayloadProps['first'];
  onSaved: (codecId: string) => void;
  onClose: () => void;
}

const NAME_MAX = 40;
const nameRule = all(required('Name'), maxLength('Name', NAME_MAX));
const scriptRule = all(required('Script'), maxLength('Script', CODEC_SCRIPT_MAX));

/** The text of a payload codec: pasted, chosen as a file or changed here. Each saving makes a new version. */
export function CodecDialog({ farmUID, codecId, first, onSaved, onClose }: CodecDialogProps) {
  const isMobile = useIsMobile();
  const [version, setVersion] = useState<number>();
  const { data: codec } = useQuery({
    ...codecQuery(farmUID, codecId ?? '', version),
    enabled: codecId !== undefined,
  });
  const isReady = codecId === undefined || codec !== undefined;
  return (
    <Dialog
      onClose={onClose}
      title={codecId ? `Codec ${codec?.name ?? ''}` : 'New codec'}
      size={760}
      isFullScreen={isMobile}
    >
      {codec && codec.versions.length > 1 && (
        <NativeSelect
          size="md"
          label="Version"
          description="Saving makes a new version of it; older ones are kept."
          data={codec.versions.map((each) => String(each.version))}
          value={String(version ?? codec.version)}
          onChange={(event) => setVersion(Number(event.currentTarget.value))}
        />
      )}
      {isReady && (
        <Editor
          key={`${codec?.id ?? ''} ${version ?? ''}`}
          farmUID={farmUID}
          codecId={codecId}
          begin={{ name: codec?.name ?? '', script: codec?.script ?? '' }}
          first={first}
          onSaved={onSaved}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface EditorProps extends CodecDialogProps {
  begin: { name: string; script: string };
}

function Editor({ farmUID, codecId, begin, first, onSaved, onClose }: EditorProps) {
  const queryClient = useQueryClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const [name, setName] = useState(begin.name);
  const [script, setScript] = useState(begin.script);
  const [isTried, setIsTried] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      codecId
        ? call('PUT /codec', { body: { farmUID, codecId, name: name.trim(), script } })
        : call('POST /codec', { body: { farmUID, name: name.trim(), script } }),
    onSuccess: ({ id, version }) => {
      toast.success(`Codec ${name.trim()} saved as version ${version}.`);
      void queryClient.invalidateQueries({ queryKey: ['codecs', farmUID] });
      void queryClient.invalidateQueries({ queryKey: ['codec', farmUID] });
      onSaved(id);
      onClose();
    },
    onError: (error) => showLine(area.current, errorText(error)),
  });
  const faults = { name: nameRule(name), script: scriptRule(script) };
  const refusedAt = (field: string) =>
    save.error instanceof ApiError && save.error.field === field ? save.error.message : undefined;
  const errorOf = (field: 'name' | 'script') =>
    refusedAt(field) ?? (isTried ? (faults[field] ?? undefined) : undefined);
  const isElsewhere = save.isError && !refusedAt('name') && !refusedAt('script');
  const submit = () => {
    setIsTried(true);
    if (!faults.name && !faults.script && !save.isPending) save.mutate();
  };
  return (
    <div className={dialogs.fields}>
      <TextField
        name="codec-name"
        label="Name"
        required
        maxLength={NAME_MAX}
        value={name}
        error={errorOf('name')}
        onChange={setName}
        onBlur={() => undefined}
      />
      <Textarea
        ref={area}
        size="md"
        label="Script"
        description={`JavaScript as the vendor or the network server's store gives it: decodeUplink at the top, in exports or in a bundle, or the older Decode and Decoder. At most ${CODEC_SCRIPT_MAX / 1024} KiB.`}
        required
        rows={14}
        spellCheck={false}
        wrap="off"
        classNames={{ input: classes.script ?? '' }}
        value={script}
        error={errorOf('script')}
        onChange={(event) => setScript(event.currentTarget.value)}
      />
      <label className={classes.file}>
        <span>Or choose a file</span>
        <input
          type="file"
          className={plain.file}
          accept=".js,.txt,text/javascript"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) void file.text().then(setScript);
          }}
        />
      </label>
      {isElsewhere && (
        <p className={dialogs.failed} role="alert">
          {errorText(save.error)}
        </p>
      )}
      {script.trim() !== '' && (
        <TryPayload farmUID={farmUID} codec={{ script }} mapping={null} first={first} />
      )}
      <Ways>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button aria-disabled={save.isPending} onClick={submit}>
          {save.isPending ? 'Saving…' : 'Save codec'}
        </Button>
      </Ways>
    </div>
  );
}

/** Marks the line that the server names: "Line 12: …". */
function showLine(area: HTMLTextAreaElement | null, fault: string): void {
  const line = Number(/^Line (\d+)/.exec(fault)?.[1]);
  if (!area || !Number.isFinite(line)) return;
  const lines = area.value.split('\n');
  const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  const height = area.scrollHeight / Math.max(1, lines.length);
  area.scrollTop = Math.max(0, (line - 4) * height);
}
