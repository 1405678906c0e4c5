import { Alert, Button, Drawer, Group, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { visitCalls, visitParts, visitRules, type Visit } from "@arcada/contract/visit/visit.calls";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { VisitFiles } from "./visit-files-field.tsx";
import { VisitTeeth } from "./visit-teeth-field.tsx";
import {
  findDifferences,
  createEmptyVisit,
  toInput,
  toValues,
  type VisitValues,
  type VisitCallForm,
} from "./visit-form-values.ts";
import classes from "./visit.module.css";
import { DayFormField } from "../ui/form/day-form-field.tsx";

interface Props {
  opened: boolean;
  patientId: string;
  /** Null: a new one. */
  visit: Visit | null;
  onClose: () => void;
}

/** Creates or changes a visit. The input is kept until it is saved or discarded. */
export function VisitForm({ opened, patientId, visit, onClose }: Props) {
  const t = useTexts("visit");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={720}
      title={t(visit ? "visit.changeTitle" : "visit.add")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
    >
      <Form patientId={patientId} visit={visit} onClose={onClose} />
    </Drawer>
  );
}

function Form({ patientId, visit, onClose }: Omit<Props, "opened">) {
  const t = useTexts("visit");
  const user = useSignedInUser();
  // The visit as it was when the form opened, or the newer one after another user had changed it.
  const [base, setBase] = useState(visit);
  const [isUploading, setUploading] = useState(false);
  const call = useCallForm<typeof visitCalls.create | typeof visitCalls.update, VisitValues>(
    base ? visitCalls.update : visitCalls.create,
    {
      defaults: visit ? toValues(visit) : createEmptyVisit(user.id),
      draft: visit ? `visit.${visit.id}.${visit.version}` : `visit.new.${patientId}`,
      input: (values) =>
        base
          ? { ...toInput(values), id: base.id, version: base.version, keep: values.keep }
          : { ...toInput(values), patientId },
      onSuccess: () => {
        toast("success", t("common.saved"));
        onClose();
      },
      onRefused: ({ name }) => {
        // Its details are the visit, not field errors.
        if (name === "visitChanged") call.form.clearErrors();
      },
    },
  );
  const current = call.refused?.name === "visitChanged" ? (call.refused.details as Visit) : null;
  const cancel = () => {
    call.startOver();
    onClose();
  };
  return (
    <form noValidate onSubmit={call.submit}>
      <Stack gap="md">
        {call.isRestored && <DraftNotice onStartOver={call.startOver} />}
        <VisitFields call={call} base={base} />
        <VisitFiles call={call} files={base?.files ?? []} onBusy={setUploading} />
        {current && base && (
          <VisitConflict
            base={base}
            current={current}
            onTakeTheirs={() => {
              setBase(current);
              call.form.reset(toValues(current));
            }}
            onKeepMine={() => setBase(current)}
          />
        )}
        {!current && <FormError text={call.problem} />}
        <Group justify="flex-end" className={classes.foot}>
          <Button variant="default" onClick={cancel} disabled={call.busy}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={call.busy} disabled={isUploading}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function VisitFields({ call, base }: { call: VisitCallForm; base: Visit | null }) {
  const t = useTexts("visit");
  const { form, error } = call;
  const members = useCall(memberCalls.list, { page: 1, pageSize: pageSizes.max }).data?.list ?? [];
  const dentists = new Map(members.flatMap(({ userId, name }) => (userId ? [[userId, name] as const] : [])));
  if (base) dentists.set(base.dentist.id, base.dentist.name);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DayFormField form={form} field="at" withTime label={t("visit.field.at")} withAsterisk error={error("at")} />
        <Select
          label={t("visit.field.dentist")}
          withAsterisk
          searchable={dentists.size > 8}
          allowDeselect={false}
          data={[...dentists].map(([value, label]) => ({ value, label }))}
          value={form.watch("dentistId")}
          onChange={(id) => id && form.setValue("dentistId", id, { shouldDirty: true })}
          error={error("dentistId")}
        />
      </SimpleGrid>
      {visitParts.map((part) => (
        <Textarea
          key={part}
          label={t(`visit.part.${part}`)}
          autosize
          minRows={part === "complaint" ? 1 : 2}
          maxRows={12}
          maxLength={visitRules.maxTextLength}
          dir="auto"
          error={error(`content.${part}`)}
          {...form.register(`content.${part}`)}
        />
      ))}
      <VisitTeeth
        marks={form.watch("content.marks")}
        onChange={(marks) => form.setValue("content.marks", marks, { shouldDirty: true })}
      />
    </>
  );
}

interface VisitConflictProps {
  base: Visit;
  current: Visit;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}
/** Another user saved first. Offers their text, or one's own over it, which keeps theirs as a version. */
function VisitConflict({ base, current, onTakeTheirs, onKeepMine }: VisitConflictProps) {
  const t = useTexts("visit");
  if (base.version === current.version)
    return (
      <Alert color="blue" role="status">
        {t("visit.changed.kept")}
      </Alert>
    );
  return (
    <Alert color="yellow" title={t("visit.changed.title", { name: current.changedBy.name })} role="alert">
      <Text size="sm">{t("visit.changed.text")}</Text>
      <ul className={classes.changes}>
        {findDifferences(base.content, current.content).map((part) => (
          <li key={part}>{t(part === "marks" ? "visit.teeth" : `visit.part.${part}`)}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          {t("visit.changed.take")}
        </Button>
        <Button size="xs" variant="default" onClick={onKeepMine}>
          {t("visit.changed.keep")}
        </Button>
      </Group>
    </Alert>
  );
}
